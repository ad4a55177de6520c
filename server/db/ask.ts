import type { Duplex } from 'node:stream'
import type pg from 'pg'

/*
 * Statements and the answers they wait for. Behind a dead link an answer never comes and no error either, so what
 * has waited too long ends its connection, which fails all that waits on it. The driver's own `query_timeout`
 * would do, but it makes a timer for each statement, and with it (or with its promises) the driver's objects
 * live until the next full collection: a read of 25 rows then leaves 16 KB behind and costs a tenth more.
 */

export type Ask = (client: pg.ClientBase, query: pg.QueryConfig) => Promise<pg.QueryResult>

/** How often it is looked whether something has waited too long, in milliseconds. */
const lookEveryMs = 200

/** Waits for each answer for `limitMs`, give or take the pause between two looks. `stop` ends the looking. */
export const openAsk = (limitMs: number): { ask: Ask; stop: () => void } => {
  // In the order they were sent, so that the oldest come first.
  const waiting = new Set<{ readonly client: pg.ClientBase; readonly since: number }>()
  const looking = setInterval(() => {
    const tooOld = performance.now() - limitMs
    for (const { client, since } of waiting) {
      if (since > tooOld) break
      // The driver has no other way: its `end` waits for the answers that are outstanding.
      ;(client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy()
    }
  }, lookEveryMs)
  looking.unref()

  return {
    ask: (client, query) =>
      new Promise((resolve, reject) => {
        const asked = { client, since: performance.now() }
        waiting.add(asked)
        client.query(query, (error: Error | null, result) => {
          waiting.delete(asked)
          if (error) reject(error)
          else resolve(result)
        })
      }),
    stop: () => clearInterval(looking),
  }
}
