import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verify } from '../../sending/signature.ts'

/** A delivery in the receiver's book. */
export type Entry = {
  readonly endpoint: string
  readonly id: string
  readonly sha256: string
  readonly verdict: string
  /** The record; stored for the first arrival only. */
  readonly data: { readonly id: number }
  readonly atMs: number
}

export type BookingReceiver = {
  readonly port: number
  readonly entries: Entry[]
  /** The secret of the endpoint at `/<path>`. */
  readonly secrets: Map<string, string>
  readonly stop: () => Promise<void>
}

/**
 * Answers 204 and records everything: what came, when, and whether its signature is valid.
 * @param answerAfterMs so that at any moment some attempts are in flight
 */
export const startBookingReceiver = async (answerAfterMs: number): Promise<BookingReceiver> => {
  const entries: Entry[] = []
  const secrets = new Map<string, string>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => undefined)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      const endpoint = (request.url ?? '/').slice(1)
      const { id, data } = JSON.parse(String(raw))
      const nowSeconds = Temporal.Now.instant().epochMilliseconds / 1000
      entries.push({
        endpoint,
        id,
        data,
        sha256: createHash('sha256').update(raw).digest('hex'),
        verdict: verify(
          secrets.get(endpoint) ?? '',
          request.headers['x-service-signature'] as string | undefined,
          raw,
          nowSeconds,
        ),
        atMs: performance.now(),
      })
      setTimeout(() => response.writeHead(204).end(), answerAfterMs)
    })
  })
  // If the receiver closed a connection with a request in transit, the sender would rightly send it again.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    entries,
    secrets,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
