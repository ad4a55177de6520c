import { type Server, type Socket, createServer } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'

/*
 * The webhook benchmark's receiver, in its own process (forked by bench/webhooks.ts). It takes one request after the
 * other on raw sockets and answers 204, or never. It records when each event that it answers arrived, by the number in its data.
 */

export type ReceiverOrder =
  | {
      readonly kind: 'listen'
      readonly certificate?: { readonly cert: string; readonly key: string }
      /** Closes each connection after its answer. */
      readonly closes?: boolean
    }
  | { readonly kind: 'report' }

/** Arrival times in milliseconds since the epoch, by event number; several for one with several endpoints. */
export type ReceiverReport = { readonly arrivals: readonly (readonly [number: number, atMs: number])[] }

let arrivals: [number, number][] = []

const answer = 'HTTP/1.1 204 No Content\r\n\r\n'
const lastAnswer = 'HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'

const converse = (socket: Socket, closes: boolean): void => {
  let held: Buffer | undefined
  socket.on('error', () => undefined)
  socket.on('data', (bytes: Buffer) => {
    const request: Buffer = held ? Buffer.concat([held, bytes]) : bytes
    held = request
    const headEnd = request.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = request.toString('latin1', 0, headEnd)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (request.length < headEnd + 4 + length) return
    held = undefined
    if (head.startsWith('POST /silent')) return
    const number = /"n":(\d+)/.exec(request.toString('latin1', headEnd))?.[1]
    arrivals.push([Number(number), performance.timeOrigin + performance.now()])
    if (closes) socket.end(lastAnswer)
    else socket.write(answer)
  })
}

process.on('message', (order: ReceiverOrder) => {
  if (order.kind === 'report') {
    const report: ReceiverReport = { arrivals }
    arrivals = []
    process.send?.(report)
    return
  }
  const onSocket = (socket: Socket) => converse(socket.setNoDelay(true), order.closes === true)
  const server: Server = order.certificate
    ? createSecureServer(order.certificate, onSocket)
    : createServer(onSocket)
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 }, () => {
    process.send?.({ port: (server.address() as { port: number }).port })
  })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
