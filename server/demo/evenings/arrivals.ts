import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { bucketOf, limitsOf } from '../../book/rules/placement.ts'
import type { BookingRules, ServicePeriod } from '../../book/rules/booking-rules.ts'
import { isBrunch } from './demand.ts'

/** How many like to arrive at a minute of the day: points of a curve, straight lines between them. */
const dinnerCurve = [
  [16 * 60, 0.3],
  [17 * 60, 0.25],
  [18 * 60, 0.8],
  [18 * 60 + 30, 1.05],
  [19 * 60, 1.7],
  [19 * 60 + 30, 1.8],
  [20 * 60, 1.6],
  [20 * 60 + 30, 1.15],
  [21 * 60, 0.65],
  [22 * 60, 0.26],
  [23 * 60, 0.2],
  [24 * 60, 0.12],
  [25 * 60, 0.04],
] as const
const brunchCurve = [
  [10 * 60, 0.5],
  [11 * 60, 1.2],
  [12 * 60, 1.6],
  [13 * 60, 1.3],
  [13 * 60 + 30, 1.1],
  [14 * 60 + 30, 0.4],
] as const

/** The times of a service that can be booked, each with how often it is wanted. */
export const arrivalTimes = (period: ServicePeriod): (readonly [minute: number, weight: number])[] => {
  const { seatingMinutes, startMinute, endMinute, lastArrivalMinute } = period
  const last = lastArrivalMinute ?? endMinute - 60
  const minutes =
    seatingMinutes.length > 0
      ? seatingMinutes
      : Array.from({ length: Math.floor((last - startMinute) / 15) + 1 }, (_, i) => startMinute + 15 * i)
  const curve = isBrunch(period) ? brunchCurve : dinnerCurve
  // People think in half hours.
  return minutes.map((minute) => [minute, heightAt(curve, minute) * (minute % 30 === 0 ? 1 : 0.45)] as const)
}

const heightAt = (curve: readonly (readonly [number, number])[], minute: number): number => {
  const after = curve.findIndex(([at]) => at >= minute)
  const [right, left] = [curve[after] ?? curve.at(-1), curve[after - 1]]
  if (!right || !left) return right?.[1] ?? 0
  return left[1] + ((right[1] - left[1]) * (minute - left[0])) / (right[0] - left[0])
}

/** How many guests already arrive in the buckets of one service: what pacing limits. */
export type ServiceBook = {
  /** Whether a party still fits under the cap. */
  readonly hasRoom: (minute: number, partySize: number) => boolean
  readonly add: (minute: number, partySize: number) => void
}

export const openServiceBook = (
  rules: BookingRules,
  serviceDate: LocalDate,
  period: ServicePeriod,
): ServiceBook => {
  const covers = new Map<number, number>()
  const most = limitsOf(rules, period).pacing.maxCovers ?? Infinity
  const bucket = (serviceMinute: number): number =>
    bucketOf(rules, { serviceDate, serviceMinute, period, closed: null })?.fromMinute ?? serviceMinute
  const taken = (minute: number): number => covers.get(bucket(minute)) ?? 0
  return {
    hasRoom: (minute, partySize) => taken(minute) + partySize <= most,
    add: (minute, partySize) => covers.set(bucket(minute), taken(minute) + partySize),
  }
}
