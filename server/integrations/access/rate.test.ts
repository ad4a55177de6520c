import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestService, startService } from '../../test/service.ts'
import { buildApp } from '../../app.ts'
import type { AddressInfo } from 'node:net'
import { callService } from '../../test/service.ts'

describe("a key's rate limit", () => {
  let service: TestService
  before(async () => {
    service = await startService({ RATE_LIMIT_PER_MINUTE: '10', RATE_LIMIT_MOST_PER_MINUTE: '40' })
  })
  after(() => service.stop())

  it('RateLimit and RateLimit-Policy are structured fields and agree with the others', async () => {
    const { key } = await service.venue()
    for (let used = 1; used <= 12; used++) {
      const { headers, status } = await service.call('GET', '/api/v1/me', { key })
      const left = Math.max(0, 10 - used)
      assert.equal(status, used > 10 ? 429 : 200)
      assert.equal(headers.get('ratelimit-policy'), '"key";q=10;w=60')
      assert.equal(headers.get('ratelimit'), `"key";r=${left};t=60`)
      assert.deepEqual(
        ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`)),
        ['10', String(left), '60'],
      )
    }
  })

  it('a raised limit applies exactly across four processes, up to what the operator allows', async () => {
    const apps = [1, 2, 3, 4].map(() => buildApp(service.context))
    for (const app of apps) await app.listen({ host: '127.0.0.1', port: 0 })
    const urls = apps.map((app) => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
    const venue = await service.venue()
    for (const [chosen, limit] of [
      [25, 25],
      [1_000, 40],
    ] as const) {
      const { key } = await venue.makeKey('read', 'api', { ratePerMinute: chosen })
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          callService(urls[i % 4] as string, 'GET', '/api/v1/me', { key }),
        ),
      )
      assert.equal(answers.filter(({ status }) => status === 200).length, limit)
      assert.ok(answers.every(({ headers }) => headers.get('ratelimit-limit') === String(limit)))
    }
    for (const app of apps) await app.close()
  })

  it('an answer to an unknown key says nothing about a rate', async () => {
    const { status, headers } = await service.call('GET', '/api/v1/me', { key: 'nonsense' })
    assert.equal(status, 401)
    for (const name of headers.keys()) assert.doesNotMatch(name, /^ratelimit|^x-key/)
  })
})
