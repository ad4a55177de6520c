import type { Duplex } from 'node:stream'
import pg from 'pg'

/*
 * What we need from the driver that it does not offer: the socket under a client, and a named statement that is not copied.
 * These names are not part of pg's public interface; if a new version renames one, the tests fail and only this file changes.
 */

/**
 * A statement to pass to a client's `query`. The driver copies a statement given as a plain object property by property,
 * which is a tenth of what a small statement costs; one in this form is not copied.
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

/** Everything the client is asked in `work`, and until the end of this turn of the event loop, is sent in one piece. */
export const corked = <T>(client: pg.ClientBase, work: () => T): T => {
  const stream = streamOf(client)
  stream.cork()
  process.nextTick(() => stream.uncork())
  return work()
}

/** Ends the connection immediately, along with everything waiting for an answer on it: `end` would wait for those answers. */
export const cutOff = (client: pg.ClientBase): void => {
  streamOf(client).destroy()
}
