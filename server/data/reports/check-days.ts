import { isDeepStrictEqual } from 'node:util'
import { lastKeptDay, markDays } from '../../core/events/mark-past.ts'
import type { Queries } from '../../platform/db/pool.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { datesIn, lengthOf, partsOf } from './days-to-count.ts'
import { type KeptAsked, keptDays, tallyOf } from './kept-days.ts'
import { keptSums } from './kept-months.ts'
import type { Days } from './report-reads.ts'
import { nothing, sumOf } from './tally.ts'
import { type VenueOfReports, countPast, sumsOf } from './roll-up.ts'

type Checked = { readonly days: number; readonly differing: readonly LocalDate[] }

/** Counts days from their bookings and compares them with the sums that are kept, and months with their days; those that differ are made once more. */
export const checkDays = async (
  db: Queries,
  venue: VenueOfReports,
  days: Days,
  now: Temporal.Instant,
): Promise<Checked> => {
  const sums = await sumsOf(db, venue, now)
  const asked = { rules: sums.rules, until: lastKeptDay(now) }
  let checked = 0
  const differing = new Set<LocalDate>()
  for (const part of partsOf(days)) {
    const kept = await keptDays(db, venue.id, { ...part, ...asked })
    const counted = await countPast(
      db,
      venue,
      kept.map(({ from }) => from),
      sums,
    )
    const found = new Map(counted.map(({ date, tally }) => [date, tally]))
    const unlike = kept.filter(
      (day) => !isDeepStrictEqual(sumOf([tallyOf(day)]), sumOf([found.get(day.from) ?? nothing])),
    )
    checked += kept.length
    if (unlike.length === 0) continue
    // What was written between the two looks has a mark by now.
    const still = new Set((await keptDays(db, venue.id, { ...part, ...asked })).map(({ from }) => from))
    for (const { from } of unlike) if (still.has(from)) differing.add(from)
  }
  for (const month of await unlikeMonths(db, venue, { ...days, ...asked }))
    for (const date of datesIn(month)) differing.add(date)
  const sorted = [...differing].toSorted()
  if (sorted.length > 0) await markDays(db, venue.id, sorted, now)
  return { days: checked, differing: sorted }
}

/** Months whose sums are not those of their days. */
const unlikeMonths = async (db: Queries, { id }: VenueOfReports, asked: KeptAsked): Promise<Days[]> => {
  const months = async () => (await keptSums(db, id, asked)).filter((one) => lengthOf(one) > 1)
  const unlike: Days[] = []
  for (const month of await months()) {
    const days = await keptDays(db, id, { ...asked, from: month.from, to: month.to })
    if (!isDeepStrictEqual(sumOf([tallyOf(month)]), sumOf(days.map(tallyOf)))) unlike.push(month)
  }
  if (unlike.length === 0) return []
  // A day that was made meanwhile belongs to a month that no longer holds.
  const still = new Set((await months()).map(({ from }) => from))
  return unlike.filter(({ from }) => still.has(from))
}
