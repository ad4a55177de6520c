import { once } from 'node:events'
import { type IncomingMessage, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import type { Json } from '../src/world.ts'

/*
 * Sits between the suite and a real service and breaks the contract in one way at a time: requests and answers pass
 * through the current mutant, and so do deliveries if the mutant is about them.
 */

export type Asked = {
  readonly method: string
  /** Below `/api/v1` where it begins with it. */
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  /** The body as it was sent; undefined: no body. */
  text: string | undefined
}

export type Answer = {
  status: number
  headers: Record<string, string>
  /** Undefined: there was no body. A string is sent as it is. */
  body: Json
}

export type Sent = {
  readonly headers: Record<string, string>
  readonly bytes: Buffer
  /** Where the suite's receiver listens for it, and the secret of that endpoint. */
  readonly url: string
  readonly secret: string
}

export type Next = (asked: Asked) => Promise<Answer>

/** What a mutant does to requests, and to deliveries. */
export type Broken = {
  readonly request?: (asked: Asked, next: Next) => Promise<Answer>
  /** Gives the status that the service gets; `post` hands a delivery to the receiver. */
  readonly delivery?: (sent: Sent, post: (sent: Sent) => Promise<number>) => Promise<number>
}

export type BrokenProxy = {
  readonly url: string
  readonly become: (broken: Broken) => void
  /** Errors in the mutants themselves, which do not count as being caught. */
  readonly faults: readonly string[]
  readonly stop: () => Promise<void>
}

const api = '/api/v1'
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'host',
  'expect',
])

export const startBrokenProxy = async (serviceUrl: string): Promise<BrokenProxy> => {
  let broken: Broken = {}
  let own = ''
  const secrets = new Map<string, string>()
  const faults: string[] = []

  const forward: Next = async ({ method, path, query, headers, text }) => {
    const search = [...query].length > 0 ? `?${query.toString()}` : ''
    const response = await fetch(`${serviceUrl}${path.startsWith('/api') ? '' : api}${path}${search}`, {
      ...{ method, headers, redirect: 'manual' },
      ...(text !== undefined && { body: text }),
    })
    const given = await response.text()
    return { status: response.status, headers: kept(response.headers), body: parsed(given) }
  }

  /** Leads deliveries through the proxy: the service sees its address in place of the receiver's. */
  const tapped: Next = async (asked) => {
    if (!broken.delivery || !asked.path.startsWith('/webhooks')) return forward(asked)
    const body = asked.text === undefined ? undefined : parsed(asked.text)
    const url: unknown = body?.url
    // Other addresses are there to be refused.
    const isOurs = typeof url === 'string' && url.startsWith('http://127.0.0.1:')
    const text = isOurs ? JSON.stringify({ ...body, url: tapOf(url) }) : asked.text
    const answer = await forward({ ...asked, text })
    const shown = JSON.parse(
      (JSON.stringify(answer.body) ?? 'null').replaceAll(tapPattern(), (_tap, code: string) => urlOf(code)),
    )
    if (answer.status === 201 && isOurs) secrets.set(url, answer.body.secret)
    return { ...answer, body: shown }
  }
  const tapOf = (url: string): string => `${own}/deliver/${Buffer.from(url).toString('base64url')}`
  const urlOf = (code: string): string => Buffer.from(code, 'base64url').toString()
  const tapPattern = (): RegExp => new RegExp(`${own}/deliver/([\\w-]+)`, 'g')

  const post = async ({ headers, bytes, url }: Sent): Promise<number> =>
    (await fetch(url, { method: 'POST', headers, body: bytes as unknown as ArrayBuffer, redirect: 'manual' }))
      .status

  const server = createServer((request, response) => {
    const answered = async (): Promise<Answer> => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://proxy')
      const headers = headersOf(request)
      const text = await textOf(request)
      const tap = /^\/deliver\/([\w-]+)$/.exec(pathname)
      if (tap) {
        const url = urlOf(tap[1] as string)
        const sent = { headers, bytes: Buffer.from(text), url, secret: secrets.get(url) ?? '' }
        return {
          status: await (broken.delivery ?? ((one, post) => post(one)))(sent, post),
          headers: {},
          body: undefined,
        }
      }
      const path = pathname.startsWith(api) ? pathname.slice(api.length) : pathname
      const asked: Asked = {
        ...{ method: request.method ?? 'GET', path, query: searchParams, headers },
        text: text === '' && request.headers['content-length'] === undefined ? undefined : text,
      }
      return (broken.request ?? ((one, next) => next(one)))(asked, tapped)
    }
    void answered().then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(textToSend(body)),
      (error: unknown) => {
        faults.push(`${request.method} ${request.url}: ${String(error)}`)
        response.writeHead(502).end()
      },
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: own,
    faults,
    become: (next) => {
      broken = next
    },
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const headersOf = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      hopByHop.has(name) || value === undefined ? [] : [[name, String(value)]],
    ),
  )

const kept = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !hopByHop.has(name)))

const parsed = (text: string): Json => {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

const textToSend = (body: Json): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
