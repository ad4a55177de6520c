import { randomUUID } from 'node:crypto'
import {
  type CheckoutRow,
  type CheckoutWhy,
  checkoutById,
  checkoutForUpdate,
  endCheckout,
  keepCounting,
  lookLater,
  settleCheckout,
} from '../../../core/money/checkout-store.ts'
import type { Looking, Paid } from '../../../core/money/look.ts'
import { addMatter } from '../../../core/money/matter-store.ts'
import { insertPayment } from '../../../core/money/payment-store.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import type { Work } from '../../../context.ts'
import { holdGuestBook } from '../../../crm/guests/actions.ts'
import { queueGuestMail } from '../../../mail/guest-mail-queue.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { momentWallReaches, wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { BookRow } from '../../day/book-row.ts'
import { markFreed } from '../../day/freed-places.ts'
import { holdAndOpenDay } from '../../day/open-day.ts'
import type { Terms } from '../../rules/guarantee-asked.ts'
import { resolveService } from '../../rules/resolve-service.ts'
import { bookingRulesAround } from '../../rules/rules-store.ts'
import { isServiceOver } from '../../rules/service-now.ts'
import { type GuestRequest, bookByGuest } from '../guest/book-by-guest.ts'
import { deleteHold, moveHoldEnd } from '../holds/hold-writes.ts'
import { evaluate } from '../rules/evaluate.ts'
import { bookForSoftware } from './book-for-software.ts'
import type { NewsAsked, TableForm } from './ask-table.ts'
import { deletionOf } from './deletion-of.ts'
import { type GuaranteeRow, insertGuarantee, insertGuaranteeRefund } from './guarantee-store.ts'
import { showNewGuarantee } from './show-guarantee.ts'

/** Puts a guest on the venue's list, as they asked for with their booking or their tickets. */
export type SignUp = (
  work: Work,
  asked: NewsAsked & { readonly email: string; readonly name: string; readonly language: string },
  source: 'booking' | 'ticket_order',
) => Promise<unknown>

/**
 * Gives the table that was secured: booking, guarantee, payment, mail and event in one transaction, once. Who comes second
 * finds it done. Where it cannot be given, there is no booking, and the money is on its way back or the card is deleted; nor
 * is anybody signed up for news then. Locks the day, then what a booking locks; the end of the checkout is guarded by its own statement.
 */
export const giveTable = async (work: Work, id: number, paid: Paid, signUp?: SignUp): Promise<void> => {
  const { db, venue } = work
  const seen = await checkoutById(db, venue.id, id)
  if (!seen) return
  const form = inZone(seen.form as TableForm | null, venue.timezone)
  const request = form && requestIn(form, seen)
  const why = request ? await whyNot(work, seen, request) : 'taken'
  // As who ends a checkout locks it before the place that it holds, so does who gives it: behind what is locked before both.
  if (why === null) await holdGuestBook(work)
  // Read again behind the day's lock: somebody else may have given it meanwhile.
  const row = await checkoutForUpdate(db, venue.id, id)
  if (!row || row.state === 'completed' || row.state === 'refused') return
  if (request && why === null) {
    await give(work, row, { request, terms: termsIn(form, row), paid })
    if (form.news) {
      const { email, firstName: name } = form
      await signUp?.(work, { ...form.news, email, name, language: row.language }, 'booking')
    }
  } else await refuseTable(work, row, { terms: termsIn(form, row), paid, why })
}

