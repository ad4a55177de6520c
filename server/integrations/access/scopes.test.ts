import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { allScopes, scopes } from '@venue-data/contract/scopes.ts'
import { openGate } from '../../platform/db/gate.ts'
import { serve } from '../../platform/http/serve.ts'
import { httpServer } from '../../platform/http/server.ts'
import { type TestService, callService, startService } from '../../test/service.ts'
import { keyCheck } from './key-check.ts'
import { accountRoutes } from './routes.ts'
import { scopesOfBefore, scopesOfWords } from './scopes.ts'

const sixKinds = ['reservations', 'guests', 'subscribers', 'ticket-orders', 'waitlist', 'leads'].map(
  (kind) => `${kind}:read`,
)

describe('scopes', () => {
  it('are each what an endpoint needs, but for the one that hides, and say what they allow', () => {
    const needed = new Set(Object.values<Endpoint>(endpoints).map(({ scope }) => scope))
    assert.deepEqual(
      allScopes.filter((scope) => !needed.has(scope)),
      ['contacts:hidden'],
    )
    assert.equal(scopes['ticket-orders:read'], 'read ticket orders')
    assert.equal(scopes['tasks:edit'], 'change tasks')
  })

  it('a key from before scopes can do exactly what version 1 allowed', () => {
    assert.deepEqual(scopesOfBefore({ kind: 'api', scope: 'read' }), sixKinds)
    assert.deepEqual(scopesOfBefore({ kind: 'automation', scope: 'read' }), sixKinds)
    const writes = ['reservations', 'guests', 'subscribers', 'leads', 'tasks'].map((kind) => `${kind}:create`)
    assert.deepEqual(scopesOfBefore({ kind: 'automation', scope: 'read_write' }), [...sixKinds, ...writes])
    assert.deepEqual(scopesOfBefore({ kind: 'api', scope: 'read_write' }), [
      ...sixKinds,
      ...writes,
      'campaigns:manage',
      'webhooks:manage',
    ])
  })

  it('a key created since with an old scope may do everything that the scope meant from the beginning, which is no visits and no payments', () => {
    for (const kind of ['api', 'automation'] as const) {
      assert.deepEqual(scopesOfWords({ kind, scope: 'read' }), [...sixKinds, 'tasks:read', 'reports:read'])
    }
    const kinds = ['reservations', 'guests', 'subscribers', 'ticket-orders', 'waitlist', 'leads', 'tasks']
    const all = [
      ...kinds.flatMap((kind) => [`${kind}:read`, `${kind}:create`, `${kind}:edit`]),
      ...['campaigns:read', 'campaigns:manage', 'webhooks:manage', 'erasures:confirm', 'reports:read'],
    ]
    assert.deepEqual(scopesOfWords({ kind: 'api', scope: 'read_write' }), all)
    assert.deepEqual(
      scopesOfWords({ kind: 'automation', scope: 'read_write' }),
      all.filter((scope) => !scope.startsWith('campaigns:') && !scope.startsWith('webhooks:')),
    )
  })

  describe('of a caller', () => {
    let service: TestService
    let url: string
    let stop: () => Promise<void>

    /** An endpoint that needs a scope, next to the service on its database. */
    before(async () => {
      service = await startService()
      const { context } = service
      const app = httpServer(context.log)
      const parts = {
        context,
        checkKey: keyCheck(context),
        gate: openGate({ places: 1, waitMs: 60_000 }),
        detailsMs: 0,
      }
      const [me] = accountRoutes(context)
      assert.ok(me)
      serve(app, parts, { ...me, endpoint: { ...endpoints.me, scope: 'tasks:read' } })
      await app.listen({ host: '127.0.0.1', port: 0 })
      url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
      stop = async () => {
        await app.close()
        await service.stop()
      }
    })
    after(() => stop())

    it('decide who may call an endpoint that needs one', async () => {
      const { makeKey } = await service.venue()
      const { key, id } = await makeKey('read')
      assert.equal((await callService(url, 'GET', '/api/v1/me', { key })).status, 200)

      await service.db.session((client) =>
        client.query('update api_key set scopes = null where id = $1', [id]),
      )
      const refused = await callService(url, 'GET', '/api/v1/me', { key })
      assert.equal(refused.status, 403)
      assert.deepEqual(refused.body, {
        error: 'This key may not read tasks; its owner can allow it.',
        reason: 'scope-missing',
      })

      await service.db.session((client) =>
        client.query(`update api_key set scopes = '{tasks:read}' where id = $1`, [id]),
      )
      assert.equal((await callService(url, 'GET', '/api/v1/me', { key })).status, 200)
      assert.equal((await service.call('GET', '/api/v1/me', { key })).body.key.scope, 'read')
    })
  })
})
