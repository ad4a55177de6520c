import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { buildApp } from '../app.ts'
import { openDatabase } from '../platform/db/pool.ts'
import { inTime } from './eventually.ts'
import { patience } from './database.ts'
import { type TestService } from './service.ts'

/*
 * The wire below `fetch`: every method, bodies with and without a length, bytes that are no HTTP at all.
 */

/** An answer with its headers as they came over the wire. */
export type WireAnswer = { status: number; headers: IncomingHttpHeaders; text: string }

export type WireCall = {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Sends the body without a Content-Length. */
  chunked?: boolean
}

/** One request over node's own client, on a connection of its own. */
export const send = (url: string, call: WireCall): Promise<WireAnswer> => {
  const { method, path, headers = {}, body, chunked } = call
  const { hostname, port } = new URL(url)
  const length: Record<string, string> =
    body === undefined
      ? {}
      : chunked
        ? { 'transfer-encoding': 'chunked' }
        : { 'content-length': String(Buffer.byteLength(body)) }
  const sent = request({ hostname, port, method, path, headers: { ...headers, ...length }, agent: false })
  const answer = new Promise<WireAnswer>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
  })
  if (chunked && body !== undefined) {
    const bytes = Buffer.from(body)
    for (let at = 0; at < bytes.length; at += 16_000) sent.write(bytes.subarray(at, at + 16_000))
  } else if (body !== undefined) sent.write(body)
  sent.end()
  return inTime(answer, `no answer to ${method} ${path}`).finally(() => sent.destroy())
}

/** Sends bytes as they are and gives back the first answer, read to the end of the connection. */
export const sendBytes = (url: string, bytes: string): Promise<WireAnswer> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname, () => socket.write(bytes))
  const answer = new Promise<WireAnswer>((resolve, reject) => {
    const chunks: string[] = []
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => chunks.push(String(chunk)))
    socket.on('error', reject)
    socket.on('close', () => resolve(parseAnswer(chunks.join(''))))
  })
  return inTime(answer, 'the connection was not ended').finally(() => socket.destroy())
}

const parseAnswer = (text: string): WireAnswer => {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [start = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return { status: Number(start.split(' ')[1] ?? 0), headers, text: rest.join('\r\n\r\n') }
}

/** A second process of the service, as far as the database can tell: its own pool, its own key check. */
export const startBeside = async (
  service: TestService,
  databaseUrl = service.databaseUrl,
): Promise<{ url: string; stop: () => Promise<void> }> => {
  const db = openDatabase({ url: databaseUrl, patience })
  const app = buildApp({ ...service.context, db }, patience)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    stop: async () => {
      await app.close()
      await db.close()
    },
  }
}
