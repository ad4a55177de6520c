import type { Queries } from './pool.ts'
import { sql } from './sql.ts'

/**
 * Gives every venue's feed of changes another epoch: whoever follows one reads it from the beginning. Where a database
 * goes back to an earlier state, numbers that were given since are given again, for other changes.
 */
export const renewEpochs = async (db: Queries): Promise<number> => {
  const { salt } = await db.one(sql({ salt: 'uuid' })`select gen_random_uuid() as salt`)
  // From a value and the epoch before, since a cluster takes no random function in an update of all venues.
  return db.run(sql()`update change_head set epoch = md5(epoch::text || ${salt})::uuid`)
}
