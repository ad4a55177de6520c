import type { CancelledBy, FloorStage, ReservationStatus } from '@venue-data/contract/reservation.ts'
import type { Actor } from '../activity/actor.ts'
import { recordActivity } from '../activity/record.ts'
import type { Work } from '../context.ts'
import { recordEvent } from '../events/record.ts'
import { applyContribution } from '../guests/contributions.ts'
import { toInstant, toMoment } from '../kernel/moment.ts'
import { notFound } from '../kernel/refusal.ts'
import type { SeenVersion } from '../kernel/seen-version.ts'
import { wallTimeOf } from '../kernel/venue-clock.ts'
import { giveTables } from '../tables/give-tables.ts'
import { tableMode } from '../tables/mode-reads.ts'
import { bookingRulesAround } from '../venue/rules-store.ts'
import { partyRecalledFrom, partySeated, partyUnseated } from '../waitlist/booked-party.ts'
import { type BookRow, bookedReservation, bookedReservationForUpdate } from './book-row.ts'
import { writeMove } from './book-writes.ts'
import { choiceOn, whyElsewhere, withChoice } from './chosen-tables.ts'
import { markFreed } from './freed-places.ts'
import { cancellationMail, mailGuest, remindGuest } from './mail-guest.ts'
import { daysOfBooking, holdDays, openDayOf } from './open-day.ts'
import { type ReservationOutcome, changedMeanwhile, done, refused, unchanged } from './outcome.ts'
import { settleChange } from './pending-change.ts'
import type { Own } from './own.ts'
import { presentReservation } from './present.ts'
import type { BookingRequest, Day } from './rules/facts.ts'
import { turnMinutes } from '../venue/turn-minutes.ts'
import { serviceDateAt } from './rules/service-now.ts'
import {
  type StaffReason,
  type ConfirmedReason,
  anotherDay,
  returnAgainst,
  unconfirmed,
} from './staff-reasons.ts'
import { type ReservationMove, type ReservationMoveName, placedStatuses, reservationMoves } from './states.ts'
import { judgeMove, movedRow } from './transition.ts'

export type MoveRequest = {
  readonly id: number
  readonly move: ReservationMoveName
  /** The status the page showed. A booking whose status has changed since is not moved. */
  readonly seenStatus?: ReservationStatus
  /** The version the page showed: a booking that has changed since is not moved. A check refuses it by itself. */
  readonly seenVersion?: SeenVersion
  /** Reasons against it that staff saw and confirmed. */
  readonly confirmed?: readonly ConfirmedReason[]
  /** For `cancel` by staff or a key: who decided. A guest's own cancellation is always the guest's. */
  readonly decidedBy?: CancelledBy
  /** For `cancel`: what whoever cancels says to the staff. */
  readonly message?: string | null | undefined
  /**
   * For a move to a table: those that staff chose, or that the page showed. Absent: those it holds if they are free, else
   * the best there are. For `undoSeat`: those it was to have before; none of them: it was without a table.
   */
  readonly tables?: readonly number[] | undefined
  /** Whether machines leave it at those tables; absent: yes. */
  readonly pinned?: boolean | undefined
  /** For `setFloorStage`; null = not tracked. */
  readonly stage?: FloorStage | null
}

/**
 * Makes a move from the table of moves: the status, its timestamps, the guest's counters, the activity and one event,
 * or none of them. Repeating a move changes nothing and emits nothing. Refuses, as a value, what the table does not
 * allow and a page that shows an old state; throws 404 for a missing booking.
 *
 * The booking's row is locked, so of two hosts seating one party the second learns that it is Seated. A move that
 * adds to the day's load locks the day first and is checked against the slot's cap; one that says a party is here
 * asks for confirmation if they are expected on another day. Staff may confirm either.
 */
