import type pg from 'pg'
import { corked, cutOff, uncopied } from './driver-internals.ts'
import { erasedAgain } from './faults.ts'

/*
 * Statements waiting for their answers. On a dead link neither an answer nor an error ever arrives, so a statement that
 * has waited too long ends its connection, which fails everything else waiting on it. The driver's own `query_timeout`
 * would work, but it creates a timer per statement, and with it (or with its promises) the driver's objects
 * live until the next full collection: a read of 25 rows then leaves 16 KB behind and costs 10% more.
 */

export type Ask = (client: pg.ClientBase, query: pg.QueryConfig) => Promise<pg.QueryResult>

/** How often to check whether something has waited too long, in milliseconds. */
const lookEveryMs = 200

/**
 * What one turn of the event loop asks of a connection is sent in one piece: most of the cost of a small statement is writing
 * to its socket. Waits up to `limitMs` for each answer, give or take the interval between two checks. `onFailed` is called for every
 * statement that failed. `stop` ends the checks.
 */
export const openAsk = (
  limitMs: number,
  onFailed: (error: Error) => void,
): { ask: Ask; stop: () => void } => {
  // Answered ones are swept out at each check: cheaper than removing them one by one.
  let asked: { readonly client: pg.ClientBase; readonly since: number; answered: boolean }[] = []
  const looking = setInterval(() => {
    const tooOld = performance.now() - limitMs
    asked = asked.filter(({ answered }) => !answered)
    for (const { client, since } of asked) {
      if (since > tooOld) break
      cutOff(client)
    }
  }, lookEveryMs)
  looking.unref()

  return {
    ask: (client, query) =>
      new Promise((resolve, reject) => {
        const one = { client, since: performance.now(), answered: false }
        asked.push(one)
        const statement = uncopied(query, (error, result) => {
          one.answered = true
          if (error) {
            onFailed(error)
            reject(erasedAgain(error) ?? error)
          } else resolve(result)
        })
        corked(client, () => client.query(statement))
      }),
    stop: () => clearInterval(looking),
  }
}
