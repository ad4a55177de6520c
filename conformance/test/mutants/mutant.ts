import type { Answer, Asked, Broken, Next, Sent } from '../broken-proxy.ts'
import { signed } from '../../src/receiver.ts'
import type { Json } from '../../src/world.ts'

/** One way to break the contract, and the statements that have to fail, each of them. */
export type Mutant = {
  readonly name: string
  readonly caughtBy: readonly string[]
  /** With a memory of its own, for each run; given the key that may do everything. */
  readonly make: (fullKey: string) => Broken
}

export const mutant = (
  name: string,
  caughtBy: readonly string[],
  make: (fullKey: string) => Broken,
): Mutant => ({
  name,
  caughtBy,
  make,
})

/** Which requests a mutant is about: `POST /guests`, `GET *`, `* /webhooks/*`. */
export const isAt = ({ method, path }: Asked, where: string): boolean => {
  const [wanted, pattern = '*'] = where.split(' ')
  const like = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
  return (wanted === '*' || wanted === method) && like.test(path)
}

/** The body of a request as JSON; undefined if it is not JSON. */
export const bodyOf = ({ text }: Asked): Json => {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Changes answers to some requests. */
export const answering = (where: string, change: (answer: Answer, asked: Asked) => void) => (): Broken => ({
  request: async (asked, next) => {
    const answer = await next(asked)
    if (isAt(asked, where)) change(answer, asked)
    return answer
  },
})

/** Changes some requests before they reach the service. */
export const asking = (where: string, change: (asked: Asked) => void) => (): Broken => ({
  request: (asked, next) => {
    if (isAt(asked, where)) change(asked)
    return next(asked)
  },
})

/** Changes the body of some requests, where it is an object. */
export const sending = (where: string, change: (body: Json) => Json) =>
  asking(where, (asked) => {
    const body = bodyOf(asked)
    if (body && typeof body === 'object') asked.text = JSON.stringify(change(body))
  })

/** Answers some requests by itself; undefined: the service answers. */
export const instead =
  (where: string, answer: (asked: Asked, next: Next) => Promise<Answer | undefined> | Answer | undefined) =>
  (): Broken => ({
    request: async (asked, next) =>
      (isAt(asked, where) ? await answer(asked, next) : undefined) ?? next(asked),
  })

/** An answer in JSON. */
export const json = (status: number, body: Json, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': crypto.randomUUID(),
    ...headers,
  },
  body,
})

/** Changes every record of an answer, in lists and in replies. */
export const records = (where: string, change: (record: Json) => void) =>
  answering(where, ({ status, body }) => {
    if (status >= 300 || body === undefined) return
    const found = Array.isArray(body) ? body : 'id' in body ? [body] : Object.values(body)
    for (const record of found) if (record && typeof record === 'object') change(record)
  })

/** Changes deliveries on their way. */
export const delivering = (change: (sent: Sent) => Sent) => (): Broken => ({
  delivery: (sent, post) => post(change(sent)),
})

/** A delivery with another body, signed as the service would. */
export const rewritten = (sent: Sent, change: (body: Json) => Json): Sent => {
  const bytes = Buffer.from(JSON.stringify(change(JSON.parse(sent.bytes.toString()))))
  return { ...sent, bytes, headers: { ...sent.headers, 'x-service-signature': signatureOf(sent, bytes) } }
}

/** The moment at which a delivery was signed. */
export const momentOf = ({ headers }: Sent): number =>
  Number(/t=(\d+)/.exec(headers['x-service-signature'] ?? '')?.[1])

export const signatureOf = (sent: Sent, bytes: Buffer): string => {
  const t = momentOf(sent)
  return `t=${t},v1=${signed(sent.secret, t, bytes)}`
}

export const withSignature = (sent: Sent, signature: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'x-service-signature': signature },
})
