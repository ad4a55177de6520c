import type { Context } from '../../context.ts'
import { servicesOf } from '../../book/rules/planned-hours.ts'
import { allBookingRules, readRules } from '../../book/rules/rules-store.ts'
import { longestTurn } from '../../book/tables/stays.ts'
import { lastKeptDay } from '../../core/events/mark-past.ts'
import { forEachVenue } from '../../core/venue/each-venue.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'
import { allVenues } from '../../core/venue/venues.ts'
import { isForEverybody } from '../../platform/db/faults.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { addDays, dayNumber } from '../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { figuresOfDay } from './figures-of-day.ts'
import {
  type KeptDay,
  daysToMake,
  forgetMarks,
  keepDays,
  marksOf,
  timesMade,
  rulesOfSums,
  venuesWithMarks,
} from './kept-days.ts'
import { bookingsOfDays } from './report-reads.ts'

/*
 * Keeps the sums of past days, so that a year need not be counted from its bookings. Cast: code that writes a booking of the
 * past marks its day (core/events/mark-past.ts); the job makes marked days once more and takes the marks away, and fills
 * days without sums, the newest first, a few at a time. Any number of processes may run it: a day that another made meanwhile is left to it. A crash
 * leaves the marks, and days without sums, which are counted from their bookings meanwhile.
 */

type Job = Pick<Context, 'db' | 'clock' | 'log'>

/** Days of one statement, and marks of one run. */
const daysAtOnce = 7
const marksAtOnce = 500
/** How often a venue with nothing left to fill is looked at again, and one with a day that failed. */
const againMs = 3_600_000

/** The job, which remembers who has nothing left to fill. Returns how many days it made. */
export const rollingUp = ({ db, clock, log }: Job): ((signal: AbortSignal) => Promise<number>) => {
  const filled = new Map<VenueId, number>()
  return async (signal) => {
    let made = 0
    const marked = await venuesWithMarks(db)
    const isDue = (venue: number): boolean => {
      const since = filled.get(venue as VenueId)
      return since === undefined || clock().epochMilliseconds - since >= againMs
    }
    const concerned = (await allVenues(db)).map(({ id }) => id).filter((id) => marked.has(id) || isDue(id))
    await forEachVenue({ db, log }, new Set(concerned), async (venue) => {
      const within = db.within(venue.id)
      const sums = await sumsOf(within, venue, clock())
      while (marked.has(venue.id) && !signal.aborted) {
        const marks = await marksOf(within, venue.id, marksAtOnce)
        const dates = [...new Set(marks.map(({ service_date }) => service_date))]
        const kept = new Set<LocalDate>()
        for (const piece of piecesOf(dates)) {
          for (const date of await makeDays(within, venue, piece, sums, clock())) kept.add(date)
        }
        made += kept.size
        // The marks of a day that somebody else made meanwhile stay: nobody knows what they had read.
        const seen = marks.filter(({ service_date }) => kept.has(service_date))
        await forgetMarks(
          within,
          venue.id,
          seen.map(({ id }) => id),
        )
        if (seen.length < marksAtOnce) break
      }
      if (!isDue(venue.id)) return
      for (let until = lastKeptDay(clock()); !signal.aborted;) {
        const dates = await daysToMake(within, venue.id, { until, rules: sums.rules, most: daysAtOnce })
        const oldest = dates.at(-1)
        if (oldest === undefined) {
          filled.set(venue.id, clock().epochMilliseconds)
          return
        }
        for (const piece of piecesOf(dates)) {
          try {
            made += (await makeDays(within, venue, piece, sums, clock())).length
          } catch (error) {
            if (isForEverybody(error)) throw error
            // Left as it is, and tried again within the hour.
            log.error(
              { venue: venue.slug, day: piece[0], code: codeOf(error) },
              'a day of reports could not be made',
            )
          }
        }
        until = addDays(oldest, -1)
      }
    })
    return made
  }
}

export type VenueOfReports = Pick<Venue, 'id' | 'timezone' | 'phone'>

type Sums = {
  readonly rules: string
  readonly longestTurn: number
  readonly services: ReadonlySet<string>
}

/** What the sums of a venue's days depend on now. */
export const sumsOf = async (db: Queries, venue: VenueOfReports, now: Temporal.Instant): Promise<Sums> => {
  const rules = (await readRules(db, venue)).around(wallTimeOf(now, venue.timezone).date)
  const [longest, services] = [longestTurn(rules), servicesOf(await allBookingRules(db, venue.id))]
  return { rules: rulesOfSums(venue.timezone, longest, services), longestTurn: longest, services }
}

/** Makes these days from their bookings, which lie close together; returns those it could keep. */
const makeDays = async (
  db: Queries,
  venue: VenueOfReports,
  dates: readonly LocalDate[],
  sums: Sums,
  at: Temporal.Instant,
): Promise<readonly LocalDate[]> => {
  const times = await timesMade(db, venue.id, dates)
  return keepDays(db, venue.id, await countPast(db, venue, dates, sums), { at, rules: sums.rules, times })
}

/** The sums of past days as they are kept: without what other dates, the line and tables say, and without what is to come. */
export const countPast = async (
  db: Queries,
  venue: VenueOfReports,
  dates: readonly LocalDate[],
  { longestTurn: longest, services }: Omit<Sums, 'rules'>,
): Promise<readonly KeptDay[]> => {
  const sorted = dates.toSorted()
  const [from, to] = [sorted[0], sorted.at(-1)]
  if (from === undefined || to === undefined) return []
  const asked = { from, to, zone: venue.timezone, withVisits: true }
  const ofDay = Map.groupBy(await bookingsOfDays(db, venue.id, asked), ({ service_date }) => service_date)
  return sorted.map((date) => {
    const bookings = ofDay.get(date) ?? []
    const { booked: _toCome, ...tally } = figuresOfDay({
      ...{ date, isOver: true, longestTurn: longest, services, line: [], atTables: [], bookings },
    })
    return { date, tally }
  })
}

/** Days in groups of which one statement reads the bookings. */
const piecesOf = (dates: readonly LocalDate[]): LocalDate[][] => {
  const pieces: LocalDate[][] = []
  for (const date of dates.toSorted()) {
    const last = pieces.at(-1)
    const first = last?.[0]
    if (last && first !== undefined && dayNumber(date) - dayNumber(first) < daysAtOnce) last.push(date)
    else pieces.push([date])
  }
  return pieces
}
