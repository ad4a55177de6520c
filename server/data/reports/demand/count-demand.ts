import type { FigureName } from '@venue-data/contract/records/figures.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { addDays, weekdayOf } from '../../../platform/kernel/time/calendar.ts'
import { lengthOf } from '../days-to-count.ts'
import { openTally } from '../open-tally.ts'
import type { Days } from '../report-reads.ts'
import type { Tally } from '../tally.ts'
import { callsOnDays, guaranteesOfDays, refusedOfDays, shownOnDays } from './demand-reads.ts'

type Maker = (db: Queries, venue: VenueId, days: Days) => Promise<Tally>

const refused: Maker = async (db, venue, days) => {
  const { tally, count } = openTally()
  const measured = (key: Record<string, string | number>, row: { full: number; nothing_open: number }) => {
    for (const measure of ['full', 'nothing_open'] as const)
      if (row[measure] > 0) count('refused', { ...key, measure }, row[measure])
  }
  for (const row of await refusedOfDays(db, venue, days)) {
    const { reason, door, size, date, weekday, minute, n } = row
    if (reason !== null && door !== null) count('refused', { reason, door }, n)
    else if (reason !== null && weekday !== null) count('refused_by_weekday', { weekday, reason }, n)
    else if (size !== null) measured({ size }, row)
    else if (date !== null) measured({ date }, row)
    else if (weekday !== null && minute !== null && row.full > 0) {
      count('refused', { weekday, minute, measure: 'full' }, row.full)
      count('refused', { weekday, minute, measure: 'dates' }, row.dates, datesOf(days, weekday))
    }
  }
  return tally
}

/** How many dates of a weekday a period has. */
const datesOf = ({ from, to }: Days, weekday: number): number => {
  const first = addDays(from, (weekday - weekdayOf(from) + 7) % 7)
  return first > to ? 0 : Math.ceil(lengthOf({ from: first, to }) / 7)
}

const funnel: Maker = async (db, venue, days) => {
  const { tally, count } = openTally()
  for (const { door, step, dimension, value, n } of await shownOnDays(db, venue, days))
    count('funnel', { door, step, ...(dimension !== 'all' && { [dimension]: value }) }, n)
  return tally
}

const calls: Maker = async (db, venue, days) => {
  const { tally, count } = openTally()
  for (const { key, class: measure, calls: isCall, n } of await callsOnDays(db, venue, days)) {
    count('calls', { key, measure }, n)
    if (isCall) count('calls', { key, measure: 'calls' }, n)
  }
  return tally
}

const guaranteeMoney: Maker = async (db, venue, days) => {
  const { tally, count } = openTally()
  for (const { date, ...sums } of await guaranteesOfDays(db, venue, days))
    for (const [measure, n] of Object.entries(sums)) count('guarantee_money', { date, measure }, n)
  return tally
}

/** What was asked for and not served, and what is counted next to it. */
export const demandMakers: Readonly<Partial<Record<FigureName, Maker>>> = {
  refused,
  funnel,
  guarantee_money: guaranteeMoney,
  calls,
}
