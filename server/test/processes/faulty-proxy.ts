import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'

/**
 * A way to PostgreSQL that can fail as networks and servers do. `stopped`: connections break and new ones are
 * refused, as when the server was stopped. `silent`: everything stays open and nothing gets through, as behind
 * a cable that was pulled; `works` lets through what was held back.
 */
export type FaultyProxy = {
  readonly url: string
  readonly become: (state: 'works' | 'stopped' | 'silent') => Promise<void>
  readonly stop: () => Promise<void>
}

export const startFaultyProxy = async (databaseUrl: string): Promise<FaultyProxy> => {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let silent = false
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    const pass = (from: Socket, to: Socket): void => {
      sockets.add(from)
      if (silent) from.pause()
      from.on('data', (bytes) => to.write(bytes))
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    pass(client, database)
    pass(database, client)
  })
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as { port: number }).port
  }
  const refuse = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  }
  const port = await listen(0)
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    become: async (state) => {
      silent = state === 'silent'
      for (const socket of sockets) {
        if (silent) socket.pause()
        else socket.resume()
      }
      if (state === 'stopped') await refuse()
      else if (!server.listening) await listen(port)
    },
    stop: refuse,
  }
}
