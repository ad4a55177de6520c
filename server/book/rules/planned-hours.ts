import { weekdayOf } from '../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { DocumentRules, ServicePeriod, SpecialDay } from './booking-rules.ts'

type PlannedHours = Pick<DocumentRules, 'periods' | 'specialDays'>

/** The services a date would have if no closure covered it: a special day's own, else its weekday's. */
export const plannedPeriodsOn = (hours: PlannedHours, date: LocalDate): readonly ServicePeriod[] => {
  const special = specialDayOn(hours, date)
  if (special) return special.periods
  const weekday = weekdayOf(date)
  return hours.periods.filter((period) => period.weekday === weekday)
}

/** Whether a date has no service by the rules as they are now. */
export const isClosedOn = (rules: PlannedHours & Pick<DocumentRules, 'closures'>, date: LocalDate): boolean =>
  plannedPeriodsOn(rules, date).length === 0 ||
  rules.closures.some(({ from, to }) => from <= date && date <= to)

export const specialDayOn = (
  { specialDays }: Pick<PlannedHours, 'specialDays'>,
  date: LocalDate,
): SpecialDay | undefined => specialDays.find((special) => special.date === date)

/** What the venue calls its services, on any day. */
export const servicesOf = ({ periods, specialDays }: PlannedHours): ReadonlySet<string> =>
  new Set(
    [...periods, ...specialDays.flatMap((special) => special.periods)].flatMap(({ name }) => name ?? []),
  )
