import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { weekdayOf } from '../../platform/kernel/time/calendar.ts'
import { countTables } from './at-tables.ts'
import { clearedTogether, eveningMinute, isStay, togetherSeconds } from '../../book/tables/stays.ts'
import { type Count, openDays, openTally, returns } from './open-tally.ts'
import type { Key, Tally } from './tally.ts'

/*
 * The figures of one service date from its rows as they stand now. Facts in, sums out: no data is read here, and no clock.
 */

/** A booking with a service date and minute; times of day are by the venue's clock. */
export type BookingFacts = {
  readonly service_date: LocalDate
  readonly service_minute: number
  readonly party_size: number | null
  readonly status: string
  readonly source: string
  readonly service: string | null
  readonly is_imported: boolean
  /** Of the waitlist: the party was seated from today's line. */
  readonly was_seated_at_once: boolean
  readonly cancelled_from: string | null
  readonly cancelled_by: string | null
  /** Milliseconds from the cancellation to the booked moment. */
  readonly cancelled_ahead_ms: number | null
  /** Calendar days from when it was made to its service date. */
  readonly days_ahead: number
  /** Minutes from midnight of the service date to the seating. */
  readonly seated_minute: number | null
  readonly seated_ms: number | null
  readonly completed_ms: number | null
  readonly duration_minutes: number | null
  /** Whole minutes from when it was made to the first answer of staff; null where it was no request, or has none. */
  readonly answered_minutes: number | null
  /** Of who was served with a guest on file: `new` or `returning`. */
  readonly visit: string | null
  /** Of who was served with a guest on file: the source of the guest's first served booking. */
  readonly first_source: string | null
  /** Of the first visit on a later date than the guest's first, up to 90 days after it: how many. */
  readonly returned_after: number | null
  /** Of who was served: their tables, joined ones each by itself. */
  readonly table_ids: readonly number[]
}

/** An entry of today's line. */
export type LineFacts = {
  readonly service_date: LocalDate
  readonly status: string
  readonly quoted_minutes: number | null
  /** Whole minutes from the quote to the seating. */
  readonly waited_minutes: number | null
}

export type DayRows = {
  readonly date: LocalDate
  /** The longest turn time of the venue, in minutes. */
  readonly longestTurn: number
  readonly line: readonly LineFacts[]
  /** The venue's current service date is a later one, so nothing of this day is still to come. */
  readonly isOver: boolean
  readonly bookings: readonly BookingFacts[]
  /** The names of the venue's services: what a file calls the type of a booking is one only if it is among them. */
  readonly services: ReadonlySet<string>
}

export const figuresOfDay = (day: DayRows): Tally => {
  const { date, isOver, bookings } = day
  const { tally, count } = openTally()
  countStays(count, day)
  countWaits(count, day)
  countTables(count, date, bookings.filter(isServed))
  const weekday = weekdayOf(date)
  if (bookings.some(isServed)) count(openDays, { weekday }, 1)
  for (const booking of bookings) {
    const guests = booking.party_size ?? 0
    const { source } = booking
    const isOpenEnd = isOver && isOpen(booking)
    const promised = isPromised(booking)
    const served = isServed(booking)
    if (isOpenEnd) count('open_ends', { date, status: booking.status }, 1)
    if (isBooked(booking)) {
      count('booked', { date, measure: 'parties' }, 1)
      count('booked', { date, measure: 'covers' }, guests)
      if (booking.status === 'Requested') count('booked', { date, measure: 'requested' }, 1)
    }
    if (served) {
      const service = serviceOf(booking, day.services)
      count('parties', { date, service }, 1)
      count('covers', { date, service }, guests)
      count('sizes', { size: sizeOf(booking) }, 1)
      count('guests', { kind: booking.visit ?? 'unknown' }, 1)
      if (booking.first_source !== null) countVisit(count, booking, booking.first_source)
      count('sources', { source, measure: 'served' }, 1)
      const seated = quarterOf(booking.seated_minute)
      if (seated !== undefined) count('arrivals', { weekday, measure: 'seated' }, guests, 0, seated, guests)
    }
    if (promised) {
      count('sources', { source, measure: 'promised' }, 1)
      const booked = quarterOf(booking.service_minute)
      if (booked !== undefined) count('arrivals', { weekday, measure: 'booked' }, guests, 0, booked, guests)
    }
    if (isWalkIn(booking)) continue
    const lead = booking.is_imported ? undefined : leadOf(booking)
    if (promised && lead !== undefined) {
      count('lead_days', { days: lead }, 1)
      count('days_ahead', {}, 0, 1, Math.max(0, booking.days_ahead))
    }
    if (!booking.is_imported) countAnswer(count, booking)
    if (promised && !isOpenEnd) {
      for (const [measure, isSo] of cancellations(booking)) {
        count('cancelled', { measure }, isSo ? 1 : 0, 1)
        count('cancelled', { measure: `${measure}_covers` }, isSo ? guests : 0, guests)
      }
    }
    if (served || booking.status === 'No-show') {
      const missed = served ? 0 : 1
      const size = sizeOf(booking)
      count('no_shows_by_source_and_size', { source, size }, missed, 1)
      const parts: Key[] = [{}, { source }, { size }, { weekday }]
      for (const part of lead === undefined ? parts : [...parts, { days: lead }]) {
        count('no_shows', { measure: 'parties', ...part }, missed, 1)
        count('no_shows', { measure: 'covers', ...part }, missed * guests, guests)
      }
    }
  }
  return tally
}

