import { addDays, dayNumber } from '../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { daysToReturn } from './figures-of-day.ts'
import { openTally, returns } from './open-tally.ts'
import type { Days } from './report-reads.ts'
import { type Cell, type Tally, eachValue, keyOfText } from './tally.ts'

/*
 * Which source brings guests who come back. A day's sums say how many guests came for the first time, by source, and how many
 * came back on it, by the days since their first visit: so what is written today changes no sums of the past, and who of some
 * days' guests came back is found by looking at the days after them.
 */

/** From when on the days that a guest has to come back are over, and sums are kept of them. */
export const daysToSettle = 100

/** The days on which the guests first came, and those up to which they may have come back. */
export const firstDaysOf = ({ from, to }: Days, today: LocalDate): Days & { readonly back: LocalDate } => {
  const settled = addDays(today, -daysToSettle)
  const last = to < settled ? to : settled
  return {
    from: addDays(from, dayNumber(last) - dayNumber(to)),
    to: last,
    back: addDays(last, daysToReturn),
  }
}

/** Counts who of a period's guests came back, from the sums of some days, in any order. */
export const openReturns = (period: Days, today: LocalDate) => {
  const first = firstDaysOf(period, today)
  const [from, to] = [dayNumber(first.from), dayNumber(first.to)]
  const { tally, count } = openTally()
  const taken = new Set<LocalDate>()
  const takeDay = (date: LocalDate, source: string, cell: Cell): void => {
    const isFirst = date >= first.from && date <= first.to
    if (isFirst && cell[1] > 0) count('came_back', { source, measure: 'back' }, 0, cell[1])
    if (date > first.to && date >= period.from && date <= period.to && cell[1] > 0)
      count('came_back', { measure: 'too_soon' }, cell[1])
    if (date <= first.from || date > first.back) return
    const at = dayNumber(date)
    const guests = cameBetween(cell, at - to, at - from)
    if (guests > 0) count('came_back', { source, measure: 'back' }, guests)
  }
  const take = ({ [returns]: cells = {} }: Tally): void => {
    const days = Object.entries(cells).flatMap(([text, cell]) => {
      const { date = '', source = '' } = keyOfText(text)
      // More than 364 days and the same days a year before have some in common.
      return taken.has(String(date)) ? [] : { date: String(date), source: String(source), cell }
    })
    for (const { date, source, cell } of days) {
      taken.add(date)
      takeDay(date, source, cell)
    }
  }
  return { days: { from: first.from, to: first.back }, tally, take }
}

/** Those who had first come at least, and at most, so many days before. */
const cameBetween = ([all, , daysSince = []]: Cell, least: number, most: number): number => {
  if (least <= 1 && most >= daysToReturn) return all
  let guests = 0
  eachValue(daysSince, (days, times) => {
    if (days >= least && days <= most) guests += times
  })
  return guests
}
