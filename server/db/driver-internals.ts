import type { Duplex } from 'node:stream'
import pg from 'pg'

/*
 * What we need of the driver that it does not offer: the socket under a client, and a named statement that is not copied.
 * Their names are no promise; should a new version of pg rename one, this file changes and its tests tell.
 */

/**
 * A statement to be handed to a client's `query`. The driver copies one that is told as an object property by property,
 * which is a tenth of what a small statement costs; told as a text it is not copied.
 */
export const uncopied = (
  { name, text, values }: pg.QueryConfig,
  answered: (error: Error | null, result: pg.QueryResult) => void,
): pg.Query => {
  const query = new pg.Query(text, values, answered as never)
  return Object.assign(query, { name })
}

const streamOf = (client: pg.ClientBase): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream

/** What the client is asked in `work`, and until the end of this turn of the event loop, travels in one piece. */
export const corked = <T>(client: pg.ClientBase, work: () => T): T => {
  const stream = streamOf(client)
  stream.cork()
  process.nextTick(() => stream.uncork())
  return work()
}

/** Ends the connection at once, with everything that waits for an answer on it: `end` would wait for those answers. */
export const cutOff = (client: pg.ClientBase): void => {
  streamOf(client).destroy()
}
