import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { followExpiry } from '../../integrations/access/follow-expiry.ts'
import { changeApp } from '../../integrations/apps/apps.ts'
import { removeAppEverywhere } from '../../integrations/apps/uninstall.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, startService } from '../../test/service.ts'
import { type App, allow, anApp, anOwner, askPath, exchange, fieldsIn, send } from './test/an-app.ts'

/* An app that is connected again, changed or removed while its earlier keys, pages and codes are still about. */
describe('an app that is connected once more', () => {
  let service: TestService
  before(async () => {
    service = await startService({ PRACTICE: 'on', PUBLIC_URL: 'https://venues.example.com' })
  })
  after(() => service.stop())

  const me = (key: string) => service.call('GET', '/api/v1/me', { key })
  const status = async (key: string) => (await me(key)).status
  const rotate = async (key: string, more: object = {}): Promise<string> => {
    const body = { overlapHours: 24, ...more }
    const made = await service.call('POST', '/api/v1/key/rotate', { key, body })
    assert.equal(made.status, 201)
    return made.body.key
  }
  const webhook = (key: string, path: string) =>
    service.call('POST', '/api/v1/webhooks', {
      key,
      body: { url: `http://127.0.0.1:9/${path}`, events: ['guest.created'] },
    })
  const scene = async (app?: App) => {
    const venue = await service.venue()
    const owner = await anOwner(service, venue)
    const used = app ?? (await anApp(service))
    const connect = async (form: Record<string, string> = {}, ask: Record<string, string> = {}) =>
      (await exchange(service, used, (await allow(owner, used, { ask, form })).code)).body
    return { app: used, venue, owner, connect }
  }
  const narrow = { scope: 'guests:read webhooks:manage' }
  const remove = (owner: Awaited<ReturnType<typeof anOwner>>, install: number) =>
    owner.post(`/office/integrations/apps/${install}/remove`)
  const at = async (time: string, run: () => Promise<void>) => {
    try {
      service.setClock(time)
      await run()
    } finally {
      service.setClock('2026-10-06T19:00:00Z')
    }
  }

  it('keeps its key of before from taking what the owner allowed later', async () => {
    const { connect } = await scene()
    const first = (await connect({}, narrow)).access_token
    const later = (await connect()).access_token
    const replaced = await rotate(first, { replace: true })
    const { key } = (await me(replaced)).body
    assert.deepEqual(key.scopes, ['guests:read', 'webhooks:manage'])
    assert.equal(key.expiresAt, '2026-10-07T19:00:00.000Z')
    assert.equal(await status(later), 200)
    const made = await webhook(replaced, 'mine')
    const [endpoint] = await rowsOf<{ key_scopes: string[] }>(
      service,
      'select key_scopes from webhook_endpoint where id = $1',
      [made.body.id],
    )
    assert.deepEqual(endpoint?.key_scopes, ['guests:read', 'webhooks:manage'])
  })

  it('gets the endpoints of its key of before when that ends, with no more in them, and the owner no warning', async () => {
    const { venue, connect } = await scene()
    const first = (await connect({}, narrow)).access_token
    const { access_token: later } = await connect()
    const { body } = await webhook(first, 'overlap')
    await at('2026-10-07T19:00:01Z', async () => {
      await followExpiry(service.context)
      const own = await service.call('GET', '/api/v1/webhooks', { key: later })
      assert.deepEqual(
        own.body.map(({ id, status: now }: { id: string; status: string }) => [id, now]),
        [[body.id, 'active']],
      )
    })
    const [endpoint] = await rowsOf<{ address_key_scopes: string[] }>(
      service,
      'select address_key_scopes from webhook_endpoint where id = $1',
      [body.id],
    )
    assert.deepEqual(endpoint?.address_key_scopes, ['guests:read', 'webhooks:manage'])
    const warned = await rowsOf(
      service,
      "select 1 from event where venue_id = $1 and name = 'access.key_expiring'",
      [venue.id],
    )
    assert.deepEqual(warned, [])
  })

  it('ends with all its keys and their replacements, also at one key’s own page', async () => {
    for (const way of ['install', 'key'] as const) {
      const { venue, owner, connect } = await scene()
      const first = (await connect()).access_token
      const { access_token: later, install_id: install } = await connect()
      const [made] = await rowsOf<{ id: string }>(
        service,
        'select max(id)::text as id from api_key where venue_id = $1',
        [venue.id],
      )
      const keys = [first, later, await rotate(first), await rotate(later)]
      assert.deepEqual(await Promise.all(keys.map(status)), [200, 200, 200, 200])
      const { status: pressed } = await (way === 'install'
        ? remove(owner, install)
        : owner.post(`/office/integrations/keys/${made?.id}/revoke`))
      assert.equal(pressed, 303)
      assert.deepEqual(await Promise.all(keys.map(status)), [401, 401, 401, 401], way)
    }
  })

  it('goes on with its key of before when the new one is revoked for a code used twice, and says of its end why it ended', async () => {
    const { app, owner, connect } = await scene()
    const listed = async () => (await send(service, app, '/oauth/installs', undefined)).body[0]
    const first = (await connect({}, narrow)).access_token
    const { code } = await allow(owner, app)
    const { access_token: later, install_id: install } = (await exchange(service, app, code)).body
    assert.equal((await exchange(service, app, code)).status, 400)
    assert.deepEqual([await status(first), await status(later)], [200, 401])
    const { endedAt, why, scope } = await listed()
    assert.deepEqual([endedAt, why, scope], [null, null, 'guests:read webhooks:manage'])
    await at('2026-10-06T20:00:00Z', async () => {
      await remove(owner, install)
      const ended = await listed()
      assert.deepEqual([ended.endedAt, ended.why], ['2026-10-06T20:00:00.000Z', 'removed-by-venue'])
    })
  })

  it('has ended by itself when its key of before ran out after the new one was revoked', async () => {
    const { app, owner, connect } = await scene()
    await connect()
    const { code } = await allow(owner, app)
    for (const answered of [200, 400]) assert.equal((await exchange(service, app, code)).status, answered)
    await at('2026-10-07T19:00:01Z', async () => {
      const [ended] = (await send(service, app, '/oauth/installs', undefined)).body
      assert.deepEqual([ended.endedAt, ended.why], ['2026-10-07T19:00:00.000Z', 'expired'])
    })
  })

  it('ends with the replacements that a process of the release before made', async () => {
    const { owner, connect } = await scene()
    const { access_token: key, install_id: install } = await connect()
    const replaced = await rotate(key)
    await rowsOf(service, 'update api_key set install_id = null where rotated_from is not null')
    await remove(owner, install)
    assert.deepEqual([await status(key), await status(replaced)], [401, 401])
  })

  it('keeps what the owner settled for its key: from where, how often, and that it cannot replace itself', async () => {
    const { venue, connect } = await scene()
    await connect()
    await rowsOf(
      service,
      `update api_key set allowed_addresses = '{192.0.2.0/24}', rate_per_minute = 7, may_rotate = false,
              contact = 'tech@example.com'
        where venue_id = $1 and install_id is not null`,
      [venue.id],
    )
    await connect({ expires: '2026-10-31' })
    const [latest] = await rowsOf(
      service,
      `select allowed_addresses::text, rate_per_minute, may_rotate, contact, expires_at = '2026-11-01T04:00:00Z' as ends
         from api_key where venue_id = $1 order by id desc limit 1`,
      [venue.id],
    )
    assert.deepEqual(latest, {
      allowed_addresses: '{192.0.2.0/24}',
      rate_per_minute: 7,
      may_rotate: false,
      contact: 'tech@example.com',
      ends: true,
    })
  })

  it('shows the owner until when its key of before works, and what that may do', async () => {
    const { owner, connect } = await scene()
    await connect({}, narrow)
    assert.ok(!(await owner.get('/office/integrations')).words.includes('The key of before'))
    await connect({}, { scope: 'guests:read reservations:read' })
    const { words } = await owner.get('/office/integrations')
    assert.match(words, /The key of before works until [^:]*2026[^.]*: Read guests, /)
  })

  it('is not allowed by a page that showed less than the app asks for now, nor by one with another name', async () => {
    for (const change of [{ needed: ['guests:read', 'tasks:read'] }, { optional: [] }, { name: 'Oak CRM' }]) {
      const { app, owner } = await scene()
      const form = { ...fieldsIn(await owner.get(askPath(app))), press: 'allow' }
      await service.db.transaction((db) =>
        changeApp(service.context, db, app.id, { ...change, newSecret: false }),
      )
      const pressed = await owner.post('/oauth/authorize', form)
      assert.deepEqual([pressed.status, pressed.to], [409, null])
      const again = await owner.post('/oauth/authorize', { ...fieldsIn(pressed), press: 'allow' })
      assert.equal(again.status, 303, 'the page that comes back can be pressed')
    }
  })

  it('never sees contacts if it was registered to hide them, whatever it asks for', async () => {
    const { connect } = await scene(await anApp(service, { needed: ['guests:read', 'contacts:hidden'] }))
    assert.equal((await connect({}, { scope: 'guests:read' })).scope, 'guests:read contacts:hidden')
  })

  it('is not connected by a code from before the owner removed it', async () => {
    const { app, owner, connect } = await scene()
    const { install_id: install } = await connect()
    const { code } = await allow(owner, app)
    await remove(owner, install)
    const { status: answered, body } = await exchange(service, app, code)
    assert.deepEqual([answered, body.error], [400, 'invalid_grant'])
  })

  it('is removed venue by venue, and what an interruption left is ended by repeating it', async () => {
    const { app, connect } = await scene()
    const other = await scene(app)
    const keys = [(await connect()).access_token, (await other.connect()).access_token]
    // As after an interruption: removed, with one venue done.
    const first = await removeAppEverywhere(service.context, app.id)
    assert.equal(first.ended, 2)
    await rowsOf(service, 'update api_key set revoked_at = null, revoked_why = null where venue_id = $1', [
      other.venue.id,
    ])
    service.setClock('2026-10-06T19:05:00Z')
    const second = await removeAppEverywhere(service.context, app.id)
    service.setClock('2026-10-06T19:00:00Z')
    assert.deepEqual([second.ended, second.row.removed_at], [1, first.row.removed_at])
    assert.deepEqual(await Promise.all(keys.map(status)), [401, 401])
    assert.equal((await send(service, app, '/oauth/installs', undefined)).status, 401)
    await assert.rejects(removeAppEverywhere(service.context, 999_999), /There is no app with the id/)
  })
})
