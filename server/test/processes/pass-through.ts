import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** One connection through a proxy: its two ends. */
export type Passed = { readonly client: Socket; readonly database: Socket }

/** A way to PostgreSQL, on a port of its own. */
export type PassThrough = { readonly url: string; readonly stop: () => Promise<void> }

/** Starts one. `each` passes the bytes of every connection on; either end that closes closes the other. */
export const startPassThrough = async (
  databaseUrl: string,
  each: (passed: Passed) => void,
): Promise<PassThrough> => {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        database.end()
      })
    }
    each({ client, database })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
