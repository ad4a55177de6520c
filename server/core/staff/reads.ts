import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, sql } from '../../platform/db/sql.ts'

const staffRow = {
  id: 'int8',
  slug: 'text?',
  email: 'text',
  role: 'text',
  created_at: 'timestamptz',
} as const
/** An account as lists show it; the hash of its password stays in the table. */
export type StaffRow = RowOf<typeof staffRow>

/** Every account, venue by venue; the reviewers', which have no venue, come last. */
export const allStaff = (db: Queries): Promise<StaffRow[]> =>
  db.many(sql(staffRow)`
    select s.id, v.slug, s.email, s.role, s.created_at
      from staff s
      left join venue v on v.id = s.venue_id
     order by v.slug, s.email_key`)
