import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openKeys } from '../src/keys.ts'

const account = {
  venue: { slug: 'blue-door', name: 'The Blue Door', timezone: 'America/New_York' },
  key: { scopes: ['tasks:read'] },
}
const good = `service_sk_${'k'.repeat(40)}`
const madeUp = (at: number): string => `service_sk_${String(at).padStart(40, '0')}`

describe('what is kept of keys', () => {
  it('keys that are made up take nobody’s place', async () => {
    const keys = openKeys({
      baseUrl: 'http://127.0.0.1:1',
      retries: 0,
      fetch: async (_url, init) =>
        new Headers(init?.headers).get('x-service-key') === good
          ? Response.json(account)
          : Response.json({ error: 'No such key.', reason: 'unknown-key' }, { status: 401 }),
    })
    const session = await keys.sessionOf(good)
    for (let at = 0; at < 1100; at++) await assert.rejects(keys.sessionOf(madeUp(at)), { status: 401 })
    assert.equal(await keys.sessionOf(good), session)
  })

  it('no more than a hundred keys are asked about at once, and those that are known do not wait', async () => {
    const { promise: hanging, resolve } = Promise.withResolvers<Response>()
    let isKnown = false
    const keys = openKeys({
      baseUrl: 'http://127.0.0.1:1',
      retries: 0,
      fetch: async () => (isKnown ? (await hanging).clone() : Response.json(account)),
    })
    const session = await keys.sessionOf(good)
    isKnown = true
    const asking = Array.from({ length: 100 }, (_, at) => keys.sessionOf(madeUp(at)))
    await assert.rejects(keys.sessionOf(madeUp(100)), /Too many keys are new at once/)
    assert.equal(await keys.sessionOf(good), session)
    resolve(Response.json(account))
    await Promise.all(asking)
    assert.equal((await keys.sessionOf(madeUp(100))).account.venue.slug, 'blue-door')
  })
})
