import { type IncomingHttpHeaders, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a receiver got: the bytes as they came. */
export type Received = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly atMs: number
}

export type Receiver = {
  /** Address of the receiver, on loopback: for practice instances. */
  readonly url: string
  readonly received: Received[]
  /** What it answers from now on; 0 never answers. */
  answer: (statusCode: number) => void
  /** How many requests it holds that it never answers. */
  ignored: () => number
  stop: () => Promise<void>
}

/** A real web server that keeps what it is sent. */
export const startReceiver = async (): Promise<Receiver> => {
  const received: Received[] = []
  let statusCode = 204
  let ignored = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
        atMs: performance.now(),
      })
      if (statusCode !== 0) return response.writeHead(statusCode).end()
      ignored++
      return response.on('close', () => ignored--)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    ignored: () => ignored,
    answer: (code) => {
      statusCode = code
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
