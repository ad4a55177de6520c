import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Plan } from '@venue-data/contract/records/account.ts'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { makeKeyText } from '../../integrations/access/key-text.ts'
import { revokeKey } from '../../integrations/access/keys.ts'
import { openApiDocument } from '../../platform/http/openapi/openapi.ts'
import { setGuestPages } from '../guest.ts'
import { rowsOf } from '../rows.ts'
import { sampleQueryAt } from './samples.ts'
import {
  type TestService,
  type TestVenue,
  aTuesdayAfternoon,
  startService,
  everyScope,
  withEveryScope,
} from '../service.ts'
import { type WireAnswer, type WireCall, send, sendBytes, startBeside } from '../wire.ts'

/*
 * What every endpoint promises, asked of every row of the contract: a new row is covered without an edit here.
 */

const rows: readonly Endpoint[] = Object.values(endpoints)
const writing = rows.filter(({ access }) => access !== 'any-key')
const withBody = rows.filter(({ body }) => body !== undefined)
const paths = [...new Set(rows.map(({ path }) => path))]

const addressOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '1')
const examplesOf = (shape: { examples?: object[] } = {}): object[] => shape.examples ?? []
const sampleOf = ({ body }: Endpoint): object => examplesOf(body)[0] ?? {}
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

/** The sample body of a row, padded by a field nobody knows to so many bytes. */
const bodyOfSize = (row: Endpoint, bytes: number): string => {
  const bare = JSON.stringify({ ...sampleOf(row), padding: '' })
  return JSON.stringify({ ...sampleOf(row), padding: 'x'.repeat(bytes - bare.length) })
}

/** What `curl -u` sends. */
const basic = (userAndPassword: string): string => `Basic ${Buffer.from(userAndPassword).toString('base64')}`

const error = ({ text }: WireAnswer): string => (JSON.parse(text) as { error: string }).error

/** What is true of every answer, from the route, the framework or the socket. */
const assertAnswer = ({ status, headers, text }: WireAnswer, about: string): void => {
  assert.equal(headers['cache-control'], 'no-store', about)
  assert.equal(headers['x-content-type-options'], 'nosniff', about)
  assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/, about)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8', about)
  for (const name of Object.keys(headers)) assert.ok(!name.startsWith('access-control-'), `${about}: ${name}`)
  assert.equal(headers['server'], undefined, about)
  assert.equal(headers['x-powered-by'], undefined, about)
  if (status >= 400 && text !== '') assertRefusalBody(text, about)
}

