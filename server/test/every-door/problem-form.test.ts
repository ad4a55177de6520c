import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { edgeReasons, faults, problemTypes, reasons } from '@venue-data/contract/reasons.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { openApiDocument } from '../../platform/http/openapi/openapi.ts'
import { bad, goodAt, paths, withField } from './bad-fields.ts'
import { sampleBodyAt } from './samples.ts'
import { everyEvening, setRules } from '../open-rules.ts'
import { rowsOf } from '../rows.ts'
import { type TestService, type TestVenue, startService, withEveryScope } from '../service.ts'
import { type WireAnswer, type WireCall, send, sendBytes } from '../wire.ts'

/*
 * Refusals in the form of RFC 9457, for who names it in `Accept`, and in that of version 1 for everybody else.
 */

const asked = 'application/problem+json'

type Problem = {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  reason?: string
  error: string
  errors?: { pointer?: string; parameter?: string; header?: string; reason: string; detail: string }[]
  [more: string]: unknown
}

/** The most that a body at a path may have. */
const bytesOf = (path: string): number =>
  Object.values<Endpoint>(endpoints).find((row) => row.method === 'POST' && row.path === path)?.bodyLimit
    ?.bytes ?? limits.bodyBytes

/** The value a URL's JSON pointer leads to; undefined if it leads nowhere. */
const at = (body: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined,
      body,
    )

