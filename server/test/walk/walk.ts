import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { sql } from '../../platform/db/sql.ts'
import { type TestBook, openBook } from '../../book/reservations/test/book.ts'
import { startEngine } from '../../integrations/webhooks/engine/engine.ts'
import type { SenderOptions } from '../../integrations/webhooks/sending/sender.ts'
import { eventually } from '../eventually.ts'
import { type Received, type Receiver, startReceiver } from '../receiver.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'
import { type WireAnswer, send, sendBytes } from '../wire.ts'
import { type Placeholders, makePlaceholders } from './placeholders.ts'
import { rows } from './rows.ts'

/*
 * Walks the real service over HTTP and writes down what it saw. Each chapter has a service and a database of its own, so
 * its ids begin at 1 and an exchange more in one chapter changes nothing in the others.
 */

/** A stretch of the walk. Add new exchanges at its end: the ids of those before stay as recorded. */
export type Chapter = {
  readonly name: string
  /** As in the environment. */
  readonly settings?: Readonly<Record<string, string>>
  readonly take: (walk: Walk) => Promise<void>
}

export type Asking = {
  readonly key?: string
  /** Sent as JSON; a string or Buffer is sent as it is. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** Asks another process than the chapter's own. */
  readonly url?: string
  /** Where the body of a 200 comes from and is compared: it is left out here. */
  readonly bodyIn?: string
  /** Counts the request in the minute that runs; without it each exchange begins a minute of its own. */
  readonly sameMinute?: true
}

// oxlint-disable-next-line typescript/no-explicit-any -- chapters look into answers they know
export type Answered = { readonly status: number; readonly text: string; readonly body: any }

export type Walk = {
  readonly service: TestService
  /** A venue whose keys have names in the recording. */
  readonly venue: (more?: Parameters<TestService['venue']>[0]) => Promise<TestVenue>
  /** Such a venue that is open every evening, with units of work for what its staff do. */
  readonly book: () => Promise<TestBook>
  /** Gives a value a name in the recording. */
  readonly call: Placeholders['call']
  /** One exchange: `request` is a method and a path. */
  readonly ask: (title: string, request: string, asking?: Asking) => Promise<Answered>
  /** The same asked of many addresses; those with the same answer are listed together. */
  readonly askEach: (title: string, requests: readonly string[], asking?: Asking) => Promise<void>
  /** Bytes as they are, on a connection of their own. */
  readonly bytes: (title: string, text: string) => Promise<void>
  /** Does something and records every delivery it causes, of all venues. */
  readonly told: (title: string, doing: () => Promise<unknown>) => Promise<void>
  /** What receivers answer from now on. */
  readonly receivers: (statusCode: number) => void
}

/** What a walk met. */
export type Met = {
  /** `<endpoint> <status>` and `<endpoint> <reason>`. */
  readonly answers: Set<string>
  readonly events: Set<string>
}

/** Walks a chapter; returns what was recorded, by the titles of the exchanges. */
export const walkChapter = async (chapter: Chapter, met: Met): Promise<Map<string, string>> => {
  const receiver = await startReceiver()
  const service = await startService(
    { RATE_LIMIT_PER_MINUTE: '120', ...chapter.settings },
    toReceiver(receiver),
  )
  const engine = startEngine({ ...service.context, db: service.context.workerDb })
  try {
    const sections = new Map<string, string>()
    await chapter.take(makeWalk(chapter.name, service, receiver, sections, met))
    return sections
  } finally {
    await engine.stop()
    await service.stop()
    await receiver.stop()
  }
}

/** Every address reaches the receiver, except the hosts that say otherwise in their name. */
const toReceiver = (receiver: Receiver): SenderOptions => ({
  practice: true,
  resolve: async () => ['127.0.0.1'],
  judge: (address) => {
    const { hostname, pathname } = new URL(address)
    if (hostname.startsWith('refused.')) return { kind: 'refused', sentence: 'Not any more.' }
    // Nothing listens on port 1.
    const base = hostname.startsWith('unreachable.') ? 'http://127.0.0.1:1' : receiver.url
    return { kind: 'accepted', address: `${base}${pathname}` }
  },
})

