import { addDays } from '../../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { coversByDay } from '../../../book/reservations/day-book.ts'
import { closedDay } from '../../../book/rules/resolve-service.ts'
import { bookingRulesBetween } from '../../../book/rules/rules-store.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

/** How far the weeks view looks ahead, in days. */
const daysShown = 28

/** A day in the weeks view. */
export type DayFigure = {
  readonly date: LocalDate
  /** Guests and parties booked, in the house or completed. */
  readonly covers: number
  readonly parties: number
  /** Why there is no service, in a word or two; null on an open day. */
  readonly closed: string | null
}

/** The days from a date on, in one statement for the bookings and one for the rules. */
export const readWeeks = async ({ db, venue }: OfficeWork, from: LocalDate): Promise<DayFigure[]> => {
  const dates = Array.from({ length: daysShown }, (_, i) => addDays(from, i))
  const to = dates.at(-1) as LocalDate
  const [rows, rules] = await Promise.all([
    coversByDay(db, venue.id, from, to),
    bookingRulesBetween(db, venue, from, to),
  ])
  const booked = new Map(rows.map((row) => [row.service_date, row]))
  return dates.map((date) => {
    const shut = closedDay(rules, date)
    return {
      date,
      covers: booked.get(date)?.covers ?? 0,
      parties: booked.get(date)?.parties ?? 0,
      closed:
        shut === null
          ? null
          : !('name' in shut) || shut.name === null
            ? 'No service'
            : `Closed: ${shut.name}`,
    }
  })
}
