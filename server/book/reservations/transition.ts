import type { CancelledBy, FloorStage } from '@venue-data/contract/records/reservation.ts'
import { type Actor, doerOf } from '../../core/activity/actor.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { type Moment, toMoment } from '../../platform/kernel/time/moment.ts'
import { floorToMinute } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { BookRow } from '../day/book-row.ts'
import { changedMeanwhile } from '../day/outcome.ts'
import {
  type ReservationCondition,
  type ReservationMove,
  type ReservationMoveName,
  anyDay,
  reservationMoves,
} from './states.ts'

/*
 * What a row of the table of moves means for a booking: whether the move may be made now, and what it writes. Facts
 * in, answer out; `moves.ts` reads the facts and writes the answer.
 */

export type MoveFacts = {
  readonly actor: Actor
  readonly now: Temporal.Instant
  /** The venue's current business day; only moves that must happen within a day need it. */
  readonly serviceDateNow: LocalDate | undefined
  /** The status the page showed, if a page asked. */
  readonly seenStatus?: string | undefined
  /** The version the page showed: if anything changed since, the move is refused. */
  readonly seenVersion?: number | undefined
  /** Who decided to cancel. */
  readonly decidedBy?: CancelledBy | undefined
  readonly stage?: FloorStage | null | undefined
}

export type Judgement =
  | { readonly kind: 'go' }
  | { readonly kind: 'unchanged'; readonly sentence: string }
  | { readonly kind: 'refused'; readonly sentence: string; readonly reason?: 'too-late' | 'not-in-state' }

/** Whether a move may be made: who asks, what the page showed, the status, the conditions, in this order. */
export const judgeMove = (name: ReservationMoveName, row: BookRow, facts: MoveFacts): Judgement => {
  const move: ReservationMove = reservationMoves[name]
  if (!move.who.includes(doerOf(facts.actor))) return refuse(`${whoCannot(facts.actor)} ${verbs[name]}.`)
  if (facts.seenVersion !== undefined && facts.seenVersion !== row.version)
    return refuse(changedMeanwhile(row))
  if (move.to !== 'same' && isThere(move, row)) return same(`This booking is already ${row.status}.`)
  const stale = facts.seenStatus !== undefined && facts.seenStatus !== row.status
  if (stale) return refuse(changedMeanwhile(row))
  if (!move.from.some((status) => status === row.status)) {
    const pageIsOld = facts.seenStatus === undefined && facts.actor.kind === 'staff'
    return { ...refuse(pageIsOld ? changedMeanwhile(row) : cannot(name, row)), reason: 'not-in-state' }
  }
  for (const condition of move.conditions) {
    const sentence = conditions[condition](row, facts)
    if (sentence) return { ...refuse(sentence), ...(condition === 'not started for guests' && tooLate) }
  }
  return isSame(name, row, facts) ? same('No change: the booking is already like that.') : { kind: 'go' }
}

/** Whether a move can be taken back: there is a move that does, and it would not be refused. */
export const canBeUndone = (
  name: ReservationMoveName,
  row: EveningOf,
  at: Pick<MoveFacts, 'now' | 'serviceDateNow'>,
): boolean =>
  Object.values<ReservationMove>(reservationMoves).some(
    ({ undoes, conditions }) =>
      undoes?.includes(name) && !(conditions.includes('in its evening') && isOver(row, at)),
  )

/** The columns a move writes. */
export type Moved = Pick<
  BookRow,
  | 'status'
  | 'checked_in_at'
  | 'seated_at'
  | 'completed_at'
  | 'no_show_at'
  | 'cancelled_at'
  | 'cancelled_by'
  | 'cancelled_from'
  | 'cancel_message'
  | 'floor_stage'
  | 'arrived_by_seating'
  | 'stage_before_seating'
  | 'kept_open'
  | 'duration_minutes'
  | 'minutes_before_seating'
>

