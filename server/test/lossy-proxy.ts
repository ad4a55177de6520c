import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/**
 * A way to PostgreSQL that loses connections at a COMMIT on demand: `before` the database hears of it,
 * or `after` it was done and before its answer comes back. Once each time; otherwise it only passes bytes on.
 */
export type LossyProxy = {
  readonly url: string
  loseNextCommit: (when: 'before' | 'after') => void
  stop: () => Promise<void>
}

export const startLossyProxy = async (databaseUrl: string): Promise<LossyProxy> => {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let lose: 'before' | 'after' | undefined
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    let loseAnswer = false
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        database.end()
      })
    }
    client.on('data', (bytes) => {
      if (lose !== undefined && bytes.includes('commit\0')) {
        if (lose === 'before') {
          database.destroy()
          client.destroy()
        } else loseAnswer = true
        lose = undefined
      }
      if (!database.destroyed) database.write(bytes)
    })
    database.on('data', (bytes) => {
      if (loseAnswer) client.destroy()
      else client.write(bytes)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    loseNextCommit: (when) => {
      lose = when
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
