import type pg from 'pg'
import type { Ask } from './ask.ts'
import { isDatabaseDown, isStale } from './faults.ts'

/*
 * Quick reads of one turn of the event loop share a connection and are sent in one piece: most of the cost of a read by key
 * is writing to sockets, and under load many requests are answered in the same turn. Each gets its own answer or
 * its own failure. A slow one holds up those behind it, so only a few share; those that fail because their
 * connection ended are read once more on another one, alone.
 */

/** Reads on one connection. */
const most = 4

type Waiting = {
  readonly query: pg.QueryConfig
  readonly answer: (result: pg.QueryResult) => void
  readonly fail: (error: unknown) => void
}

export const openSharedReads = ({
  connect,
  ask,
  alone,
}: {
  readonly connect: () => Promise<pg.PoolClient>
  readonly ask: Ask
  /** The same read on a separate connection. */
  readonly alone: (query: pg.QueryConfig) => Promise<pg.QueryResult>
}) => {
  let gathered: Waiting[] = []

  const send = async (batch: readonly Waiting[]): Promise<void> => {
    let client: pg.PoolClient
    try {
      client = await connect()
    } catch (error) {
      for (const { fail } of batch) fail(error)
      return
    }
    let broken: Error | undefined
    const asking = batch.map(({ query, answer, fail }, place) =>
      ask(client, query).then(answer, (error: unknown) => {
        if (isDatabaseDown(error) || isStale(error)) broken = error as Error
        const mayBeAnothersFault = place > 0 && isDatabaseDown(error)
        if (mayBeAnothersFault || isStale(error)) alone(query).then(answer, fail)
        else fail(error)
      }),
    )
    await Promise.all(asking)
    client.release(broken)
  }

  return (query: pg.QueryConfig): Promise<pg.QueryResult> =>
    new Promise((answer, fail) => {
      if (gathered.length === 0) {
        // After the promises of this turn, so that anything else they read is included.
        process.nextTick(() => {
          for (let from = 0; from < gathered.length; from += most)
            void send(gathered.slice(from, from + most))
          gathered = []
        })
      }
      gathered.push({ query, answer, fail })
    })
}
