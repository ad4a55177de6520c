import { randomUUID } from 'node:crypto'
import {
  type CheckoutRow,
  type CheckoutWhy,
  checkoutById,
  checkoutForUpdate,
  checkoutMinutes,
  insertCheckout,
  settleCheckout,
} from '../../core/money/checkout-store.ts'
import type { Looking, Paid } from '../../core/money/look.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Work } from '../../context.ts'
import { holdGuestBook } from '../../crm/guests/actions.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { holdDays } from '../day/open-day.ts'
import type { TableForm } from '../reservations/guarantee/ask-table.ts'
import type { AskedTerms } from '../reservations/guarantee/open-experiences.ts'
import { deletionOf } from '../reservations/guarantee/deletion-of.ts'
import { refuseTable, secureWith, termsIn } from '../reservations/guarantee/give-table.ts'
import { type HoldRow, holdOfEntry } from '../reservations/holds/hold-reads.ts'
import { holdUntil, whenHeld } from '../reservations/holds/holds.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import { acceptOffer } from './accept-offer.ts'
import { waitlistEntryForUpdate } from './reads.ts'

/*
 * A table that was offered to a party of the list, where the venue asks for a card or a deposit: the press makes a checkout,
 * and what holds the table for the party holds it for the checkout. Given, it is booked as any other offer that is taken;
 * given up, it is offered for as long as it was.
 */

type OfferForm = TableForm & { readonly offer: { readonly entry: number; readonly until: string } }

/** Whether a checkout is of a table that was offered. */
export const isOfOffer = ({ kind, form }: Pick<CheckoutRow, 'kind' | 'form'>): boolean =>
  kind === 'table' && (form as Partial<OfferForm> | null)?.offer !== undefined

export type OfferAsked = {
  readonly entry: { readonly id: number }
  readonly hold: HoldRow
  readonly when: { readonly date: string; readonly time: string; readonly startsAt: Temporal.Instant }
  readonly terms: AskedTerms
  readonly sentence: string
  readonly title: string
  readonly language: string
}

/**
 * Makes the checkout of an offer, or leads to the one that is open; undefined where the offer is over by now. The table is
 * held as long as it can be paid. Locks the party: two presses make one checkout.
 */
export const askForOffer = async (
  { db, venue, now }: Work,
  { entry, hold, when, terms, sentence, title, language }: OfferAsked,
): Promise<number | undefined> => {
  const party = await waitlistEntryForUpdate(db, venue.id, entry.id)
  const held = await holdOfEntry(db, venue.id, entry.id)
  if (party?.status !== 'offered' || held?.id !== hold.id) return undefined
  const live = await liveOf(db, venue.id, hold.id, now())
  if (live !== undefined) return live
  const { id, guest_name: name, email } = party
  const { account, currency, ...agreed } = terms
  const form: Omit<OfferForm, 'email' | 'asked'> & Record<'email' | 'asked', unknown> = {
    ...{ firstName: name ?? '', email, phone: null, news: null },
    asked: { ...when, startsAt: when.startsAt.toString(), partySize: hold.party_size },
    terms: { ...agreed, freeUntil: terms.freeUntil.toString() },
    offer: { entry: id, until: held.expires_at },
  }
  const total = terms.amountCents
  const checkout = await insertCheckout(
    db,
    venue.id,
    {
      ...{ ref: randomUUID(), account, form, sentence, language, title, currency },
      of: { kind: 'table', mode: terms.kind === 'card' ? 'setup' : 'payment', holdId: hold.id },
      buyerEmailKey: email === null ? null : emailKey(email),
      price: { subtotalCents: total, discountCents: 0, feeCents: 0, taxCents: 0, totalCents: total },
    },
    now(),
  )
  const end = now().add({ minutes: checkoutMinutes.made })
  if (Temporal.Instant.compare(end, toInstant(held.expires_at)) > 0)
    await moveOfferEnd(db, venue.id, { entry: id, hold: hold.id, end })
  return checkout
}

