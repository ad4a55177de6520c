import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import type { StaffRole } from './roles.ts'

/*
 * The letter about each week: a choice of each person's own, off until they make it. It holds for those who see reports; a
 * person who loses that role, or the account, gets no more letters, whatever they once chose.
 */

/** Who may get the letter: those who see the reports it is made of. */
export const letterRoles: readonly StaffRole[] = ['manager', 'owner']

/** Somebody wants the letter about each week, or no longer. */
export const chooseWeeklyLetter = (
  db: Queries,
  { venue, id }: { readonly venue: VenueId; readonly id: number },
  isWanted: boolean,
): Promise<number> =>
  db.run(sql()`update staff set weekly_letter = ${isWanted} where venue_id = ${venue} and id = ${id}`)

/** People of all venues who get the letter; more are a mistake. */
const mostReaders = 100_000

/** Everybody who gets the letter, with the zone of their venue. */
export const letterReaders = async (
  db: Queries,
): Promise<readonly { readonly id: number; readonly venue: VenueId; readonly timezone: string }[]> => {
  const rows = await db.many(sql({ id: 'int8', venue_id: 'int8', timezone: 'text' })`
    select s.id, s.venue_id, v.timezone
      from staff s join venue v on v.id = s.venue_id
     where s.weekly_letter and s.disabled_at is null and s.role = any(${[...letterRoles]})
     order by s.venue_id, s.id limit ${mostReaders}`)
  return rows.map(({ id, venue_id, timezone }) => ({ id, venue: venue_id as VenueId, timezone }))
}

/** Where somebody's letter goes; undefined for who gets none, or not any more. */
export const letterAddress = async (db: Queries, venue: VenueId, id: number): Promise<string | undefined> =>
  (
    await db.maybe(sql({ email: 'text' })`
      select email from staff
       where venue_id = ${venue} and id = ${id} and weekly_letter and disabled_at is null
         and role = any(${[...letterRoles]})`)
  )?.email
