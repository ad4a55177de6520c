import type { Comparison, Figure, FigureName, Figures } from '@venue-data/contract/records/figures.ts'
import type { Work } from '../../context.ts'
import { bookingRulesAround } from '../../book/rules/rules-store.ts'
import { serviceDateAt } from '../../book/rules/service-now.ts'
import type { Gate } from '../../platform/db/gate.ts'
import { addDays, dayNumber } from '../../platform/kernel/time/calendar.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { figuresOfDay } from './figures-of-day.ts'
import { type Days, bookingsOfDays, bookingsWithoutService } from './report-reads.ts'
import { figuresOf } from './rows-of-figures.ts'
import { type Tally, sumOf } from './tally.ts'

export type FiguresAsked = Days & {
  readonly names: readonly FigureName[]
  readonly compare: Comparison | undefined
}

/** Days that one statement reads: few enough that a year of a busy venue holds up nobody else. */
const daysAtOnce = 62
const daysOfYear = 364

/** Counts every day from its rows. Each statement has a place of its own at the venue's gate, so bookings go on between them. */
export const countFigures = async (
  { db, venue, now }: Work,
  gate: Gate,
  { from, to, names, compare }: FiguresAsked,
): Promise<Figures> => {
  const at = now()
  const rules = await bookingRulesAround(db, venue, wallTimeOf(at, venue.timezone).date)
  const today = serviceDateAt(rules, at)
  const countDays = async (days: Days): Promise<Figure[]> => {
    const tallies: Tally[] = []
    for (let first = days.from; first <= days.to; first = addDays(first, daysAtOnce)) {
      const last = addDays(first, daysAtOnce - 1)
      const part = { from: first, to: last < days.to ? last : days.to }
      const bookings = await gate(venue.id, () => bookingsOfDays(db, venue.id, venue.timezone, part))
      const byDay = Map.groupBy(bookings, ({ service_date }) => service_date)
      for (const [date, rows] of byDay)
        tallies.push(figuresOfDay({ date, isOver: date < today, bookings: rows }))
      if (last >= days.to) break
    }
    return figuresOf(sumOf(tallies), names, { today })
  }
  const before = compare && daysBefore({ from, to }, compare)
  return {
    ...{ from, to, timezone: venue.timezone, currency: null, asOf: toMoment(at), sinceFilled: null },
    leftOut: await gate(venue.id, () => bookingsWithoutService(db, venue.id, { from, to })),
    figures: await countDays({ from, to }),
    compared: before ? { ...before, figures: await countDays(before) } : null,
  }
}

const daysBefore = ({ from, to }: Days, compare: Comparison): Days => {
  const back = compare === 'year' ? daysOfYear : dayNumber(to) - dayNumber(from) + 1
  return { from: addDays(from, -back), to: addDays(to, -back) }
}

/** How many days there are from one to another, both included. */
export const lengthOf = (from: LocalDate, to: LocalDate): number => dayNumber(to) - dayNumber(from) + 1