export const moveReservation = async (
  work: Work,
  actor: Actor,
  request: MoveRequest,
): Promise<ReservationOutcome> => {
  const { db, venue } = work
  const move: ReservationMove = reservationMoves[request.move]
  if (request.move === 'cancel' && (actor.kind === 'staff' || actor.kind === 'key') && !request.decidedBy) {
    throw new TypeError('who cancels says who decided')
  }

  const holds = move.addsLoad || (takesTable.has(request.move) && (await tableMode(db, venue.id)) === 'on')
  const day = holds ? await holdDayOf(work, request.id) : undefined
  const row = await bookedReservationForUpdate(db, venue.id, request.id)
  if (!row) throw notFound('booking')
  const { seenVersion } = request
  if (typeof seenVersion === 'function') seenVersion(row as never)
  if (holds && row.service_date !== day) return refused(row, movedMeanwhile)
  const now = work.now()
  const arrives = actor.kind === 'staff' && move.stamps.includes('checked_in_at')
  const today =
    arrives || move.conditions.includes('a day at most') ? await businessDay(work, now) : undefined
  const judgement = judgeMove(request.move, row, {
    ...request,
    seenVersion: typeof seenVersion === 'number' ? seenVersion : undefined,
    actor,
    now,
    serviceDateNow: today,
  })
  if (judgement.kind === 'unchanged') return unchanged(row, judgement.sentence)
  if (judgement.kind === 'refused') return refused(row, judgement.sentence, judgement.reason)

  const party =
    request.move === 'undoCancel' && row.source === 'waitlist'
      ? await partyRecalledFrom(work, row.id)
      : undefined
  if (party) return refused(row, countedTwice(party))

  const decidedBy = actor.kind === 'guest' ? 'guest' : (request.decidedBy ?? 'staff')
  const to = movedRow(request.move, row, { ...request, now, decidedBy })
  const back = holds ? await comeBack(work, row, to, now) : undefined
  const isPlaced = to.status === 'Seated' || request.move === 'undoSeat'
  const tables = back && isPlaced ? request.tables : undefined
  const choice = back ? await choiceOn(work, back.day, back.request, tables) : free
  if (choice.kind === 'taken') return refused(row, choice.sentence)
  const reasons = [
    ...(arrives && today !== undefined ? anotherDay(row.service_date, today) : []),
    ...withChoice(back ? returnAgainst(back.day, now, back.request, move.addsLoad) : [], tables, choice),
  ]
  if (unconfirmed(reasons, request.confirmed).length > 0) return { kind: 'needs override', reasons }

  const elsewhere =
    back && request.move === 'seat' && tables === undefined
      ? await whyElsewhere(work, back.day, back.request)
      : undefined
  const after = await writeMove(db, venue.id, row.id, move, to, now)
  if (!after) return refused(row, changedMeanwhile(row))
  if (counts(row) && !counts(after)) await markFreed(db, venue.id, row.service_date)
  if (back) {
    await giveTables(work, back.day.floor, {
      ...back.request,
      id: row.id,
      status: after.status,
      tables,
      pinned: request.pinned,
    })
  }
  const isLapsed =
    after.status !== row.status &&
    row.status === 'Confirmed' &&
    (await settleChange(db, venue.id, row.id, 'lapsed', now)) !== undefined
  await applyContribution(work, row, after)
  if (request.move === 'confirm') {
    await mailGuest(work, after, 'bookingConfirmed', now)
    await remindGuest(work, after, now)
  }
  if (request.move === 'cancel') await mailGuest(work, after, cancellationMail(row, after), now)
  const names = isLapsed ? ([...move.names, 'reservation.change_answered'] as const) : move.names
  await recordEvent(work, names, asEmitted(after, now), now, { before: presentReservation(row) })
  if (after.source === 'waitlist' && after.seated_at !== row.seated_at) {
    await (after.seated_at === null ? partyUnseated(work, row.id, now) : partySeated(work, row.id, now))
  }
  await recordActivity(
    work,
    actor,
    {
      action: request.move,
      record: { kind: 'reservation', id: row.id },
      before: row,
      after,
      ...overrides(reasons),
    },
    now,
  )
  return done(after, reasons, elsewhere)
}

const countedTwice = ({
  guest_name,
  status,
}: {
  readonly guest_name: string | null
  readonly status: string
}) =>
  status === 'booked'
    ? `${guest_name ?? 'This party'} went back on the waitlist and has another table since.`
    : `${guest_name ?? 'This party'} is back on the waitlist: seat them, or book a table for later, from there.`

const counts = ({ status }: BookRow): boolean => placedStatuses.some((placed) => placed === status)

/** A booking as an event carries it: its `updatedAt` is the moment of the change. */
export const asEmitted = (row: BookRow, moment: Temporal.Instant) =>
  presentReservation({ ...row, updated_at: toMoment(moment) })

/** For the activity log: the rules that were overridden. */
export const overrides = (reasons: readonly StaffReason[]) =>
  reasons.length > 0
    ? { more: { overridden: reasons.map(({ reason, figure }) => ({ reason, figure })) } }
    : {}

const movedMeanwhile = 'This booking was just moved to another day; check it again.'

/** Locks the day a booking is written on; null if it has none. */
const holdDayOf = async (work: Work, reservation: number): Promise<string | null> => {
  const row = await bookedReservation(work.db, work.venue.id, reservation)
  if (!row) throw notFound('booking')
  await holdDays(work, undefined, await daysOfBooking(work, row))
  return row.service_date
}

const businessDay = async ({ db, venue }: Work, now: Temporal.Instant) =>
  serviceDateAt(await bookingRulesAround(db, venue, wallTimeOf(now, venue.timezone).date), now)

/**
 * Where a booking that counts again, or takes its table, is judged: in its slot, and for its table from when the party
 * sits. One without a time has neither.
 */
const comeBack = async (
  work: Work,
  row: BookRow,
  to: Pick<BookRow, 'status' | 'seated_at'>,
  now: Temporal.Instant,
): Promise<{ readonly day: Day; readonly request: BookingRequest } | undefined> => {
  const { service_date, service_minute, date, time, starts_at, duration_minutes } = row
  if (!service_date || service_minute === null || !date || !time || !starts_at) return undefined
  const placed = { serviceDate: service_date, serviceMinute: service_minute }
  const day = await openDayOf(work, { reservation: row.id, turns: turnOf(row, to) }, placed)
  const partySize = row.party_size ?? 0
  const sits = to.status === 'Seated' ? toInstant(to.seated_at ?? starts_at) : undefined
  const turn = duration_minutes ?? turnMinutes(day.rules, partySize)
  const sat = sits ? Math.ceil((now.epochMilliseconds - sits.epochMilliseconds) / 60_000) : 0
  return {
    day,
    request: {
      date,
      time,
      startsAt: sits ?? toInstant(starts_at),
      partySize,
      durationMinutes: Math.max(turn, sat),
      door: 'staff',
    },
  }
}

/** A party that sits down where it was expected, or gets up again, as opposed to one that comes back to the book. */
const turnOf = (before: Pick<BookRow, 'status'>, to: Pick<BookRow, 'status'>): Own['turns'] =>
  before.status === 'Confirmed' && to.status === 'Seated'
    ? 'down'
    : before.status === 'Seated' && to.status !== 'Seated'
      ? 'up'
      : undefined

const free = { kind: 'free' } as const

/** Moves after which a booking holds a table that it may have lost, or never had. */
const takesTable: ReadonlySet<ReservationMoveName> = new Set([
  'confirm',
  'seat',
  'undoSeat',
  'undoComplete',
  'undoNoShow',
  'seatLate',
  'undoCancel',
])
