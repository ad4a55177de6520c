import type { Queries } from './pool.ts'
import { sql } from './sql.ts'

/**
 * Gives every venue's feed of changes a new epoch, so that every follower reads it from the beginning. When a database
 * goes back to an earlier state, numbers assigned since then will be assigned again, to other changes.
 */
export const renewEpochs = async (db: Queries): Promise<number> => {
  const { salt } = await db.one(sql({ salt: 'uuid' })`select gen_random_uuid() as salt`)
  // Derived from a random value and the previous epoch, since a cluster allows no random function in an update of all venues.
  return db.run(sql()`update change_head set epoch = md5(epoch::text || ${salt})::uuid`)
}
