import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, sql } from '../../platform/db/sql.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import type { VenueId } from '../venue/venue.ts'
import type { AccountRole } from './roles.ts'

/** Creates an account. Undefined when the address already has one, at any venue. */
export const insertStaff = (
  db: Queries,
  venue: VenueId | null,
  {
    email,
    name = null,
    role,
    passwordHash,
  }: { email: string; name?: string | null; role: AccountRole; passwordHash: string },
  now: Temporal.Instant,
): Promise<RowOf<{ id: 'int8'; created_at: 'timestamptz' }> | undefined> =>
  db.maybe(sql({ id: 'int8', created_at: 'timestamptz' })`
    insert into staff (venue_id, email, email_key, name, role, password_hash, created_at)
    values (${venue}, ${email}, ${emailKey(email)}, ${name}, ${role}, ${passwordHash}, ${now})
    on conflict (email_key) do nothing
    returning id, created_at`)