const countVisit = (
  count: Count,
  { service_date: date, visit, returned_after }: BookingFacts,
  source: string,
): void => {
  if (visit !== null) count('guests_by_first_source', { source, kind: visit }, 1)
  if (visit === 'new') count(returns, { date, source }, 0, 1)
  if (returned_after !== null) count(returns, { date, source }, 1, 0, returned_after)
}

const countAnswer = (count: Count, booking: BookingFacts): void => {
  const { status, cancelled_from, cancelled_by, answered_minutes } = booking
  // Also one whose answer was undone: it waits again.
  if (status === 'Requested') return count('answered', { measure: 'unanswered' }, 1)
  if (answered_minutes === null) return
  const isDeclined = status === 'Cancelled' && cancelled_from === 'Requested' && cancelled_by === 'staff'
  count('answered', { measure: 'minutes' }, 0, 1, answered_minutes)
  count('answered', { measure: 'declined' }, isDeclined ? 1 : 0, 1)
}

/** As the likely stay of a party is learned: no shorter or longer ones, and none that were cleared together at closing. */
const countStays = (count: Count, { bookings, longestTurn }: DayRows): void => {
  const stays = bookings
    .flatMap(({ status, party_size, service_minute, seated_ms, completed_ms, duration_minutes }) =>
      status === 'Completed' && party_size !== null && seated_ms !== null && completed_ms !== null
        ? { party_size, service_minute, seated_ms, completed_ms, heldFor: duration_minutes ?? longestTurn }
        : [],
    )
    .toSorted((a, b) => a.completed_ms - b.completed_ms)
  const together = closedTogether(stays.map(({ completed_ms }) => completed_ms))
  for (const [at, stay] of stays.entries()) {
    const minutes = (stay.completed_ms - stay.seated_ms) / minuteMs
    const isCleared = (together[at] ?? 0) >= clearedTogether
    if (!isStay(minutes, stay.heldFor) || isCleared) continue
    const part = stay.service_minute < eveningMinute ? 'day' : 'evening'
    // Each size by itself: turn times may change within a class. The classes are added up when they are shown.
    count('stays_by_size', { size: stay.party_size, part, measure: 'stay' }, 0, 1, Math.floor(minutes))
  }
}

/** For each moment, in their order, how many are within half a minute of it. */
const closedTogether = (moments: readonly number[]): number[] => {
  let [first, next] = [0, 0]
  return moments.map((moment) => {
    while (moment - (moments[first] ?? moment) > togetherMs) first++
    while (next < moments.length && (moments[next] ?? moment) - moment <= togetherMs) next++
    return next - first
  })
}

const minuteMs = 60_000
const togetherMs = togetherSeconds * 1_000