describe('refusals in the problem form', () => {
  let service: TestService
  let venue: TestVenue
  let readOnly: string
  let automation: string

  before(async () => {
    service = await startService()
    venue = await withEveryScope(await service.venue())
    readOnly = (await venue.makeKey('read')).key
    automation = (await venue.makeKey('read_write', 'automation')).key
    await setRules(service, venue, everyEvening({ maxDaysAhead: 60 }))
    const key = { 'x-service-key': venue.key, 'idempotency-key': 'taken' }
    const body = JSON.stringify({ title: 'Call Maya' })
    await send(service.url, { method: 'POST', path: '/api/v1/tasks', headers: key, body })
  })
  after(() => service.stop())

  const ask = (call: WireCall, accept?: string): Promise<WireAnswer> =>
    send(service.url, { ...call, headers: { ...call.headers, ...(accept !== undefined && { accept }) } })
  const problemOf = async (call: WireCall): Promise<Problem> => {
    const answer = await ask(call, asked)
    assert.equal(answer.headers['content-type'], asked, answer.text)
    return JSON.parse(answer.text) as Problem
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): WireCall => ({
    method: 'POST',
    path,
    headers: { 'x-service-key': venue.key, ...headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  })
  const get = (path: string, key: string | null = venue.key): WireCall => ({
    method: 'GET',
    path,
    headers: key === null ? {} : { 'x-service-key': key },
  })

  /** One refusal of each sort that a request can meet. */
  const refused = (): WireCall[] => [
    ...paths.flatMap((path) => [
      post(path, '{'),
      post(path, '[]'),
      post(path, ''),
      post(path, Buffer.from([0xff, 0xfe])),
      post(path, JSON.stringify({ ...sampleBodyAt(path), padding: 'x'.repeat(bytesOf(path)) })),
      post(path, {}),
      post(path, sampleBodyAt(path), { 'idempotency-key': 'with a blank' }),
      post(path, sampleBodyAt(path), { 'content-encoding': 'gzip' }),
    ]),
    ...['reservations', 'guests', 'subscribers', 'ticket-orders', 'waitlist', 'leads'].flatMap((list) => [
      get(`/api/v1/${list}?limit=0`),
      get(`/api/v1/${list}?since=yesterday`),
      get(`/api/v1/${list}?after=nonsense`),
    ]),
    get('/api/v1/guests?limit=1&limit=2'),
    get('/api/v1/guests/find'),
    get('/api/v1/changes?after=nonsense'),
    get('/api/v1/availability?date=2026-10-09'),
    get('/api/v1/me', null),
    get('/api/v1/me', 'nonsense'),
    get('/api/v1/campaigns', readOnly),
    { ...post('/api/v1/tasks', { title: 'x' }), headers: { 'x-service-key': readOnly } },
    { ...post('/api/v1/campaigns', { name: 'x' }), headers: { 'x-service-key': automation } },
    { ...post('/api/v1/webhooks', {}), headers: { 'x-service-key': automation } },
    post('/api/v1/webhooks', JSON.stringify({ url: 'x'.repeat(20_000) })),
    get('/api/v1/nothing'),
    get('/api/v1/guests/1'),
    { ...get('/api/v1/guests'), method: 'PUT' },
    post('/api/v1/reservations', { ...sampleBodyAt('/api/v1/reservations'), date: '2027-06-01' }),
    post('/api/v1/tasks', { title: 'Call Ben' }, { 'idempotency-key': 'taken' }),
  ]

  it('a caller that does not ask for it gets the bytes of version 1', async () => {
    const calls = refused()
    assert.ok(calls.length >= 60, String(calls.length))
    for (const call of calls) {
      const plain = await ask(call)
      assert.ok(plain.status >= 400, plain.text)
      assert.equal(plain.headers['content-type'], 'application/json; charset=utf-8')
      assert.deepEqual(
        Object.keys(JSON.parse(plain.text) as object).filter((name) => name !== 'error' && name !== 'reason'),
        [],
      )
      for (const accept of ['*/*', 'application/json', 'application/*', 'text/html, application/*+json']) {
        const same = await ask(call, accept)
        assert.deepEqual([same.status, same.text], [plain.status, plain.text])
        assert.deepEqual(Object.keys(same.headers), Object.keys(plain.headers))
      }
    }
  })

  it('a caller that does gets the media type, the status, the sentence and where to read about it', async () => {
    for (const call of refused()) {
      const plain = await ask(call)
      const { error, reason } = JSON.parse(plain.text) as { error: string; reason?: string }
      const answer = await ask(call, asked)
      const problem = JSON.parse(answer.text) as Problem
      assert.equal(answer.headers['content-type'], asked)
      assert.equal(answer.status, plain.status)
      assert.equal(problem.status, plain.status)
      assert.equal(problem.error, error)
      assert.equal(problem.detail, error)
      assert.equal(problem.instance, `urn:request:${String(answer.headers['x-request-id'])}`)
      assert.ok(problem.reason !== undefined, plain.text)
      // H7: what has a reason in version 1 keeps it.
      if (reason !== undefined) assert.equal(problem.reason, reason)
      assert.equal(problem.errors?.[0]?.detail ?? problem.detail, problem.detail)
    }
  })

  it('every 400 has a reason of the list, and what is wrong a place in the request', async () => {
    for (const path of paths) {
      for (const [field, values] of bad[path] ?? []) {
        for (const value of values) {
          const body = withField(goodAt(path), field, value)
          const problem = await problemOf(post(path, body))
          const about = `${path} ${field} ${JSON.stringify(value)?.slice(0, 60)} ${JSON.stringify(problem)}`
          const reason = edgeReasons[problem.reason as keyof typeof edgeReasons]
          assert.equal(reason?.status, 400, about)
          assert.equal(problem.title, problemTypes[reason.type], about)
          assert.equal(problem.errors?.length, 1, about)
          for (const { pointer = '', reason: fault, detail } of problem.errors ?? []) {
            assert.ok(Object.hasOwn(faults, fault), about)
            assert.match(detail, /\.$/, about)
            const isThere = at(JSON.parse(JSON.stringify(body)), pointer) !== undefined
            assert.ok(isThere || (fault === 'missing' && pointer.startsWith('#/')), about)
          }
        }
      }
    }
  })

  it('and so has what is judged only once the shape is right', async () => {
    const mail = { name: 'x', subject: 'x' }
    for (const [call, pointer, fault] of [
      [post('/api/v1/campaigns', { ...mail, segment: 5 }), '#/segment', 'not-an-object'],
      [post('/api/v1/campaigns', { ...mail, segment: {} }), '#/segment/type', 'missing'],
      [
        post('/api/v1/campaigns', {
          ...mail,
          segment: { type: 'and', of: [{ type: 'lapsed', notSinceDays: 0 }] },
        }),
        '#/segment/of/0/notSinceDays',
        'out-of-range',
      ],
      [post('/api/v1/campaigns', { ...mail, bodyFormat: 'pdf' }), '#/bodyFormat', 'not-a-word'],
      [post('/api/v1/campaigns', { ...mail, bodyHtml: '<b>'.repeat(50_000) }), '#/bodyHtml', 'out-of-range'],
      [
        post('/api/v1/campaigns/send', { id: 1, scheduledAt: '2026-01-01T00:00:00Z' }),
        '#/scheduledAt',
        'out-of-range',
      ],
      [post('/api/v1/webhooks', { url: 'http://x', events: ['lead.created'] }), '#/url', 'not-an-address'],
      [
        post('/api/v1/webhooks', { url: 'https://example.com', events: ['lead.created', 'x'] }),
        '#/events/1',
        'not-a-word',
      ],
      [
        post('/api/v1/hooks', { event: 'x', targetUrl: 'https://hooks.zapier.com/1' }),
        '#/event',
        'not-a-word',
      ],
    ] as const) {
      const problem = await problemOf(call)
      assert.deepEqual(
        problem.errors?.map(({ pointer: at, reason }) => [at, reason]),
        [[pointer, fault]],
      )
    }
  })

  it('all wrong fields at once, in the order of the schema, today’s sentence first', async () => {
    const three = { guestName: 5, partySize: 0, date: 'tomorrow', time: '19:00' }
    const problem = await problemOf(post('/api/v1/reservations', three))
    assert.deepEqual(problem.errors, [
      { pointer: '#/guestName', reason: 'not-text', detail: 'guestName must be text.' },
      {
        pointer: '#/partySize',
        reason: 'out-of-range',
        detail: 'partySize must be a whole number from 1 to 10000.',
      },
      {
        pointer: '#/date',
        reason: 'not-a-date',
        detail: 'The date must be a real day written YYYY-MM-DD, such as 2026-10-05.',
      },
    ])
    assert.equal(problem.reason, 'field-invalid')
    assert.equal(problem.type, '/docs/errors#fields')
    const endpoint = {
      url: 'http://192.0.2.7/',
      events: ['nope'],
      signatures: ['standard'],
    }
    const webhook = await problemOf(post('/api/v1/webhooks', endpoint))
    assert.deepEqual(
      webhook.errors?.map(({ pointer }) => pointer),
      ['#/url', '#/events/0', '#/signatures'],
    )
    assert.equal(webhook.detail, webhook.errors?.[0]?.detail)
    const nothing = await problemOf({ ...post('/api/v1/tasks/1', {}, { 'if-match': '*' }), method: 'PATCH' })
    assert.deepEqual(
      [nothing.reason, nothing.errors],
      ['field-missing', [{ pointer: '#', reason: 'missing', detail: nothing.detail }]],
    )
    const inside = await problemOf(
      post('/api/v1/subscribers', { tag: 5, consent: { at: 'now', source: ' ' }, email: 'x', firstName: [] }),
    )
    assert.deepEqual(
      inside.errors?.map(({ pointer, reason }) => [pointer, reason]),
      [
        ['#/email', 'not-an-email'],
        ['#/firstName', 'not-text'],
        ['#/tag', 'not-text'],
        ['#/consent/source', 'blank'],
        ['#/consent/at', 'not-a-moment'],
      ],
    )
    const words = await problemOf(post('/api/v1/leads', { name: 'x'.repeat(300), priority: 'Urgent' }))
    assert.deepEqual(
      words.errors?.map(({ pointer, reason }) => [pointer, reason]),
      [
        ['#/name', 'too-long'],
        ['#/priority', 'not-a-word'],
      ],
    )
    assert.equal(words.reason, 'field-too-long')
    const missing = await problemOf(post('/api/v1/reservations', { guestName: 5 }))
    // In the plain form what is missing has always come first.
    assert.deepEqual(
      missing.errors?.map(({ pointer }) => pointer),
      ['#/partySize', '#/guestName'],
    )
    assert.equal(missing.detail, 'partySize is required.')
  })

  it('names twenty fields at most', async () => {
    const events = Array.from({ length: 60 }, () => 5)
    const problem = await problemOf(post('/api/v1/webhooks', { url: 'https://example.com', events }))
    assert.equal(problem.errors?.length, limits.wrongFieldsMost)
    assert.equal(problem.errors?.[19]?.pointer, '#/events/19')
  })

  it('of a query, the parameters; all of them', async () => {
    const one = await problemOf(get('/api/v1/guests?limit=0'))
    assert.deepEqual(one.errors, [{ parameter: 'limit', reason: 'out-of-range', detail: one.detail }])
    assert.equal(one.reason, 'query-invalid')
    const many = await problemOf(
      get('/api/v1/reservations?limit=x&since=1&sort=size&status=Foo&phone=12&after=x&other=1'),
    )
    assert.deepEqual(
      many.errors?.map(({ parameter, reason }) => [parameter, reason]),
      [
        ['limit', 'not-an-integer'],
        ['since', 'not-a-moment'],
        ['sort', 'not-a-word'],
        ['status', 'not-a-word'],
        ['phone', 'out-of-range'],
        ['after', 'not-a-word'],
      ],
    )
    const twice = await problemOf(get('/api/v1/guests?limit=1&limit=2'))
    assert.equal(twice.reason, 'query-repeated')
    assert.equal((await problemOf(get('/api/v1/guests?after=x'))).reason, 'cursor-invalid')
    const nobody = await problemOf(get('/api/v1/guests/find'))
    assert.deepEqual([nobody.reason, nobody.errors?.[0]?.parameter], ['no-contact', 'email'])
    const gap = await problemOf(get('/api/v1/availability/check?date=2027-03-14&time=02:30&partySize=2'))
    assert.deepEqual([gap.reason, gap.errors?.[0]?.parameter], ['clock-gap', 'time'])
  })

  it('of an Idempotency-Key, the header', async () => {
    for (const [key, fault] of [
      ['', 'blank'],
      ['with a blank', 'not-text'],
      ['x'.repeat(201), 'too-long'],
    ] as const) {
      const problem = await problemOf(
        post('/api/v1/tasks', sampleBodyAt('/api/v1/tasks'), { 'idempotency-key': key }),
      )
      assert.equal(problem.reason, 'idempotency-key-invalid')
      assert.deepEqual(problem.errors, [{ header: 'Idempotency-Key', reason: fault, detail: problem.detail }])
    }
  })

  it('of a body as a whole, which of its faults it is', async () => {
    const tasks = '/api/v1/tasks'
    const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`
    for (const [call, reason] of [
      [post(tasks, ''), 'body-missing'],
      [post(tasks, '{'), 'body-not-json'],
      [post(tasks, '[]'), 'body-not-object'],
      [post(tasks, deep), 'body-too-deep'],
      [post(tasks, Buffer.from([0xff])), 'body-encoding'],
      [post(tasks, '{}', { 'content-encoding': 'gzip' }), 'body-encoding'],
      [post(tasks, 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }), 'body-encoding'],
      [post(tasks, `{"x":"${'x'.repeat(70_000)}"}`), 'body-too-large'],
      [post('/api/v1/webhooks', `{"x":"${'x'.repeat(20_000)}"}`), 'body-too-large'],
    ] as const) {
      assert.equal((await problemOf(call)).reason, reason)
    }
    const nul = await problemOf(post(tasks, '{"a/b":{"~":["\\u0000"]}}'))
    assert.deepEqual(nul.errors?.[0], {
      pointer: '#/a~1b/~0/0',
      reason: 'not-text',
      detail: nul.detail,
    })
    const broken = await problemOf({ method: 'GET', path: '/api/v1/%zz', headers: {} })
    assert.equal(broken.reason, 'request-unreadable')
  })

  it('a 409 keeps its reason, and a refusal its details', async () => {
    const late = { ...sampleBodyAt('/api/v1/reservations'), date: '2027-06-01' }
    const problem = await problemOf(post('/api/v1/reservations?alternatives=1', late))
    assert.equal(problem.reason, 'too-far-ahead')
    assert.equal(problem.type, '/docs/errors#reason-too-far-ahead')
    assert.equal(problem.title, 'Conflict')
    assert.ok(Array.isArray(problem['alternatives']))
  })

  it('repeats nothing of what was sent', async () => {
    const mark = 'zqxv81'
    const values = [mark, `${mark}@`, [mark], { [`k${mark}`]: mark }, mark.repeat(1_000)]
    for (const path of paths) {
      for (const [field] of bad[path] ?? []) {
        for (const value of values) {
          const { text, status } = await ask(post(path, withField(goodAt(path), field, value)), asked)
          if (status === 400) assert.ok(!text.includes(mark), `${path} ${field} ${text}`)
        }
      }
    }
    for (const word of [
      'limit',
      'since',
      'until',
      'sort',
      'status',
      'guest',
      'email',
      'phone',
      'after',
      'count',
    ]) {
      const { text, status } = await ask(get(`/api/v1/reservations?${word}=${mark}%00`), asked)
      assert.equal(status, 400, word)
      assert.ok(!text.includes(mark), text)
    }
  })

  it('keeps the headers of 401, 404, 405, 429 and 503', async () => {
    const counted = await startService({ RATE_LIMIT_PER_MINUTE: '1' })
    try {
      const house = await counted.venue()
      const me = { method: 'GET', path: '/api/v1/me', headers: { 'x-service-key': house.key, accept: asked } }
      await send(counted.url, me)
      const over = await send(counted.url, me)
      assert.equal(over.status, 429)
      assert.match(String(over.headers['retry-after']), /^\d+$/)
      assert.equal(over.headers['ratelimit-remaining'], '0')
      assert.equal((JSON.parse(over.text) as Problem).reason, 'rate-limited')
    } finally {
      await counted.stop()
    }
    await rowsOf(service, 'update change_head set filled_at = null where venue_id = $1', [venue.id])
    const waiting = await ask(get('/api/v1/changes'), asked)
    assert.equal(waiting.status, 503)
    assert.equal(waiting.headers['content-type'], asked)
    assert.match(String(waiting.headers['retry-after']), /^\d+$/)
    assert.equal((JSON.parse(waiting.text) as Problem).type, 'about:blank')
    await rowsOf(service, 'update change_head set filled_at = now() where venue_id = $1', [venue.id])
    const method = await ask({ ...get('/api/v1/guests'), method: 'PUT' }, asked)
    assert.equal(method.headers.allow, 'GET, POST')
    assert.equal((JSON.parse(method.text) as Problem).reason, 'method-not-allowed')
    for (const [call, reason] of [
      [get('/api/v1/me', null), 'unknown-key'],
      [get('/api/v1/nothing'), 'no-such-address'],
      [get('/api/v1/guests/9999999'), 'no-such-record'],
    ] as const) {
      const answer = await ask(call, asked)
      assert.equal((JSON.parse(answer.text) as Problem).reason, reason)
      assert.equal(answer.headers['cache-control'], 'no-store')
    }
  })

  it('reads Accept: by name, in any letter case, and not at weight 0', async () => {
    const call = get('/api/v1/guests?limit=0')
    for (const [accept, expected] of [
      ['application/problem+json', asked],
      ['Application/Problem+JSON', asked],
      ['application/json, application/problem+json', asked],
      ['application/json;q=1, application/problem+json;q=0.1', asked],
      ['application/problem+json;charset=utf-8', asked],
      ['application/problem+json;q=0', 'application/json; charset=utf-8'],
      ['application/problem+json; q=0.000', 'application/json; charset=utf-8'],
      ['application/problem+json ;Q=0', 'application/json; charset=utf-8'],
      ['application/problem+json5', 'application/json; charset=utf-8'],
      ['application/problem', 'application/json; charset=utf-8'],
      ['', 'application/json; charset=utf-8'],
    ] as const) {
      assert.equal((await ask(call, accept)).headers['content-type'], expected, accept)
    }
    // What never became a request has no Accept.
    const { headers } = await sendBytes(service.url, `GET / HTTP/1.1\r\nbroken\r\naccept: ${asked}\r\n\r\n`)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  })

  it('and the types lead to the documentation, which says what to do with an unknown reason', async () => {
    const { status, text } = await ask({ method: 'GET', path: '/docs/errors' })
    assert.equal(status, 200)
    for (const anchor of [
      ...Object.keys(problemTypes),
      ...Object.keys(reasons).map((reason) => `reason-${reason}`),
    ]) {
      assert.equal(text.split(`id="${anchor}"`).length, 2, anchor)
    }
    assert.match(text, /treat an unknown reason like its status/)
    for (const reason of Object.keys(edgeReasons)) assert.ok(text.includes(reason), reason)
  })

  it('the OpenAPI document has both media types for every refusal', () => {
    const { paths: items, components } = openApiDocument() as {
      paths: Record<
        string,
        Record<string, { responses: Record<string, { $ref?: string; content?: object }> }>
      >
      components: { responses: Record<string, { content?: object }>; schemas: Record<string, object> }
    }
    for (const item of Object.values(items)) {
      for (const { responses } of Object.values(item)) {
        for (const [status, response] of Object.entries(responses)) {
          if (Number(status) < 400) continue
          const shared = components.responses[response.$ref?.split('/').at(-1) ?? '']
          const { content } = shared ?? response
          assert.deepEqual(Object.keys(content ?? {}), ['application/json', asked])
        }
      }
    }
    assert.ok(components.schemas['Problem'])
  })
})
