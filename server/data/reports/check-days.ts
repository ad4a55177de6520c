import { isDeepStrictEqual } from 'node:util'
import { lastKeptDay, markDays } from '../../core/events/mark-past.ts'
import type { Queries } from '../../platform/db/pool.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { partsOf } from './days-to-count.ts'
import { keptDays, tallyOf } from './kept-days.ts'
import type { Days } from './report-reads.ts'
import { nothing, sumOf } from './tally.ts'
import { type VenueOfReports, countPast, sumsOf } from './roll-up.ts'

type Checked = { readonly days: number; readonly differing: readonly LocalDate[] }

/** Counts days from their bookings and compares them with the sums that are kept; those that differ are made once more. */
export const checkDays = async (
  db: Queries,
  venue: VenueOfReports,
  days: Days,
  now: Temporal.Instant,
): Promise<Checked> => {
  const sums = await sumsOf(db, venue, now)
  const asked = { rules: sums.rules, until: lastKeptDay(now) }
  let checked = 0
  const differing: LocalDate[] = []
  for (const part of partsOf(days)) {
    const kept = await keptDays(db, venue.id, { ...part, ...asked })
    const counted = await countPast(
      db,
      venue,
      kept.map(({ date }) => date),
      sums,
    )
    const found = new Map(counted.map(({ date, tally }) => [date, tally]))
    const unlike = kept.filter(
      (day) => !isDeepStrictEqual(sumOf([tallyOf(day)]), sumOf([found.get(day.date) ?? nothing])),
    )
    checked += kept.length
    if (unlike.length === 0) continue
    // What was written between the two looks has a mark by now.
    const still = new Set((await keptDays(db, venue.id, { ...part, ...asked })).map(({ date }) => date))
    differing.push(...unlike.map(({ date }) => date).filter((date) => still.has(date)))
  }
  if (differing.length > 0) await markDays(db, venue.id, differing, now)
  return { days: checked, differing }
}
