import { weekdayOf } from '../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { ServicePeriod } from '../../book/rules/booking-rules.ts'
import { mothersDay, thanksgiving } from '../holidays.ts'

/*
 * How many parties want to come: by weekday, by season, by the day in the calendar. Relative numbers; the plan
 * turns them into as many bookings as the demo is to have.
 */

/** From Monday to Sunday. Mondays only open for a special day. */
const dinnerByWeekday = [24, 20, 24, 33, 48, 52, 21] as const
const brunchByWeekday = [0, 0, 0, 0, 0, 18, 27] as const
/** From January to December: slow after the holidays and in the heat, full before Christmas. */
const season = [0.8, 0.92, 0.97, 1.02, 1.09, 1.06, 0.9, 0.83, 1.02, 1.1, 1.07, 1.18] as const

export const isBrunch = ({ startMinute }: Pick<ServicePeriod, 'startMinute'>): boolean =>
  startMinute < 15 * 60

export const demandFor = (date: LocalDate, period: ServicePeriod): number => {
  const weekday = weekdayOf(date)
  const usual = (isBrunch(period) ? brunchByWeekday : dinnerByWeekday)[weekday - 1] ?? 0
  return usual * (season[Number(date.slice(5, 7)) - 1] ?? 1) * occasion(date, period)
}

/** Days people plan for: booked earlier, and fuller than their weekday. */
export const isSpecial = (date: LocalDate): boolean =>
  ['02-14', '12-24', '12-31'].includes(date.slice(5)) || date === mothersDay(Number(date.slice(0, 4)))

const occasion = (date: LocalDate, period: ServicePeriod): number => {
  const year = Number(date.slice(0, 4))
  if (date.endsWith('02-14')) return 52 / usualDinner(date)
  if (date.endsWith('12-31')) return 36 / usualDinner(date)
  if (date.endsWith('12-24')) return 24 / usualDinner(date)
  if (date === mothersDay(year)) return isBrunch(period) ? 1.5 : 1.25
  const toThanksgiving = Temporal.PlainDate.from(date).until(thanksgiving(year)).days
  if (toThanksgiving === 1) return 1.25
  if (toThanksgiving < 0 && toThanksgiving >= -3) return 0.8
  return 1
}

const usualDinner = (date: LocalDate): number => dinnerByWeekday[weekdayOf(date) - 1] ?? 24
