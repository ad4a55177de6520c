import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import { noteVisit } from '../../core/events/note-change.ts'
import { guestThatMatches, holdGuestBook, soughtKeys } from '../../crm/guests/actions.ts'
import { notFound } from '../../platform/kernel/refusal.ts'
import { bookedReservationForUpdate } from '../day/book-row.ts'
import { type Party, findBooker, makeBooking } from '../reservations/bookings.ts'
import { whenNow } from '../day/when.ts'
import { besidesChosen, stayUntil } from '../reservations/chosen-tables.ts'
import { deleteReservation } from '../reservations/delete-reservation.ts'
import { moveReservation } from '../reservations/moves.ts'
import { takeBackMadeGuest } from '../reservations/guest/take-back-guest.ts'
import type { BookingRequest } from '../day/facts.ts'
import { holdDays, openDay } from '../day/open-day.ts'
import { type PagedStay, stayPagedFor } from '../day/short-stays.ts'
import {
  type ConfirmedReason,
  anotherDay,
  reasonsAgainst,
  seatingAgainst,
  unconfirmed,
} from '../reservations/staff-reasons.ts'
import type { When } from '../day/when.ts'
import { floorNow } from '../tables/offered/at-door.ts'
import { holdPressThatMade } from '../tables/hold-press.ts'
import { putBack } from '../tables/put-back.ts'
import { type EntryMoveRequest, eveningOf, writeMoved } from './actions.ts'
import { type WaitlistOutcome, entryKept } from './outcome.ts'
import { pagedBefore, holdAsBefore } from './paged-table.ts'
import { waitlistEntry, waitlistEntryForUpdate } from './reads.ts'
import type { EntryRow } from '../day/entry-row.ts'
import { judgeWaitlistMove } from './transition.ts'

/*
 * The moves between the waitlist and the tables: a party is seated, booked for later, or recalled. Rows are locked in
 * the same order as everywhere: day, guest book, reservation, entry.
 */

type Staff = Actor & { kind: 'staff' }
type Confirmed = {
  readonly confirmed?: readonly ConfirmedReason[]
  /** The tables staff chose; absent: the best there are. */
  readonly tables?: readonly number[] | undefined
  /** The end of a short stay at them, as staff saw it; absent: the whole stay, or what is left of the one they were paged for. */
  readonly until?: Temporal.Instant | undefined
}

/**
 * Seats a party from the waitlist at once: a Seated reservation with source `waitlist`, emitted as
 * reservation.created and waitlist.seated. They are here, so only what keeps them from a table is checked: that they
 * wait for another day, no service now, a block, the slot's caps. `guest`: whom staff said it is, where they were asked.
 */
export const seatFromWaitlist = (
  work: Work,
  actor: Staff,
  request: EntryMoveRequest & Confirmed & Pick<Party, 'guest'>,
): Promise<WaitlistOutcome> => giveTable(work, actor, 'seatNow', whenNow(work), request)

/**
 * Books a table for later for a party on the waitlist: a Confirmed reservation, checked against every rule.
 * waitlist.seated is emitted only when they are seated at it. `party`: what staff entered of them; absent: as they joined.
 */
export const bookFromWaitlist = (
  work: Work,
  actor: Staff,
  { when, ...request }: EntryMoveRequest & Confirmed & { readonly when: When; readonly party?: Party },
): Promise<WaitlistOutcome> => giveTable(work, actor, 'bookForLater', when, request)

