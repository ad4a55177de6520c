import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { LikelyTable, LikelyTables } from '../tables/likely-table.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import { largestSeated } from '../rules/floor/floor.ts'
import { type Unit, inLineOf, likeParties, likelyIn, minutesUntil, readLine } from './line/line-now.ts'
import { partiesAhead } from './reads.ts'
import { longestQuoteMinutes, quoteMinutesPerParty } from './states.ts'

/*
 * The wait that a party is quoted: what staff last quoted a party of its size; otherwise, where tables decide, until a
 * table for it is likely to come free; otherwise how long such parties actually waited tonight; otherwise an estimate
 * from the parties ahead of it.
 */

/** A staff quote applies to similar parties for this long. */
const saidMinutes = 20
/** Waits that ended this recently say how the night goes, if there are at least `fewestWaits` of them. */
export const recentMinutes = 90
const fewestWaits = 5

type Asked = {
  /** The evening; null for a party that waits for none in particular. */
  readonly serviceDate: LocalDate | null
  readonly partySize: number
  /** The party itself, if it is in line already. */
  readonly entry?: number
  /** The rules around the evening, where they were read. */
  readonly rules?: BookingRules
}

export type Quote = {
  /** In steps of five. */
  readonly minutes: number
  /** The table it is likely to be, where tables decided. */
  readonly table?: LikelyTable
  /** The largest party that tables take, where this one is larger: none ever comes free for it. */
  readonly largest?: number
  /** What the minutes rest on. */
  readonly rests: {
    /** The size that waits so long: the party's own, or a smaller one that waits longer. */
    readonly size: number
    /** The table that parties of that size wait for; absent: staff said so, or the line does. */
    readonly table?: LikelyTable | undefined
  }
  /** What those who go before it are likely to get: of the line by their own ids, of who is booked and without a table by bookings. */
  readonly before: {
    readonly line: ReadonlyMap<number, LikelyTable>
    readonly here: ReadonlyMap<number, LikelyTable>
  }
}

/**
 * The quote for a party. A table that it can have now is no wait, whatever parties of another size wait for. Otherwise
 * quotes never fall as parties grow: a larger one is quoted no less than any smaller one that waits, whichever of the ways
 * each of them is reckoned by. What is free sooner for a larger party of its kind, such as a table for two, a party of one
 * may have too.
 */
export const quoteFor = async (work: Unit, asked: Asked): Promise<Quote> => {
  const { partySize } = asked
  const { least } = likeParties(partySize)
  const below = kinds.map((size) => likeParties(size).most).filter((size) => size < partySize)
  const alike = sizesBetween(least, Math.min(partySize - 1, mostSizes))
  const sizes = [...below, ...alike, partySize]
  const [said, { sizes: tables, before, largest }] = await Promise.all([
    saidByStaff(work, asked),
    likelyTables(work, asked, sizes),
  ])
  const tableOf = (size: number): LikelyTable | undefined => tables[sizes.indexOf(size)]
  const until = (found: LikelyTable | undefined): number | undefined =>
    found && minutesUntil(work.now(), found.at)
  const table = tableOf(partySize)
  const own = said(partySize) ?? until(table)
  // Not where staff only said so.
  if (table && own !== undefined && Math.max(own, until(table) ?? 0) <= 0)
    return { minutes: inSteps(0), table, rests: { size: partySize, table }, before }
  // Where no table takes so many: no less than for those of its kind that one does take, either.
  const atLeast = own === undefined ? [...below, ...alike] : below
  const known = [own, ...atLeast.map((size) => said(size) ?? until(tableOf(size)))]
  const similar = known.includes(undefined) ? await bySimilarParties(work, asked) : undefined
  const waits = [partySize, ...atLeast].map((size, n) => ({
    size,
    minutes: known[n] ?? similar?.(size) ?? 0,
    table: said(size) === undefined ? (size === partySize ? table : tableOf(size)) : undefined,
  }))
  // Of those that are quoted the same the party's own.
  const longest = waits.reduce((one, other) => (inSteps(other.minutes) > inSteps(one.minutes) ? other : one))
  const cap = mostSaidFor(said, partySize)
  return {
    minutes: inSteps(Math.min(cap, longest.minutes)),
    ...(table && { table }),
    ...(largest !== undefined && largest < partySize && { largest }),
    rests: cap < longest.minutes ? { size: partySize } : { size: longest.size, table: longest.table },
    before,
  }
}

