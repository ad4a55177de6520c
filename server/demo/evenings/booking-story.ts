import type {
  CancelledBy,
  FloorStage,
  ReservationSource,
  ReservationStatus,
} from '@venue-data/contract/records/reservation.ts'
import { type ClockTime, type LocalDate, clockTimeAt } from '../../platform/kernel/time/written-time.ts'
import type { ServicePeriod } from '../../book/rules/booking-rules.ts'
import { calendarDateOf, momentAt } from '../venue-time.ts'

/*
 * Each booking has its whole story, from being made to the bill, wherever today lies in it. `asOf` cuts the
 * story off at the clock: what has not happened yet is left out, and a story not yet begun is no record. So
 * no moment of the demo lies in the future, and tonight's book looks like a book in the middle of the evening.
 */

export type BookingStory = {
  readonly source: ReservationSource
  readonly partySize: number
  readonly date: LocalDate
  readonly time: ClockTime
  readonly serviceDate: LocalDate
  readonly serviceMinute: number
  readonly startsAt: number
  readonly durationMinutes: number
  readonly bookingType: string | null
  readonly notes: string | null
  readonly createdAt: number
  /** Null for a request nobody ever answered. */
  readonly confirmedAt: number | null
  readonly cancelled: { readonly at: number; readonly by: CancelledBy } | null
  readonly noShowAt: number | null
  readonly arrival: Arrival | null
  /** Whether the floor board was used that evening. */
  readonly tracked: boolean
}

/** When a party arrives, and where in the book that is. */
export const arrivalAt = (serviceDate: LocalDate, serviceMinute: number, period: ServicePeriod) => ({
  date: calendarDateOf(serviceDate, serviceMinute),
  time: clockTimeAt(serviceMinute),
  serviceDate,
  serviceMinute,
  startsAt: momentAt(serviceDate, serviceMinute),
  bookingType: period.name,
})

/** `completedAt` is null for a table that was never closed out. */
export type Arrival = {
  readonly checkedInAt: number
  readonly seatedAt: number
  readonly completedAt: number | null
}

/** What the record of a booking says of its story. */
export type BookingState = {
  readonly status: ReservationStatus
  readonly floorStage: FloorStage | null
  readonly checkedInAt: number | null
  readonly seatedAt: number | null
  readonly completedAt: number | null
  readonly noShowAt: number | null
  readonly cancelledAt: number | null
  readonly cancelledBy: CancelledBy | null
  /** Latest of creation, arrival, seating and cancellation. */
  readonly updatedAt: number
}

/** Undefined before the booking is made. */
export const asOf = (story: BookingStory, now: number): BookingState | undefined => {
  const { createdAt, confirmedAt, cancelled, noShowAt, arrival } = story
  if (createdAt > now) return undefined
  const reached = (moment: number | null | undefined): number | null =>
    moment !== null && moment !== undefined && moment <= now ? moment : null
  const moments = {
    checkedInAt: reached(arrival?.checkedInAt),
    seatedAt: reached(arrival?.seatedAt),
    completedAt: reached(arrival?.completedAt),
    noShowAt: reached(noShowAt),
    cancelledAt: reached(cancelled?.at),
  }
  const status: ReservationStatus =
    moments.cancelledAt !== null
      ? 'Cancelled'
      : moments.noShowAt !== null
        ? 'No-show'
        : moments.completedAt !== null
          ? 'Completed'
          : moments.seatedAt !== null
            ? 'Seated'
            : reached(confirmedAt) !== null
              ? 'Confirmed'
              : 'Requested'
  return {
    status,
    ...moments,
    cancelledBy: moments.cancelledAt === null ? null : (cancelled?.by ?? null),
    floorStage: story.tracked ? floorStageAt(story, now) : null,
    updatedAt: Math.max(createdAt, moments.checkedInAt ?? 0, moments.seatedAt ?? 0, moments.cancelledAt ?? 0),
  }
}

/** How far a meal has come, as a share of its time, when its stage begins. */
const stages = [
  ['Seated', 0],
  ['Ordered', 0.1],
  ['Starters', 0.2],
  ['Mains', 0.4],
  ['Dessert', 0.7],
  ['Bill', 0.85],
  ['Paid', 0.95],
] as const satisfies readonly (readonly [FloorStage, number])[]

const floorStageAt = ({ arrival, durationMinutes }: BookingStory, now: number): FloorStage | null => {
  if (!arrival || arrival.checkedInAt > now) return null
  if (arrival.seatedAt > now) return 'Arrived'
  const end = arrival.completedAt ?? arrival.seatedAt + durationMinutes * 60_000
  const share = (now - arrival.seatedAt) / (end - arrival.seatedAt)
  return stages.findLast(([, begins]) => begins <= share)?.[0] ?? 'Seated'
}
