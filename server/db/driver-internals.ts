import type { Duplex } from 'node:stream'
import type pg from 'pg'

/*
 * What we need of the driver that it does not offer: the socket under a client. Its name is no promise; should a new
 * version of pg rename it, this file changes and its tests tell.
 */

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
