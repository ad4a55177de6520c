import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import type { AccessMove } from './states.ts'

/**
 * Makes a move, or finds it made already: then only a new answer is put in the place of the old one. False when
 * the move is not allowed from the state the venue is in. Holds the venue's row until the transaction ends.
 */
export const moveAccess = async (
  db: Queries,
  venue: VenueId,
  { from, to }: AccessMove,
  answer: string | null,
  now: Temporal.Instant,
): Promise<boolean> =>
  (await db.run(sql()`
    update venue set
      access = ${to},
      access_answer = case when access = ${to} then coalesce(${answer}, access_answer) else ${answer} end,
      access_changed_at = case when access = ${to} then access_changed_at else ${now} end
     where id = ${venue} and access = any(${[...from, to]})`)) === 1

/** The plan and the state of a venue, held until the transaction ends, so that no move comes in between. */
export const holdAccess = (db: Queries, venue: VenueId) =>
  db.one(sql({ slug: 'text', plan: 'text', access: 'text' })`
    select slug, plan, access from venue where id = ${venue} for update`)
