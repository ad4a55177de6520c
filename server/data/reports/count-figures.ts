import type { Comparison, Figures } from '@venue-data/contract/records/figures.ts'
import type { Work } from '../../context.ts'
import { currencyOfVenue } from '../../core/money/venue-currency.ts'
import { servicesOf } from '../../book/rules/resolve-service.ts'
import { allBookingRules, readRules } from '../../book/rules/rules-store.ts'
import { longestTurn } from '../../book/tables/stays.ts'
import { serviceDateAt } from '../../book/rules/service-now.ts'
import type { Gate } from '../../platform/db/gate.ts'
import { addDays, dayNumber } from '../../platform/kernel/time/calendar.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { lastKeptDay } from '../../core/events/mark-past.ts'
import type { CountedFigure } from './figure-names.ts'
import { openReturns } from './came-back.ts'
import { daysBeside, lengthOf, partsOf, splitDays } from './days-to-count.ts'
import { type DayRows, figuresOfDay } from './figures-of-day.ts'
import { rulesOfSums, tallyOf } from './kept-days.ts'
import { keptSums } from './kept-months.ts'
import { countDated, datedFigures } from './count-dated.ts'
import { returns } from './open-tally.ts'
import {
  type Days,
  bookingsOfDays,
  bookingsWithoutService,
  lineOfDays,
  tablesOfVenue,
} from './report-reads.ts'
import { figuresOf } from './rows-of-figures.ts'
import { type Tally, add, nothing, sumOf } from './tally.ts'

export type FiguresAsked = Days & {
  readonly names: readonly CountedFigure[]
  /** `week`: the same days a week before, of a report about one day. */
  readonly compare: Comparison | 'week' | undefined
}

const daysOfYear = 364
const daysOfWeek = 7

/** There is no earlier day: a period that would begin before it is compared with nothing. */
const firstDate = '0001-01-01'
const firstDay = dayNumber(firstDate)

const earlier = (a: LocalDate, b: LocalDate): LocalDate => (a < b ? a : b)

/** Adds the sums that are kept, and counts every other day from its rows. Each statement has a place of its own at the venue's gate, so bookings go on between them. */
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
  const [withVisits, withLine, withTables] = [
    ofGuests.some((name) => names.includes(name)),
    names.includes('waits'),
    ofTables.some((name) => names.includes(name)) && read.hasTables,
  ]
  const ofBook = names.some((name) => !ofOthers.has(name))
  const services = servicesOf(await allBookingRules(db, venue.id))
  const kept = { rules: rulesOfSums(zone, longestTurn(rules), services), until: lastKeptDay(at) }
  const cameBack = names.includes('came_back') ? openReturns({ from, to }, today) : undefined
  const countDay = (date: LocalDate, rows: Partial<DayRows>): Tally => {
    const none = { bookings: [], line: [] }
    const ofDay = { date, isOver: date < today, longestTurn: longestTurn(rules), services }
    return figuresOfDay({ ...none, ...ofDay, ...rows })
  }
  const countRows = async (parts: readonly Days[]): Promise<readonly Tally[]> => {
    const tallies: Tally[] = []
    for (const part of parts) {
      const rows = await gate(venue.id, () =>
        bookingsOfDays(db, venue.id, { ...part, zone, withVisits, withTables }),
      )
      for (const [date, bookings] of byDate(rows)) tallies.push(countDay(date, { bookings }))
    }
    return tallies
  }
  const countBook = async (days: Days): Promise<Tally> => {
    // Of the last days no sums are kept, so their bookings are read meanwhile.
    const latest = daysBeside(days, [{ from: firstDate, to: kept.until }])
    const [read, lately] = await Promise.all([
      gate(venue.id, () => keptSums(db, venue.id, { ...days, ...kept })),
      countRows(latest.flatMap(partsOf)),
    ])
    const { sums, missing } = splitDays({ ...days, to: earlier(days.to, kept.until) }, read)
    const others = await countRows(missing)
    const all = add(sumOf(sums.values().map(tallyOf)), sumOf([...lately, ...others]))
    cameBack?.take(all)
    // What only they look at is in no figure.
    const { [returns]: _theirs, ...figures } = all
    return figures
  }
  const countDays = async (days: Days): Promise<Tally> => {
    const tallies = [await countDated(db, gate, venue.id, { ...days, zone, names })]
    const lines = withLine ? await gate(venue.id, () => lineOfDays(db, venue.id, days)) : []
    for (const [date, line] of byDate(lines)) tallies.push(countDay(date, { line }))
    return sumOf(ofBook ? [await countBook(days), ...tallies] : tallies)
  }
  const before = compare && daysBefore({ from, to }, compare)
  // The database reads one while the other is added up.
  const [counted, countedBefore] = await Promise.all([countDays({ from, to }), before && countDays(before)])
  const tables = withTables ? await gate(venue.id, () => tablesOfVenue(db, venue.id)) : undefined
  const facts = { today, rules, tables }
  for (const days of cameBack ? daysBeside(cameBack.days, [{ from, to }, before]) : []) await countBook(days)
  return {
    ...{ from, to, timezone: venue.timezone, asOf: toMoment(at), sinceFilled: null },
    currency: (await gate(venue.id, () => currencyOfVenue(db, venue.id))) ?? null,
    leftOut: await gate(venue.id, () => bookingsWithoutService(db, venue.id, { from, to })),
    figures: figuresOf(add(counted, cameBack?.tally ?? nothing), names, facts),
    compared: before && countedBefore ? { ...before, figures: figuresOf(countedBefore, names, facts) } : null,
  }
}

/** What depends on the other visits of a guest. */
const ofGuests = ['guests', 'guests_by_first_source', 'came_back'] as const

const ofTables = ['tables', 'tables_known', 'guests_by_table'] as const

/** What is counted by other rows than those of bookings. */
const ofOthers: ReadonlySet<CountedFigure> = new Set(['waits', ...datedFigures])

const byDate = <Row extends { readonly service_date: LocalDate }>(
  rows: readonly Row[],
): Map<LocalDate, Row[]> => Map.groupBy(rows, ({ service_date }) => service_date)

const daysBefore = ({ from, to }: Days, compare: Comparison | 'week'): Days | undefined => {
  const back = { year: daysOfYear, week: daysOfWeek, before: lengthOf({ from, to }) }[compare]
  if (dayNumber(from) - back < firstDay) return undefined
  return { from: addDays(from, -back), to: addDays(to, -back) }
}
