import type { Work } from '../../context.ts'
import { holdGuestBook } from '../../crm/guests/actions.ts'
import { notFound, refuse } from '../../platform/kernel/refusal.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { type BookRow, bookedReservation } from '../day/book-row.ts'
import { findBooker, makeBooking } from '../reservations/bookings.ts'
import { keepGuestBooking, nothingSaid } from '../reservations/guest/guest-booking.ts'
import { type HoldId, holdOfEntry } from '../reservations/holds/hold-reads.ts'
import { releaseOffer, whenHeld } from '../reservations/holds/holds.ts'
import { mailGuest, remindGuest } from '../reservations/guest/booking-mails.ts'
import { holdDays, openDay } from '../day/open-day.ts'
import { isServiceOver } from '../rules/service-now.ts'
import { evaluate } from '../reservations/rules/evaluate.ts'
import { eveningOf, writeMoved } from './actions.ts'
import { guestPlaceOf } from './guest-place.ts'
import { waitlistEntryForUpdate } from './reads.ts'
import { judgeWaitlistMove } from './transition.ts'

/**
 * Refusals that apply even to a table that was promised: nobody can be served then. A full slot does not count, since
 * it is held for them.
 */
const shut: ReadonlySet<string> = new Set(['closed', 'outside-hours', 'blocked', 'in-the-past'])

/** What was given for an offer, and for which: a party may be offered another table while it pays for the first. */
export type SecuredOffer = {
  readonly hold: HoldId | null
  /** When they pressed: rules about time are those of then. */
  readonly pressedAt: Temporal.Instant
  /** Puts what was given behind the booking. */
  readonly secure: (reservation: number) => Promise<BookRow>
}

/**
 * A party takes the table it was offered: its hold becomes a Confirmed reservation of source `waitlist`. Returns the
 * booking, also to who presses twice; undefined when the offer is over.
 */
export const acceptOffer = async (
  work: Work,
  id: number,
  secured?: SecuredOffer,
): Promise<number | undefined> => {
  const { db, venue } = work
  const seen = await holdOfEntry(db, venue.id, id)
  if (secured && seen?.id !== secured.hold) return undefined
  const place = seen && { ...whenHeld(seen), partySize: seen.party_size }
  const days = await holdDays(work, place, [seen?.service_date ?? null])
  await holdGuestBook(work)
  const entry = await waitlistEntryForUpdate(db, venue.id, id)
  if (!entry) throw notFound('place on the list')
  if (entry.status === 'booked') return entry.reservation_id ?? undefined
  const hold = await holdOfEntry(db, venue.id, id)
  const now = work.now()
  const guest = { kind: 'guest' } as const
  const facts = { ...(await eveningOf(work, now)), actor: guest }
  if (
    !place ||
    !seen ||
    hold?.id !== seen.id ||
    Temporal.Instant.compare(toInstant(hold.expires_at), now) <= 0
  )
    return undefined
  if (judgeWaitlistMove('acceptOffer', entry, facts).kind !== 'go') return undefined
  const day = await openDay(work, place, days, { hold: hold.id, entry: id })
  if (secured && isServiceOver(day.rules, day.place, now))
    throw refuse('in-the-past', 'The service that the table was offered for is over.')
  const evaluation = evaluate(day, secured?.pressedAt ?? now, { ...place, door: 'online' })
  if (!evaluation.ok && shut.has(evaluation.refusal.reason))
    throw refuse(evaluation.refusal.reason, evaluation.refusal.sentence)

  await releaseOffer(work, id)
  const { guest_name: guestName, email, phone, notes } = entry
  const party = { guestName, email, phone, notes, ...place }
  // All of it at one moment: the booking and the end of the wait are one thing to integrators.
  const atOnce: Work = { ...work, now: () => now }
  const booking = await makeBooking(atOnce, guest, {
    ...party,
    source: 'waitlist',
    origin: 'public',
    seated: false,
    day,
    candidates: await findBooker(work, party),
    reasons: [],
    secure: secured?.secure,
  })
  await writeMoved(atOnce, guest, 'acceptOffer', entry, { now, reservationId: booking.id })
  const language = (await guestPlaceOf(db, venue.id, id))?.language ?? null
  await keepGuestBooking(db, venue.id, booking.id, { ...nothingSaid, language })
  const row = await bookedReservation(db, venue.id, booking.id)
  if (row) {
    await mailGuest(work, row, 'bookingConfirmed', now, { hasLink: true })
    await remindGuest(work, row, now, { hasLink: true })
  }
  return booking.id
}
