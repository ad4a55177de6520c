import { randomUUID } from 'node:crypto'
import { openAccount } from '../../../../core/money/account-store.ts'
import { currencyOfVenue } from '../../../../core/money/venue-currency.ts'
import { withdrawCheckouts } from '../../../../core/money/checkout-store.ts'
import { keepPaidOtherwise } from '../../../../core/money/payment-store.ts'
import type { Actor } from '../../../../core/activity/actor.ts'
import type { Work } from '../../../../context.ts'
import { queueGuestMail } from '../../../../mail/guest-mail-queue.ts'
import { badRequest, notFound, refuse } from '../../../../platform/kernel/refusal.ts'
import { toInstant } from '../../../../platform/kernel/time/moment.ts'
import { type BookRow, bookedReservationForUpdate } from '../../../day/book-row.ts'
import { guestSettingsOf } from '../../../../core/venue/guest-settings.ts'
import { guestBookingOf, keepGuestBooking, nothingSaid } from '../../guest/guest-booking.ts'
import { isPayablePerGuest, whyUnpayable, writePriceParts } from '../payable.ts'
import { liveCheckoutOf, writeAsk, writeAsked, writeSecured, writeWaived } from './asked-store.ts'
import { askingOf, mayBeAsked } from './asking.ts'
import { isBeingCharged } from '../charging/charge-store.ts'
import { type GuaranteeRow, countGuarantee, guaranteeOfForUpdate, releaseCard } from '../guarantee-store.ts'
import { noteMoney } from '../note-money.ts'
import { showGuarantee } from '../show-guarantee.ts'

/*
 * A card or a deposit that staff ask for, of any booking that is ahead: the guest is mailed a link to their own page, where
 * the sentence and the button are. Bookings made by a key, by phone or for a lead are secured this way.
 */

type Staff = Actor & { readonly kind: 'staff' }

export type AskByStaff = {
  readonly booking: number
  readonly kind: 'card' | 'deposit'
  readonly amountCents: number
  readonly per: 'guest' | 'party'
  /** Until so many hours before canceling is free. */
  readonly freeUntilHours: number
  /** The venue's own words, before the sentence. */
  readonly note: string | null
  /** Until when its guest is asked to do it. */
  readonly until: Temporal.Instant
}

/** Asks for it, and mails the guest. Refuses, in a sentence, what could not be done or paid. */
export const askGuest = async (
  work: Work,
  staff: Staff,
  { booking: id, kind, amountCents, per, freeUntilHours, note, until }: AskByStaff,
): Promise<void> => {
  const { db, venue } = work
  const booking = await held(work, id)
  const before = await guaranteeOfForUpdate(db, venue.id, id)
  const now = work.now()
  if (!mayBeAsked(booking, before, now) || booking.starts_at === null || booking.party_size === null)
    throw refuse('not-in-state', 'Something is behind this booking already, or it is no longer ahead.')
  if (booking.email === null)
    throw badRequest('Add the guest’s email address first: they are sent a link to their own page.')
  const startsAt = toInstant(booking.starts_at)
  if (Temporal.Instant.compare(until, now) <= 0 || Temporal.Instant.compare(until, startsAt) > 0)
    throw badRequest('Choose a moment between now and the start of the booking.')
  const account = await openAccount(db, venue.id)
  const currency = await currencyOfVenue(db, venue.id)
  if (!account || currency === undefined)
    throw refuse(
      'not-in-state',
      'No Stripe account is connected; an owner connects one under Settings, Payments.',
    )
  const guests = per === 'guest' ? booking.party_size : 1
  const total = amountCents * guests
  if (!isPayablePerGuest({ amountCents, guests }, currency)) throw badRequest(whyUnpayable(total, currency))
  const { settings } = await guestSettingsOf(db, venue.id)
  await keepGuestBooking(db, venue.id, id, nothingSaid)
  const said = await guestBookingOf(db, venue.id, id)
  const asked = await writeAsk(
    db,
    venue.id,
    {
      ...{ reservation: id, account: account.id, currency, note, until },
      language: said?.language ?? settings.language,
      terms: {
        ...{ kind, perGuestCents: per === 'guest' ? amountCents : null, amountCents: total },
        freeUntil: startsAt.subtract({ hours: freeUntilHours }),
      },
    },
    now,
  )
  if (!asked)
    throw refuse('not-in-state', 'The card of before is still being deleted. Please try again in a minute.')
  await showGuarantee(work, id)
  await mailAsk(work, booking, now, { byStaff: true })
  await noteMoney(work, staff, id, kind === 'card' ? 'ask for a card' : 'ask for a deposit', total)
}

