import { isOutOfRoom } from './faults.ts'
import type { Database } from './pool.ts'
import { sql } from './sql.ts'

/*
 * Whether the database has room to write. A full disk is not a lost connection: reads go on, and so would `/readyz` if
 * it only read. So what the server said last is remembered (`note`, of every statement), and while it says the disk is
 * full, each question tries again: with a write that needs a new page, since one that finds room in an old page proves
 * nothing.
 */

export type Room = {
  /** Takes notice of a failed statement. */
  readonly note: (error: unknown) => void
  /** Whether it lacked room when it was last tried, at most some seconds ago. */
  readonly isLacking: (db: Pick<Database, 'rehearse'>) => Promise<boolean>
}

const betweenTriesMs = 5_000

/** `nowMs` is a monotonic clock. */
export const watchRoom = (nowMs = (): number => performance.now()): Room => {
  let isLacking = false
  let triedAtMs = -Infinity
  return {
    note: (error) => {
      isLacking ||= isOutOfRoom(error)
    },
    isLacking: async (db) => {
      if (!isLacking || nowMs() - triedAtMs < betweenTriesMs) return isLacking
      triedAtMs = nowMs()
      // Nothing is left of the table, wherever this ends.
      isLacking = await db
        .rehearse((queries) => queries.run(sql()`create temporary table room_to_write as select 1 as page`))
        .then(
          () => false,
          () => true,
        )
      return isLacking
    },
  }
}
