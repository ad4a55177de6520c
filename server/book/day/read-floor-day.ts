import type { Queries } from '../../platform/db/pool.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { Own } from './own-place.ts'
import type { FloorOf } from './facts.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type FloorDay, boundsOfDay, floorOfDay } from './day-floor.ts'
import type { Floor } from '../rules/floor/floor.ts'
import { type PartyRow, partiesBetween } from './party-reads.ts'

type WithFloor = BookingRules & { readonly floor: Floor }

/** The tables of one service date as they are now. */
export const readFloorDay = async (
  db: Queries,
  venue: VenueId,
  rules: WithFloor,
  date: LocalDate,
  now: Temporal.Instant,
  own?: Own,
): Promise<FloorDay> =>
  floorOfDay(rules, date, await partiesOfDay(db, venue, rules, { date, now, own }), now, own)

/** Who needs one of them. */
export const partiesOfDay = (
  db: Queries,
  venue: VenueId,
  rules: WithFloor,
  {
    date,
    now,
    own,
  }: { readonly date: LocalDate; readonly now: Temporal.Instant; readonly own?: Own | undefined },
): Promise<PartyRow[]> =>
  partiesBetween(db, venue, {
    ...boundsOfDay(rules, rules.floor, date),
    ...{ from: date, to: date, now, own },
  })

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
