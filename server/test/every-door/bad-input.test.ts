import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import * as fc from 'fast-check'
import { bad, goodAt, notDate, notEmail, notMoment, notTime, paths, withField } from './bad-fields.ts'
import { sampleBodyAt } from './samples.ts'
import { everyEvening, setRules } from '../open-rules.ts'
import { countOf, rowsOf } from '../rows.ts'
import { type Answer, type TestService, type TestVenue, startService, withEveryScope } from '../service.ts'

/*
 * Everything that cannot be read is a 400 with a sentence that names the field; it is never a 500 and never
 * turned into something else. Nothing of a refused request stays.
 */

describe('bad input', () => {
  let service: TestService
  let venue: TestVenue
  const post = (path: string, body: unknown): Promise<Answer> =>
    service.call('POST', path, { key: venue.key, body })
  let tables: readonly string[]
  const left = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      await Promise.all(
        tables.map(async (table) => [table, await countOf(service, table, venue.id)] as const),
      ),
    )

  before(async () => {
    service = await startService()
    venue = await withEveryScope(await service.venue())
    await setRules(service, venue)
    const found = await rowsOf<{ name: string }>(
      service,
      `select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'venue_id'`,
    )
    tables = found.map(({ name }) => name)
  })
  after(() => service.stop())

  it('covers every endpoint that takes a body of fields', () => {
    const rows: readonly Endpoint[] = Object.values(endpoints)
    assert.deepEqual(
      rows
        .filter(({ idempotency, path }) => idempotency && !path.includes('{'))
        .map(({ path }) => path)
        .toSorted(),
      paths.toSorted(),
    )
    const cases = Object.values(bad).flatMap((rows) => rows.flatMap(([, values]) => values))
    assert.ok(cases.length > 400, String(cases.length))
  })

  for (const row of Object.values<Endpoint>(endpoints).filter(({ method }) => method === 'PATCH')) {
    it(`${row.path}: a field of another type is 400 and names it, whether or not there is such a record`, async () => {
      const { properties } = row.body as unknown as { properties: Record<string, object> }
      for (const field of Object.keys(properties)) {
        const headers = { 'if-match': '*' }
        const path = row.path.replace('{id}', '1')
        const answer = await service.call('PATCH', path, {
          key: venue.key,
          headers,
          body: { [field]: [{ x: 1 }] },
        })
        assert.equal(answer.status, 400, `${field} ${answer.text}`)
        assert.match(answer.body.error, new RegExp(`^${field}`), answer.text)
      }
    })
  }

  for (const path of paths) {
    it(`${path}: each is 400, names the field, has no reason and leaves nothing`, async () => {
      const before = await left()
      for (const [field, values, said] of bad[path] ?? []) {
        for (const value of values) {
          const body = withField(goodAt(path), field, value)
          const about = `${field} ${JSON.stringify(value)?.slice(0, 60)}`
          const answer = await post(path, body)
          assert.equal(answer.status, 400, `${about} ${answer.text}`)
          assert.deepEqual(Object.keys(answer.body), ['error'], about)
          assert.match(answer.body.error, said ?? new RegExp(`^${field.replace('.', '\\.')} must be `), about)
        }
      }
      assert.deepEqual(await left(), before)
    })
  }

  it('neither date and time nor startsAt is 400: a time is never made up', async () => {
    const { guestName, partySize } = sampleBodyAt('/api/v1/reservations')
    for (const when of [{}, { date: null, time: '', startsAt: null }]) {
      const answer = await post('/api/v1/reservations', { guestName, partySize, ...when })
      assert.equal(answer.body.error, 'Send a date and a time, or startsAt.')
    }
  })

  it('a wall time that the clocks jump over is 400 and says so', async () => {
    const answer = await post('/api/v1/reservations', {
      ...sampleBodyAt('/api/v1/reservations'),
      date: '2027-03-14',
      time: '02:30',
    })
    assert.equal(answer.status, 400)
    assert.equal(
      answer.body.error,
      '02:30 does not exist on 14 March 2027 at the venue: the clocks go forward.',
    )
  })

  it('the first and last days there are, and the limits of integers, get an answer and never a 500', async () => {
    const ask = (more: object) =>
      post('/api/v1/reservations', { ...sampleBodyAt('/api/v1/reservations'), ...more })
    for (const date of ['0001-01-01', '0001-01-02', '1582-10-10', '1970-01-01', '2026-10-05']) {
      for (const time of ['00:00', '19:00', '23:59']) {
        const answer = await ask({ date, time })
        assert.ok([400, 409].includes(answer.status), `${date} ${time} ${answer.text}`)
        if (answer.status === 409) assert.equal(answer.body.reason, 'in-the-past')
      }
    }
    for (const date of ['9999-12-31', '9999-12-30', '9000-01-01']) {
      for (const time of ['00:00', '19:00', '23:59']) {
        const { status, text } = await ask({ date, time })
        assert.ok([201, 400, 409].includes(status), `${date} ${time} ${text}`)
      }
    }
    for (const startsAt of [
      '0001-01-01T00:00:00Z',
      '0001-01-02T00:00:00Z',
      '9999-12-31T23:59:59.999999999Z',
      '9999-12-31T23:59:00Z',
      '9999-12-31T00:00:00+14:00',
    ]) {
      const { status, text } = await ask({ date: undefined, time: undefined, startsAt })
      assert.ok([201, 400, 409].includes(status), `${startsAt} ${text}`)
    }
    await setRules(service, venue, {
      maxDaysAhead: 60,
      periods: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens: '17:00', closes: '02:00' })),
    })
    for (const date of ['2027-10-09', '9999-12-30', '9999-12-31']) {
      // Later that last evening it is already the year 10000 in UTC, and a 400.
      const answer = await ask({ date, time: '18:00' })
      assert.equal(answer.body.reason, 'too-far-ahead', `${date} ${answer.text}`)
    }
    await setRules(service, venue)
    for (const partySize of [limits.partyGuests, limits.partyGuests - 1]) {
      const { status, text } = await ask({ partySize, date: '2026-11-01' })
      assert.ok([201, 409].includes(status), text)
    }
    await setRules(service, venue, everyEvening({ pacing: { intervalMinutes: 15, maxCovers: 10 } }))
    assert.equal((await ask({ date: '2026-11-01' })).body.reason, 'pacing-covers-full')
    for (const due of ['0001-01-01', '9999-12-31']) {
      const answer = await post('/api/v1/tasks', { title: 'x', due })
      assert.equal(answer.body.task.due, due)
      const lead = await post('/api/v1/leads', { name: 'x', eventDate: due })
      assert.equal(lead.body.lead.date, due)
    }
    for (const at of ['0001-01-01T00:00:00Z', '2026-10-06T19:01:00Z', '2026-10-06T19:00:59.9999Z']) {
      const answer = await post('/api/v1/subscribers', {
        email: `a${at.slice(0, 4)}${at.length}@example.com`,
        consent: { source: 'x', at },
      })
      assert.equal(answer.status, 201, answer.text)
    }
  })

  it('null and "" for an optional field are no value, unknown fields are neither refused nor kept', async () => {
    const answer = await post('/api/v1/leads', {
      name: 'Maya',
      email: null,
      phone: '',
      eventName: '',
      occasion: null,
      eventDate: '',
      priority: '',
      notes: null,
      stage: 'Booked',
      id: 7,
      dietaryNeeds: 'none',
      __proto__: { priority: 'High' },
      constructor: 'x',
      toString: 'x',
    })
    assert.equal(answer.status, 201)
    const { lead } = answer.body
    assert.deepEqual(
      [
        lead.contactEmail,
        lead.contactPhone,
        lead.eventName,
        lead.occasion,
        lead.date,
        lead.priority,
        lead.stage,
        lead.dietaryNeeds,
      ],
      [null, null, 'TBD', null, null, 'Medium', 'Inquiry', null],
    )
    const hidden = await post(
      '/api/v1/leads',
      '{"name":"Maya","__proto__":{"priority":"High"},"priority":"low"}',
    )
    assert.equal(hidden.body.lead.priority, 'Low')
  })

  it('takes whole numbers written as 5.0 and 1e1', async () => {
    const body = (partySize: string) =>
      `{"guestName":"Maya","partySize":${partySize},"date":"2026-10-20","time":"19:00"}`
    await setRules(service, venue)
    for (const [written, meant] of [
      ['5.0', 5],
      ['1e1', 10],
      ['0.3E1', 3],
    ] as const) {
      const answer = await post('/api/v1/reservations', body(written))
      assert.equal(answer.body.reservation?.partySize, meant, answer.text)
    }
    for (const written of ['1e400', '-0', '5.5', '"5"', '05', '+5', '5.', '.5e1', '0x5']) {
      assert.equal((await post('/api/v1/reservations', body(written))).status, 400, written)
    }
  })

  it('any JSON sent to any POST gets a 2xx or a 4xx in the contract’s shape', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.constantFrom(
        ...notDate,
        ...notTime,
        ...notMoment,
        ...notEmail,
        '2026-10-09',
        '19:00',
        '7pm',
        'maya@example.com',
        '2125550147',
        '+1 212 555 0147 ext 9',
        '\ud800',
        '\u0000',
        '0'.repeat(50),
        '％',
        'High',
      ),
    )
    const value = fc.oneof(
      { weight: 4, arbitrary: text },
      fc.oneof(fc.integer(), fc.double(), fc.constantFrom(2, 2 ** 31, 2 ** 53, -1, 1e308)),
      fc.constantFrom(null, true, false, '', [], {}),
      fc.jsonValue({ maxDepth: 3 }),
    )
    const rows: readonly Endpoint[] = Object.values(endpoints)
    const fieldsOf = ({ body }: Endpoint): string[] =>
      Object.keys((body as { properties?: object }).properties ?? {})
    const request = fc
      .constantFrom(...rows.filter(({ method, body }) => method === 'POST' && body))
      .chain((row) =>
        fc.record({
          path: fc.constant(row.path),
          base: fc.constantFrom({}, sampleBodyAt(row.path)),
          body: fc.oneof(
            {
              weight: 8,
              arbitrary: fc.dictionary(fc.constantFrom(...fieldsOf(row)), value, { maxKeys: 12 }),
            },
            { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
          ),
          consent: fc.record(
            { source: value, statement: value, at: value, pageUrl: value },
            { requiredKeys: [] },
          ),
        }),
      )
    await fc.assert(
      fc.asyncProperty(request, async ({ path, base, body, consent }) => {
        const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
        const sent = isObject ? { ...base, ...(path.endsWith('subscribers') && { consent }), ...body } : body
        const answer = await post(path, JSON.stringify(sent))
        assert.ok(
          answer.status >= 200 && answer.status < 500,
          `${path} ${JSON.stringify(sent)} ${answer.text}`,
        )
        if (answer.status >= 400) assert.equal(typeof answer.body.error, 'string')
      }),
      { numRuns: 1_500 },
    )
  })
})
