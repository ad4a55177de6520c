import { randomBytes, randomUUID } from 'node:crypto'
import { type BegunByKey, checkoutMinutes, insertCheckout } from '../../../core/money/checkout-store.ts'
import { hasTooMany } from '../../../core/money/live-checkouts.ts'
import type { Work } from '../../../context.ts'
import { emailKey } from '../../../platform/kernel/email.ts'
import { refuse, refuseTable } from '../../../platform/kernel/refusal.ts'
import { holdDays } from '../../day/open-day.ts'
import type { When } from '../../day/when.ts'
import type { BookingRules } from '../../rules/booking-rules.ts'
import type { Terms } from '../../rules/guarantee-asked.ts'
import { resolveService } from '../../rules/resolve-service.ts'
import type { GuestRequest } from '../guest/book-by-guest.ts'
import type { HoldId } from '../holds/hold-reads.ts'
import { moveHoldEnd } from '../holds/hold-writes.ts'
import { newHoldId, placeHold } from '../holds/holds.ts'
import { type AskedTerms, offersNow } from './open-experiences.ts'
import { readTerms } from './terms-at.ts'

/*
 * A table that has to be secured first: what is asked, and the press that agrees to it. The place is held under a name that
 * nobody else knows for as long as it can be paid, whatever other time is pressed meanwhile.
 */

/**
 * What the venue's page asks before it books, by the rules around that time; undefined: nothing, as where no account is
 * connected or the sum is below what the processor takes. An experience that asks wins over the venue's rows.
 */
export const termsNow = async (
  { db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>,
  country: string,
  rules: BookingRules,
  {
    partySize,
    experience,
    ...when
  }: When & { readonly partySize: number; readonly experience?: string | null | undefined },
): Promise<AskedTerms | undefined> => {
  const chosen = experience
    ? (await offersNow({ db, venue, now }, country, rules, { ...when, partySize })).find(
        (one) => one.experience.key === experience,
      )
    : undefined
  if (chosen?.terms) return chosen.terms
  const termsAt = await readTerms({ db, venue }, rules)
  return termsAt({ place: resolveService(rules, when), startsAt: when.startsAt, partySize })
}

/** What the form of a checkout of a table holds. Who it is stands on top, as in that of tickets. */
export type TableForm = {
  readonly firstName: string
  readonly email: string
  readonly phone: string | null
  readonly asked: Omit<GuestRequest, 'guestName' | 'email' | 'phone' | 'startsAt' | 'hold'> & {
    readonly startsAt: string
  }
  readonly terms: Omit<Terms, 'freeUntil'> & { readonly freeUntil: string }
  /** What they agreed to as they asked for the venue's news: they are signed up with the booking. */
  readonly news?: NewsAsked | null | undefined
}

export type NewsAsked = { readonly statement: string; readonly pageUrl: string }

export type TableAsked = {
  readonly request: GuestRequest & { readonly email: string }
  readonly terms: AskedTerms
  readonly news?: NewsAsked | null | undefined
  /** As it was shown at the button. */
  readonly sentence: string
  /** What the processor's page calls it. */
  readonly title: string
  readonly language: string
  /** Who holds the place: the guest's network, under all its names. */
  readonly by: { readonly holder: string; readonly formerly: readonly string[] }
  /** Software begins it. */
  readonly begun?: BegunByKey
}

/**
 * Makes the checkout, with its place held; undefined: the guest has too many open already. Refused by the first rule that
 * says no, like a request, and where their network holds as many as it may: nothing is left behind then, and the place that
 * they hold stays theirs. Locks the day, then the account.
 */
export const askTable = async (
  work: Work,
  { request, terms, news, sentence, title, language, by, begun }: TableAsked,
): Promise<number | undefined> => {
  const { db, venue } = work
  const { guestName, email, phone, hold: before, startsAt, ...asked } = request
  const buyerEmailKey = emailKey(email)
  const { date, time, partySize } = asked
  // The day before the account that the count locks, in the order of every sale: what is sold first.
  await holdDays(work, { date, time, startsAt, partySize })
  const counted = { account: terms.account, buyerEmailKey, key: begun?.key }
  if (await hasTooMany(db, venue.id, counted, work.now())) return undefined
  const holdId: HoldId = newHoldId(randomBytes)
  const held = await placeHold(work, {
    ...{ date, time, startsAt, partySize, id: holdId, by },
    ...(before !== undefined && { instead: before }),
    ...(asked.experience && { experience: asked.experience.key }),
  })
  if (held.kind === 'refused') throw refuseTable(held.refusal, held.table)
  if (held.kind === 'too many') throw refuse('too-many-holds', 'Too many tables are held from this network.')
  const now = work.now()
  await moveHoldEnd(db, venue.id, holdId, now.add({ minutes: checkoutMinutes.made }))
  const form: TableForm = {
    firstName: guestName,
    email,
    phone,
    news: news ?? null,
    asked: { ...asked, startsAt: startsAt.toString() },
    terms: {
      kind: terms.kind,
      perGuestCents: terms.perGuestCents,
      amountCents: terms.amountCents,
      freeUntil: terms.freeUntil.toString(),
      each: terms.each,
    },
  }
  const { amountCents: totalCents, feeCents = 0, taxCents = 0 } = terms
  const subtotalCents = totalCents - feeCents - taxCents
  return insertCheckout(
    db,
    venue.id,
    {
      ref: randomUUID(),
      account: terms.account,
      of: { kind: 'table', mode: terms.kind === 'card' ? 'setup' : 'payment', holdId },
      form,
      sentence,
      buyerEmailKey,
      language,
      title,
      price: { subtotalCents, discountCents: 0, feeCents, taxCents, totalCents },
      currency: terms.currency,
      by: begun,
    },
    now,
  )
}
