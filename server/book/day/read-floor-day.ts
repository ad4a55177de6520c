import type { Queries } from '../../platform/db/pool.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { Own } from './own-place.ts'
import type { FloorOf } from './facts.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type FloorDay, boundsOfDay, floorOfDay } from './day-floor.ts'
import type { Floor } from '../rules/floor/floor.ts'
import { partiesBetween } from './party-reads.ts'

type WithFloor = BookingRules & { readonly floor: Floor }

/** The tables of one service date as they are now. */
export const readFloorDay = async (
  db: Queries,
  venue: VenueId,
  rules: WithFloor,
  date: LocalDate,
  now: Temporal.Instant,
  own?: Own,
): Promise<FloorDay> => {
  const bounds = boundsOfDay(rules, rules.floor, date)
  const rows = await partiesBetween(db, venue, { from: date, to: date, ...bounds, now, own })
  return floorOfDay(rules, date, rows, now, own)
}

/** The same of several service dates by one statement; each is laid out when it is first asked about. */
export const readFloors = async (
  db: Queries,
  venue: VenueId,
  rules: WithFloor,
  [from, to]: readonly [LocalDate, LocalDate],
  now: Temporal.Instant,
  own?: Own,
): Promise<FloorOf> => {
  const { since } = boundsOfDay(rules, rules.floor, from)
  const { until } = boundsOfDay(rules, rules.floor, to)
  const rows = await partiesBetween(db, venue, { from, to, since, until, now, own })
  const days = new Map<LocalDate, FloorDay>()
  return (date) => {
    const known = days.get(date)
    if (known) return known
    const day = floorOfDay(rules, date, rows, now, own)
    days.set(date, day)
    return day
  }
}
