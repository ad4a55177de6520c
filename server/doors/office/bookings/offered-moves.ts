import type { Actor } from '../../../core/activity/actor.ts'
import { type LocalDate, minutesPerDay } from '../../../platform/kernel/time/written-time.ts'
import type { BookRow } from '../../../book/day/book-row.ts'
import { type ReservationMoveName, reservationMoves } from '../../../book/reservations/states.ts'
import { judgeMove } from '../../../book/reservations/transition.ts'
import { lateMinutes } from '../../../book/day/day-floor.ts'
import { minutesSince } from '../parts/time-words.ts'

/** Who would make a move, and when. */
export type Host = {
  readonly actor: Actor & { kind: 'staff' }
  readonly now: Temporal.Instant
  /** The venue's current business day. */
  readonly today: LocalDate
}

/** The moves the table of moves would allow somebody now: a booking's buttons. */
export const offeredMoves = (row: BookRow, { actor, now, today }: Host): ReadonlySet<ReservationMoveName> => {
  const names = Object.keys(reservationMoves) as ReservationMoveName[]
  return new Set(
    names.filter((name) => {
      if (!fromStatus(name, row.status)) return false
      if (name === 'markNoShow' && minutesLate(row, now) < lateMinutes) return false
      // Any stage but the current one.
      const stage = row.floor_stage === 'Paid' ? 'Bill' : 'Paid'
      return judgeMove(name, row, { actor, now, serviceDateNow: today, stage }).kind === 'go'
    }),
  )
}

/** Whole minutes since the booked time; negative before it, and for a booking without a time. */
export const minutesLate = ({ starts_at }: BookRow, now: Temporal.Instant): number =>
  starts_at === null ? Number.NEGATIVE_INFINITY : minutesSince(starts_at, now)

/** Late: expected, not here, and well past its time. A day later nobody is expected. */
export const isLate = (row: BookRow, now: Temporal.Instant): boolean =>
  (row.status === 'Confirmed' || row.status === 'Requested') &&
  row.checked_in_at === null &&
  minutesLate(row, now) >= lateMinutes &&
  minutesLate(row, now) < minutesPerDay

/** A quick no, before the conditions are checked. */
const fromStatus = (name: ReservationMoveName, status: string): boolean =>
  reservationMoves[name].from.some((from) => from === status)