const give = async (
  work: Work,
  row: CheckoutRow,
  { request, terms, paid }: { readonly request: GuestRequest; readonly terms: Terms; readonly paid: Paid },
): Promise<void> => {
  const { db, venue } = work
  const { settings } = await guestSettingsOf(db, venue.id)
  const rules = await bookingRulesAround(db, venue, request.date)
  const { serviceDate } = resolveService(rules, request)
  const deleteAt = paid.card && deletionOf(serviceDate, rules.keepCardDays, venue.timezone)
  const book = row.key_id === null ? bookByGuest : bookForSoftware
  const made = await book(work, settings, request, {
    judgedAt: toInstant(row.made_at),
    secure: (reservation) =>
      secureWith(work, row, {
        ...{ reservation, terms, paid, deleteAt, experience: request.experience?.key ?? null },
      }),
  })
  const settled = await settleCheckout(db, venue.id, row.id, {
    state: 'completed',
    reservation: made.id,
    why: null,
  })
  if (!settled) throw new Error('a checkout was settled twice')
}

/** What was given, behind the booking that it is for, as that is made. */
export const secureWith = async (
  work: Work,
  row: CheckoutRow,
  {
    reservation,
    terms,
    paid,
    deleteAt,
    experience = null,
  }: {
    readonly reservation: number
    readonly terms: Terms
    readonly paid: Paid
    readonly deleteAt: Temporal.Instant | null
    readonly experience?: string | null
  },
): Promise<BookRow> => {
  const guarantee = await insertGuarantee(work.db, work.venue.id, {
    ...{ reservation, account: row.account_id, terms, currency: row.currency, deleteAt, experience },
    ...agreedIn(row),
    card: paid.card,
  })
  await keepPayment(work, row, guarantee, paid)
  return showNewGuarantee(work, reservation, guarantee)
}

/** What was given for a table, or for a booking that is there, goes back: it cannot be given, or is no longer asked. */
export const refuseTable = async (
  work: Work,
  row: CheckoutRow,
  { terms, paid, why }: { readonly terms: Terms; readonly paid: Paid; readonly why: CheckoutWhy | null },
): Promise<void> => {
  const { db, venue } = work
  const now = work.now()
  const guarantee = await insertGuarantee(db, venue.id, {
    ...{ reservation: null, account: row.account_id, terms, currency: row.currency },
    ...agreedIn(row),
    ...{ card: paid.card, deleteAt: paid.card && now },
  })
  const payment = await keepPayment(work, row, guarantee, paid)
  if (payment !== undefined)
    await insertGuaranteeRefund(
      db,
      venue.id,
      { guarantee: guarantee.id, payment, amountCents: row.total_cents, ref: randomUUID() },
      now,
    )
  const settled = await settleCheckout(db, venue.id, row.id, { state: 'refused', why })
  if (!settled) throw new Error('a checkout was settled twice')
  await keepPlaceOf(db, venue, settled)
  const { email } = (row.form ?? {}) as { readonly email?: string | null }
  if (email !== null) return queueGuestMail(db, venue.id, { kind: 'tableRefused', record: row.id }, now)
  const amount = { amountCents: row.total_cents, currency: row.currency }
  await addMatter(db, venue.id, { kind: 'not-told', subject: row.ref, order: null, ...amount }, now)
}

/**
 * Of what is no order: the page is finished, and the money is still to come, or never will. The place is kept until
 * that is known, and nothing is booked before; then it is free, and the guest is told once.
 */
export const keepOrEnd = async (
  work: Work,
  id: number,
  how: 'pending' | 'failed',
  placeOf: Looking['placeOf'],
): Promise<void> => {
  const { db, venue } = work
  const now = work.now()
  if (how === 'pending') {
    const kept = await keepCounting(db, venue.id, id, now)
    if (kept) await placeOf(db, venue, kept)
    return
  }
  const ended = await endCheckout(db, venue.id, id, 'unpaid', null)
  await lookLater(db, venue.id, id, null)
  if (!ended) return
  await placeOf(db, venue, ended)
  const { email = null } = (ended.form ?? {}) as { readonly email?: string | null }
  if (email !== null) await queueGuestMail(db, venue.id, { kind: 'tableRefused', record: ended.id }, now)
}

const agreedIn = ({ sentence, language, made_at, fee_cents, tax_cents }: CheckoutRow) => ({
  ...{ sentence: sentence ?? '', language, feeCents: fee_cents, taxCents: tax_cents },
  agreedAt: made_at,
})

