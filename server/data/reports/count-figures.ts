import type { Comparison, Figure, FigureName, Figures } from '@venue-data/contract/records/figures.ts'
import type { Work } from '../../context.ts'
import { readRules } from '../../book/rules/rules-store.ts'
import { turnMinutes } from '../../book/rules/turn-minutes.ts'
import { longestTurn } from '../../book/tables/stays.ts'
import { serviceDateAt } from '../../book/rules/service-now.ts'
import type { Gate } from '../../platform/db/gate.ts'
import { addDays, dayNumber } from '../../platform/kernel/time/calendar.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { figuresOfDay } from './figures-of-day.ts'
import { countDated } from './count-dated.ts'
import {
  type Days,
  bookingsOfDays,
  bookingsWithoutService,
  lineOfDays,
  tablesOfDays,
} from './report-reads.ts'
import { figuresOf } from './rows-of-figures.ts'
import { sumOf } from './tally.ts'

export type FiguresAsked = Days & {
  readonly names: readonly FigureName[]
  readonly compare: Comparison | undefined
}

/** Days that one statement reads: a third of the longest period, so that a busy venue's year holds up nobody else. */
const daysAtOnce = 134
const daysOfYear = 364

/** Counts every day from its rows. Each statement has a place of its own at the venue's gate, so bookings go on between them. */
export const countFigures = async (
  { db, venue, now }: Work,
  gate: Gate,
  { from, to, names, compare }: FiguresAsked,
): Promise<Figures> => {
  const at = now()
  const read = await readRules(db, venue)
  const rules = read.around(wallTimeOf(at, venue.timezone).date)
  const today = serviceDateAt(rules, at)
  const zone = venue.timezone
  const facts = { today, turnOf: (partySize: number) => turnMinutes(rules, partySize) }
  const [withVisits, withLine, withTables] = [
    names.includes('guests'),
    names.includes('waits'),
    names.includes('tables') && read.hasTables,
  ]
  const countDays = async (days: Days): Promise<Figure[]> => {
    const tallies = [await countDated(db, gate, venue.id, { ...days, zone, names })]
    const lines = byDate(withLine ? await gate(venue.id, () => lineOfDays(db, venue.id, days)) : [])
    for (let first = days.from; first <= days.to; first = addDays(first, daysAtOnce)) {
      const last = addDays(first, daysAtOnce - 1)
      const part = { from: first, to: last < days.to ? last : days.to }
      const bookings = await gate(venue.id, () => bookingsOfDays(db, venue.id, { ...part, zone, withVisits }))
      const atTables = withTables ? await gate(venue.id, () => tablesOfDays(db, venue.id, part)) : []
      const [ofDay, tablesOfDay] = [byDate(bookings), byDate(atTables)]
      const inLine = [...lines.keys()].filter((date) => date >= part.from && date <= part.to)
      for (const date of new Set([...ofDay.keys(), ...inLine])) {
        tallies.push(
          figuresOfDay({
            ...{ date, isOver: date < today, longestTurn: longestTurn(rules) },
            bookings: ofDay.get(date) ?? [],
            line: lines.get(date) ?? [],
            atTables: tablesOfDay.get(date) ?? [],
          }),
        )
      }
      if (last >= days.to) break
    }
    return figuresOf(sumOf(tallies), names, facts)
  }
  const before = compare && daysBefore({ from, to }, compare)
  return {
    ...{ from, to, timezone: venue.timezone, currency: null, asOf: toMoment(at), sinceFilled: null },
    leftOut: await gate(venue.id, () => bookingsWithoutService(db, venue.id, { from, to })),
    figures: await countDays({ from, to }),
    compared: before ? { ...before, figures: await countDays(before) } : null,
  }
}

const byDate = <Row extends { readonly service_date: LocalDate }>(
  rows: readonly Row[],
): Map<LocalDate, Row[]> => Map.groupBy(rows, ({ service_date }) => service_date)

const daysBefore = ({ from, to }: Days, compare: Comparison): Days => {
  const back = compare === 'year' ? daysOfYear : dayNumber(to) - dayNumber(from) + 1
  return { from: addDays(from, -back), to: addDays(to, -back) }
}

/** How many days there are from one to another, both included. */
export const lengthOf = (from: LocalDate, to: LocalDate): number => dayNumber(to) - dayNumber(from) + 1
