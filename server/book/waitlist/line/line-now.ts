import type { Work } from '../../../context.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { FloorDay } from '../../day/day-floor.ts'
import { readFloorDay } from '../../day/read-floor-day.ts'
import type { BookingRules } from '../../rules/booking-rules.ts'
import { openPeriodsOn } from '../../rules/resolve-service.ts'
import { bookingRulesAround } from '../../rules/rules-store.ts'
import { momentOfServiceMinute } from '../../rules/service-now.ts'
import {
  type LikelyTable,
  type LikelyTables,
  type SitsDown,
  likelyTablesFor,
  withSeated,
} from '../../tables/likely-table.ts'
import { type Stays, readStaysOn } from '../../tables/stays.ts'
import { partiesBefore } from '../reads.ts'

/*
 * The line of an evening as it is now: which tables its parties are likely to get, and when.
 */

export type Unit = Pick<Work, 'db' | 'venue' | 'now'>

type Asked = {
  /** The evening; null for a party that waits for none in particular. */
  readonly serviceDate: LocalDate | null
  /** The party itself, if it is in line already. */
  readonly entry?: number
  /** The rules around the evening, where they were read. */
  readonly rules?: BookingRules
}

/** A party that sits down; `entry`: itself in line, where it waits no more. */
export type SitsDownNow = SitsDown & { readonly entry?: number }

/** What everybody in line is likely to get once a party sat down at the tables it is offered, of each of these; by their ids. */
export const lineAfter = async (
  work: Unit,
  asked: Asked,
  seatings: readonly SitsDownNow[],
): Promise<readonly ReadonlyMap<number, LikelyTable>[]> => {
  const line = seatings.length === 0 ? undefined : await readLine(work, asked)
  return seatings.map(({ entry, ...one }) => {
    if (!line) return new Map<number, LikelyTable>()
    const rest = { ...line, ahead: line.ahead.filter(({ id }) => id !== entry) }
    return inLineOf(rest, likelyIn(rest, withSeated(rest.day, one), []))
  })
}

/** So long before a service begins its tables say how long a party would wait for it. */
const linesFromMinutes = 240

type LineRead = {
  readonly serviceDate: LocalDate
  readonly from: Temporal.Instant
  readonly day: FloorDay
  readonly ahead: readonly { readonly id: number; readonly party_size: number }[]
  readonly stays: Stays
}

/** The evening and who is ahead in it; undefined where tables decide nothing, and long before and after its services. */
export const readLine = async (
  { db, venue, now }: Unit,
  { serviceDate, entry, rules: known }: Asked,
): Promise<LineRead | undefined> => {
  if (serviceDate === null) return undefined
  const rules = known ?? (await bookingRulesAround(db, venue, serviceDate))
  const { floor } = rules
  if (!floor) return undefined
  const at = now()
  const from = seatedFrom(rules, serviceDate, at)
  if (!from || minutesUntil(at, from) > linesFromMinutes) return undefined
  const [day, ahead, stays] = await Promise.all([
    readFloorDay(
      db,
      venue.id,
      { ...rules, floor },
      serviceDate,
      at,
      entry === undefined ? undefined : { entry },
    ),
    partiesBefore(db, venue.id, serviceDate, { entry: entry ?? null, now: at }),
    readStaysOn(db, venue.id, rules, serviceDate),
  ])
  return { serviceDate, from, day, ahead, stays }
}

export const likelyIn = (
  { serviceDate, from, ahead, stays }: LineRead,
  day: FloorDay,
  sizes: readonly number[],
): LikelyTables =>
  likelyTablesFor(day, stays, {
    ...{ serviceDate, from, sizes, likeLargest: (size) => likeParties(size).most },
    ahead: ahead.map(({ party_size }) => party_size),
  })

export const inLineOf = (
  { ahead }: LineRead,
  found: Pick<LikelyTables, 'ahead'>,
): ReadonlyMap<number, LikelyTable> =>
  new Map(
    ahead.flatMap(({ id }, n) => {
      const table = found.ahead[n]
      return table ? [[id, table] as const] : []
    }),
  )

/** Now, or when the evening's next service begins; undefined once they are all over. */
const seatedFrom = (
  rules: BookingRules,
  date: LocalDate,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  const next = openPeriodsOn(rules, date)
    .filter(({ endMinute }) => isLater(momentOfServiceMinute(rules, date, endMinute), now))
    .toSorted((a, b) => a.startMinute - b.startMinute)[0]
  if (!next) return undefined
  const begins = momentOfServiceMinute(rules, date, next.startMinute)
  return isLater(begins, now) ? begins : now
}

const isLater = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) > 0

export const minutesUntil = (now: Temporal.Instant, at: Temporal.Instant): number =>
  now.until(at).total('minutes')

/** Parties that need a table of about the same size. */
export const likeParties = (partySize: number): { readonly least: number; readonly most: number } => {
  const least = partySize >= 7 ? 7 : partySize - ((partySize - 1) % 2)
  return { least, most: partySize >= 7 ? 10_000 : least + 1 }
}