export type MoveDetails = {
  readonly now: Temporal.Instant
  /** Who decided to cancel: the guest asked, or the venue cancelled. */
  readonly decidedBy: CancelledBy
  /** A message to the staff from the person who cancels. */
  readonly message?: string | null | undefined
  readonly stage?: FloorStage | null | undefined
  /**
   * What the press took that this undoes: since when the party was here and how far, of an arrival that was taken back by mistake;
   * that it was a no-show and since when, of a party that was seated late.
   */
  readonly asBefore?: Partial<Moved> | undefined
}

/** A booking after a move: timestamps set and cleared, and what its undo will need. */
export const movedRow = (name: ReservationMoveName, row: BookRow, details: MoveDetails): Moved => {
  const move: ReservationMove = reservationMoves[name]
  const now = toMoment(details.now)
  const status = statusAfter(move, row)
  const seats = move.stamps.includes('seated_at')
  const unseats = move.clears.includes('seated_at')
  const cancels = move.stamps.includes('cancelled_at')
  const moment = (column: 'seated_at' | 'completed_at' | 'no_show_at' | 'cancelled_at'): Moment | null =>
    move.clears.includes(column) ? null : move.stamps.includes(column) ? now : row[column]
  return {
    status,
    checked_in_at: checkedInAfter(move, row, now),
    seated_at: moment('seated_at'),
    completed_at: moment('completed_at'),
    no_show_at: moment('no_show_at'),
    cancelled_at: moment('cancelled_at'),
    cancelled_by: cancels
      ? details.decidedBy
      : move.clears.includes('cancelled_by')
        ? null
        : row.cancelled_by,
    cancelled_from: cancels ? row.status : status === row.status ? row.cancelled_from : null,
    cancel_message: cancels ? (details.message ?? null) : status === row.status ? row.cancel_message : null,
    floor_stage: stageAfter(move, row, details.stage),
    arrived_by_seating: seats ? row.checked_in_at === null : !unseats && row.arrived_by_seating,
    stage_before_seating: seats ? row.floor_stage : unseats ? null : row.stage_before_seating,
    duration_minutes:
      unseats && row.minutes_before_seating !== null
        ? row.minutes_before_seating || null
        : row.duration_minutes,
    minutes_before_seating: unseats ? null : row.minutes_before_seating,
    kept_open: name === 'undoComplete' || (status === row.status && row.kept_open),
    ...details.asBefore,
  }
}

/** When the move was made that this one undoes: a change that was asked for lapsed at that very moment. */
export const momentUndone = ({ undoes, clears }: ReservationMove, row: BookRow): Moment | null => {
  const stamp = (['cancelled_at', 'no_show_at', 'seated_at'] as const).find((one) => clears.includes(one))
  return undoes === undefined || stamp === undefined ? null : row[stamp]
}

/** Undoing a seating removes the arrival only if the seating set it. */
const checkedInAfter = (move: ReservationMove, row: BookRow, now: Moment): Moment | null => {
  if (move.stamps.includes('checked_in_at')) return row.checked_in_at ?? now
  if (!move.clears.includes('checked_in_at')) return row.checked_in_at
  return move.clears.includes('seated_at') && !row.arrived_by_seating ? row.checked_in_at : null
}

const stageAfter = (
  move: ReservationMove,
  row: BookRow,
  chosen: FloorStage | null | undefined,
): string | null => {
  if (move.stage === undefined) return row.floor_stage
  if (move.stage === 'none') return null
  if (move.stage === 'as chosen') return chosen ?? null
  if (move.stage !== 'before seating') return move.stage
  // Who walked in was never marked as here before they sat down, and is here.
  return row.stage_before_seating ?? (row.arrived_by_seating || row.checked_in_at === null ? null : 'Arrived')
}

const statusAfter = (move: ReservationMove, row: BookRow): string => {
  if (move.to === 'same') return row.status
  // A booking cancelled before this was recorded (or imported so) goes back to the status that promises least.
  if (move.to === 'as before') return row.cancelled_from ?? 'Requested'
  return move.to
}