/** Mails the guest what is asked of them, as it is when the mail is written. */
export const mailAsk = async (
  { db, venue }: Work,
  { id, email }: Pick<BookRow, 'id' | 'email'>,
  now: Temporal.Instant,
  { at, byStaff = false }: { readonly at?: Temporal.Instant | undefined; readonly byStaff?: boolean } = {},
): Promise<void> => {
  if (email === null) return
  await keepGuestBooking(db, venue.id, id, nothingSaid)
  await queueGuestMail(db, venue.id, { kind: 'tableAsked', record: id, byStaff, ...(at && { at }) }, now)
}

/** A manager does without it: nothing is asked then, and a card that is kept goes. A page on which the guest may be paying closes. */
export const waiveGuarantee = async (work: Work, staff: Staff, id: number): Promise<GoneWithout> => {
  await held(work, id)
  const wasPaying = await closePages(work, id)
  const row = await behind(work, id)
  if (row.status !== 'asked' && row.status !== 'held')
    throw refuse('not-in-state', 'There is nothing left to do without.')
  await notWhileCharged(work, row)
  await writeWaived(work.db, work.venue.id, row.id, work.now())
  await showGuarantee(work, id)
  await noteMoney(work, staff, id, 'do without the card or deposit', row.asked_cents + row.amount_cents)
  return { wasPaying }
}

/** A charge that was refused is let go: the card goes, and its guest owes nothing. */
export const letChargeGo = async (work: Work, staff: Staff, id: number): Promise<GoneWithout> => {
  await held(work, id)
  const wasPaying = await closePages(work, id)
  const row = await behind(work, id)
  if (row.status !== 'charge_failed') throw refuse('not-in-state', 'There is no refused charge to let go.')
  await notWhileCharged(work, row)
  await releaseCard(work.db, work.venue.id, row.id, work.now())
  await showGuarantee(work, id)
  await noteMoney(work, staff, id, 'let the charge go', row.amount_cents)
  return { wasPaying }
}

/** `wasPaying`: the guest may have been paying just then. What they have paid goes back. */
type GoneWithout = { readonly wasPaying: boolean }

const closePages = async ({ db, venue }: Work, id: number): Promise<boolean> =>
  (await withdrawCheckouts(db, venue.id, { reservations: [id] })) > 0

/** What was asked came in another way, such as in cash. */
export const paidOtherwise = async (work: Work, staff: Staff, id: number): Promise<void> => {
  const { db, venue } = work
  const booking = await held(work, id)
  const row = await behind(work, id)
  const now = work.now()
  const asking = askingOf(row, booking, now)
  if (asking?.how !== 'pay') throw refuse('not-in-state', 'No money is asked of this guest now.')
  if ((await payingNow(work, id)) !== undefined)
    throw refuse('not-in-state', 'The guest is paying at this moment. Look again in a few minutes.')
  const { cents } = asking
  await keepPaidOtherwise(
    db,
    venue.id,
    {
      ...{ ref: randomUUID(), account: row.account_id, guarantee: row.id },
      ...{ amountCents: cents, currency: row.currency },
    },
    now,
  )
  if (asking.kind === 'ask')
    await writeSecured(db, venue.id, row, {
      ...{ cents, account: row.account_id, sentence: '', language: row.language },
      ...{ agreedAt: now, card: null, deleteAt: null },
    })
  else await writeAsked(db, venue.id, row.id, 0)
  await writePriceParts(db, venue.id, row, booking.party_size)
  await countGuarantee(db, venue.id, row.id)
  await showGuarantee(work, id)
  await noteMoney(work, staff, id, 'note that it was paid otherwise', cents)
}

/** A charge that is under way may have been made already. */
const notWhileCharged = async ({ db, venue }: Work, { id }: GuaranteeRow): Promise<void> => {
  if (await isBeingCharged(db, venue.id, id))
    throw refuse('not-in-state', 'This card is being charged at this moment. Look again in a few minutes.')
}

/** A checkout on which the guest may be paying what is asked. */
const payingNow = ({ db, venue, now }: Work, reservation: number): Promise<number | undefined> =>
  liveCheckoutOf(db, venue.id, { reservation, kind: null }, now())

const held = async ({ db, venue }: Work, id: number): Promise<BookRow> => {
  const row = await bookedReservationForUpdate(db, venue.id, id)
  if (!row) throw notFound('booking')
  return row
}

const behind = async ({ db, venue }: Work, id: number): Promise<GuaranteeRow> => {
  const row = await guaranteeOfForUpdate(db, venue.id, id)
  if (!row) throw notFound('card or deposit')
  return row
}
