import { addDays } from '../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { ClockTime, LocalDate } from '../../platform/kernel/time/written-time.ts'
import { openPeriodsOn } from '../rules/resolve-service.ts'
import { momentOfServiceMinute, serviceDateAt } from '../rules/service-now.ts'
import type { BookingRules } from '../rules/booking-rules.ts'

/** Whether guests can put themselves in line now, for which evening and until when; or when they can. */
export type LineHours =
  | {
      readonly kind: 'open'
      readonly serviceDate: LocalDate
      /** The service whose line it is begins, by the venue's clock. */
      readonly time: { readonly date: LocalDate; readonly time: ClockTime }
      readonly lastArrival: Temporal.Instant
    }
  | { readonly kind: 'not yet'; readonly serviceDate: LocalDate; readonly opensAt: Temporal.Instant }
  | { readonly kind: 'closed' }

/** Until when parties of an evening come; undefined where it has no service. */
export const lastArrivalOn = (rules: BookingRules, date: LocalDate): Temporal.Instant | undefined =>
  openPeriodsOn(rules, date)
    .map(({ endMinute, lastArrivalMinute }) =>
      momentOfServiceMinute(rules, date, lastArrivalMinute ?? endMinute),
    )
    .toSorted((a, b) => Temporal.Instant.compare(a, b))
    .at(-1)

const daysLookedAhead = 7

/** The line of a service is open from so many minutes before it begins to its last arrival. */
export const lineHours = (
  rules: BookingRules,
  now: Temporal.Instant,
  opensMinutesBefore: number,
): LineHours => {
  const today = serviceDateAt(rules, now)
  for (let day = 0; day <= daysLookedAhead; day++) {
    const serviceDate = addDays(today, day)
    const periods = openPeriodsOn(rules, serviceDate).toSorted((a, b) => a.startMinute - b.startMinute)
    for (const { startMinute, endMinute, lastArrivalMinute } of periods) {
      const start = momentOfServiceMinute(rules, serviceDate, startMinute)
      const opensAt = start.subtract({ minutes: opensMinutesBefore })
      const lastArrival = momentOfServiceMinute(rules, serviceDate, lastArrivalMinute ?? endMinute)
      if (Temporal.Instant.compare(now, opensAt) < 0) return { kind: 'not yet', serviceDate, opensAt }
      if (Temporal.Instant.compare(now, lastArrival) <= 0)
        return { kind: 'open', serviceDate, time: wallTimeOf(start, rules.timezone), lastArrival }
    }
  }
  return { kind: 'closed' }
}
