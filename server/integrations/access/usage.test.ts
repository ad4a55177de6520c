import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, aTuesdayAfternoon, startService } from '../../test/service.ts'
import { forgetOldUsage } from './usage-reads.ts'

describe('key usage', () => {
  let service: TestService
  before(async () => {
    service = await startService({ RATE_LIMIT_PER_MINUTE: '20' })
  })
  after(() => service.stop())

  const usage = async (key: string, query = '') => {
    await service.context.usage.flush()
    return service.call('GET', `/api/v1/usage${query}`, { key })
  }
  const atDay = (days: number) =>
    service.setClock(
      Temporal.Instant.from(aTuesdayAfternoon)
        .add({ hours: 24 * days })
        .toString(),
    )

  it('adds up by day, status and endpoint; 429s are counted', async () => {
    const venue = await service.venue()
    const { key, id } = await venue.makeKey('read')
    const ask = (path: string, method = 'GET') => service.call(method, `/api/v1/${path}`, { key })
    for (let i = 0; i < 15; i++) await ask('me')
    await ask('guests/find?email=maya@example.com')
    await ask('guests?limit=0')
    await ask('guests', 'POST')
    for (let i = 0; i < 5; i++) await ask('leads')
    await service.context.usage.flush()
    atDay(1)
    const { status, body } = await usage(key)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      key: { id, name: 'test' },
      days: [
        {
          date: '2026-10-06',
          requests: 23,
          byStatus: { '2xx': 18, '3xx': 0, '4xx': 2, '429': 3, '5xx': 0 },
          byEndpoint: {
            'GET /api/v1/me': 15,
            'GET /api/v1/leads': 5,
            'GET /api/v1/guests': 1,
            'GET /api/v1/guests/find': 1,
            'POST /api/v1/guests': 1,
          },
          deliveries: { delivered: 0, failed: 0 },
          waitedPolls: 0,
        },
      ],
      rate: { limit: 20, peakPerMinute: 23 },
    })
    const later = await usage(key)
    assert.deepEqual(
      later.body.days.map(({ date, requests }: { date: string; requests: number }) => [date, requests]),
      [
        ['2026-10-07', 1],
        ['2026-10-06', 23],
      ],
    )
    const other = await usage((await venue.makeKey('read')).key)
    assert.deepEqual(other.body.days, [], 'a key sees its own')
    atDay(0)
  })

  it('can be read for 1 to 90 days, and is deleted after that', async () => {
    const { key } = await service.venue()
    await usage(key)
    await usage(key)
    await service.context.usage.flush()
    atDay(30)
    assert.deepEqual(
      [(await usage(key)).body.days.length, (await usage(key, '?days=31')).body.days.length],
      [0, 2],
    )
    for (const days of ['0', '91', 'x', '', '1&days=2'])
      assert.equal((await usage(key, `?days=${days}`)).status, 400, days)
    atDay(91)
    await forgetOldUsage(service.context)
    const [row] = await rowsOf<{ oldest: string }>(
      service,
      'select min(day)::text as oldest from key_usage_day',
    )
    assert.equal(row?.oldest, '2026-10-07')
    atDay(0)
  })

  it('is kept in memory while it cannot be written, and contains no address', async () => {
    const { key } = await service.venue()
    await service.call('GET', '/api/v1/guests/find?email=secret@example.com', { key })
    await rowsOf(service, 'alter table key_usage_day rename to mislaid')
    await service.context.usage.flush()
    await rowsOf(service, 'alter table mislaid rename to key_usage_day')
    assert.equal((await usage(key)).body.days[0].requests, 1)
    const rows = await rowsOf<{ endpoint: string }>(service, 'select endpoint from key_usage_day')
    assert.ok(rows.every(({ endpoint }) => !/secret|\?/.test(endpoint)))
  })
})