/** Takes the offer that was secured, once. One that is over is refused: the money goes back, or the card is deleted. */
export const giveOffer = async (work: Work, id: number, paid: Paid): Promise<void> => {
  const { db, venue } = work
  const seen = await checkoutById(db, venue.id, id)
  const form = seen?.form as OfferForm | null | undefined
  if (!seen || !form) return
  // What an acceptance locks, in its order; then the checkout, as who ends one locks it before the place that it holds.
  const hold = await holdOfEntry(db, venue.id, form.offer.entry)
  const place = hold && { ...whenHeld(hold), partySize: hold.party_size }
  await holdDays(work, place, [hold?.service_date ?? null])
  await holdGuestBook(work)
  const row = await checkoutForUpdate(db, venue.id, id)
  if (!row || row.state === 'completed' || row.state === 'refused') return
  const taken = await take(work, row, form, paid)
  if ('why' in taken) return refuseTable(work, row, { terms: termsIn(form, row), paid, why: taken.why })
  const settled = await settleCheckout(db, venue.id, id, {
    state: 'completed',
    reservation: taken.booking,
    why: null,
  })
  if (!settled) throw new Error('a checkout was settled twice')
}

type Taken = { readonly booking: number } | { readonly why: CheckoutWhy }

const take = async (work: Work, row: CheckoutRow, form: OfferForm, paid: Paid): Promise<Taken> => {
  const { db, venue } = work
  const hold = await holdOfEntry(db, venue.id, form.offer.entry)
  const date = hold?.service_date
  const { keepCardDays } = await bookingRulesAround(db, venue, date ?? form.asked.date)
  const deleteAt = paid.card && deletionOf(date ?? form.asked.date, keepCardDays, venue.timezone)
  let isSecured = false
  try {
    const booking = await acceptOffer(work, form.offer.entry, {
      // A party that was offered another table meanwhile agreed to this one only.
      hold: row.hold_id,
      pressedAt: toInstant(row.made_at),
      secure: async (reservation) => {
        isSecured = true
        return secureWith(work, row, { reservation, terms: termsIn(form, row), paid, deleteAt })
      },
    })
    return booking !== undefined && isSecured ? { booking } : { why: 'taken' }
  } catch (error) {
    // Nobody can be served then: nothing was written yet.
    if (!(error instanceof Refusal)) throw error
    return {
      why:
        error.reason === 'closed' || error.reason === 'blocked'
          ? 'closed'
          : error.reason === 'in-the-past'
            ? 'over'
            : 'taken',
    }
  }
}

/** The table is held while it can be paid; given up, until the moment that the party heard of. */
export const keepOfferOf: Looking['placeOf'] = async (db, venue, row) => {
  const { offer } = row.form as OfferForm
  // Another press has it now: how long it is held is that one's.
  const isHeld = row.state === 'opening' || row.state === 'open'
  if (!isHeld && (await liveOf(db, venue.id, row.hold_id ?? '')) !== undefined) return
  const until = Temporal.Instant.from(offer.until)
  const end = isHeld ? laterOf(toInstant(row.counts_until), until) : until
  return moveOfferEnd(db, venue.id, { entry: offer.entry, hold: row.hold_id ?? '', end })
}

const moveOfferEnd = async (
  db: Work['db'],
  venue: VenueId,
  { entry, hold, end }: { readonly entry: number; readonly hold: string; readonly end: Temporal.Instant },
): Promise<void> => {
  // The party before what is held for it, as who moves it does.
  await waitlistEntryForUpdate(db, venue, entry)
  // That table was taken back: the party may be offered another by now, which has an end of its own.
  if ((await holdUntil({ db, venue: { id: venue } }, hold, end)) === 0) return
  await db.run(sql()`
    update waitlist_entry set offered_until = ${end}
     where venue_id = ${venue} and id = ${entry} and status = 'offered'`)
}

const laterOf = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.compare(one, other) >= 0 ? one : other

/** The checkout of a hold that can be paid; `now` absent: also one whose end nobody has written yet. */
const liveOf = async (
  db: Queries,
  venue: VenueId,
  hold: string,
  now: Temporal.Instant | null = null,
): Promise<number | undefined> =>
  (
    await db.maybe(sql({ id: 'int8' })`
      select id from checkout
       where venue_id = ${venue} and hold_id = ${hold}
         and (state = 'made' and (${now}::timestamptz is null or counts_until > ${now}::timestamptz) or state in ('opening', 'open'))
       order by id desc limit 1`)
  )?.id
