import type { Queries } from '../db/pool.ts'
import { type RowOf, sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

const personRow = {
  id: 'int8',
  email: 'text',
  name: 'text?',
  role: 'text',
  codes: 'bool',
  created_at: 'timestamptz',
  disabled_at: 'timestamptz?',
} as const
export type Person = RowOf<typeof personRow>

/** The accounts of a venue, owners first, shut ones last. */
export const staffOfVenue = (db: Queries, venue: VenueId): Promise<Person[]> =>
  db.many(sql(personRow)`
    select id, email, name, role, totp_secret_sealed is not null as codes, created_at, disabled_at
      from staff
     where venue_id = ${venue}
     order by disabled_at is not null, array_position(array['owner', 'manager', 'host'], role), email_key
     limit 500`)

/** Shuts an account of the venue; its address is returned, undefined when the venue has no such account. Safe to repeat. */
export const disableStaff = async (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
): Promise<string | undefined> =>
  (
    await db.maybe(sql({ email: 'text' })`
      update staff set disabled_at = coalesce(disabled_at, ${now}::timestamptz)
       where venue_id = ${venue} and id = ${id}
      returning email`)
  )?.email

export const enableStaff = async (db: Queries, venue: VenueId, id: number): Promise<string | undefined> =>
  (
    await db.maybe(sql({ email: 'text' })`
      update staff set disabled_at = null where venue_id = ${venue} and id = ${id} returning email`)
  )?.email
