import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import type { Answer } from '../src/call-types.ts'
import { memoryCursor } from '../src/cursor-store.ts'
import { OutcomeUnknownError } from '../src/errors.ts'
import type { List } from '../src/call-types.ts'
import { sync } from '../src/sync.ts'
import { VenueData } from '../src/venue-data.ts'
import { verifyWebhook } from '../src/verify-webhook.ts'
import type { Case, PlainCall } from './case.ts'
import type { Seen } from './proxy.ts'
import { type VirtualRuntime, virtualRuntime } from './virtual-runtime.ts'

export type Place = {
  readonly proxyUrl: string
  readonly keys: Readonly<Record<'write' | 'read' | 'none', string>>
}

/** What came of a case. */
type Outcome = { result?: unknown; error?: unknown; answer?: Answer<unknown> }

export const runCase = async ({ proxyUrl, keys }: Place, written: Case): Promise<void> => {
  const known: Record<string, unknown> = { unique: randomBytes(8).toString('hex') }
  const plain = new VenueData({ key: keys.write, baseUrl: proxyUrl })
  const ask = async (calls: readonly PlainCall[] = []): Promise<void> => {
    for (const call of calls) {
      const { operation, as, expect, ...request } = filled(call, known)
      const body = await plain.call(operation, request)
      if (as !== undefined) known[as] = body
      if (expect !== undefined) matches(body, expect, `after: ${operation}`)
    }
  }
  const control = (path: string, body?: unknown): Promise<Response> =>
    fetch(`${proxyUrl}${path}`, { method: 'POST', ...(body !== undefined && { body: JSON.stringify(body) }) })

  await control('/__script', [])
  await ask(written.setup)
  const { expect, script = [], key = 'write', ...one } = filled(written, known)
  await control('/__script', script)

  const runtime = virtualRuntime()
  const { timeoutSeconds, attemptSeconds, retries } = one.client ?? {}
  const venue = new VenueData({
    key: keys[key],
    baseUrl: proxyUrl,
    fetch: runtime.fetch,
    runtime,
    ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
    ...(attemptSeconds !== undefined && { attemptMs: attemptSeconds * 1000 }),
    ...(retries !== undefined && { retries }),
  })
  const outcome = await outcomeOf(venue, one)
  const seen = (await (await control('/__log')).json()) as Seen[]
  compare(expect, outcome, seen, runtime, keys[key])
  await ask(written.after)
}

const outcomeOf = async (venue: VenueData, one: Omit<Case, 'expect'>): Promise<Outcome> => {
  try {
    return await act(venue, one)
  } catch (error) {
    if (one.call?.resolve && error instanceof OutcomeUnknownError) {
      return { result: await error.resolve() }
    }
    return { error }
  }
}

const act = async (
  venue: VenueData,
  { call, follow, sync: copy, verify }: Omit<Case, 'expect'>,
): Promise<Outcome> => {
  if (verify) return { result: await verifyWebhook({ ...verify, now: () => verify.now }) }
  if (follow) {
    const { feed, ...query } = follow
    const items: unknown[] = []
    for await (const item of venue[feed]({ ...query, live: false })) items.push(item)
    return { result: items }
  }
  if (copy) return { result: await copied(venue, copy) }
  assert.ok(call, 'a case does something')
  const { operation, read, resolve: _, ...request } = call
  if (read) return { result: await listFor(venue, operation, request.query).all() }
  const answer = await venue.call(operation, request).withAnswer()
  return { result: answer.body, answer }
}

/** The list of an operation, as its namespace has it. */
const listFor = (venue: VenueData, operation: string, query: object = {}): List<unknown> => {
  const [namespace] = Object.entries(venue).find(
    ([name, calls]) => typeof calls === 'object' && `list${name}`.toLowerCase() === operation.toLowerCase(),
  ) as [keyof VenueData, unknown]
  return (venue[namespace] as { list: (query: object) => List<unknown> }).list(query)
}

const copied = async (
  venue: VenueData,
  { after, records = [], kinds }: NonNullable<Case['sync']>,
): Promise<unknown> => {
  const upserted: object[] = []
  const deleted: object[] = []
  await sync(venue, {
    store: memoryCursor(after),
    live: false,
    ...(kinds && { kinds }),
    into: {
      upsert: ({ kind, id }) => void upserted.push({ kind, id }),
      delete: ({ kind, id }) => void deleted.push({ kind, id }),
      records: () => records,
    },
  })
  return { upserted, deleted }
}

