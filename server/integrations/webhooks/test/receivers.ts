import http from 'node:http'
import https from 'node:https'
import net, { type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import tls from 'node:tls'
import type { Certificate } from './certificate.ts'

export type Received = {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
  /** The receiver's end of the connection it came over. */
  readonly socket: Socket
}

export type Receiver = {
  readonly port: number
  readonly received: Received[]
  /** Connections accepted so far. */
  readonly connections: () => number
}

type Answer = (response: http.ServerResponse, request: Received, count: number) => void

/**
 * A real receiver on this machine for one test. It reads each request completely, then answers; the end of the test
 * closes it.
 */
export const startReceiver = async (
  t: TestContext,
  answer: Answer = (response) => response.end(),
  options: { readonly certificate?: Certificate & tls.TlsOptions; readonly host?: string } = {},
): Promise<Receiver> => {
  const received: Received[] = []
  let connections = 0
  const onRequest = (request: http.IncomingMessage, response: http.ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    response.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
        socket: request.socket,
      }
      received.push(one)
      answer(response, one, received.length)
    })
  }
  const server = options.certificate
    ? https.createServer(options.certificate, onRequest)
    : http.createServer(onRequest)
  server.on(options.certificate ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections += 1
    socket.on('error', () => {})
  })
  const port = await listen(server, options.host)
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port, received, connections: () => connections }
}

/**
 * A server below HTTP: the test decides what to do with each connection, after TLS if there is a certificate. `reset`
 * ends the connection with a TCP reset.
 */
export const startSocketServer = async (
  t: TestContext,
  onConnection: (socket: Socket, reset: () => void) => void,
  certificate?: Certificate,
): Promise<number> => {
  const open = new Set<Socket>()
  const server = net.createServer((raw) => {
    const socket = certificate ? new tls.TLSSocket(raw, { isServer: true, ...certificate }) : raw
    for (const each of [raw, socket]) {
      open.add(each)
      each.on('error', () => {})
    }
    onConnection(socket, () => raw.resetAndDestroy())
  })
  const port = await listen(server)
  t.after(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return port
}

/** A port on this machine that nothing listens on. */
export const closedPort = async (): Promise<number> => {
  const server = net.createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

const listen = (server: net.Server, host = '127.0.0.1'): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
