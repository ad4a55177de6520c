import { type Socket, connect } from 'node:net'

/*
 * The load generator, in its own process (forked by main.ts). Connections send one request after the other over raw
 * sockets and wait for each answer: cheap enough that the tested side is the bottleneck.
 */

/** A run: what is sent to which port, by how many connections, for how long. */
export type LoadOrder = {
  readonly port: number
  /** Whole requests; connection n sends the n-th again and again. */
  readonly requests: readonly string[]
  /** Values for a marker, the next one in each request. */
  readonly fillings: readonly { readonly marker: string; readonly values: readonly string[] }[]
  readonly connections: number
  readonly seconds: number
  /** Requests per second over all connections; absent: as fast as answers arrive. */
  readonly perSecond?: number
}

/** The results of a run. Latencies in milliseconds; in a paced run they count from when the request was due. */
export type LoadResult = {
  readonly perSecond: number
  /** Answered requests. */
  readonly sent: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  /** Unsuccessful answers by status. */
  readonly refused: Readonly<Record<string, number>>
}

export const runLoad = async (order: LoadOrder): Promise<LoadResult> => {
  const took: number[] = []
  const refused: Record<string, number> = {}
  const start = performance.now()
  const end = start + order.seconds * 1000
  let sent = 0
  const everyMs = order.perSecond && (order.connections / order.perSecond) * 1000

  const oneConnection = async (place: number): Promise<void> => {
    const socket = connect({ host: '127.0.0.1', port: order.port, noDelay: true })
    const ask = conversation(socket)
    const template = order.requests[place % order.requests.length] as string
    // Spread over the interval, so that a paced load has no bursts.
    let due = start + (everyMs ? (place / order.connections) * everyMs : 0)
    for (;;) {
      if (everyMs) {
        const early = due - performance.now()
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
      }
      const from = everyMs ? Math.max(due, performance.now() - everyMs) : performance.now()
      if (from >= end) break
      const status = await ask(filled(template, order.fillings, sent++))
      took.push(performance.now() - from)
      if (status >= 300) refused[status] = (refused[status] ?? 0) + 1
      if (everyMs) due += everyMs
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: order.connections }, (_, place) => oneConnection(place)))

  const seconds = (performance.now() - start) / 1000
  const sorted = took.toSorted((a, b) => a - b)
  const percentile = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return {
    perSecond: took.length / seconds,
    sent: took.length,
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
    refused,
  }
}

const filled = (template: string, fillings: LoadOrder['fillings'], turn: number): string =>
  fillings.reduce(
    (text, { marker, values }) => text.replaceAll(marker, values[turn % values.length] as string),
    template,
  )

/** Sends a request and resolves to the status once its answer is complete, as `content-length` says. */
const conversation = (socket: Socket): ((request: string) => Promise<number>) => {
  let head: Buffer | undefined
  let missing = 0
  let status = 0
  let answered: ((status: number) => void) | undefined
  let lost: ((error: Error) => void) | undefined
  socket.on('data', (bytes: Buffer) => {
    if (missing > 0) missing -= bytes.length
    else {
      const all: Buffer = head ? Buffer.concat([head, bytes]) : bytes
      head = all
      const headEnd = all.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const text = all.toString('latin1', 0, headEnd)
      status = Number(text.slice(9, 12))
      missing = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0) - (all.length - headEnd - 4)
      head = undefined
    }
    if (missing === 0) answered?.(status)
  })
  socket.on('error', (error) => lost?.(error))
  socket.on('close', () => lost?.(new Error('the service closed a connection')))
  return (request) =>
    new Promise((resolve, reject) => {
      answered = resolve
      lost = reject
      socket.write(request)
    })
}

process.on('message', (order: LoadOrder) => {
  void runLoad(order).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ failed: String(error) }),
  )
})
