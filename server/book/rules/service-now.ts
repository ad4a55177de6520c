import { addDays } from '../../platform/kernel/time/calendar.ts'
import { momentWallReaches, wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { type LocalDate, clockTimeAt, minutesPerDay } from '../../platform/kernel/time/written-time.ts'
import type { BookingRules } from './booking-rules.ts'
import { type Place, placeInBook, resolveService } from './resolve-service.ts'

/** The venue's current business day: last night's while its service runs, otherwise the calendar date. */
export const serviceDateAt = (rules: BookingRules, now: Temporal.Instant): LocalDate =>
  resolveService(rules, wallTimeOf(now, rules.timezone)).serviceDate

/** The moment the local clock reaches a minute of a service date. */
export const momentOfServiceMinute = (
  rules: BookingRules,
  serviceDate: LocalDate,
  minute: number,
): Temporal.Instant =>
  momentWallReaches(
    { date: addDays(serviceDate, Math.floor(minute / minutesPerDay)), time: clockTimeAt(minute) },
    rules.timezone,
  )

/**
 * When the service that an arrival belongs to ends; undefined for an arrival outside every
 * service. A closure added since does not end it early: existing bookings stay.
 */
export const endOfService = (
  rules: BookingRules,
  serviceDate: LocalDate,
  serviceMinute: number,
): Temporal.Instant | undefined => {
  const { period } = placeInBook(rules, { serviceDate, serviceMinute })
  return period ? momentOfServiceMinute(rules, serviceDate, period.endMinute) : undefined
}

/** Whether nobody can come for an arrival any more. */
export const isServiceOver = (
  rules: BookingRules,
  { serviceDate, serviceMinute }: Pick<Place, 'serviceDate' | 'serviceMinute'>,
  now: Temporal.Instant,
): boolean => {
  const end = endOfService(rules, serviceDate, serviceMinute)
  return end !== undefined && Temporal.Instant.compare(end, now) <= 0
}
