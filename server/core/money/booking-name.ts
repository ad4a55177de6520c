import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, part, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

/*
 * What names a booking at the processor, beside a page or a charge that is about it: what was paid after the backup that a
 * database is from is found by it at the booking it is for. Never the booking's id: a restored database gives ids again, and which
 * booking has one is nobody else's business.
 */

/** Of a booking `r`, the same for good, also in a copy. */
const nameOf = (venue: VenueId): Fragment =>
  part`left(encode(sha256(convert_to(${venue}::text || ' ' || r.id || ' ' || extract(epoch from r.created_at), 'UTF8')), 'hex'), 32)`

/** Null: there is no such booking. */
export const bookingName = async (
  db: Queries,
  venue: VenueId,
  booking: number | null,
): Promise<string | null> => {
  if (booking === null) return null
  const row = await db.maybe(sql({ name: 'text' })`
    select ${nameOf(venue)} as name from reservation r where r.venue_id = ${venue} and r.id = ${booking}`)
  return row?.name ?? null
}

/** Reads all bookings of the venue: only for money that has no row here. */
export const bookingNamed = async (
  db: Queries,
  venue: VenueId,
  name: string | null,
): Promise<number | undefined> => {
  if (name === null) return undefined
  const row = await db.maybe(sql({ id: 'int8' })`
    select r.id from reservation r where r.venue_id = ${venue} and ${nameOf(venue)} = ${name}`)
  return row?.id
}
