import type { Actor } from '../activity/actor.ts'
import type { Work } from '../context.ts'
import { holdGuestBook } from '../guests/actions.ts'
import { notFound } from '../kernel/refusal.ts'
import { bookedReservationForUpdate } from '../reservations/book-row.ts'
import { type Party, makeBooking, whenNow } from '../reservations/bookings.ts'
import { deleteReservation } from '../reservations/delete-reservation.ts'
import { moveReservation } from '../reservations/moves.ts'
import { holdDays, openDay } from '../reservations/open-day.ts'
import {
  type ConfirmedReason,
  anotherDay,
  reasonsAgainst,
  seatingAgainst,
  unconfirmed,
} from '../reservations/staff-reasons.ts'
import type { When } from '../reservations/when.ts'
import { type EntryMoveRequest, eveningOf, writeMoved } from './actions.ts'
import { type WaitlistOutcome, entryKept } from './outcome.ts'
import { type EntryRow, waitlistEntry, waitlistEntryForUpdate } from './reads.ts'
import { judgeWaitlistMove } from './transition.ts'

/*
 * The moves between the line and the tables: a party is seated, is given a later table, or is called back. Rows are
 * held in the order of every other path: day, guest book, reservation, entry.
 */

type Staff = Actor & { kind: 'staff' }
type Confirmed = { readonly confirmed?: readonly ConfirmedReason[] }

/**
 * Seats a party from the line at once: a Seated reservation of source `waitlist`, told as reservation.created and
 * waitlist.seated. They are here, so only what keeps them from a table is asked about: that they wait for another
 * day, no service now, a block, the caps of the slot.
 */
export const seatFromWaitlist = (
  work: Work,
  actor: Staff,
  request: EntryMoveRequest & Confirmed,
): Promise<WaitlistOutcome> => giveTable(work, actor, 'seatNow', whenNow(work), request)

/**
 * Gives a party from the line a table later on: a Confirmed reservation, judged by every rule. It is told as
 * waitlist.seated only when they are seated at it.
 */
export const bookFromWaitlist = (
  work: Work,
  actor: Staff,
  { when, ...request }: EntryMoveRequest & Confirmed & { readonly when: When },
): Promise<WaitlistOutcome> => giveTable(work, actor, 'bookForLater', when, request)

const giveTable = async (
  work: Work,
  actor: Staff,
  move: 'seatNow' | 'bookForLater',
  when: When,
  { id, seenStatus, seenVersion, confirmed }: EntryMoveRequest & Confirmed,
): Promise<WaitlistOutcome> => {
  const { db, venue } = work
  const held = await holdDays(work, when)
  await holdGuestBook(work)
  const entry = await waitlistEntryForUpdate(db, venue.id, id)
  if (!entry) throw notFound('party on the waitlist')
  const now = work.now()
  const evening = await eveningOf(work, now)
  const facts = { ...evening, actor, seenStatus, seenVersion }
  const judgement = judgeWaitlistMove(move, entry, facts)
  if (judgement.kind !== 'go') return entryKept(entry, judgement)

  const day = await openDay(work, when, held)
  const seated = move === 'seatNow'
  const party = partyOf(entry)
  const asked = { ...when, partySize: party.partySize, door: 'staff' } as const
  const reasons = seated
    ? [
        ...anotherDay(entry.service_date ?? entry.date, evening.serviceDateNow),
        ...seatingAgainst(day, now, asked),
      ]
    : reasonsAgainst(day, now, asked)
  if (unconfirmed(reasons, confirmed).length > 0) return { kind: 'needs override', reasons }
  const booking = { ...party, ...when, source: 'waitlist', seated, day, reasons } as const
  // All of it at one moment: the booking, its arrival and the party's seating are one thing to whoever is told.
  const reservation = await makeBooking({ ...work, now: () => now }, actor, booking)
  const outcome = await writeMoved(work, actor, move, entry, { now, reservationId: reservation.id })
  return outcome.kind === 'done' ? { ...outcome, overridden: reasons } : outcome
}

/**
 * Calls a party back into the line. The reservation that seating it made is removed, as a mistake; a table it was given
 * for later is cancelled by the venue. Both are told as reservation.cancelled, since both were told as created.
 * Refuses a party whose table for later is taken or was: that is undone at the table first.
 */
export const recallParty = async (
  work: Work,
  actor: Staff,
  { id, seenStatus, seenVersion }: EntryMoveRequest,
): Promise<WaitlistOutcome> => {
  const { db, venue } = work
  const seen = await waitlistEntry(db, venue.id, id)
  if (!seen) throw notFound('party on the waitlist')
  const linked = seen.reservation_id
  const reservation = linked === null ? undefined : await bookedReservationForUpdate(db, venue.id, linked)
  const entry = await waitlistEntryForUpdate(db, venue.id, id)
  if (!entry) throw notFound('party on the waitlist')
  const now = work.now()
  const facts = { ...(await eveningOf(work, now)), actor, seenStatus, seenVersion }
  const judgement = judgeWaitlistMove('recall', entry, facts)
  if (judgement.kind !== 'go') return entryKept(entry, judgement)
  if (entry.reservation_id !== linked) return entryKept(entry, { kind: 'refused', sentence: otherTable })

  if (reservation) {
    const { status } = reservation
    const removable = entry.booked_as === 'later' ? standing : [...standing, 'Seated']
    if (status === 'Completed' || (status === 'Seated' && !removable.includes(status))) {
      const sentence = `Their booking is ${status}; undo that first.`
      return entryKept(entry, { kind: 'refused', sentence })
    }
    if (removable.includes(status)) {
      if (entry.booked_as === 'later') {
        await moveReservation(work, actor, { id: reservation.id, move: 'cancel', decidedBy: 'staff' })
      } else await deleteReservation(work, actor, reservation.id)
    }
  }
  return writeMoved(work, actor, 'recall', entry, { now })
}

const standing = ['Requested', 'Confirmed']
const otherTable = 'This party was given another table meanwhile; look at it again.'

const partyOf = ({ guest_name, email, phone, party_size, notes }: EntryRow): Party => ({
  guestName: guest_name,
  email,
  phone,
  notes,
  partySize: party_size ?? 1,
})