const makeWalk = (
  chapter: string,
  service: TestService,
  receiver: Receiver,
  sections: Map<string, string>,
  met: Met,
): Walk => {
  const placeholders = makePlaceholders()
  const record = (title: string, lines: readonly string[]): void => {
    const full = titled(title)
    assert.ok(!sections.has(full), `two exchanges are called "${full}"`)
    sections.set(full, placeholders.of(lines.join('\n'), title))
  }
  const titled = (title: string): string => `${chapter}: ${title}`

  const named = (venue: TestVenue): TestVenue => {
    placeholders.call(venue.key, `key of ${venue.slug}`)
    return {
      ...venue,
      makeKey: async (scope, kind = 'api') => {
        const made = await venue.makeKey(scope, kind)
        placeholders.call(made.key, `${kind} key ${made.id} of ${venue.slug}, ${scope}`)
        return made
      },
    }
  }

  const exchange = async (request: string, asking: Asking): Promise<WireAnswer & Answered> => {
    const { method, path } = parts(request)
    const { key, body, headers = {}, url = service.url, sameMinute } = asking
    if (key !== undefined && !sameMinute) await service.db.run(sql()`delete from key_window`)
    const answer = await send(url, {
      method,
      path,
      headers: { ...(key !== undefined && { 'x-service-key': key }), ...headers },
      ...(body !== undefined && { body: bytesOf(body) }),
    })
    const json = answer.text.startsWith('{') || answer.text.startsWith('[')
    const parsed: unknown = json ? JSON.parse(answer.text) : undefined
    const row = rows.find((row) => row.method === method && patternOf(row).test(path))
    if (row) {
      met.answers.add(`${row.id} ${answer.status}`)
      const { reason } = (parsed ?? {}) as { reason?: string }
      if (reason !== undefined) met.answers.add(`${row.id} ${reason}`)
    }
    return { ...answer, body: parsed }
  }

  return {
    service,
    call: placeholders.call,
    venue: async (more) => named(await service.venue(more)),
    book: async () => {
      const book = await openBook(service)
      return { ...book, venue: named(book.venue) }
    },
    ask: async (title, request, asking = {}) => {
      const answer = await exchange(request, asking)
      record(title, [...asked(request, asking), ...answered(answer, asking)])
      return answer
    },
    askEach: async (title, requests, asking = {}) => {
      const groups = new Map<string, string[]>()
      for (const request of requests) {
        const lines = answered(await exchange(request, asking), asking).join('\n')
        groups.set(lines, [...(groups.get(lines) ?? []), `> ${request}`])
      }
      const rest = asked('', asking).slice(1)
      record(
        title,
        [...groups].flatMap(([answer, requests]) => [...requests, ...rest, answer]),
      )
    },
    bytes: async (title, text) => {
      const answer = await sendBytes(service.url, text)
      record(title, [`> the bytes ${JSON.stringify(text)}`, ...answered(answer, {})])
    },
    told: async (title, doing) => {
      const before = receiver.received.length
      await doing()
      service.context.bell.ring()
      await eventually(() => isDelivered(service))
      const deliveries = inOrder(receiver.received.slice(before))
      for (const { headers } of deliveries) met.events.add(String(headers['x-service-event']))
      const lines = deliveries.flatMap(({ path, headers, body }) => [
        `* POST ${path}`,
        `* ${headerLine(headers)}`,
        `* ${oneLine(body.toString())}`,
      ])
      record(title, deliveries.length === 0 ? ['(no delivery)'] : lines)
    },
    receivers: (statusCode) => receiver.answer(statusCode),
  }
}

