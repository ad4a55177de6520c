import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { kinds } from '@venue-data/contract/kinds.ts'
import { type Scope, allScopes } from '@venue-data/contract/scopes.ts'
import { rowsOf } from '../../test/rows.ts'
import { sampleQuery } from '../../test/every-door/samples.ts'
import { type Answer, type TestService, type TestVenue, startService } from '../../test/service.ts'
import { scopesOfBefore, scopesOfWords } from './scopes.ts'

const rows: readonly Endpoint[] = Object.values(endpoints)

describe('what a key may do', () => {
  let service: TestService
  let venue: TestVenue
  before(async () => {
    service = await startService()
    venue = await service.venue()
  })
  after(() => service.stop())

  /** A call without a useful body: a key without permission is refused before the body is read. */
  const ask = (row: Endpoint, key: string): Promise<Answer> =>
    service.call(row.method, row.path.replaceAll(/\{\w+\}/g, '1') + sampleQuery(row), {
      key,
      ...(row.method !== 'GET' && { body: {} }),
    })
  const keyWith = async (scopes: readonly Scope[]) => (await venue.makeKey('read', 'api', { scopes })).key
  const keyOfBefore = async (scope: 'read' | 'read_write', kind: 'api' | 'automation' = 'api') => {
    const made = await venue.makeKey(scope, kind)
    await rowsOf(service, 'update api_key set scopes = null where id = $1', [made.id])
    return made
  }
  /** A refusal of v1 has no reason of ours. */
  const isRefused = ({ status, body }: Answer): boolean => status === 403 && body.reason === 'scope-missing'

  it('a key from before scopes may do what it could, and nothing added since until it is given more', async () => {
    for (const scope of ['read', 'read_write'] as const) {
      const { key } = await keyOfBefore(scope)
      const reach = scopesOfBefore({ kind: 'api', scope })
      for (const row of rows) {
        const answer = await ask(row, key)
        const about = `${scope} ${row.id} ${answer.text}`
        const isWrite = row.access !== 'any-key'
        if (scope === 'read' && isWrite)
          assert.deepEqual([answer.status, answer.body.reason], [403, undefined], about)
        else if (row.id === 'rotateKey') assert.equal(answer.body.reason, 'rotation-off')
        else assert.equal(isRefused(answer), row.scope !== undefined && !reach.includes(row.scope), about)
      }
    }
  })

  it('a read and write key created since may call everything but what an owner allows by name', async () => {
    const { key } = await venue.makeKey('read_write')
    const meant = scopesOfWords({ kind: 'api', scope: 'read_write' })
    const isByName = ({ scope }: Endpoint) => scope !== undefined && !meant.includes(scope)
    assert.ok(rows.some(isByName))
    for (const row of rows) assert.equal(isRefused(await ask(row, key)), isByName(row), row.id)
    const automation = (await venue.makeKey('read_write', 'automation')).key
    for (const row of rows.filter(
      ({ access, scope }) => access !== 'own-software' && scope !== 'campaigns:read',
    ))
      assert.equal(isRefused(await ask(row, automation)), isByName(row), row.id)
  })

  /** Which scope they need is up to the kinds asked for, or to the owner. */
  const judgedByKind = new Set(['rotateKey', 'listChanges', 'digestChanges', 'search'])

  it('each scope alone allows exactly the endpoints that name it', async () => {
    for (const scope of allScopes.filter((one) => one !== 'contacts:hidden')) {
      const key = await keyWith([scope])
      const writes = /:(?:create|edit|manage)$/.test(scope)
      for (const row of rows.filter(({ id }) => !judgedByKind.has(id))) {
        const answer = await ask(row, key)
        const about = `${scope} ${row.id} ${answer.text}`
        if (row.access !== 'any-key' && !writes) assert.match(answer.body.error, /read-only/, about)
        else assert.equal(isRefused(answer), row.scope !== undefined && row.scope !== scope, about)
        if (row.scope === scope && row.list) assert.equal(answer.status, 200, about)
      }
      const changes = await service.call('GET', '/api/v1/changes', { key })
      const readsRecords = scope.endsWith(':read') && scope !== 'reports:read'
      assert.equal(changes.status, readsRecords ? 200 : 403, scope)
      for (const [kind, { scope: word }] of Object.entries(kinds)) {
        const digest = await service.call('GET', `/api/v1/changes/digest?kind=${kind}&after=x`, { key })
        assert.equal(digest.status, scope === `${word}:read` ? 400 : 403, `${scope} ${kind}`)
      }
      const found = await service.call('GET', '/api/v1/search?q=maya', { key })
      const isSearched = scope === 'guests:read' || scope === 'reservations:read'
      assert.equal(found.status, isSearched ? 200 : 403, scope)
    }
  })

  it('/me says what a key may do, and sums its scopes up in one of the two old words', async () => {
    const about = async (scopes: readonly Scope[]) =>
      (await service.call('GET', '/api/v1/me', { key: await keyWith(scopes) })).body.key
    assert.deepEqual(await about(['guests:read', 'contacts:hidden']), {
      ...{ kind: 'api', scope: 'read', name: 'test' },
      scopes: ['guests:read', 'contacts:hidden'],
      createdAt: '2026-10-06T19:00:00.000Z',
      ...{ lastUsedAt: null, expiresAt: null, allowedAddresses: 0, mayRotate: false },
    })
    assert.equal((await about(['tasks:edit'])).scope, 'read_write')
    assert.equal((await about(['webhooks:manage'])).scope, 'read_write')
    assert.equal((await about(['erasures:confirm'])).scope, 'read')
  })

  it('an endpoint gets no events about what its key may not read', async () => {
    const key = await keyWith(['webhooks:manage', 'leads:read'])
    const add = (events: readonly string[]) =>
      service.call('POST', '/api/v1/webhooks', { key, body: { url: 'https://hooks.example.com/a', events } })
    const refused = await add(['lead.created', 'guest.created'])
    assert.deepEqual(
      [refused.status, refused.body.error],
      [403, 'This key may not read guests; its owner can allow it.'],
    )
    assert.equal((await add(['lead.created'])).status, 201)
  })
})
