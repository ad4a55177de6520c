import pg from 'pg'
import { type Database, connectionTo } from '../platform/db/pool.ts'

/**
 * Sessions as `Database` opens them, but kept for the next one. Tests look into their database thousands of times: a new
 * connection each time, its catalog read again, took a third of the processor time of all tests.
 */
export const keepSessions = (
  url: string,
): { readonly session: Database['session']; readonly close: () => Promise<void> } => {
  const pool = new pg.Pool({ ...connectionTo(url), max: 20, idleTimeoutMillis: 0 })
  // One that a test ends from outside is replaced.
  pool.on('error', () => undefined)
  return {
    session: async (work) => {
      const client = await pool.connect()
      let isWorn = true
      try {
        const result = await work(client)
        // Clears everything set, prepared, locked or listened to; refused inside a transaction.
        await client.query('discard all')
        isWorn = false
        return result
      } finally {
        client.release(isWorn)
      }
    },
    close: () => pool.end(),
  }
}