/** The deposit as it came in; of a card nothing did. */
export const keepPayment = async (
  { db, venue, now }: Work,
  row: CheckoutRow,
  guarantee: GuaranteeRow,
  { paymentRef }: Paid,
): Promise<number | undefined> => {
  if (row.mode === 'setup') return undefined
  const { id } = await insertPayment(
    db,
    venue.id,
    {
      ...{ ref: row.ref, account: row.account_id, checkout: row.id, guarantee: guarantee.id },
      ...{ amountCents: row.total_cents, currency: row.currency, processorRef: paymentRef },
    },
    now(),
  )
  return id
}

/**
 * Rules about time are those of the press; load, closures, blocks and tables are judged now, without the place that was held
 * for it. After its service nobody can come any more.
 */
const whyNot = async (work: Work, row: CheckoutRow, request: GuestRequest): Promise<CheckoutWhy | null> => {
  const { hold, experience } = request
  // What they agreed to stays theirs if the venue offers it no more; if as many have it as may, it does not.
  const own = { hold, ...(experience && { experience: { key: experience.key, isAgreed: true } }) }
  const [day] = await holdAndOpenDay(work, request, own)
  if (isServiceOver(day.rules, day.place, work.now())) return 'over'
  const judged = evaluate(day, toInstant(row.made_at), {
    ...request,
    door: 'online',
    seating: request.said.seating,
  })
  return judged.ok ? null : whyGone(judged.refusal.reason)
}

/** Others have it now, or the venue takes nobody then. */
export const whyGone = (reason: string | undefined): CheckoutWhy =>
  reason === undefined || fullReasons.has(reason) ? 'taken' : 'closed'

const fullReasons: ReadonlySet<string> = new Set([
  ...['pacing-covers-full', 'pacing-parties-full', 'tables-full', 'experience-full'],
])

/** A date and a time are what was asked for: the venue's zone may have been corrected since. */
const inZone = (form: TableForm | null, timezone: string): TableForm | null => {
  if (!form) return null
  const { asked, terms } = form
  const before = Temporal.Instant.from(asked.startsAt)
  const wall = wallTimeOf(before, timezone)
  // One of a time that happens twice, or that the clocks skip, is right as it is.
  if (wall.date === asked.date && wall.time === asked.time) return form
  const startsAt = momentWallReaches(asked, timezone)
  const freeUntil = Temporal.Instant.from(terms.freeUntil).add(startsAt.since(before))
  return {
    ...form,
    asked: { ...asked, startsAt: startsAt.toString() },
    terms: { ...terms, freeUntil: freeUntil.toString() },
  }
}

const requestIn = (
  { firstName, email, phone, asked }: TableForm,
  { hold_id: hold }: CheckoutRow,
): GuestRequest => ({
  ...asked,
  startsAt: Temporal.Instant.from(asked.startsAt),
  guestName: firstName,
  email,
  phone,
  ...(hold !== null && { hold }),
})

/** Of a form that was forgotten only the sum is known: it goes back whole. */
export const termsIn = (form: TableForm | null, { mode, total_cents, made_at }: CheckoutRow): Terms =>
  form
    ? { ...form.terms, freeUntil: Temporal.Instant.from(form.terms.freeUntil) }
    : {
        kind: mode === 'setup' ? 'card' : 'deposit',
        perGuestCents: null,
        amountCents: total_cents,
        freeUntil: toInstant(made_at),
      }

/** The place is held while it can be paid, and let go of with the checkout. */
export const keepPlaceOf: Looking['placeOf'] = async (db, venue, { hold_id: hold, state, counts_until }) => {
  if (hold === null) return
  if (state === 'opening' || state === 'open') return moveHoldEnd(db, venue.id, hold, toInstant(counts_until))
  const given = await deleteHold(db, venue.id, hold)
  return markFreed(db, venue.id, given?.service_date ?? null)
}
