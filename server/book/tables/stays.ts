import type { Queries } from '../../platform/db/pool.ts'
import { rememberOf } from '../../platform/db/kept/remember-of.ts'
import { fragment, sql } from '../../platform/db/sql.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { type Moment, toInstant } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { type BookingRules, defaultTurnMinutes } from '../rules/booking-rules.ts'
import { turnMinutes } from '../rules/turn-minutes.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/*
 * How long parties really stay at a venue, from its own evenings: by their size and the part of the day, and the nearer to
 * the turn time, the fewer of them there were.
 */

export type Stay = {
  readonly partySize: number
  /** Whether they came at or after `eveningMinute`. */
  readonly isEvening: boolean
  /** Minutes they have been at the table already; absent: none. */
  readonly sat?: number
}

/** How long a party is likely to stay altogether, in minutes; longer than it has sat already. */
export type Stays = (stay: Stay) => number

/** The minute of a service date from which on it is evening. */
export const eveningMinute = 16 * 60

/** Past days that count, and most stays of them, the latest first: a busy house needs fewer days. */
const daysBack = 90
const mostStays = 10_000
/** How many real stays the turn time weighs as much as. */
const weightOfTurn = 10
/** A party that stays longer than any known stay, or than the turn time, is expected to leave this soon. */
const lingerMinutes = 10
/** Shorter was no visit. */
const shortestStay = 10
/** Longer than so many times as long as the table was held for: somebody forgot to press. */
const longestInTurns = 2
/** So many parties that leave within a minute were cleared from the book at closing; when they left is not known. */
export const clearedTogether = 4
/** How far before and after one. */
export const togetherSeconds = 30

/** Whether a party was at its table for so long, and not only in the book; `heldFor`: how long the table was held for. */
export const isStay = (minutes: number, heldFor: number): boolean =>
  minutes >= shortestStay && minutes <= longestInTurns * heldFor

/**
 * The whole minutes of one stay; null: not known, or no visit. A visit is no other once the venue sets other turn times, nor
 * for what others do: nobody having said how long, it is measured by the usual turn, and that several left together is not in it.
 */
export const stayMinutes = (stay: {
  readonly seatedAt: Moment | null
  readonly leftAt: Moment | null
  readonly durationMinutes: number | null
}): number | null => {
  if (stay.seatedAt === null || stay.leftAt === null) return null
  const minutes = toInstant(stay.seatedAt).until(toInstant(stay.leftAt)).total('minutes')
  return isStay(minutes, stay.durationMinutes ?? defaultTurnMinutes) ? Math.floor(minutes) : null
}

/** Stays of a kind: how many, and twenty-one of them from the shortest to the longest, a twentieth of all apart. */
export type KnownStays = { readonly count: number; readonly twentieths: readonly number[] }

/** What is known of each kind of stay; see `kindOf`. */
export type StaysByKind = ReadonlyMap<string, KnownStays>

const kindIn = (sizes: number, isEvening: boolean): string => `${sizes} ${isEvening}`

/** Stays of 1 and 2, 3 and 4, 5 and 6, and more guests, before and in the evening. */
export const kindOf = ({ partySize, isEvening }: Omit<Stay, 'sat'>): string =>
  kindIn(Math.floor((Math.min(partySize, 7) + 1) / 2), isEvening)

/** What the stays of the 90 days before a service date say about it; the turn time if there were no stays. */
export const staysOf =
  (rules: Pick<BookingRules, 'turnTimes'>, known: StaysByKind): Stays =>
  ({ partySize, isEvening, sat = 0 }) => {
    const usual = turnMinutes(rules, partySize)
    const stays = known.get(kindOf({ partySize, isEvening }))
    const after = (minutes: number, turn: number): number => {
      if (!stays) return turn
      const gone = shareUpTo(stays.twentieths, minutes)
      const longer = stays.count * (1 - gone)
      const median = valueAt(stays.twentieths, (1 + gone) / 2)
      return (longer * median + weightOfTurn * turn) / (longer + weightOfTurn)
    }
    const whole = Math.round(after(0, usual))
    // Until it is over, so that quotes do not move on with the clock while nobody is late.
    if (Math.floor(sat) <= whole) return whole
    return Math.max(sat + 1, after(sat, Math.max(usual, sat + lingerMinutes)))
  }

