import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type AccessRow, accessOfVenue } from './reads.ts'
import type { AccessMove } from './states.ts'

/**
 * Makes a move, or finds it already made: then only a new answer replaces the old one. False when the move is not
 * allowed from the venue's state. Locks the venue's row until the transaction ends. The moment of a withdrawal stays
 * through the moves that follow: `obstacleOf` says what it means then.
 */
export const moveAccess = async (
  db: Queries,
  venue: VenueId,
  { from, to }: Pick<AccessMove, 'from' | 'to'>,
  answer: string | null,
  now: Temporal.Instant,
): Promise<boolean> =>
  (await db.run(sql()`
    update venue set
      access = ${to},
      access_withdrawn_at = case
        when access = ${to} then access_withdrawn_at else coalesce(${to === 'withdrawn' ? now : null}, access_withdrawn_at) end,
      access_answer = case when access = ${to} then coalesce(${answer}, access_answer) else ${answer} end,
      access_changed_at = case when access = ${to} then access_changed_at else ${now} end
     where id = ${venue} and access = any(${[...from, to]})`)) === 1

/**
 * The state of a venue's access, locked until the transaction ends: no move and no new key comes in between. It is read
 * by a separate statement, after whoever else locked the venue has committed.
 */
export const holdAccess = async (db: Queries, venue: VenueId): Promise<AccessRow> => {
  await db.one(sql({ id: 'int8' })`select id from venue where id = ${venue} for update`)
  return accessOfVenue(db, venue)
}