const compare = (
  expect: Case['expect'],
  { result, error, answer }: Outcome,
  seen: readonly Seen[],
  { waits }: VirtualRuntime,
  key: string,
): void => {
  if (error !== undefined) {
    for (const text of [
      inspect(error, { depth: 10, showHidden: true }),
      `${error as Error}`,
      JSON.stringify(error),
      (error as Error).stack,
    ]) {
      assert.ok(!text?.includes(key), 'the key is in an error')
    }
    if (!expect.error) throw error
    const { class: name, ...fields } = expect.error
    if (name !== undefined)
      assert.ok(familyOf(error).includes(name), `${familyOf(error).join()} is no ${name}: ${error as Error}`)
    matches(error, fields, 'error')
  } else assert.equal(expect.error, undefined, `it gave ${JSON.stringify(result)}`)
  if ('result' in expect) matches(result, expect.result, 'result')
  if (expect.answer) {
    const { etag, ...rest } = expect.answer
    matches(answer, rest, 'answer')
    if (etag) assert.ok(answer?.etag)
  }
  if (expect.attempts !== undefined) assert.equal(seen.length, expect.attempts, 'attempts')
  if (expect.waits)
    assert.deepEqual(
      waits.map((wait) => Math.round(wait) / 1000),
      expect.waits,
      'waits',
    )
  if (expect.paths)
    assert.deepEqual(
      seen.map(({ path }) => path),
      expect.paths,
      'paths',
    )
  if (expect.idempotencyKey !== undefined) compareKeys(expect.idempotencyKey, seen)
  if (expect.sent) {
    const [first] = seen
    matches({ ...first, body: first?.body && JSON.parse(first.body) }, expect.sent, 'sent')
  }
}

const compareKeys = (expected: string, seen: readonly Seen[]): void => {
  const given = [...new Set(seen.map(({ headers }) => headers['idempotency-key']))]
  if (expected === 'none') assert.deepEqual(given, [undefined])
  else if (expected === 'same') assert.ok(given.length === 1 && given[0], `keys ${given.join()}`)
  else assert.deepEqual(given, [expected])
}

const familyOf = (error: unknown): string[] => {
  const names: string[] = []
  for (
    let one: unknown = Object(error).constructor;
    typeof one === 'function';
    one = Object.getPrototypeOf(one)
  ) {
    names.push(one.name)
  }
  return names
}

/** Everything that is named is there and alike; others may be there, too. */
const matches = (actual: unknown, expected: unknown, where: string): void => {
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), `${where}: ${inspect(actual)} is no list`)
    assert.equal(actual.length, expected.length, `${where}.length`)
    for (const [i, one] of expected.entries()) matches(actual[i], one, `${where}[${i}]`)
  } else if (expected !== null && typeof expected === 'object') {
    assert.ok(actual !== null && typeof actual === 'object', `${where}: ${inspect(actual)} has no fields`)
    for (const [field, one] of Object.entries(expected)) {
      matches((actual as Record<string, unknown>)[field], one, `${where}.${field}`)
    }
  } else assert.deepEqual(actual ?? null, expected, where)
}

/** With the names between braces replaced. */
const filled = <T>(value: T, known: Record<string, unknown>): T => fill(value, known) as T

const fill = (value: unknown, known: Record<string, unknown>): unknown => {
  if (typeof value === 'string') {
    const [, whole] = /^\{\{([\w.]+)\}\}$/.exec(value) ?? []
    if (whole !== undefined) return valueOf(whole, known)
    return value.replaceAll(/\{\{([\w.]+)\}\}/g, (_, name: string) => String(valueOf(name, known)))
  }
  if (Array.isArray(value)) return value.map((one) => fill(one, known))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one, known)]))
}

const valueOf = (name: string, known: Record<string, unknown>): unknown =>
  // What comes later is left as it is until then.
  name.split('.').reduce<unknown>((at, field) => (at === undefined ? undefined : Object(at)[field]), known) ??
  `{{${name}}}`
