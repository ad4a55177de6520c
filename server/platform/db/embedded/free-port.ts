import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the ranges from which Linux (32768) and macOS (49152) take the ports of outgoing connections:
// such a port could be taken from us while PostgreSQL restarts, even by our own attempt to connect to it.
const FIRST_PORT = 20_000
const LAST_PORT = 29_999
const TRIES = 50

/** A port on 127.0.0.1 that nobody is listening on at this moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`No free port found on 127.0.0.1 between ${FIRST_PORT} and ${LAST_PORT}.`)
}

/** Whether nobody is listening on this port of 127.0.0.1 now. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ port, host: '127.0.0.1', exclusive: true })
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
