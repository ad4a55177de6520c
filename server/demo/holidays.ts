import { addDays, weekdayOf } from '../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../platform/kernel/time/written-time.ts'

/** The nth of a weekday (ISO, Monday is 1) in a month: Thanksgiving is the fourth Thursday of November. */
const nthWeekday = (year: number, month: number, weekday: number, nth: number): LocalDate => {
  const first = `${year}-${String(month).padStart(2, '0')}-01`
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1))
}

export const thanksgiving = (year: number): LocalDate => nthWeekday(year, 11, 4, 4)
export const mothersDay = (year: number): LocalDate => nthWeekday(year, 5, 7, 2)
export const secondTuesdayOfJanuary = (year: number): LocalDate => nthWeekday(year, 1, 2, 2)
