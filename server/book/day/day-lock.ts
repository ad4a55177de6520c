import type { Queries } from '../../platform/db/pool.ts'
import { rememberOf } from '../../platform/db/remember-of.ts'
import { sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/**
 * Locks a service date until the transaction ends. Any code that adds to its load takes this lock first, in its own
 * statement.
 */
export const lockBookingDay = async (db: Queries, venue: VenueId, date: LocalDate): Promise<void> => {
  if (await holdBookingDay(db, venue, date)) return
  await db.run(sql()`
    insert into booking_day (venue_id, service_date) values (${venue}, ${date}) on conflict do nothing`)
  await holdRow(db, venue, date)
}

/** The same, if the date has been locked before; false the first time. */
export const holdBookingDay = async (db: Queries, venue: VenueId, date: LocalDate): Promise<boolean> => {
  const isHeld = await holdRow(db, venue, date)
  if (isHeld) lockedOf(db).set(`${venue} ${date}`, true)
  return isHeld
}

/**
 * Whether the date surely has its lock, which stays: what is locked after the day may then be asked behind it without
 * waiting for its answer.
 */
export const hasLock = (db: Queries, venue: VenueId, date: LocalDate): boolean =>
  lockedOf(db).has(`${venue} ${date}`)

const lockedOf = rememberOf<string, true>(20_000)

const holdRow = async (db: Queries, venue: VenueId, date: LocalDate): Promise<boolean> =>
  (await db.maybe(sql({ service_date: 'date' })`
    select service_date from booking_day where venue_id = ${venue} and service_date = ${date} for update`)) !==
  undefined