/** A path of the row with or without a query; a literal path comes before one with a parameter. */
const patternOf = ({ path }: Endpoint): RegExp =>
  new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?.*)?$`)

const parts = (request: string): { method: string; path: string } => {
  const at = request.indexOf(' ')
  return { method: request.slice(0, at), path: request.slice(at + 1) }
}

const bytesOf = (body: unknown): string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)

/** Their order on the wire is not promised, so they are put in one that says nothing of it. */
const inOrder = (deliveries: readonly Received[]): Received[] =>
  deliveries.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))

/** All that is the same at each walk: not the delivery's id, which is the first thing in a body. */
const keyOf = ({ path, headers, body }: Received): string =>
  [path, headers['x-service-event'], body.toString().replace(/^\{"id":"[^"]*"/, '')].join(' ')

/** Nothing waits to be delivered now; what waits for a later try, or for an endpoint that is off, is not waited for. */
const isDelivered = async (service: TestService): Promise<boolean> => {
  const { n } = await service.db.one(sql({ n: 'int8' })`
    select count(*) as n
      from delivery d join webhook_endpoint e on e.venue_id = d.venue_id and e.id = d.endpoint_id
     where d.done_at is null and e.status = 'active'
       and (d.due_at <= ${service.context.clock()} or d.lease_token is not null)`)
  return n === 0
}

const asked = (request: string, { key, body, headers = {}, url }: Asking): string[] => [
  `> ${oneLine(request)}${url === undefined ? '' : ' (another process)'}`,
  ...(key === undefined ? [] : [`> x-service-key: ${key}`]),
  ...Object.entries(headers).map(([name, value]) => `> ${name}: ${oneLine(value)}`),
  ...(body === undefined ? [] : [`> ${bodyLine(bytesOf(body))}`]),
]

const bodyLine = (body: string | Buffer): string =>
  typeof body === 'string' ? oneLine(shortened(body)) : `the bytes ${body.toString('hex')}`

/** A character that comes a hundred times and more is shown once, with how often. */
const shortened = (text: string): string =>
  text.replaceAll(/(.)\1{99,}/g, (run, one: string) => `${one}<${run.length} times>`)

/** Text that is no plain line is written as JSON would. */
const oneLine = (text: string): string =>
  /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text) ? `the text ${JSON.stringify(text)}` : text

const answered = ({ status, headers, text }: WireAnswer, { bodyIn }: Asking): string[] => [
  `< ${status}`,
  `< ${headerLine(headers)}`,
  ...(text === '' ? [] : [`< ${shownOf(status, headers, text, bodyIn)}`]),
]

const shownOf = (
  status: number,
  headers: IncomingHttpHeaders,
  text: string,
  bodyIn: string | undefined,
): string => {
  if (bodyIn !== undefined && status === 200) return `(its body is in ${bodyIn})`
  return headers['content-type']?.startsWith('image/') ? '(an image)' : oneLine(text)
}

/** Headers that clients rely on, with their values. */
const relied =
  /^(?:content-type|content-encoding|vary|allow|idempotent-replayed|retry-after|ratelimit-(?:limit|remaining|reset)|cache-control|x-content-type-options|access-control-.*|www-authenticate|user-agent|x-service-.*)$/

/** What every answer to a key has gained since: recording it would be recording everything again. */
const gainedByAll: ReadonlySet<string> = new Set(['ratelimit', 'ratelimit-policy'])

/** On one line: those with their values, and the names of the others. */
const headerLine = (headers: IncomingHttpHeaders): string => {
  const names = Object.keys(headers)
    .filter((name) => !gainedByAll.has(name))
    .toSorted()
  const others = names.filter((name) => !relied.test(name))
  return [
    ...names.filter((name) => relied.test(name)).map((name) => `${name}: ${String(headers[name])}`),
    ...(others.length === 0 ? [] : [`and ${others.join(', ')}`]),
  ].join(' | ')
}
