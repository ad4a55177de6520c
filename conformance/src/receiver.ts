import { createHmac, randomUUID } from 'node:crypto'
import { type IncomingHttpHeaders, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Unmet } from './expect.ts'

/** A request that arrived at the receiver, byte for byte. */
export type Arrival = {
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  // oxlint-disable-next-line typescript/no-explicit-any -- statements look into deliveries whose shape they check
  readonly body: any
}

/** One address of the receiver. */
export type Mailbox = {
  readonly url: string
  /** What it answers from now on; initially 204. */
  readonly answer: (status: number, headers?: Readonly<Record<string, string>>) => void
  /** The next arrival not taken yet, waiting for it if necessary; `of`: the next one of this event. */
  readonly next: (of?: string) => Promise<Arrival>
  /** Everything that has arrived so far. */
  readonly all: readonly Arrival[]
}

/** A web server of our own, which the service delivers to. */
export type Receiver = {
  readonly mailbox: () => Mailbox
  readonly close: () => Promise<void>
}

export type ReceiverOptions = {
  /** Where the service reaches it; default: the loopback address it listens on. */
  readonly url?: string | undefined
  readonly port?: number | undefined
  /** How long to wait for a delivery, in milliseconds. */
  readonly patienceMs: number
}

export const startReceiver = async ({ url, port = 0, patienceMs }: ReceiverOptions): Promise<Receiver> => {
  const boxes = new Map<string, Box>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const box = boxes.get((request.url ?? '').split('/').at(-1) ?? '')
      if (!box) return response.writeHead(404).end()
      box.take(request.headers, Buffer.concat(chunks))
      return response.writeHead(box.status, box.headers).end()
    })
  })
  // On all interfaces only if a public address leads here.
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, url === undefined ? '127.0.0.1' : undefined, resolve)
  })
  const base = (url ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`).replace(/\/$/, '')
  return {
    mailbox: () => {
      const name = randomUUID()
      const box = new Box(`${base}/${name}`, patienceMs)
      boxes.set(name, box)
      return box
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

class Box implements Mailbox {
  readonly url: string
  readonly all: Arrival[] = []
  status = 204
  headers: Readonly<Record<string, string>> = {}
  readonly #patienceMs: number
  readonly #taken = new Set<Arrival>()
  #wake: (() => void) | undefined

  constructor(url: string, patienceMs: number) {
    this.url = url
    this.#patienceMs = patienceMs
  }

  answer = (status: number, headers: Readonly<Record<string, string>> = {}): void => {
    this.status = status
    this.headers = headers
  }

  take(headers: IncomingHttpHeaders, bytes: Buffer): void {
    this.all.push({ headers, bytes, body: bodyOf(bytes) })
    this.#wake?.()
  }

  next = async (of?: string): Promise<Arrival> => {
    const giveUp = Date.now() + this.#patienceMs
    for (;;) {
      const found = this.all.find(
        (one) => !this.#taken.has(one) && (of === undefined || one.body?.event === of),
      )
      if (found) {
        this.#taken.add(found)
        return found
      }
      const leftMs = giveUp - Date.now()
      if (leftMs <= 0) throw new Unmet(`a delivery${of ? ` of ${of}` : ''}`, this.#seen())
      await this.#arrival(leftMs)
    }
  }

  #arrival(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #seen(): string {
    const events = this.all.map(({ body }) => body?.event as string)
    return `${events.length === 0 ? 'nothing' : events.join(', ')} within ${this.#patienceMs / 1000} seconds`
  }
}

const bodyOf = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/** The parts of an `X-Service-Signature`. */
export const readSignature = (header: string): { readonly t: number; readonly v1: readonly string[] } => {
  const parts = header.split(',').map((part) => part.split('='))
  return {
    t: Number(parts.find(([name]) => name === 't')?.[1]),
    v1: parts.flatMap(([name, value = '']) => (name === 'v1' ? [value] : [])),
  }
}

/** The correct `v1`: the HMAC-SHA256, keyed with the secret, of `t`, a period and the raw body. */
export const signed = (secret: string, t: number, bytes: Buffer): string =>
  createHmac('sha256', secret).update(`${t}.`).update(bytes).digest('hex')
