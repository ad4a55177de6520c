import { addDays, weekdayOf } from '../../platform/kernel/time/calendar.ts'
import { type LocalDate, minuteOfDay, minutesPerDay } from '../../platform/kernel/time/written-time.ts'
import type { Closure, DocumentRules, ServicePeriod, SpecialDay } from './booking-rules.ts'
import type { When } from '../day/when.ts'

/**
 * Where a request lands in the venue's book. There is always an answer, so that the caller can lock the day and staff
 * can override: outside every service it is the calendar date itself, with no period.
 */
export type Place = {
  /** The business day the arrival belongs to: the date whose book it is written in. */
  readonly serviceDate: LocalDate
  /** Minutes after 00:00 of the service date, 0–2879. */
  readonly serviceMinute: number
  /** The service that takes the arrival; null if none does. */
  readonly period: ServicePeriod | null
  /** Why there is no service, when the whole day is the cause; null otherwise. */
  readonly closed: ClosedDay | null
}

/** A date without services, and what closes it. */
export type ClosedDay =
  | { readonly by: 'closure' | 'special-day'; readonly date: LocalDate; readonly name: string | null }
  | { readonly by: 'weekday'; readonly date: LocalDate }
  /** No weekday has hours: usually a new venue, not one that is closed just this day. */
  | { readonly by: 'no-hours'; readonly date: LocalDate }

type PlannedHours = Pick<DocumentRules, 'periods' | 'specialDays'>
type Hours = PlannedHours & Pick<DocumentRules, 'closures'>

/**
 * Finds the service of a wall time: last night's, if it runs past midnight to this time; otherwise this day's. Wall
 * minutes only, so a night when the clocks change is like any other.
 */
export const resolveService = (rules: Hours, { date, time }: Pick<When, 'date' | 'time'>): Place => {
  const minute = minuteOfDay(time)
  const afterMidnight = minute + minutesPerDay
  const dayBefore = addDays(date, -1)
  const lastNights = periodAt(openPeriodsOn(rules, dayBefore), afterMidnight)
  if (lastNights) {
    return { serviceDate: dayBefore, serviceMinute: afterMidnight, period: lastNights, closed: null }
  }
  const todays = openPeriodsOn(rules, date)
  const period = periodAt(todays, minute) ?? null
  if (period) return { serviceDate: date, serviceMinute: minute, period, closed: null }
  const closure = closureOn(rules, dayBefore)
  if (
    closure &&
    periodAt(plannedPeriodsOn(rules, dayBefore), afterMidnight) &&
    !periodAt(plannedPeriodsOn(rules, date), minute)
  ) {
    const closed: ClosedDay = { by: 'closure', date: dayBefore, name: closure.name }
    return { serviceDate: dayBefore, serviceMinute: afterMidnight, period: null, closed }
  }
  return { serviceDate: date, serviceMinute: minute, period: null, closed: closedDay(rules, date) }
}

/**
 * Where a booking is in the book as it was written. Its service date is never derived again: hours edited since leave
 * a party after midnight in the evening it was booked for, and a closure added since leaves it in its service.
 */
export const placeInBook = (
  rules: Hours,
  { serviceDate, serviceMinute }: Pick<Place, 'serviceDate' | 'serviceMinute'>,
): Place => {
  const period = periodAt(plannedPeriodsOn(rules, serviceDate), serviceMinute) ?? null
  return { serviceDate, serviceMinute, period, closed: null }
}

/** What closes a date entirely, or null if it has its own service. */
export const closedDay = (rules: Hours, date: LocalDate): ClosedDay | null => {
  const closure = closureOn(rules, date)
  if (closure) return { by: 'closure', date, name: closure.name }
  if (plannedPeriodsOn(rules, date).length > 0) return null
  const special = specialDayOn(rules, date)
  if (special) return { by: 'special-day', date, name: special.name }
  return { by: rules.periods.length === 0 ? 'no-hours' : 'weekday', date }
}

/** The services a date really has: none if closed. */
export const openPeriodsOn = (rules: Hours, date: LocalDate): readonly ServicePeriod[] =>
  closureOn(rules, date) ? [] : plannedPeriodsOn(rules, date)

/** Whether a date has no service by the rules as they are now. */
export const isClosedOn = (rules: Hours, date: LocalDate): boolean => openPeriodsOn(rules, date).length === 0

/** The services a date would have if no closure covered it: a special day's own, else its weekday's. */
export const plannedPeriodsOn = (hours: PlannedHours, date: LocalDate): readonly ServicePeriod[] => {
  const special = specialDayOn(hours, date)
  if (special) return special.periods
  const weekday = weekdayOf(date)
  return hours.periods.filter((period) => period.weekday === weekday)
}

export const specialDayOn = (
  { specialDays }: Pick<PlannedHours, 'specialDays'>,
  date: LocalDate,
): SpecialDay | undefined => specialDays.find((special) => special.date === date)

/** What the venue calls its services, on any day. */
export const servicesOf = ({ periods, specialDays }: PlannedHours): ReadonlySet<string> =>
  new Set(
    [...periods, ...specialDays.flatMap((special) => special.periods)].flatMap(({ name }) => name ?? []),
  )

const closureOn = ({ closures }: Pick<Hours, 'closures'>, date: LocalDate): Closure | undefined =>
  closures.find(({ from, to }) => from <= date && date <= to)

const periodAt = (periods: readonly ServicePeriod[], minute: number): ServicePeriod | undefined =>
  periods.find(({ startMinute, endMinute }) => startMinute <= minute && minute < endMinute)
