import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { BookingRules, ServicePeriod } from '../../rules/booking-rules.ts'
import { bucketOf, limitsAt } from '../../rules/placement.ts'
import { openPeriodsOn } from '../../rules/resolve-service.ts'

/**
 * The covers that a service of a date takes: the caps of the slots in which somebody may arrive; where none has a cap, the
 * seats that are given online. Null where the venue bounds neither.
 */
export const coversOfService = (
  rules: BookingRules,
  serviceDate: LocalDate,
  period: ServicePeriod,
): number | null => {
  const last = Math.min(period.lastArrivalMinute ?? period.endMinute - 1, period.endMinute - 1)
  let covers = 0
  for (let minute = period.startMinute; minute <= last;) {
    const bucket = bucketOf(rules, { serviceDate, serviceMinute: minute, period, closed: null })
    if (!bucket) break
    const { fromMinute, toMinute } = bucket
    const { seatingMinutes } = period
    const isSeating = (at: number): boolean => fromMinute <= at && at < toMinute
    if (seatingMinutes.length === 0 || seatingMinutes.some(isSeating)) {
      const { maxCovers } = limitsAt(rules, period, bucket).pacing
      if (maxCovers === null) return seatsOnline(rules)
      covers += maxCovers
    }
    minute = toMinute
  }
  return covers
}

/** The same of all services of a date together. */
export const coversOfEvening = (rules: BookingRules, serviceDate: LocalDate): number | null => {
  const services = openPeriodsOn(rules, serviceDate).map((period) =>
    coversOfService(rules, serviceDate, period),
  )
  return services.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0)
}

const seatsOnline = ({ floor }: BookingRules): number | null =>
  floor && floor.tables.filter(({ online }) => online).reduce((sum, { most }) => sum + most, 0)
