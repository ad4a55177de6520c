import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { reasons } from '@venue-data/contract/reasons.ts'
import { operations } from '../src/generated/operations.ts'
import { errorFor } from '../src/errors.ts'
import { type Retry, VenueData, type VenueDataOptions, version } from '../src/venue-data.ts'
import manifest from '../package.json' with { type: 'json' }
import { virtualRuntime } from './virtual-runtime.ts'

const rows: readonly Endpoint[] = Object.values(endpoints)

const key = `service_sk_${'k'.repeat(40)}`

type Asked = { readonly url: string; readonly init: RequestInit }

/** A client that is answered by a function, and what it asked. */
const clientOf = (
  answer: (asked: Asked, times: number) => Response | Promise<Response>,
  options: Partial<VenueDataOptions> = {},
) => {
  const asked: Asked[] = []
  const ask = (async (url: string, init: RequestInit) => {
    asked.push({ url, init })
    return answer({ url, init }, asked.length)
  }) as typeof fetch
  const runtime = virtualRuntime(undefined, ask)
  const venue = new VenueData({
    key,
    baseUrl: 'http://venue.test',
    fetch: runtime.fetch,
    runtime,
    ...options,
  })
  return { venue, asked, waits: runtime.waits }
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers })

describe('the client', () => {
  it('reaches every endpoint of the contract, with its method and its path', async () => {
    const { venue, asked } = clientOf(() => json({ changes: [], items: [] }))
    for (const { id, method, path, body } of rows) {
      const [namespace = '', name] = operations[id]?.as.split('.') ?? []
      const tree = venue as unknown as Record<string, Record<string, Call> & Call>
      const call = name === undefined ? tree[namespace] : tree[namespace]?.[name]
      assert.ok(call, `${id} has no call`)
      const values = path.match(/\{\w+\}/g) ?? []
      const said = call(...values.map((_, i) => `v${i}`), ...(body === undefined ? [] : [{ field: 1 }]), {
        word: 'x',
      })
      await ('page' in said ? said.page() : said)
      const { url, init } = asked.at(-1) as Asked
      let at = 0
      assert.equal(url, `http://venue.test${path.replaceAll(/\{\w+\}/g, () => `v${at++}`)}?word=x`, id)
      assert.equal(init.method, method, id)
      assert.equal(init.body, body === undefined ? undefined : '{"field":1}', id)
    }
  })
  type Call = (...given: unknown[]) => Promise<unknown> | { page: () => Promise<unknown> }

  it('gives an Idempotency-Key exactly where the contract takes one', async () => {
    for (const { id, idempotency } of rows) {
      assert.equal(operations[id]?.keyed === 1, idempotency !== undefined, id)
    }
  })

  it('names each call once', () => {
    const names = Object.values(operations).map((one) => one.as)
    assert.equal(new Set(names).size, names.length)
    assert.ok(
      names.includes('reservations.cancel') && names.includes('waitlist.join') && names.includes('me'),
    )
  })

  it('has no option of a call that is also a word of a query', () => {
    const options = new Set([
      'signal',
      'timeoutMs',
      'retries',
      'idempotencyKey',
      'ifMatch',
      'ifNoneMatch',
      'store',
      'live',
    ])
    for (const { id, query = {} } of rows) {
      assert.deepEqual(
        Object.keys(query).filter((word) => options.has(word)),
        [],
        id,
      )
    }
  })

  it('has an error for the status of every reason, from its family', () => {
    for (const { status } of Object.values(reasons)) {
      const error = errorFor({
        operation: 'me',
        attempts: 1,
        idempotencyKey: undefined,
        status,
        headers: new Headers(),
        body: {},
      })
      assert.notEqual(error.name, 'ApiError', `${status}`)
    }
  })

  it('is of the version of its package', () => assert.equal(version, manifest.version))

  it('takes the address with or without /api/v1', async () => {
    for (const baseUrl of [
      'http://venue.test',
      'http://venue.test/',
      'http://venue.test/api/v1',
      'http://venue.test/api/v1/',
    ]) {
      const { venue, asked } = clientOf(() => json({}), { baseUrl })
      await venue.me()
      assert.equal(asked[0]?.url, 'http://venue.test/api/v1/me', baseUrl)
    }
  })

  it('shows its key nowhere', async () => {
    const { venue } = clientOf(() => Promise.reject(new Error(`fetch failed for ${key}`)), { retries: 0 })
    assert.ok(!inspect(venue, { depth: 10, showHidden: true }).includes(key))
    assert.ok(!JSON.stringify(venue).includes(key))
    const error = await venue.me().catch((thrown: unknown) => thrown)
    for (const text of [
      inspect(error, { depth: 10, showHidden: true }),
      JSON.stringify(error),
      `${error as Error}`,
    ]) {
      assert.ok(!text.includes(key), text)
      assert.ok(text.includes('[key]'), text)
    }
    assert.throws(
      () => new VenueData({ key: `${key}\n`, baseUrl: 'http://venue.test' }),
      (thrown) => thrown instanceof TypeError && !inspect(thrown).includes(key),
    )
  })

  it('asks for its key before each attempt, so that it can be replaced', async () => {
    let uses = 0
    const { venue, asked } = clientOf((_, times) => json({}, times === 1 ? 503 : 200), {
      key: async () => `service_sk_${++uses}`,
    })
    await venue.me()
    const sent = asked.map(({ init }) => (init.headers as Record<string, string>)['x-service-key'])
    assert.deepEqual(sent, ['service_sk_1', 'service_sk_2'])
  })

  it('gives up with the reason of your signal, before it is sent and while it waits', async () => {
    const { venue, asked } = clientOf(() => json({}))
    const reason = new Error('closing time')
    await assert.rejects(venue.me({ signal: AbortSignal.abort(reason) }), reason)
    assert.equal(asked.length, 0)

    const controller = new AbortController()
    const waiting = clientOf(() => json({}, 503), { onRetry: () => controller.abort(reason) })
    await assert.rejects(waiting.venue.me({ signal: controller.signal }), reason)
    assert.equal(waiting.asked.length, 1)
  })

  it('gives up while it is sent', async () => {
    const controller = new AbortController()
    const reason = new Error('closing time')
    const { venue } = clientOf(
      ({ init }) =>
        new Promise((_, reject) => {
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
          controller.abort(reason)
        }),
    )
    await assert.rejects(venue.tasks.create({ title: 'Call' }, { signal: controller.signal }), reason)
  })

  it('reports each retry', async () => {
    const told: Retry[] = []
    const { venue } = clientOf((_, times) => json({}, times < 3 ? 503 : 200), {
      onRetry: (retry) => told.push(retry),
    })
    await venue.me()
    assert.deepEqual(
      told.map(({ operation, attempts, waitMs, error }) => [operation, attempts, waitMs, error.name]),
      [
        ['me', 1, 375, 'ServerError'],
        ['me', 2, 750, 'ServerError'],
      ],
    )
  })

  it('answers with what came around the body when it is asked for', async () => {
    const { venue } = clientOf(() =>
      json({ id: 7 }, 200, { etag: '"1.abcd"', 'x-request-id': 'r1', 'ratelimit-remaining': '119' }),
    )
    const { body, etag, requestId, status, attempts, headers } = await venue.tasks.get(7).withAnswer()
    assert.deepEqual([body.id, etag, requestId, status, attempts], [7, '"1.abcd"', 'r1', 200, 1])
    assert.equal(headers.get('ratelimit-remaining'), '119')
  })

  it('fails once when only the answer is waited for', async () => {
    const { venue } = clientOf(() => json({ error: 'No.' }, 404))
    await assert.rejects(venue.tasks.get(7).withAnswer(), /No\./)
  })

  it('sends nothing for a list before it is read', async () => {
    const { venue, asked } = clientOf(() =>
      json([{ id: 1 }], 200, { 'x-changes-cursor': 'c1_a', 'x-count': '1' }),
    )
    const list = venue.tasks.list({ count: true, since: new Date('2026-10-06T19:00:00Z') })
    assert.equal(asked.length, 0)
    const { items, next, changesCursor, count } = await list.page()
    assert.deepEqual([items, next, changesCursor, count], [[{ id: 1 }], undefined, 'c1_a', '1'])
    assert.match(asked[0]?.url ?? '', /count=true&since=2026-10-06T19%3A00%3A00\.000Z/)
  })

  it('warns where a page has the key', (t) => {
    const warn = t.mock.method(console, 'warn', () => undefined)
    Object.assign(globalThis, { document: {} })
    try {
      clientOf(() => json({}))
    } finally {
      Reflect.deleteProperty(globalThis, 'document')
    }
    assert.equal(warn.mock.callCount(), 1)
  })
})