const giveTable = async (
  work: Work,
  actor: Staff,
  move: 'seatNow' | 'bookForLater',
  when: When,
  {
    id,
    seenStatus,
    seenVersion,
    confirmed,
    tables: chosen,
    until: seen,
    guest,
    party: entered,
  }: EntryMoveRequest & Confirmed & Pick<Party, 'guest'> & { readonly party?: Party },
): Promise<WaitlistOutcome> => {
  const { db, venue } = work
  const known = await waitlistEntry(db, venue.id, id)
  if (!known) throw notFound('party on the waitlist')
  const held = await holdDays(work, { ...when, ...sizeOf(entered ?? partyOf(known)) })
  await holdGuestBook(work)
  const entry = await waitlistEntryForUpdate(db, venue.id, id)
  if (!entry) throw notFound('party on the waitlist')
  const now = work.now()
  const evening = await eveningOf(work, now)
  const facts = { ...evening, actor, seenStatus, seenVersion }
  const judgement = judgeWaitlistMove(move, entry, facts)
  if (judgement.kind !== 'go') return entryKept(entry, judgement)

  const seated = move === 'seatNow'
  const party = entered ?? (await partyFor(work, entry, guest))
  const arrival = { ...when, ...sizeOf(party) }
  const day = await openDay(work, arrival, held, { entry: id, turns: seated ? 'down' : undefined })
  const whole = { ...arrival, door: 'staff' } as const
  const paged = seated && chosen === undefined ? stayPagedFor(day, whole) : undefined
  const against = (asked: BookingRequest) =>
    seated
      ? [
          ...anotherDay(entry.service_date ?? entry.date, evening.serviceDateNow),
          ...seatingAgainst(day, now, asked),
        ]
      : reasonsAgainst(day, now, asked)
  const judged = async (at: PagedStay | undefined) => {
    const stay = { tables: at?.tables ?? chosen, until: seen ?? at?.until, least: seen ? 0 : at?.least }
    const { until, durationMinutes, reasons: shorter } = stayUntil(work, day, whole, stay)
    const tables = until ? stay.tables : chosen
    const asked = { ...whole, durationMinutes }
    const others = await besidesChosen(work, day, asked, tables, against(asked))
    return { until, tables, reasons: [...others, ...shorter] }
  }
  const first = await judged(paged?.isWhole ? undefined : paged)
  // Where somebody was given their table for later since, and they come some minutes after they were called, what is left is theirs.
  const isFull = first.reasons.some(({ reason }) => reason === 'tables-full')
  const { until, tables, reasons } = paged?.isWhole && isFull ? await judged(paged) : first
  if (unconfirmed(reasons, confirmed).length > 0) return { kind: 'needs override', reasons }
  const candidates = await findBooker(work, party)
  const made = { source: 'waitlist', seated, day, candidates, reasons, tables, until } as const
  // All of it at one moment: the booking, its arrival and the party's seating are one thing to integrators.
  const reservation = await makeBooking({ ...work, now: () => now }, actor, { ...party, ...when, ...made })
  const outcome = await writeMoved(work, actor, move, entry, { now, reservationId: reservation.id })
  return outcome.kind === 'done' ? { ...outcome, overridden: reasons } : outcome
}

/**
 * Recalls a party to the waitlist. The reservation made by seating it is removed, as a mistake; a table for later is
 * cancelled by the venue. Both emit reservation.cancelled, since both emitted created. Refuses a party that sits or
 * sat at its later table: that is undone at the table first. As the undo of a press it puts back whom that moved, and a party
 * that was paged is paged as before.
 */
export const recallParty = async (
  work: Work,
  actor: Staff,
  { id, seenStatus, seenVersion, isUndo }: EntryMoveRequest,
): Promise<WaitlistOutcome> => {
  const { db, venue } = work
  const seen = await waitlistEntry(db, venue.id, id)
  if (!seen) throw notFound('party on the waitlist')
  const linked = seen.reservation_id
  const press = isUndo && linked !== null ? await holdPressThatMade(work, linked) : undefined
  if (press) await holdGuestBook(work)
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
        // One moment for both: by it a restore of the booking knows that the party is in line again.
        const sameMoment = { ...work, now: () => now }
        const cancel = { id: reservation.id, move: 'cancel', decidedBy: 'staff', isFinal: true } as const
        await moveReservation(sameMoment, actor, cancel)
      } else {
        await deleteReservation(work, actor, reservation.id)
        await takeBackMadeGuest(work, reservation, press)
      }
    } else noteVisit(db, venue.id, reservation.id, now)
  }
  const paged = press ? await pagedBefore(work, entry) : undefined
  return writeMoved(work, actor, 'recall', entry, { now, isUndo, pagedUntil: paged?.until }, async () => {
    const undone = press && (await putBack(work, press, undefined))
    const changes = undone ? await undone.write() : []
    // Under the locks of the press.
    const { floor } = paged ? await floorNow(work, { entry: entry.id }) : {}
    if (floor && paged) await holdAsBefore(work, floor, entry, paged)
    return changes
  })
}

/** What decides which tables fit a party, and how long it needs them. */
const sizeOf = ({ partySize, durationMinutes, seating }: Party) => ({ partySize, durationMinutes, seating })

const standing = ['Requested', 'Confirmed']
const otherTable = 'This party was just given another table; check it again.'

/**
 * The party, as whom staff chose. An address that another guest has stays with that guest, and a party that is known by
 * nothing else gets no entry in the guest book.
 */
const partyFor = async (work: Work, entry: EntryRow, guest: Party['guest']): Promise<Party> => {
  const party = partyOf(entry)
  if (guest !== 'new' || !(await isEmailTaken(work, entry))) return { ...party, guest }
  const isKnown = soughtKeys({ phone: party.phone ?? undefined }).phone !== undefined
  return { ...party, email: null, guest: isKnown ? guest : undefined }
}

/** Whether a party's address is that of a guest of the book. */
const isEmailTaken = async (
  work: Pick<Work, 'db' | 'venue'>,
  { email }: Pick<EntryRow, 'email'>,
): Promise<boolean> => email !== null && (await guestThatMatches(work, { email })) !== undefined

const partyOf = ({ guest_name, email, phone, party_size, notes }: EntryRow): Party => ({
  guestName: guest_name,
  email,
  phone,
  notes,
  partySize: party_size ?? 1,
})
