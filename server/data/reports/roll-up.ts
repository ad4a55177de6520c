import type { Context } from '../../context.ts'
import { servicesOf } from '../../book/rules/resolve-service.ts'
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
import { makeMonth, monthsToMake } from './kept-months.ts'
import { bookingsOfDays } from './report-reads.ts'

/*
 * Keeps the sums of past days, so that a year need not be counted from its bookings. Cast: code that writes a booking of the
 * past marks its day (core/events/mark-past.ts); the job makes marked days once more and takes the marks away, and fills
 * days without sums, the newest first, a few at a time; then it adds up months whose days it made. Any number of processes may run it: a day that another made meanwhile is left to it. A crash
 * leaves the marks, and days without sums, which are counted from their bookings meanwhile.
 */

type Job = Pick<Context, 'db' | 'clock' | 'log'>

/** Days of one statement, marked days of a venue in one run, and days without sums of all venues in one. */
const daysAtOnce = 7
const marksAtOnce = 140
const fillAtOnce = 196
/** Months of a venue in one run. */
const monthsAtOnce = 24
/** How often a venue's rules are looked at, and how often a venue with nothing left to fill, and a day that failed. */
const rulesMs = 60_000
const againMs = 3_600_000

/** How far a venue's past is filled by these rules: until where next, or that it was filled when it was begun. */
type Filled = {
  readonly rules: string
  readonly begunMs: number
  readonly lookedMs: number
  readonly until: LocalDate | undefined
}

/** The job, which remembers how far each venue is filled and what failed. Returns how many days it made. */
export const rollingUp = ({ db, clock, log }: Job): ((signal: AbortSignal) => Promise<number>) => {
  const filled = new Map<VenueId, Filled>()
  const failed = new Map<VenueId, Map<LocalDate, number>>()
  const nowMs = (): number => clock().epochMilliseconds

  /** The days of a piece that were kept. One that fails keeps no other waiting, and is tried again within the hour. */
  const tryPiece = async (
    within: Queries,
    venue: Venue,
    piece: readonly LocalDate[],
    sums: Sums,
  ): Promise<readonly LocalDate[]> => {
    try {
      return await makeDays(within, venue, piece, sums, clock())
    } catch (error) {
      if (isForEverybody(error)) throw error
      const days = failed.get(venue.id) ?? new Map<LocalDate, number>()
      failed.set(venue.id, days)
      for (const date of piece) days.set(date, nowMs())
      log.error(
        { venue: venue.slug, day: piece[0], code: codeOf(error) },
        'a day of reports could not be made',
      )
      return []
    }
  }

  const failedDays = (venue: VenueId): LocalDate[] => {
    const days = failed.get(venue) ?? new Map<LocalDate, number>()
    for (const [date, at] of days) if (nowMs() - at >= againMs) days.delete(date)
    return [...days.keys()]
  }

  const makeMonths = async (
    within: Queries,
    venue: Venue,
    { rules }: Sums,
    signal: AbortSignal,
  ): Promise<void> => {
    const asked = { until: lastKeptDay(clock()), rules, most: monthsAtOnce }
    for (const month of await monthsToMake(within, venue.id, asked)) {
      if (signal.aborted) return
      await makeMonth(within, venue.id, month, rules)
    }
  }

  const makeMarked = async (venue: Venue, signal: AbortSignal): Promise<number> => {
    const within = db.within(venue.id)
    const sums = await sumsOf(within, venue, clock())
    const marks = await marksOf(within, venue.id, { most: marksAtOnce, without: failedDays(venue.id) })
    const until = lastKeptDay(clock())
    const ofDay = Map.groupBy(marks, ({ service_date }) => service_date)
    const forget = (dates: readonly LocalDate[]): Promise<number> =>
      forgetMarks(
        within,
        venue.id,
        dates.flatMap((date) => (ofDay.get(date) ?? []).map(({ id }) => id)),
      )
    const dates = [...ofDay.keys()]
    // Days that have no sums yet need no other ones.
    await forget(dates.filter((date) => date > until))
    let made = 0
    for (const piece of piecesOf(dates.filter((date) => date <= until))) {
      if (signal.aborted) break
      const kept = await tryPiece(within, venue, piece, sums)
      made += kept.length
      // The marks of a day that somebody else made meanwhile stay: nobody knows what they had read.
      await forget(kept)
    }
    if (made > 0) await makeMonths(within, venue, sums, signal)
    return made
  }

  /** Goes on filling a venue's past, with at most so many days. */
  const fill = async (
    venue: Venue,
    most: number,
    signal: AbortSignal,
  ): Promise<{ readonly made: number; readonly tried: number }> => {
    const within = db.within(venue.id)
    const sums = await sumsOf(within, venue, clock())
    const last = filled.get(venue.id)
    const isSame = last !== undefined && last.rules === sums.rules
    if (isSame && last.until === undefined && nowMs() - last.begunMs < againMs) {
      filled.set(venue.id, { ...last, lookedMs: nowMs() })
      return { made: 0, tried: 0 }
    }
    const goesOn = isSame && last.until !== undefined
    const begunMs = goesOn ? last.begunMs : nowMs()
    let until: LocalDate | undefined = goesOn ? last.until : lastKeptDay(clock())
    let [made, tried] = [0, 0]
    while (until !== undefined && tried < most && !signal.aborted) {
      const dates: readonly LocalDate[] = await daysToMake(within, venue.id, {
        ...{ until, rules: sums.rules, most: daysAtOnce },
      })
      tried += dates.length
      for (const piece of piecesOf(dates)) made += (await tryPiece(within, venue, piece, sums)).length
      const oldest = dates.at(-1)
      until = oldest === undefined ? undefined : addDays(oldest, -1)
    }
    filled.set(venue.id, { rules: sums.rules, begunMs, lookedMs: nowMs(), until })
    await makeMonths(within, venue, sums, signal)
    return { made, tried }
  }

  return async (signal) => {
    let made = 0
    // All marks before anything is filled: what somebody just changed is asked for sooner than what is long over.
    await forEachVenue({ db, log }, await venuesWithMarks(db), async (venue) => {
      if (!signal.aborted) made += await makeMarked(venue, signal)
    })
    const isDue = (venue: VenueId): boolean => {
      const last = filled.get(venue)
      return last === undefined || last.until !== undefined || nowMs() - last.lookedMs >= rulesMs
    }
    let left = fillAtOnce
    const due = (await allVenues(db)).map(({ id }) => id).filter(isDue)
    await forEachVenue({ db, log }, new Set(due), async (venue) => {
      if (left <= 0 || signal.aborted) return
      const done = await fill(venue, left, signal)
      made += done.made
      left -= done.tried
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

/** The sums of past days as they are kept: without what other dates and the line say, and without what is to come. */
export const countPast = async (
  db: Queries,
  venue: VenueOfReports,
  dates: readonly LocalDate[],
  { longestTurn: longest, services }: Omit<Sums, 'rules'>,
): Promise<readonly KeptDay[]> => {
  const sorted = dates.toSorted()
  const [from, to] = [sorted[0], sorted.at(-1)]
  if (from === undefined || to === undefined) return []
  const asked = { from, to, zone: venue.timezone, withVisits: true, withTables: true }
  const ofDay = Map.groupBy(await bookingsOfDays(db, venue.id, asked), ({ service_date }) => service_date)
  return sorted.map((date) => {
    const bookings = ofDay.get(date) ?? []
    const { booked: _toCome, ...tally } = figuresOfDay({
      ...{ date, isOver: true, longestTurn: longest, services, line: [], bookings },
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