/** Days that a guest has to come back. */
export const daysToReturn = 90

/** Classes of sizes of stays, each with the size whose turn time is shown with it. */
export const staySizes = [
  ['1-2', 2],
  ['3-4', 4],
  ['5-6', 6],
  ['7+', 7],
] as const
export const staySizeOf = (size: number): string => staySizes.find(([, most]) => size <= most)?.[0] ?? '7+'

/** Minutes by which a quote may be off and still be right. */
const quoteMinutes = 5

const countWaits = (count: Count, { line }: DayRows): void => {
  for (const { status, quoted_minutes, waited_minutes } of line) {
    count('waits', { measure: 'left' }, status === 'cancelled' || status === 'expired' ? 1 : 0, 1)
    if (status !== 'booked' || quoted_minutes === null || waited_minutes === null) continue
    const isRight = Math.abs(waited_minutes - quoted_minutes) <= quoteMinutes
    count('waits', { measure: 'quoted' }, 0, 1, quoted_minutes)
    count('waits', { measure: 'waited' }, 0, 1, waited_minutes)
    count('waits', { measure: 'within_5' }, isRight ? 1 : 0, 1)
  }
}

const serviceOf = ({ service, is_imported }: BookingFacts, services: ReadonlySet<string>): string =>
  service === null || (is_imported && !services.has(service)) ? 'other' : service

const isServed = ({ status }: BookingFacts): boolean => status === 'Seated' || status === 'Completed'

const isOpen = ({ status }: BookingFacts): boolean => status === 'Requested' || status === 'Confirmed'

const isBooked = (booking: BookingFacts): boolean => isOpen(booking) || isServed(booking)

/** The venue had said yes. A cancellation of which nobody knows what it was before counts as one. */
const isPromised = ({ status, cancelled_from }: BookingFacts): boolean =>
  status === 'Cancelled' ? cancelled_from !== 'Requested' : status !== 'Requested'

const isWalkIn = ({ source, was_seated_at_once }: BookingFacts): boolean =>
  source === 'walkin' || (source === 'waitlist' && was_seated_at_once)

const lateMs = 24 * 60 * 60_000

const cancellations = ({ status, cancelled_by, cancelled_ahead_ms, is_imported }: BookingFacts) => {
  const isCancelled = status === 'Cancelled'
  const byGuest = isCancelled && cancelled_by === 'guest'
  // A file that does not say when has the moment of its import.
  const isOfImport = is_imported && cancelled_ahead_ms !== null && cancelled_ahead_ms < 0
  return [
    ['guest', byGuest],
    ['late', byGuest && cancelled_ahead_ms !== null && cancelled_ahead_ms < lateMs && !isOfImport],
    ['staff', isCancelled && cancelled_by === 'staff'],
    ['unknown', isCancelled && cancelled_by === null],
  ] as const
}

const quartersOfDay = 192
const quarterOf = (minute: number | null): number | undefined => {
  const quarter = Math.floor((minute ?? -1) / 15)
  return quarter >= 0 && quarter < quartersOfDay ? quarter : undefined
}

/** Classes of sizes and of days ahead, each with the highest number of it. */
export const sizeClasses = [
  ...[1, 2, 3, 4, 5, 6].map((size) => [String(size), size] as const),
  ...([['7-8', 8] as const, ['9-12', 12] as const, ['13+', Infinity] as const] as const),
] as const
export const leadClasses = [
  ['0', 0],
  ['1', 1],
  ['2-3', 3],
  ['4-7', 7],
  ['8-14', 14],
  ['15-30', 30],
  ['31+', Infinity],
] as const

const classOf = (classes: readonly (readonly [string, number])[], value: number): string =>
  classes.find(([, most]) => value <= most)?.[0] ?? ''

export const sizeClassOf = (partySize: number): string => classOf(sizeClasses, partySize)

const sizeOf = ({ party_size }: BookingFacts): string =>
  party_size === null ? 'unknown' : sizeClassOf(party_size)
const leadOf = ({ days_ahead }: BookingFacts): string => classOf(leadClasses, days_ahead)
