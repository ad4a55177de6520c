import type pg from 'pg'
import type { Ask } from './ask.ts'
import { corked } from './driver-internals.ts'
import { isDatabaseDown, isStale } from './faults.ts'

/*
 * Quick reads of one turn of the event loop share a connection and travel in one piece: most of what a read by key costs
 * is the writing to sockets, and under load many requests are answered in the same turn. Each has its own answer and
 * its own failure. One that is slow after all holds up those behind it, so they are few; and those that the end of its
 * connection takes along are read once more elsewhere, alone.
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
    const asking = corked(client, () =>
      batch.map(({ query, answer, fail }, place) =>
        ask(client, query).then(answer, (error: unknown) => {
          if (isDatabaseDown(error) || isStale(error)) broken = error as Error
          const mayBeAnothersFault = place > 0 && isDatabaseDown(error)
          if (mayBeAnothersFault || isStale(error)) alone(query).then(answer, fail)
          else fail(error)
        }),
      ),
    )
    await Promise.all(asking)
    client.release(broken)
  }

  return (query: pg.QueryConfig): Promise<pg.QueryResult> =>
    new Promise((answer, fail) => {
      if (gathered.length === 0) {
        // After the promises of this turn: what else they read comes along.
        process.nextTick(() => {
          for (let from = 0; from < gathered.length; from += most)
            void send(gathered.slice(from, from + most))
          gathered = []
        })
      }
      gathered.push({ query, answer, fail })
    })
}
