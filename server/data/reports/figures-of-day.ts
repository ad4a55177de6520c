import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { weekdayOf } from '../../platform/kernel/time/calendar.ts'
import type { FigureName } from '@venue-data/contract/records/figures.ts'
import { type Cell, type Key, type Tally, textOfKey } from './tally.ts'

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
}

export type DayRows = {
  readonly date: LocalDate
  /** The venue's current service date is a later one, so nothing of this day is still to come. */
  readonly isOver: boolean
  readonly bookings: readonly BookingFacts[]
}

export const figuresOfDay = ({ date, isOver, bookings }: DayRows): Tally => {
  const { tally, count } = openTally()
  const weekday = weekdayOf(date)
  if (bookings.some(isServed)) count(openDays, { weekday }, 1)
  for (const booking of bookings) {
    const guests = booking.party_size ?? 0
    const { source } = booking
    const isOpenEnd = isOver && isOpen(booking)
    const promised = isPromised(booking)
    const served = isServed(booking)
    if (isOpenEnd) count('open_ends', { status: booking.status }, 1)
    if (isBooked(booking)) {
      count('booked', { date, measure: 'parties' }, 1)
      count('booked', { date, measure: 'covers' }, guests)
      if (booking.status === 'Requested') count('booked', { date, measure: 'requested' }, 1)
    }
    if (served) {
      const service = booking.service ?? 'other'
      count('parties', { date, service }, 1)
      count('covers', { date, service }, guests)
      count('sizes', { size: sizeOf(booking) }, 1)
      count('sources', { source, measure: 'served' }, 1)
      const seated = quarterOf(booking.seated_minute)
      if (seated !== undefined) count('arrivals', { weekday, quarter: seated, measure: 'seated' }, guests)
    }
    if (promised) {
      count('sources', { source, measure: 'promised' }, 1)
      const booked = quarterOf(booking.service_minute)
      if (booked !== undefined) count('arrivals', { weekday, quarter: booked, measure: 'booked' }, guests)
    }
    if (isWalkIn(booking)) continue
    const lead = booking.is_imported ? undefined : leadOf(booking)
    if (promised && lead !== undefined) count('lead_days', { days: lead }, 1)
    if (promised && !isOpenEnd) {
      for (const [measure, isSo] of cancellations(booking)) count('cancelled', { measure }, isSo ? 1 : 0, 1)
    }
    if (served || booking.status === 'No-show') {
      const missed = served ? 0 : 1
      const parts: Key[] = [{}, { source }, { size: sizeOf(booking) }, { weekday }]
      for (const part of lead === undefined ? parts : [...parts, { days: lead }]) {
        count('no_shows', { measure: 'parties', ...part }, missed, 1)
        count('no_shows', { measure: 'covers', ...part }, missed * guests, guests)
      }
    }
  }
  return tally
}

/** Service dates with somebody served, by weekday: what arrivals are divided by. */
export const openDays = 'open_days'

type Counted = FigureName | typeof openDays

const openTally = () => {
  const tally: Record<string, Record<string, Cell>> = {}
  const count = (figure: Counted, key: Key, n: number, d = 0): void => {
    const cells = (tally[figure] ??= {})
    const text = textOfKey(key)
    const known = cells[text] ?? { n: 0, d: 0 }
    cells[text] = { n: known.n + n, d: known.d + d }
  }
  return { tally, count }
}

const isServed = ({ status }: BookingFacts): boolean => status === 'Seated' || status === 'Completed'

const isOpen = ({ status }: BookingFacts): boolean => status === 'Requested' || status === 'Confirmed'

const isBooked = (booking: BookingFacts): boolean => isOpen(booking) || isServed(booking)

/** The venue had said yes. A cancellation of which nobody knows what it was before counts as one. */
const isPromised = ({ status, cancelled_from }: BookingFacts): boolean =>
  status === 'Cancelled' ? cancelled_from !== 'Requested' : status !== 'Requested'

const isWalkIn = ({ source, was_seated_at_once }: BookingFacts): boolean =>
  source === 'walkin' || (source === 'waitlist' && was_seated_at_once)

const lateMs = 24 * 60 * 60_000

const cancellations = ({ status, cancelled_by, cancelled_ahead_ms }: BookingFacts) => {
  const isCancelled = status === 'Cancelled'
  const byGuest = isCancelled && cancelled_by === 'guest'
  return [
    ['guest', byGuest],
    ['late', byGuest && cancelled_ahead_ms !== null && cancelled_ahead_ms < lateMs],
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

const sizeOf = ({ party_size }: BookingFacts): string =>
  party_size === null ? 'unknown' : classOf(sizeClasses, party_size)
const leadOf = ({ days_ahead }: BookingFacts): string => classOf(leadClasses, days_ahead)