const isThere = (move: ReservationMove, row: BookRow): boolean =>
  move.to === 'as before'
    ? row.status === 'Requested' || row.status === 'Confirmed'
    : row.status === move.to && !move.from.some((status) => status === row.status)

/** For moves that keep the status: whether what they write is already there. */
const isSame = (name: ReservationMoveName, row: BookRow, { stage }: MoveFacts): boolean => {
  if (name === 'arrive') return row.checked_in_at !== null
  if (name === 'undoArrive') return row.checked_in_at === null
  return name === 'setFloorStage' && row.floor_stage === (stage ?? null)
}

const same = (sentence: string): Judgement => ({ kind: 'unchanged', sentence })
const refuse = (sentence: string) => ({ kind: 'refused', sentence }) as const
const tooLate = { reason: 'too-late' } as const

const conditions: Record<ReservationCondition, (row: BookRow, facts: MoveFacts) => string | undefined> = {
  started: (row, { now }) =>
    hasStarted(row, now) ? undefined : 'The booked time has not come yet, so the party is not late.',
  'in its evening': (row, facts) =>
    isOver(row, facts) ? 'The evening it was booked for is over; make a new booking instead.' : undefined,
  'not started for guests': (row, { now, actor, decidedBy }) =>
    (actor.kind === 'guest' || (actor.kind === 'key' && decidedBy === 'guest')) && hasStarted(row, now)
      ? 'The booked time has come, so it can no longer be cancelled here; please call the venue.'
      : undefined,
  'a day at most': (row, { serviceDateNow, actor }) =>
    anyDay.includes(doerOf(actor)) ||
    (row.service_date !== null &&
      serviceDateNow !== undefined &&
      serviceDateNow <= addDays(row.service_date, 1))
      ? undefined
      : 'This can be undone that day and the next; after that, ask a manager.',
  arrived: (row) => (row.checked_in_at === null ? 'The party has not arrived yet.' : undefined),
  'not arrived': (row) =>
    row.checked_in_at === null
      ? undefined
      : 'The party is marked as here, so it is not a no-show; undo the arrival first.',
}

type EveningOf = Pick<BookRow, 'service_date' | 'starts_at'>

/** Whether its evening is over; without a service date, whether it has started. */
const isOver = (
  row: EveningOf,
  { now, serviceDateNow }: Pick<MoveFacts, 'now' | 'serviceDateNow'>,
): boolean =>
  row.service_date !== null && serviceDateNow !== undefined
    ? row.service_date < serviceDateNow
    : hasStarted(row, now)

/** Whether the venue's clock has reached the booked time. A booking without one never starts. */
const hasStarted = (row: Pick<BookRow, 'starts_at'>, now: Temporal.Instant): boolean =>
  row.starts_at !== null && Temporal.Instant.compare(floorToMinute(now), row.starts_at) >= 0

const whoCannot = (actor: Actor): string =>
  actor.kind === 'staff' ? 'Your role cannot' : actor.kind === 'guest' ? 'A guest cannot' : 'Only staff can'

const cannot = (name: ReservationMoveName, row: BookRow): string =>
  `This booking is ${row.status}, so you cannot ${verbs[name]} now.`

/** Completes "… cannot …". */
const verbs: Record<ReservationMoveName, string> = {
  confirm: 'confirm it',
  cancel: 'cancel it',
  arrive: 'mark the arrival',
  seat: 'seat the party',
  complete: 'complete it',
  markNoShow: 'mark it as a no-show',
  undoArrive: 'undo the arrival',
  undoSeat: 'undo the seating',
  undoComplete: 'bring the party back to the table',
  undoNoShow: 'undo the no-show',
  seatLate: 'seat the late party',
  undoCancel: 'restore it',
  setFloorStage: 'set the floor stage',
}
