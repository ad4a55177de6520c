import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { staffOf, visitOffice } from '../../test/office.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import { reviewAccess } from '../../integrations/access/actions.ts'
import { type App, allow, anApp, anOwner, askPath, exchange, fieldsIn, send } from './test/an-app.ts'

/* The whole of an install: asked for, allowed, exchanged, used, listed and ended. */
describe('an app that venues connect', () => {
  let service: TestService
  before(async () => {
    service = await startService({ PRACTICE: 'on', PUBLIC_URL: 'https://venues.example.com' })
  })
  after(() => service.stop())

  const me = (key: string) => service.call('GET', '/api/v1/me', { key })
  const installed = async (
    more: { venue?: TestVenue; app?: App } = {},
  ): Promise<{ app: App; venue: TestVenue; key: string; owner: Awaited<ReturnType<typeof anOwner>> }> => {
    const app = more.app ?? (await anApp(service))
    const venue = more.venue ?? (await service.venue())
    const owner = await anOwner(service, venue)
    const { code } = await allow(owner, app)
    const { body } = await exchange(service, app, code)
    return { app, venue, key: body.access_token, owner }
  }
  const listed = async (app: App) => (await send(service, app, '/oauth/installs', undefined)).body

  it('is allowed by the owner, gets a key of that venue, and uses it', async () => {
    const app = await anApp(service)
    const venue = await service.venue({ name: 'Lantern' })
    const owner = await anOwner(service, venue)
    const page = await owner.get(askPath(app))
    assert.equal(page.status, 200)
    for (const words of [
      'Connect Maple CRM to Lantern?',
      'crm.example.com',
      'Read guests',
      'Read reservations',
    ])
      assert.ok(page.words.includes(words), words)

    const { to, code } = await allow(owner, app)
    assert.equal(to.origin + to.pathname, 'https://crm.example.com/callback')
    assert.equal(to.searchParams.get('state'), 'a state of the app')
    assert.equal(to.searchParams.get('iss'), 'https://venues.example.com')

    const { status, headers, body } = await exchange(service, app, code)
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    const { access_token: key, install_id, ...rest } = body
    assert.match(key, /^service_sk_[0-9A-Za-z]{40}$/)
    assert.deepEqual(rest, {
      token_type: 'https://venues.example.com/oauth/service-key',
      header: 'X-Service-Key',
      scope: 'reservations:read guests:read webhooks:manage',
      venue: { slug: venue.slug, name: 'Lantern', timezone: 'America/New_York' },
    })
    const { body: account } = await me(key)
    assert.equal(account.venue.slug, venue.slug)
    assert.equal(account.key.name, 'Maple CRM')
    assert.deepEqual(account.key.scopes, ['reservations:read', 'guests:read', 'webhooks:manage'])
    assert.deepEqual(await listed(app), [
      {
        installId: install_id,
        venue: { slug: venue.slug, name: 'Lantern', timezone: 'America/New_York' },
        scope: 'reservations:read guests:read webhooks:manage',
        since: '2026-10-06T19:00:00.000Z',
        endedAt: null,
        why: null,
      },
    ])
  })

  it('gets only what the owner leaves ticked, with contacts hidden and until the day that the owner says', async () => {
    const app = await anApp(service)
    const venue = await service.venue()
    const owner = await anOwner(service, venue)
    const page = await owner.get(askPath(app))
    const { 'may.webhooks:manage': _, ...fields } = fieldsIn(page)
    const pressed = await owner.post('/oauth/authorize', {
      ...fields,
      ...{ press: 'allow', expires: '2026-10-31', 'may.contacts:hidden': 'yes', 'may.tasks:read': 'yes' },
    })
    const code = new URL(pressed.to ?? '').searchParams.get('code') ?? ''
    const { body } = await exchange(service, app, code)
    assert.equal(body.scope, 'reservations:read guests:read contacts:hidden')
    assert.equal((await me(body.access_token)).body.key.expiresAt, '2026-11-01T04:00:00.000Z')
  })

  it('gets no key for a Cancel', async () => {
    const app = await anApp(service)
    const owner = await anOwner(service, await service.venue())
    const { to, code } = await allow(owner, app, { form: { press: 'deny' } })
    assert.equal(code, '')
    assert.equal(to.searchParams.get('error'), 'access_denied')
    assert.equal(to.searchParams.get('state'), 'a state of the app')
  })

  it('leads through the sign-in and back, and shows one of the venue’s own records on a press, masked as its key would see it', async () => {
    const app = await anApp(service)
    const venue = await service.venue()
    await service.call('POST', '/api/v1/guests', {
      key: venue.key,
      body: { name: 'Maya Okafor', email: 'maya@example.com' },
    })
    const { email } = await staffOf(service, venue, 'owner')
    const owner = visitOffice(service)
    const asked = await owner.get(askPath(app))
    assert.match(asked.to ?? '', /^\/office\/sign-in\?next=%2Foauth%2Fauthorize%3F/)
    const next = new URL(asked.to ?? '', service.url).searchParams.get('next') ?? ''
    const signedIn = await owner.post('/office/sign-in', {
      email,
      password: 'correct horse battery',
      next,
    })
    const page = await owner.get(
      new URL(signedIn.to ?? '', service.url).searchParams.get('next') ?? (signedIn.to as string),
    )
    assert.ok(page.words.includes('Connect Maple CRM'))
    assert.ok(!page.html.includes('Maya Okafor'), 'nothing is shown before it is asked for')
    const press = { press: 'show guests:read' }
    const open = await owner.post('/oauth/authorize', { ...fieldsIn(page), ...press })
    assert.ok(open.words.includes('Maya Okafor'))
    const hidden = await owner.post('/oauth/authorize', {
      ...fieldsIn(open),
      ...press,
      'may.contacts:hidden': 'yes',
    })
    assert.ok(hidden.words.includes('One of your own records'))
    assert.ok(!hidden.html.includes('Maya Okafor'))
    assert.ok(!hidden.html.includes('maya@example.com'))
    const other = await owner.post('/oauth/authorize', { ...fieldsIn(page), press: 'show tasks:read' })
    assert.equal(other.status, 400, 'a scope that the app does not ask for shows nothing')
  })

  it('says on the page that managing endpoints covers those of all software, needed or not', async () => {
    const all = 'Of all software of this venue: it sees where events go'
    const optional = await anApp(service)
    const needed = await anApp(service, { needed: ['guests:read', 'webhooks:manage'], optional: [] })
    const without = await anApp(service, { optional: [] })
    const owner = await anOwner(service, await service.venue())
    const says = async (app: App) => (await owner.get(askPath(app))).words.includes(all)
    assert.deepEqual(await Promise.all([optional, needed, without].map(says)), [true, true, false])
  })

  it('stops within one request when the owner removes it, and reads why in its list', async () => {
    const { app, key, owner } = await installed()
    assert.equal((await me(key)).status, 200)
    const [{ installId }] = await listed(app)
    const office = await owner.get('/office/integrations')
    assert.ok(office.words.includes('Connected apps'))
    const hook = await service.call('POST', '/api/v1/webhooks', {
      key,
      body: { url: 'http://127.0.0.1:9/', events: ['guest.created'] },
    })
    assert.equal(hook.status, 201)
    assert.equal((await owner.post(`/office/integrations/apps/${installId}/remove`)).status, 303)
    assert.equal((await me(key)).status, 401)
    const [ended] = await listed(app)
    assert.equal(ended.endedAt, '2026-10-06T19:00:00.000Z')
    assert.equal(ended.why, 'removed-by-venue')
    const [endpoint] = await rowsOf<{ status: string; disabled_reason: string }>(
      service,
      'select status, disabled_reason from webhook_endpoint where id = $1',
      [hook.body.id],
    )
    assert.deepEqual(endpoint, { status: 'disabled', disabled_reason: 'key-revoked' })
    assert.ok(!(await owner.get('/office/integrations')).words.includes('Connected apps'))
  })

  it('stops when access is withdrawn, at every venue by itself, also between Allow and the exchange', async () => {
    const { app, venue, key, owner } = await installed()
    const other = await installed({ app })
    const { code } = await allow(owner, app)
    await service.db.transaction((db) =>
      reviewAccess({ db, now: service.context.clock }, venue.id, 'withdraw', 'Sold guest data.'),
    )
    assert.equal((await me(key)).status, 401)
    assert.equal((await me(other.key)).status, 200)
    const { status, body } = await exchange(service, app, code)
    assert.equal(status, 400)
    assert.equal(body.error, 'invalid_grant')
    assert.deepEqual(
      (await listed(app)).map(({ why }: { why: string }) => why),
      ['access-withdrawn', null],
    )
    const page = await owner.get(askPath(app))
    assert.ok(page.html.includes('href="/office/integrations"'), 'leads to asking')
    assert.ok(!page.html.includes('value="allow"'))
  })

  it('gives its key back', async () => {
    const { app, key } = await installed()
    const stranger = await anApp(service)
    await send(service, stranger, '/oauth/revoke', { token: key })
    assert.equal((await me(key)).status, 200, 'another app cannot')
    const { status } = await send(service, app, '/oauth/revoke', { token: key })
    assert.equal(status, 200)
    assert.equal((await me(key)).status, 401)
    assert.equal((await listed(app))[0].why, 'removed-by-app')
    assert.equal((await send(service, app, '/oauth/revoke', { token: 'nothing' })).status, 200)
  })

  it('is connected again with a new key; the old one goes on for a day, and its endpoints move', async () => {
    const { app, key, owner } = await installed()
    const hook = await service.call('POST', '/api/v1/webhooks', {
      key,
      body: { url: 'http://127.0.0.1:9/again', events: ['guest.created'] },
    })
    const { code } = await allow(owner, app)
    const { body } = await exchange(service, app, code)
    const list = await listed(app)
    assert.equal(list.length, 1, 'one install')
    assert.equal(list[0].installId, body.install_id)
    assert.equal((await me(key)).body.key.expiresAt, '2026-10-07T19:00:00.000Z')
    const own = await service.call('GET', '/api/v1/webhooks', { key: body.access_token })
    assert.deepEqual(
      own.body.map(({ id }: { id: string }) => id),
      [hook.body.id],
    )
    try {
      service.setClock('2026-10-07T19:00:01Z')
      assert.equal((await me(key)).status, 401)
      assert.equal((await me(body.access_token)).status, 200)
    } finally {
      service.setClock('2026-10-06T19:00:00Z')
    }
  })

  it('may replace its key by itself, and stays the same install', async () => {
    const { app, key } = await installed()
    const rotated = await service.call('POST', '/api/v1/key/rotate', { key, body: { overlapHours: 0 } })
    assert.equal(rotated.status, 201)
    assert.equal((await listed(app)).length, 1)
    await send(service, app, '/oauth/revoke', { token: rotated.body.key })
    assert.equal((await me(rotated.body.key)).status, 401)
  })

  it('has keys apart at two venues, and one of them sees nothing of the other venue', async () => {
    const app = await anApp(service)
    const [one, other] = [await installed({ app }), await installed({ app })]
    await service.call('POST', '/api/v1/guests', {
      key: one.venue.key,
      body: { name: 'Maya Okafor', email: 'maya@example.com' },
    })
    assert.equal((await service.call('GET', '/api/v1/guests', { key: one.key })).body.length, 1)
    assert.deepEqual((await service.call('GET', '/api/v1/guests', { key: other.key })).body, [])
  })
})