const assertRefusalBody = (text: string, about: string): void => {
  const body = JSON.parse(text) as Record<string, unknown>
  for (const field of Object.keys(body)) {
    const isBlockers = field === 'blockers' && body['reason'] === 'checklist-blocked'
    const isAskedFor = field === 'alternatives' && about.includes('?alternatives=')
    const isMerged = field === 'mergedInto' && body['reason'] === 'merged'
    const isKnown = isBlockers || isAskedFor || isMerged
    assert.ok(field === 'error' || field === 'reason' || isKnown, `${about}: ${text}`)
  }
  assert.match(String(body['error']), /^[A-Z`a-z].+\.$/, about)
  assert.doesNotMatch(
    text,
    /\bat .*\.[jt]s|node_modules|fastify|FST_|typebox|postgres|select |constraint/i,
    about,
  )
  if ('reason' in body) assert.match(String(body['reason']), /^[a-z]+(-[a-z]+)*$/, about)
}

describe('conformance', () => {
  let service: TestService
  let venue: TestVenue
  let readOnly: string
  /** Every answer is looked at by `assertAnswer` on its way. */
  const ask = async (call: WireCall, url = service.url): Promise<WireAnswer> => {
    const answer = await send(url, call)
    assertAnswer(answer, `${call.method} ${call.path} -> ${answer.status} ${answer.text}`)
    return answer
  }
  const askRow = (row: Endpoint, key: string | undefined, more: Partial<WireCall> = {}) =>
    ask({
      method: row.method,
      path: addressOf(row.path),
      ...(row.body && { body: JSON.stringify(sampleOf(row)) }),
      ...more,
      headers: { ...(key !== undefined && { 'x-service-key': key }), ...more.headers },
    })

  before(async () => {
    service = await startService()
    venue = await withEveryScope(await service.venue())
    // So that it may call every endpoint.
    await rowsOf(service, 'update api_key set may_rotate = true where venue_id = $1', [venue.id])
    await setGuestPages(service, venue, { frameSites: ['https://www.example.com'] })
    const reading = everyScope.filter((scope) => scope.endsWith(':read') && scope !== 'campaigns:read')
    readOnly = (await venue.makeKey('read', 'api', { scopes: reading })).key
  })
  after(() => service.stop())

  describe('a key that is missing, unknown or revoked gets one sentence for all', () => {
    it('on every endpoint', async () => {
      const revoked = await venue.makeKey('read_write')
      await revokeKey(service.db, revoked.id, 'test', service.context.clock())
      const unknown = makeKeyText(service.context.random)
      const wrongSum = `${venue.key.slice(0, -1)}${venue.key.endsWith('A') ? 'B' : 'A'}`
      const sentences = new Set<string>()
      for (const row of rows) {
        const path = addressOf(row.path)
        const tries = [
          await askRow(row, undefined),
          await askRow(row, ''),
          await askRow(row, 'nonsense'),
          await askRow(row, wrongSum),
          await askRow(row, unknown),
          await askRow(row, revoked.key),
          await askRow(row, ` ${venue.key}, ${venue.key}`),
          await askRow(row, unknown, { headers: { authorization: `Bearer ${venue.key}` } }),
          await askRow(row, undefined, { headers: { authorization: 'Bearer something-else' } }),
          await askRow(row, undefined, { headers: { authorization: 'Basic c2VydmljZV9za18=' } }),
          await askRow(row, undefined, { path: `${path}?x-service-key=${venue.key}&key=${venue.key}` }),
          await askRow(row, undefined, { headers: { cookie: `x-service-key=${venue.key}` } }),
        ]
        for (const answer of tries) {
          assert.equal(answer.status, 401, `${nameOf(row)} ${answer.text}`)
          assert.equal(answer.headers['ratelimit-limit'], undefined)
          sentences.add(answer.text)
        }
      }
      assert.equal(sentences.size, 1)
    })

    it('a key sent in Authorization gets an answer that says where it belongs, whether the key is known or not', async () => {
      const unknown = makeKeyText(service.context.random)
      for (const row of rows) {
        for (const authorization of [
          `Bearer ${venue.key}`,
          `bearer  ${venue.key}`,
          venue.key,
          unknown,
          `Bearer ${unknown}`,
          'Bearer service_sk_x',
          basic(`${venue.key}:`),
          basic(`:${unknown}`),
        ]) {
          for (const headers of [{ authorization }, { authorization, 'x-service-key': '' }]) {
            const answer = await askRow(row, undefined, { headers })
            assert.equal(answer.status, 401, nameOf(row))
            assert.equal(
              error(answer),
              'Send the API key in the X-Service-Key header; Authorization, where this request has it, is for staff sign-ins.',
            )
          }
        }
      }
      const both = { headers: { authorization: `Bearer ${unknown}` } }
      assert.equal((await askRow(endpoints.me, venue.key, both)).status, 200)
    })

    it('a revoked key stops at once, on every process', async () => {
      const beside = await startBeside(service)
      const { key, id } = await venue.makeKey('read')
      const me = { method: 'GET', path: '/api/v1/me', headers: { 'x-service-key': key } }
      assert.equal((await ask(me)).status, 200)
      assert.equal((await ask(me, beside.url)).status, 200)
      await revokeKey(service.db, id, 'test', service.context.clock())
      assert.equal((await ask(me)).status, 401)
      assert.equal((await ask(me, beside.url)).status, 401)
      await beside.stop()
    })

    it('comes before anything of the body: unknown key with bad JSON, with an endless body, with a form', async () => {
      for (const row of withBody) {
        for (const more of [
          { body: '{' },
          { body: bodyOfSize(row, 1_000_000) },
          { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
          { headers: { 'idempotency-key': 'with a blank' } },
        ]) {
          assert.equal((await askRow(row, undefined, more)).status, 401)
        }
      }
    })
  })

  describe('an address or a method that does not exist', () => {
    it('every other method on a known address is 405 with Allow, before the key is looked at', async () => {
      for (const path of paths) {
        const allowed = rows.filter((row) => row.path === path).map(({ method }) => method as string)
        // CONNECT is no request to an address; it is asked below, over a raw socket.
        for (const method of METHODS.filter((one) => one !== 'CONNECT' && !allowed.includes(one))) {
          const answer = await ask({ method, path: addressOf(path) })
          assert.equal(answer.status, 405, `${method} ${path}`)
          assert.deepEqual(answer.headers.allow?.split(', ').toSorted(), allowed.toSorted())
          assert.equal(answer.text === '', method === 'HEAD')
        }
      }
    })

    it('any body with any content type goes unread', async () => {
      for (const method of ['PUT', 'PATCH', 'DELETE', 'QUERY', 'PROPFIND']) {
        for (const more of [
          { body: '{' },
          { body: 'x'.repeat(200_000) },
          { body: 'x'.repeat(200_000), chunked: true },
          { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
          { body: '{}', headers: { 'content-type': 'garbage' } },
        ]) {
          assert.equal((await ask({ method, path: '/api/v1/me', ...more })).status, 405)
          assert.equal((await ask({ method, path: '/api/v1/nothing', ...more })).status, 404)
        }
      }
    })

    it('an unknown address is 404, with and without a key, for every method', async () => {
      const unknown = [
        '/api',
        '/api/v1',
        '/api/v1/',
        '/api/v1/me/',
        '/api/v1/ME',
        '//api/v1/me',
        '/api/v2/me',
        '/api/v1/guests/1/visits',
        '/api/v1/reservations/find/x',
        '/api/v1/me;x=1',
        '/favicon.png',
        `/api/v1/${'x'.repeat(2_000)}`,
      ]
      for (const path of unknown) {
        for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE', 'PROPFIND']) {
          assert.equal((await ask({ method, path })).status, 404, `${method} ${path}`)
          const withKey = await ask({ method, path, headers: { 'x-service-key': venue.key } })
          assert.equal(withKey.status, 404, `${method} ${path}`)
          assert.equal(withKey.headers.allow, undefined)
        }
      }
    })

    it('an id of any length is one that nobody has: 404, never a 500', async () => {
      for (const length of [100, 101, 5_000]) {
        const id = 'x'.repeat(length)
        for (const [method, path] of [
          ['DELETE', `/api/v1/webhooks/${id}`],
          ['POST', `/api/v1/webhooks/${id}/test`],
          ['DELETE', `/api/v1/hooks/${id}`],
        ] as const) {
          const { status } = await ask({ method, path, headers: { 'x-service-key': venue.key } })
          assert.equal(status, 404, `${method} ${path.slice(0, 30)} of ${length}`)
        }
      }
    })

    it('a preflight gets no leave to call from a page', async () => {
      const answer = await ask({
        method: 'OPTIONS',
        path: '/api/v1/guests',
        headers: { origin: 'https://example.com', 'access-control-request-method': 'GET' },
      })
      assert.equal(answer.status, 405)
      const simple = await ask({
        method: 'GET',
        path: '/api/v1/guests',
        headers: { origin: 'https://example.com', 'x-service-key': venue.key },
      })
      assert.equal(simple.status, 200)
    })
  })

  describe('what a key may not do', () => {
    it('any method but GET of a read-only key, with a sentence that the key is read-only, before the body', async () => {
      // A key replaces itself by a right of its own (reason rotation-off).
      for (const row of rows.filter(({ id, method }) => method !== 'GET' && id !== 'rotateKey')) {
        assert.notEqual(row.access, 'any-key', nameOf(row))
      }
      for (const row of writing) {
        for (const more of [
          {},
          { body: bodyOfSize(row, 1_000_000) },
          { body: bodyOfSize(row, 1_000_000), chunked: true },
          { body: '{' },
          { body: 'a=1', headers: { 'content-type': 'multipart/form-data; boundary=a' } },
          { headers: { 'idempotency-key': 'x'.repeat(300) } },
        ]) {
          const answer = await askRow(row, readOnly, more)
          assert.equal(answer.status, 403, nameOf(row))
          assert.match(error(answer), /read-only/)
          // For an endpoint that only reads, the error must not mention changes.
          assert.equal(/to change anything/.test(error(answer)), row.method !== 'GET', nameOf(row))
        }
      }
    })

    it('a read-only key reads everything but campaigns', async () => {
      for (const row of rows.filter(
        ({ access, method, scope }) => access === 'any-key' && method === 'GET' && scope !== 'campaigns:read',
      )) {
        const query =
          row.query && 'email' in row.query
            ? '?email=nobody@example.com'
            : await sampleQueryAt(service, venue.key, row)
        const answer = await askRow(row, readOnly, { path: addressOf(row.path) + query })
        // Nobody has the record yet.
        assert.equal(answer.status, row.params ? 404 : 200, nameOf(row))
      }
    })

    it('a venue that cannot use the API now: by plan, by pause, by a withdrawal, and for api keys by access', async () => {
      const house = await service.venue()
      const automation = (await house.makeKey('read_write', 'automation')).key
      const set = (plan: Plan, paused: boolean, access: string) =>
        service.db.session((client) =>
          client.query('update venue set plan = $2, paused = $3, access = $4 where id = $1', [
            house.id,
            plan,
            paused,
            access,
          ]),
        )
      const cases: [Plan, boolean, string, api: number, automation: number][] = [
        ['pro', false, 'approved', 200, 200],
        ['group', false, 'approved', 200, 200],
        ['legacy', false, 'approved', 200, 200],
        ['starter', false, 'approved', 403, 403],
        ['free', false, 'approved', 403, 403],
        ['pro', true, 'approved', 403, 403],
        ['pro', false, 'none', 403, 200],
        ['pro', false, 'requested', 403, 200],
        ['pro', false, 'declined', 403, 200],
        ['pro', false, 'withdrawn', 403, 403],
        ['legacy', true, 'none', 403, 403],
      ]
      for (const [plan, paused, access, forApi, forAutomation] of cases) {
        await set(plan, paused, access)
        const about = `${plan} ${paused} ${access}`
        const me = endpoints.me
        assert.equal((await askRow(me, house.key)).status, forApi, about)
        assert.equal((await askRow(me, automation)).status, forAutomation, about)
      }
      await set('free', false, 'approved')
      for (const row of rows) {
        const answer = await askRow(row, house.key, row.body ? { body: '{' } : {})
        assert.equal(answer.status, 403, nameOf(row))
        assert.match(error(answer), /cannot use the API now/)
      }
    })

    it('the venue comes before the scope, and a key without a venue is 404 on /me', async () => {
      const house = await service.venue()
      const lone = await house.makeKey('read')
      const run = (text: string) => service.db.session((client) => client.query(text, [house.id]))
      await run(`update venue set plan = 'free' where id = $1`)
      const paused = await askRow(endpoints.createTask, lone.key)
      assert.match(error(paused), /cannot use the API now/)
      await run('delete from venue where id = $1')
      const gone = await askRow(endpoints.me, lone.key)
      assert.equal(gone.status, 404)
      assert.equal(error(gone), 'The venue of this key cannot be found.')
    })
  })

  describe('bodies', () => {
    it('64 KB is accepted, one byte more is refused, with and without a Content-Length', async () => {
      for (const row of withBody) {
        const { bytes, status } = row.bodyLimit ?? { bytes: limits.bodyBytes, status: 400 }
        for (const chunked of [false, true]) {
          const fits = await askRow(row, venue.key, { body: bodyOfSize(row, bytes), chunked })
          assert.ok(![400, 413, 500].includes(fits.status), `${nameOf(row)} ${fits.text}`)
          const tooLarge = await askRow(row, venue.key, { body: bodyOfSize(row, bytes + 1), chunked })
          assert.equal(tooLarge.status, status, nameOf(row))
          assert.match(error(tooLarge), /^The request is too large: its body may have at most \d+ KB\.$/)
          assert.ok(error(tooLarge).includes(`${bytes / 1024} KB`))
        }
      }
    })

    it('the size comes before the JSON, the JSON before the Idempotency-Key, that before the fields', async () => {
      for (const row of withBody) {
        const { bytes } = row.bodyLimit ?? { bytes: limits.bodyBytes }
        const gzip = { 'content-encoding': 'gzip' }
        const big = await askRow(row, venue.key, { body: '{'.repeat(bytes + 1), headers: gzip })
        assert.match(error(big), /too large/, nameOf(row))
        const packed = await askRow(row, venue.key, { body: '{', headers: gzip })
        assert.match(error(packed), /must not be compressed/, nameOf(row))
        const bad = { 'idempotency-key': 'with a blank' }
        const json = await askRow(row, venue.key, { body: '{', headers: bad })
        assert.equal(error(json), 'The body is not valid JSON.', nameOf(row))
        if (row.idempotency) {
          const key = await askRow(row, venue.key, { body: '{}', headers: bad })
          assert.equal(key.status, 400)
          assert.match(error(key), /^Idempotency-Key must be/)
        }
      }
    })

    it('must be a JSON object in UTF-8 under any content type', async () => {
      const deep = `{"a":${'['.repeat(limits.jsonDepth)}${']'.repeat(limits.jsonDepth)}}`
      const bad: (string | Buffer)[] = [
        '',
        ' ',
        '[]',
        '[{}]',
        '"text"',
        '5',
        'null',
        'true',
        '{',
        '{}}',
        "{'a':1}",
        '{"a":1,}',
        '{a:1}',
        '{"a":undefined}',
        '{"a":NaN}',
        '// comment\n{}',
        '\u{FEFF}{',
        Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
        Buffer.from('{"title":"x"}', 'utf16le'),
        deep,
        '['.repeat(60_000),
        '{"a":'.repeat(10_000),
        '{"a":"\\u0000"}',
        '{"a":"\\ud800"}',
        '{"\\udc00":1}',
        '{"a\\u0000":1}',
      ]
      for (const row of withBody) {
        for (const body of bad.filter((one) => !row.bodyOptional || (one !== '' && one !== 'null'))) {
          const answer = await askRow(row, venue.key, { body })
          const size = row.bodyLimit && Buffer.byteLength(body) > row.bodyLimit.bytes
          // Where none is needed the record is looked for.
          const isNone = (body === '' || body === 'null') && row.params !== undefined && row.bodyOptional
          const status = size ? row.bodyLimit?.status : isNone ? 404 : 400
          assert.equal(answer.status, status, `${nameOf(row)} ${String(body).slice(0, 40)} ${answer.text}`)
        }
      }
    })

    it('where none is taken, none and readable ones are passed over; an unreadable one is 400, as the document says', async () => {
      const bodiless = rows.filter(({ method, body }) => method !== 'GET' && !body)
      for (const id of ['deleteWebhook', 'testWebhook', 'deleteHook', 'completeTask']) {
        assert.ok(bodiless.some((row) => row.id === id))
      }
      const paths = openApiDocument()['paths'] as Record<string, Record<string, { responses: object }>>
      for (const row of bodiless) {
        // The record is looked for once the body was read; of some kinds there is one.
        const { status: found } = await askRow(row, venue.key)
        assert.ok(found === 404 || (found === 200 && row.precondition), nameOf(row))
        for (const body of [undefined, '', '{}', '[]', '"text"', '{"id":"other"}']) {
          const answer = await askRow(row, venue.key, body === undefined ? {} : { body })
          assert.equal(answer.status, found, `${nameOf(row)} ${body} ${answer.text}`)
        }
        for (const body of ['{', 'x', Buffer.from([0x22, 0xff, 0x22]), `"${'x'.repeat(limits.bodyBytes)}"`]) {
          const answer = await askRow(row, venue.key, { body })
          assert.equal(answer.status, 400, `${nameOf(row)} ${String(body).slice(0, 9)} ${answer.text}`)
        }
        const form = { 'content-type': 'application/x-www-form-urlencoded' }
        assert.equal((await askRow(row, venue.key, { body: '{}', headers: form })).status, 400)
        assert.ok(paths[row.path]?.[row.method.toLowerCase()]?.responses['400' as never], nameOf(row))
      }
    })

    it('is JSON even when it is called otherwise, but not a form, another charset or compressed', async () => {
      for (const row of withBody) {
        const named = (type: string) => askRow(row, venue.key, { headers: { 'content-type': type } })
        for (const type of [
          'application/json',
          'APPLICATION/JSON; charset="UTF-8"',
          'application/json;charset=utf8',
          'text/plain',
          'application/octet-stream',
          'garbage',
          '',
          'application/vnd.api+json',
          'text/html; charset=us-ascii',
        ]) {
          const { status, text } = await named(type)
          assert.ok(![400, 413, 415, 500].includes(status), `${nameOf(row)} ${type} ${text}`)
        }
        for (const type of [
          'application/x-www-form-urlencoded',
          'Multipart/Form-Data; boundary=x',
          'application/json; charset=utf-16',
          'application/json; charset=iso-8859-1',
        ]) {
          assert.equal((await named(type)).status, 400, `${nameOf(row)} ${type}`)
        }
        for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity', 'x']) {
          const answer = await askRow(row, venue.key, { headers: { 'content-encoding': encoding } })
          assert.equal(answer.status, 400, `${nameOf(row)} ${encoding}`)
        }
      }
    })
  })

  describe('queries', () => {
    it('an unreadable or repeated limit or since is 400 on every list; the sentence asks for a zone', async () => {
      for (const row of rows.filter(({ query }) => query && 'since' in query)) {
        const isOpen = row.access === 'any-key' && row.scope !== 'campaigns:read'
        const key = isOpen ? readOnly : venue.key
        const at = (query: string) => askRow(row, key, { path: `${addressOf(row.path)}?${query}` })
        // Of a list below a record nobody has the record.
        const found = row.path.includes('{') ? 404 : 200
        for (const query of [
          'limit=1',
          'limit=007',
          'limit=100',
          `limit=${'9'.repeat(400)}`,
          'other=1&other=2',
        ]) {
          assert.equal((await at(query)).status, found, query)
        }
        for (const value of [
          '',
          '0',
          '00',
          '-1',
          '+1',
          '5.0',
          '1e1',
          '0x10',
          'ten',
          '%201',
          '1%20',
          '%D9%A3',
          'null',
        ]) {
          assert.equal((await at(`limit=${value}`)).status, 400, value)
        }
        for (const query of [
          'limit=1&limit=1',
          'since=2026-10-06T15:00:00Z&since=2026-10-06T15:00:00Z',
          'limit[]=1&limit',
        ]) {
          assert.equal((await at(query)).status, 400, query)
        }
        for (const value of [
          '2026-10-06T15:00:00Z',
          '2026-10-06T15:00:00%2B02:00',
          '2026-10-06T15:00:00+02:00',
          '2026-10-06T15:00:00-0500',
          '2026-10-06T15:00:00+0200',
          '2026-10-06T15:00:00-05',
          '2026-10-06t15:00z',
          '2026-10-06%2015:00:00.123456789-05:00',
          '0001-01-01T00:00:00Z',
          '9999-12-31T23:59:59.999Z',
          '9999-12-31T23:59:59.999999999Z',
        ]) {
          assert.equal((await at(`since=${value}`)).status, found, value)
        }
        for (const value of [
          '',
          'yesterday',
          '2026-10-06',
          '2026-10-06T15:00:00',
          '1760000000',
          '2026-02-30T15:00:00Z',
          '0000-01-01T00:00:00Z',
          '0001-01-01T00:00:00%2B01:00',
          '9999-12-31T23:59:59-01:00',
          '%2B010000-01-01T00:00:00Z',
          'Tue,%2006%20Oct%202026%2015:00:00%20GMT',
          '%202026-10-06T15:00:00Z',
          '2026-10-06T15:00:00Z%20',
          '2026-10-06T15:00:00Z%00',
        ]) {
          const answer = await at(`since=${value}`)
          assert.equal(answer.status, 400, value)
          assert.match(error(answer), /must be a date and time with a zone/)
        }
      }
    })
  })

  it('a tag that is not the record’s own keeps no GET from answering 200', async () => {
    const { body } = await service.call('POST', '/api/v1/tasks', { key: venue.key, body: { title: 'Call' } })
    for (const row of rows.filter(
      ({ method, path, kind }) => method === 'GET' && (kind === 'task' || !path.includes('{')),
    )) {
      const query =
        row.query && 'email' in row.query
          ? '?email=maya@example.com'
          : await sampleQueryAt(service, venue.key, row)
      const path = row.path.replace('{id}', body.task.id) + query
      const answer = await askRow(row, venue.key, { path, headers: { 'if-none-match': '"x"' } })
      assert.equal(answer.status, 200, `${nameOf(row)} ${answer.text}`)
    }
  })

  it('a refusal says more than a sentence and a reason only to who asked for it', async () => {
    const { path } = endpoints.createReservation
    const body = JSON.stringify({ guestName: 'Maya', partySize: 2, date: '2026-10-09', time: '19:00' })
    const fields = async (query: string) => {
      const answer = await askRow(endpoints.createReservation, venue.key, { path: path + query, body })
      assert.equal(answer.status, 409)
      return Object.keys(JSON.parse(answer.text) as object)
    }
    assert.deepEqual(await fields(''), ['error', 'reason'])
    assert.deepEqual(await fields('?alternatives=3'), ['error', 'reason', 'alternatives'])
  })

  describe('more requests than a window allows', () => {
    it('the 121st request of a window is refused with the seconds left, over two processes, and does nothing', async () => {
      const limited = await startService({ RATE_LIMIT_PER_MINUTE: String(limits.requestsPerMinute) })
      const beside = await startBeside(limited)
      const house = await limited.venue()
      const urls = [limited.url, beside.url]
      const task = (i: number) =>
        ask(
          {
            method: 'POST',
            path: '/api/v1/tasks',
            headers: { 'x-service-key': house.key },
            body: JSON.stringify({ title: `Task ${i}` }),
          },
          urls[i % 2],
        )
      const answers = await Promise.all(Array.from({ length: 150 }, (_, i) => task(i)))
      const byStatus = Object.groupBy(answers, ({ status }) => status)
      assert.deepEqual([byStatus[201]?.length, byStatus[429]?.length], [limits.requestsPerMinute, 30])
      const left = answers
        .map(({ headers }) => Number(headers['ratelimit-remaining']))
        .toSorted((a, b) => b - a)
      assert.deepEqual(left, [
        ...Array.from({ length: limits.requestsPerMinute }, (_, i) => limits.requestsPerMinute - 1 - i),
        ...Array.from({ length: 30 }, () => 0),
      ])
      const { rows: made } = await limited.db.session((client) =>
        client.query('select count(*)::int as n from task'),
      )
      assert.equal(made[0].n, limits.requestsPerMinute)

      const opened = Temporal.Instant.from(aTuesdayAfternoon)
      for (const [after, seconds] of [
        [0, '60'],
        [1, '60'],
        [1_000, '59'],
        [30_500, '30'],
        [59_000, '1'],
        [59_999, '1'],
      ] as const) {
        limited.setClock(opened.add({ milliseconds: after }).toString())
        for (const url of urls) {
          const me = { method: 'GET', path: '/api/v1/me', headers: { 'x-service-key': house.key } }
          const over = await ask(me, url)
          assert.equal(over.status, 429)
          assert.equal(over.headers['retry-after'], seconds)
          assert.equal(over.headers['ratelimit-reset'], seconds)
          assert.equal(over.headers['ratelimit-limit'], '120')
          assert.equal(over.headers['ratelimit-remaining'], '0')
        }
      }
      limited.setClock(opened.add({ seconds: limits.rateWindowSeconds }).toString())
      const fresh = await task(0)
      assert.equal(fresh.status, 201)
      assert.equal(fresh.headers['ratelimit-remaining'], '119')
      assert.equal(fresh.headers['ratelimit-reset'], '60')
      await beside.stop()
      await limited.stop()
    })

    it('refused requests with a valid key count, 401s do not; on every endpoint it comes after the key and before all else', async () => {
      const limited = await startService({ RATE_LIMIT_PER_MINUTE: '3' })
      const house = await limited.venue()
      const read = await house.makeKey('read')
      const at = (row: Endpoint, key: string, body?: string) =>
        ask(
          {
            method: row.method,
            path: addressOf(row.path),
            headers: { 'x-service-key': key },
            ...(body && { body }),
          },
          limited.url,
        )
      const wrong = makeKeyText(limited.context.random)
      for (let i = 0; i < 5; i++) assert.equal((await at(endpoints.me, wrong)).status, 401)
      assert.equal((await at(endpoints.createTask, read.key)).status, 403)
      assert.equal((await at(endpoints.findGuest, read.key)).status, 400)
      // 404 and 405 are answered before the key is looked at, and cost nothing.
      await ask({ method: 'PUT', path: '/api/v1/me', headers: { 'x-service-key': read.key } }, limited.url)
      await ask({ method: 'GET', path: '/api/v1/x', headers: { 'x-service-key': read.key } }, limited.url)
      const third = await at(endpoints.me, read.key)
      assert.equal(third.status, 200)
      assert.equal(third.headers['ratelimit-remaining'], '0')
      await limited.db.session((client) => client.query(`update venue set plan = 'free'`))
      for (const row of rows) assert.equal((await at(row, read.key, row.body ? '{' : undefined)).status, 429)
      await limited.stop()
    })
  })

  describe('what never becomes a request of the contract', () => {
    const refusedBytes = {
      'a start line that is no HTTP': 'NONSENSE\r\n\r\n',
      'an unknown method': 'BREW /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n',
      'another protocol': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'HTTP/2 without asking': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'no Host': 'GET /api/v1/me HTTP/1.1\r\nConnection: close\r\n\r\n',
      'two Hosts': 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n',
      'the same Host twice': 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n',
      'two Hosts at an unknown address':
        'GET /api/v1/x HTTP/1.0\r\nHost: x\r\nHOST: y\r\nConnection: close\r\n\r\n',
      'two Content-Lengths':
        'POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      'a Content-Length that is no number':
        'POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: two\r\n\r\n{}',
      'a negative Content-Length': 'POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}',
      'a length and chunks':
        'POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'a header without a name': 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n',
      'a header with a line break in it': 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nA: b\rC: d\r\n\r\n',
      'a header that is too large': `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
      'an address that is too long': `GET /api/v1/me?x=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      'an address with a broken escape': 'GET /api/v1/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'an address with an escape that is no UTF-8':
        'GET /api/v1/%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    }
    for (const [what, bytes] of Object.entries(refusedBytes)) {
      it(`${what} is 400 in the shape of every refusal`, async () => {
        const answer = await sendBytes(service.url, bytes)
        assertAnswer(answer, `${what}: ${answer.status} ${answer.text}`)
        assert.equal(answer.status, 400)
      })
    }

    it('CONNECT, an unknown expectation and an upgrade are answered like every other request', async () => {
      const connect = await sendBytes(
        service.url,
        'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
      )
      assertAnswer(connect, 'CONNECT')
      assert.equal(connect.status, 404)
      for (const header of ['Expect: a-miracle', 'Upgrade: websocket', 'Upgrade: h2c']) {
        const answer = await sendBytes(
          service.url,
          `GET /api/v1/me HTTP/1.1\r\nHost: x\r\n${header}\r\nConnection: close${header.startsWith('U') ? ', upgrade' : ''}\r\nX-Service-Key: ${venue.key}\r\n\r\n`,
        )
        assertAnswer(answer, header)
        assert.equal(answer.status, 200, header)
      }
      const asterisk = await sendBytes(
        service.url,
        'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      )
      assertAnswer(asterisk, 'OPTIONS *')
      assert.equal(asterisk.status, 404)
    })

    it('a body that breaks off or breaks its chunks is refused or cut, and the service goes on', async () => {
      const head = `POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nX-Service-Key: ${venue.key}\r\n`
      const broken = await sendBytes(service.url, `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}`)
      assertAnswer(broken, `broken chunk ${broken.status} ${broken.text}`)
      assert.equal(broken.status, 400)
      assert.equal((await askRow(endpoints.me, venue.key)).status, 200)
    })

    it('a %-escape that cannot be read in a query is taken literally, never a 500', async () => {
      for (const query of ['?limit=%zz', '?since=%ff', '?limit=%', '?email=%00']) {
        const answer = await askRow(endpoints.listGuests, venue.key, { path: `/api/v1/guests${query}` })
        assert.ok([200, 400].includes(answer.status), query)
      }
      for (const query of ['?email=%zz', '?email=%00', '?phone=%ff5550100', '?email=%ED%A0%80']) {
        const answer = await askRow(endpoints.findGuest, venue.key, { path: `/api/v1/guests/find${query}` })
        assert.ok([200, 400].includes(answer.status), `${query} ${answer.text}`)
        const found = await askRow(endpoints.findReservations, venue.key, {
          path: `/api/v1/reservations/find${query}`,
        })
        assert.ok([200, 400].includes(found.status), `${query} ${found.text}`)
      }
    })
  })
})