/** The share of the stays that were over after so many minutes. */
const shareUpTo = (twentieths: readonly number[], minutes: number): number => {
  const after = twentieths.findIndex((value) => value > minutes)
  if (after === -1) return 1
  if (after === 0) return 0
  const [low = 0, high = 0] = [twentieths[after - 1], twentieths[after]]
  return (after - 1 + (minutes - low) / (high - low)) / (twentieths.length - 1)
}

const valueAt = (twentieths: readonly number[], share: number): number => {
  const place = share * (twentieths.length - 1)
  const low = twentieths[Math.floor(place)] ?? 0
  const high = twentieths[Math.ceil(place)] ?? low
  return low + (place % 1) * (high - low)
}

const together = fragment(`interval '${togetherSeconds} seconds'`)
const kindRow = { sizes: 'int4', is_evening: 'bool', stays: 'int8', twentieths: 'int4[]' } as const

/** What a stay is measured by where nobody said how long it would be. */
export const longestTurn = ({ turnTimes }: Pick<BookingRules, 'turnTimes'>): number =>
  Math.max(defaultTurnMinutes, ...turnTimes.map(({ minutes }) => minutes))

/** Those for which `isStay` is so, thousands at once, without what was cleared together. */
const readStays = async (
  db: Queries,
  venue: VenueId,
  rules: Pick<BookingRules, 'turnTimes'>,
  date: LocalDate,
): Promise<StaysByKind> => {
  const longest = longestTurn(rules)
  // In two spans, so that PostgreSQL collects the rows of both and reads each page of the table once: bookings of a day were
  // made over weeks, so going by date alone it would come back to each page many times.
  const half = addDays(date, -daysBack / 2)
  const rows = await db.many(sql(kindRow)`
    select sizes, is_evening, count(*) as stays,
           (select array_agg(round(value)::int order by value)
              from unnest(percentile_cont(array(select n / 20.0 from generate_series(0, 20) n))
                            within group (order by minutes)) as value) as twentieths
      from (
        select (least(party_size, 7) + 1) / 2 as sizes, service_minute >= ${eveningMinute} as is_evening,
               extract(epoch from (completed_at at time zone 'UTC') - (seated_at at time zone 'UTC'))::float8 / 60 as minutes,
               ${longestInTurns}::integer * coalesce(duration_minutes, ${longest}) as most,
               count(*) over (order by completed_at
                 range between ${together} preceding and ${together} following) as together
          from (
            select party_size, service_minute, seated_at, completed_at, duration_minutes
              from reservation
             where venue_id = ${venue}
               and (service_date between ${addDays(date, -daysBack)} and ${half}
                    or service_date between ${addDays(half, 1)} and ${addDays(date, -1)})
               and status = 'Completed' and seated_at is not null and completed_at is not null
               and party_size is not null and service_minute is not null
             order by service_date desc, service_minute desc
             limit ${mostStays}) as latest) as stay
     where minutes between ${shortestStay} and most and together < ${clearedTogether}
     group by sizes, is_evening`)
  return new Map(
    rows.map(({ sizes, is_evening, stays, twentieths }) => [
      kindIn(sizes, is_evening),
      { count: stays, twentieths },
    ]),
  )
}

/** Venues whose stays are kept; a process rarely serves more in a day. */
const mostKept = 1_000
const keptOf = rememberOf<VenueId, { readonly date: LocalDate; readonly known: StaysByKind }>(mostKept)

/** How long parties stay at a venue on a service date. Read once a day: the days before it no longer change. */
export const readStaysOn = async (
  db: Queries,
  venue: VenueId,
  rules: Pick<BookingRules, 'turnTimes'>,
  date: LocalDate,
): Promise<Stays> => {
  const kept = keptOf(db)
  const found = kept.get(venue)
  if (found?.date === date) return staysOf(rules, found.known)
  const known = await readStays(db, venue, rules, date)
  kept.set(venue, { date, known })
  return staysOf(rules, known)
}