/** Staff's word for a size, or for a larger one, is never exceeded by what is reckoned. */
const mostSaidFor = (said: Said, partySize: number): number => {
  const larger = kinds.findIndex((size) => likeParties(size).most >= partySize && said(size) !== undefined)
  return larger === -1
    ? Infinity
    : Math.max(...kinds.slice(0, larger + 1).flatMap((size) => said(size) ?? []))
}

/** The smallest size of each kind of party; see `likeParties`. */
const kinds = [1, 3, 5, 7]

/** Sizes looked at one by one: beyond these all tables are joined ones, and few. */
const mostSizes = 20

const sizesBetween = (least: number, most: number): number[] =>
  Array.from({ length: Math.max(0, most - least + 1) }, (_, n) => least + n)

/** What staff said last to a party of about a size. */
type Said = (size: number) => number | undefined

/** What staff said last to a party of about a size; nothing was said to the ones it has no answer for. */
const saidByStaff = async ({ db, venue, now }: Unit, { serviceDate, entry }: Asked): Promise<Said> => {
  const said = await db.many(sql({ quoted_minutes: 'int4', party_size: 'int4' })`
    select quoted_minutes, party_size from waitlist_entry
     where venue_id = ${venue.id} and service_date = ${serviceDate} and quoted_by_hand
       and quoted_at > ${now().subtract({ minutes: saidMinutes })}
       and id <> ${entry ?? 0}
     order by quoted_at desc limit ${mostSaid}`)
  return (size) => said.find(({ party_size }) => isLike(size, party_size))?.quoted_minutes
}

/** Quotes by hand within `saidMinutes`: more than anybody says. */
const mostSaid = 200

/** What parties of these sizes are likely to get while the evening's services run or the next of them begins soon. */
const likelyTables = async (
  work: Unit,
  asked: Asked,
  sizes: readonly number[],
): Promise<Pick<LikelyTables, 'sizes'> & Pick<Quote, 'before' | 'largest'>> => {
  const line = await readLine(work, asked)
  if (!line) {
    return {
      sizes: [],
      before: { line: new Map<number, LikelyTable>(), here: new Map<number, LikelyTable>() },
    }
  }
  const found = likelyIn(line, line.day, sizes)
  return {
    sizes: found.sizes,
    before: { line: inLineOf(line, found), here: found.here },
    largest: largestSeated(line.day.floor),
  }
}

const bySimilarParties = async (
  { db, venue, now }: Unit,
  { serviceDate, partySize, entry }: Asked,
): Promise<(size: number) => number> => {
  const [seated, ahead] = await Promise.all([
    db.many(sql(waitRow)`
      select ${columnsOf(waitRow)} from waitlist_entry
       where venue_id = ${venue.id} and seated_at > ${now().subtract({ minutes: recentMinutes })}
         and booked_as = 'seated' and party_size <= ${likeParties(partySize).most}`),
    serviceDate === null ? 0 : partiesAhead(db, venue.id, serviceDate, entry ?? null),
  ])
  return (size) =>
    minutesByLine(seated.filter(({ party_size }) => isLike(size, party_size)).map(waitOf), ahead)
}

/** The wait by how long like parties waited in the last 90 minutes and by how many are ahead. */
export const minutesByLine = (waits: readonly number[], ahead: number): number =>
  waits.length >= fewestWaits ? medianOf(waits) : (ahead + 1) * quoteMinutesPerParty

const waitRow = {
  party_size: 'int4',
  created_at: 'timestamptz',
  rejoined_at: 'timestamptz?',
  paged_at: 'timestamptz?',
  seated_at: 'timestamptz?',
} as const

/** From taking their place in line, the last time, until the table was ready, in minutes. */
const waitOf = ({ created_at, rejoined_at, paged_at, seated_at }: RowOf<typeof waitRow>): number => {
  const since = toInstant(rejoined_at ?? created_at)
  const ready = paged_at !== null && seated_at !== null && paged_at < seated_at ? paged_at : seated_at
  return ready === null ? 0 : Math.max(0, since.until(toInstant(ready)).total('minutes'))
}

const isLike = (size: number, other: number): boolean => {
  const { least, most } = likeParties(size)
  return least <= other && other <= most
}

/** Minutes as they are quoted to a party. */
export const inSteps = (minutes: number): number =>
  Math.min(longestQuoteMinutes, Math.max(5, Math.ceil(minutes / 5) * 5))

const medianOf = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] =
    sorted.length % 2 === 1 ? [sorted[half], sorted[half]] : [sorted[half - 1], sorted[half]]
  return (low + high) / 2
}
