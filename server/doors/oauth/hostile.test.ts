import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { changeApp, endApp } from '../../integrations/apps/apps.ts'
import { forgetOldCodes } from '../../integrations/apps/codes.ts'
import { removeAppEverywhere } from '../../integrations/apps/uninstall.ts'
import { eventually } from '../../test/eventually.ts'
import { staffOf, testPassword, visitOffice } from '../../test/office.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import {
  type App,
  allow,
  anApp,
  anOwner,
  askPath,
  challengeOf,
  exchange,
  fieldsIn,
  send,
  verifier,
} from './test/an-app.ts'

/* What somebody with bad intent, or bad luck, tries on the way from an app to a key. */
describe('on the way from an app to a key', () => {
  let service: TestService
  before(async () => {
    service = await startService({ PUBLIC_URL: 'https://venues.example.com' })
  })
  after(() => service.stop())

  const me = async (key: string) => (await service.call('GET', '/api/v1/me', { key })).status
  const keysOf = async (venue: TestVenue): Promise<number> =>
    (
      await rowsOf(service, 'select id from api_key where venue_id = $1 and install_id is not null', [
        venue.id,
      ])
    ).length
  const scene = async (app?: App) => {
    const venue = await service.venue()
    return { app: app ?? (await anApp(service)), venue, owner: await anOwner(service, venue) }
  }
  const refused = async (given: Promise<{ status: number; body: { error: string } }>, error: string) => {
    const { status, body } = await given
    assert.equal(body.error, error)
    assert.equal(status, error === 'invalid_client' ? 401 : 400)
  }

  it('nobody is sent to an address that is not registered letter by letter, nor for an unknown app', async () => {
    const { app, owner } = await scene()
    for (const redirect of [
      'https://evil.example/callback',
      'https://crm.example.com/callback/more',
      'https://crm.example.com/callback?more=1',
      'https://crm.example.com/callback#',
      'https://crm.example.com/callbac',
      'https://crm.example.com.evil.example/callback',
      'https://crm.example.com/callback/../other',
      'HTTPS://crm.example.com/callback',
      'http://crm.example.com/callback',
      'https://crm.example.com:443/callback',
      'https://someone@crm.example.com/callback',
    ]) {
      const page = await owner.get(askPath(app, { redirect_uri: redirect }))
      assert.deepEqual([page.status, page.to], [400, null], redirect)
      assert.ok(page.words.includes('This link does not work'), redirect)
    }
    for (const ask of [{ client_id: 'app_unknown' }, { client_id: undefined }, { redirect_uri: undefined }]) {
      const page = await owner.get(askPath(app, ask))
      assert.deepEqual([page.status, page.to], [400, null])
    }
    const twice = await owner.get(`${askPath(app)}&redirect_uri=${encodeURIComponent(app.redirect)}`)
    assert.deepEqual([twice.status, twice.to], [400, null])
  })

  it('every answer says which service it is from, the refusals too', async () => {
    const { app, owner } = await scene()
    const { to } = await allow(owner, app)
    const mistake = new URL((await owner.get(askPath(app, { response_type: 'token' }))).to ?? '')
    const cancelled = (await allow(owner, app, { form: { press: 'deny' } })).to
    for (const one of [to, mistake, cancelled])
      assert.equal(one.searchParams.get('iss'), 'https://venues.example.com')
    assert.equal(mistake.searchParams.get('error'), 'unsupported_response_type')
  })

  it('there is no code without a challenge, nor a key without the verifier', async () => {
    const { app, venue, owner } = await scene()
    for (const ask of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: undefined },
      { code_challenge_method: 'plain', code_challenge: verifier },
      { code_challenge: 'short' },
    ]) {
      const { to } = await owner.get(askPath(app, ask))
      assert.equal(new URL(to ?? '').searchParams.get('error'), 'invalid_request')
    }
    const { code } = await allow(owner, app)
    const fields = { grant_type: 'authorization_code', code, redirect_uri: app.redirect }
    await refused(send(service, app, '/oauth/token', fields), 'invalid_request')
    await refused(send(service, app, '/oauth/token', { ...fields, code_verifier: '' }), 'invalid_request')
    await refused(exchange(service, app, code, { code_verifier: challengeOf(verifier) }), 'invalid_grant')
    assert.equal(await keysOf(venue), 0)
    assert.equal((await exchange(service, app, code)).status, 200, 'a wrong try changes nothing')
  })

  it('a code that was put into another owner’s session is of no use there', async () => {
    const { app, owner } = await scene()
    const stolen = await allow(owner, app)
    // The thief's own sign-up began with a verifier of its own.
    await refused(exchange(service, app, stolen.code, { code_verifier: 'x'.repeat(43) }), 'invalid_grant')
  })

  it('another app cannot exchange a code, not even one that knows the verifier', async () => {
    const { app, venue, owner } = await scene()
    const other = await anApp(service)
    const { code } = await allow(owner, app)
    await refused(exchange(service, other, code), 'invalid_grant')
    await refused(exchange(service, { ...app, secret: other.secret }, code), 'invalid_client')
    await refused(send(service, undefined, '/oauth/token', { code }), 'invalid_client')
    assert.equal(await keysOf(venue), 0)
  })

  it('a code is bound to its redirect and lasts a minute', async () => {
    const redirects = ['https://crm.example.com/callback', 'https://crm.example.com/other']
    const { app, venue, owner } = await scene(await anApp(service, { redirects }))
    const { code } = await allow(owner, app)
    await refused(exchange(service, app, code, { redirect_uri: redirects[1] as string }), 'invalid_grant')
    try {
      service.setClock('2026-10-06T19:01:01Z')
      await refused(exchange(service, app, code), 'invalid_grant')
    } finally {
      service.setClock('2026-10-06T19:00:00Z')
    }
    assert.equal(await keysOf(venue), 0)
    const [stored] = await rowsOf<{ text: string }>(
      service,
      'select string_agg(to_jsonb(c)::text, $1) as text from app_code c',
      [''],
    )
    assert.ok(!stored?.text.includes(code), 'only its hash is stored')
  })

  it('a code used twice revokes the key it made, and what a later Allow made stays', async () => {
    const { app, owner } = await scene()
    const { code } = await allow(owner, app)
    const first = (await exchange(service, app, code)).body.access_token
    await refused(exchange(service, app, code, { code_verifier: 'x'.repeat(43) }), 'invalid_grant')
    assert.equal(await me(first), 200, 'a wrong verifier changes nothing')
    const rotated = await service.call('POST', '/api/v1/key/rotate', {
      key: first,
      body: { overlapHours: 24 },
    })
    const later = (await exchange(service, app, (await allow(owner, app)).code)).body.access_token
    await refused(exchange(service, app, code), 'invalid_grant')
    assert.deepEqual([await me(first), await me(rotated.body.key), await me(later)], [401, 401, 200])
  })

  it('of two exchanges at once one gets a key, and the other takes it away', async () => {
    const { app, owner } = await scene()
    const { code } = await allow(owner, app)
    const both = await Promise.all([exchange(service, app, code), exchange(service, app, code)])
    assert.equal(both.filter(({ status }) => status === 200).length, 1)
    const key = both.find(({ status }) => status === 200)?.body.access_token
    assert.equal(await me(key), 401)
  })

  it('used codes are noticed for a day, and then forgotten', async () => {
    const { app, owner } = await scene()
    await allow(owner, app)
    try {
      service.setClock('2026-10-07T18:59:00Z')
      await forgetOldCodes(service.context)
      assert.notDeepEqual(await rowsOf(service, 'select 1 from app_code'), [])
      service.setClock('2026-10-07T19:01:00Z')
      await forgetOldCodes(service.context)
      assert.deepEqual(await rowsOf(service, 'select 1 from app_code'), [])
    } finally {
      service.setClock('2026-10-06T19:00:00Z')
    }
  })

  it('another site cannot press Allow, and no other session can', async () => {
    const { app, venue, owner } = await scene()
    const fields = fieldsIn(await owner.get(askPath(app)))
    const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const forged = await owner.post('/oauth/authorize', { ...fields, press: 'allow' }, crossSite)
    assert.deepEqual([forged.status, forged.to], [403, null])
    const bare = { ...fields, press: 'allow' }
    for (const form of [
      { ...bare, seal: '' },
      { ...bare, seal: fields['seal']?.replace(/./, (one) => (one === 'A' ? 'B' : 'A')) ?? '' },
      { ...bare, scope: 'guests:read' },
      { ...bare, state: 'another' },
      { ...bare, token: crypto.randomUUID() },
    ]) {
      const pressed = await owner.post('/oauth/authorize', form)
      assert.deepEqual([pressed.status, pressed.to], [409, null])
    }
    const second = await anOwner(service, await service.venue())
    assert.equal((await second.post('/oauth/authorize', bare)).status, 409)
    assert.deepEqual(await rowsOf(service, 'select 1 from app_code where venue_id = $1', [venue.id]), [])
    assert.equal((await owner.post('/oauth/authorize', bare)).status, 303)
    assert.equal((await owner.post('/oauth/authorize', bare)).status, 409, 'a form works once')
  })

  it('a tab from before somebody else signed in connects nothing', async () => {
    const { app, owner } = await scene()
    const tab = fieldsIn(await owner.get(askPath(app)))
    const other = await service.venue()
    await owner.signIn((await staffOf(service, other, 'owner')).email)
    const pressed = await owner.post('/oauth/authorize', { ...tab, press: 'allow' })
    assert.deepEqual([pressed.status, pressed.to], [409, null])
    assert.ok(pressed.words.includes(`Connect Maple CRM to ${other.name}?`), 'shows whose venue it is now')
  })

  it('two tabs of one owner make one install with the later key, and the earlier works for a day more', async () => {
    const { app, venue, owner } = await scene()
    const [one, two] = [await allow(owner, app), await allow(owner, app)]
    const keys = [await exchange(service, app, two.code), await exchange(service, app, one.code)]
    assert.equal(keys[0]?.body.install_id, keys[1]?.body.install_id)
    assert.deepEqual([await me(keys[0]?.body.access_token), await me(keys[1]?.body.access_token)], [200, 200])
    assert.equal(await keysOf(venue), 2)
  })

  it('the page is in no frame, in no cache, and its form ends here or at the app', async () => {
    const { app, owner } = await scene()
    const { headers } = await owner.get(askPath(app))
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('cache-control'), 'no-store')
    const policy = headers.get('content-security-policy') ?? ''
    assert.ok(policy.includes("frame-ancestors 'none'"))
    assert.ok(policy.includes("form-action 'self' https://crm.example.com;"))
    assert.ok(policy.startsWith("default-src 'none'"), 'nothing is loaded from the app')
    const elsewhere = (await owner.get('/office/integrations')).headers.get('content-security-policy') ?? ''
    assert.ok(elsewhere.includes("form-action 'self';"), 'no other page’s form does')
  })

  it('a key for another server is not to be had here', async () => {
    const { app, owner } = await scene()
    const resource = 'https://other.example/api/v1'
    const { to } = await owner.get(askPath(app, { resource }))
    assert.equal(new URL(to ?? '').searchParams.get('error'), 'invalid_target')
    const { code } = await allow(owner, app, { ask: { resource: 'https://venues.example.com/api/v1' } })
    await refused(exchange(service, app, code, { resource }), 'invalid_target')
    assert.equal((await exchange(service, app, code)).status, 200)
  })

  it('scopes never grow: not by asking, not by the form, and a key refreshes nothing', async () => {
    const { app, owner } = await scene()
    for (const scope of ['guests:read tasks:read', 'everything', ' ']) {
      const { to } = await owner.get(askPath(app, { scope }))
      assert.equal(new URL(to ?? '').searchParams.get('error'), 'invalid_scope', scope)
    }
    const { code } = await allow(owner, app, {
      ask: { scope: 'guests:read' },
      form: { 'may.reservations:read': 'yes', 'may.guests:edit': 'yes' },
    })
    const { body } = await exchange(service, app, code, { scope: 'guests:read tasks:read' })
    assert.equal(body.scope, 'guests:read')
    await refused(
      send(service, app, '/oauth/token', { grant_type: 'refresh_token', refresh_token: body.access_token }),
      'invalid_grant',
    )
  })

  it('the key in Authorization is refused by the API', async () => {
    const { app, owner } = await scene()
    const { body } = await exchange(service, app, (await allow(owner, app)).code)
    const { status } = await service.call('GET', '/api/v1/me', {
      headers: { authorization: `Bearer ${body.access_token}` },
    })
    assert.equal(status, 401)
  })

  it('a manager cannot consent, and an owner who is one no longer cannot have consented', async () => {
    const { app, venue, owner } = await scene()
    const manager = visitOffice(service)
    const { email } = await staffOf(service, venue, 'manager')
    await manager.signIn(email)
    const page = await manager.get(askPath(app))
    assert.equal(page.status, 403)
    assert.ok(page.words.includes('Only an owner can connect Maple CRM'))
    const form = fieldsIn(await owner.get(askPath(app)))
    assert.equal((await manager.post('/oauth/authorize', { ...form, press: 'allow' })).status, 403)

    for (const change of ["role = 'manager'", "role = 'owner', disabled_at = now()"]) {
      const other = await scene(app)
      const { code } = await allow(other.owner, app)
      await rowsOf(service, `update staff set ${change} where venue_id = $1`, [other.venue.id])
      await refused(exchange(service, app, code), 'invalid_grant')
      assert.equal(await keysOf(other.venue), 0)
    }
  })

  it('a session that is left open for a while asks for the password before it gives anything away', async () => {
    const { app, owner } = await scene()
    try {
      service.setClock('2026-10-06T19:11:00Z')
      const form = { ...fieldsIn(await owner.get(askPath(app))), press: 'allow' }
      assert.equal(form['password' as keyof typeof form], '')
      const wrong = await owner.post('/oauth/authorize', { ...form, password: 'a guess' })
      assert.deepEqual([wrong.status, wrong.to], [400, null])
      assert.equal((await owner.post('/oauth/authorize', { ...form, password: testPassword })).status, 303)
    } finally {
      service.setClock('2026-10-06T19:00:00Z')
    }
  })

  it('a venue without the API gets no code, and its owner is led to asking', async () => {
    const { app, venue, owner } = await scene()
    const form = { ...fieldsIn(await owner.get(askPath(app))), press: 'allow' }
    await rowsOf(service, "update venue set access = 'none' where id = $1", [venue.id])
    assert.ok((await owner.get(askPath(app))).html.includes('href="/office/integrations"'))
    assert.equal((await owner.post('/oauth/authorize', form)).status, 409)
  })

  it('an app that the operator removed is a stranger, its keys are dead, and a new secret ends the old', async () => {
    const { app, owner } = await scene()
    const { body } = await exchange(service, app, (await allow(owner, app)).code)
    const { secret } = await service.db.transaction((db) =>
      changeApp(service.context, db, app.id, { newSecret: true }),
    )
    await refused(send(service, app, '/oauth/token', {}), 'invalid_client')
    const renewed = { ...app, secret: secret as string }
    assert.equal((await send(service, renewed, '/oauth/installs', undefined)).status, 200)
    await removeAppEverywhere(service.context, app.id)
    assert.equal(await me(body.access_token), 401)
    assert.equal((await send(service, renewed, '/oauth/installs', undefined)).status, 401)
    assert.equal((await owner.get(askPath(app))).status, 400)
  })

  it('an app gets no key while it is being removed', async () => {
    const { app, venue, owner } = await scene()
    const { code } = await allow(owner, app)
    let exchanged: ReturnType<typeof exchange> | undefined
    await service.db.transaction(async (db) => {
      await endApp(db, app.id, service.context.clock())
      exchanged = exchange(service, app, code)
      await eventually(
        async () => (await rowsOf(service, 'select 1 from pg_locks where not granted')).length > 0,
      )
    })
    assert.equal((await exchanged)?.status, 400)
    assert.equal(await keysOf(venue), 0)
  })

  it('an app signs in one way at a time, and each parameter comes once', async () => {
    const app = await anApp(service)
    await refused(
      send(service, app, '/oauth/token', { client_id: app.clientId, client_secret: app.secret }),
      'invalid_request',
    )
    await refused(send(service, app, '/oauth/token', { client_id: 'app_other' }), 'invalid_client')
    const twice = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams([
        ['client_id', app.clientId],
        ['client_secret', app.secret],
        ['code', 'one'],
        ['code', 'two'],
      ]),
    })
    assert.equal(twice.status, 400)
    const json = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    assert.deepEqual(
      [json.status, ((await json.json()) as { error: string }).error],
      [400, 'invalid_request'],
    )
    const challenge = (await send(service, undefined, '/oauth/installs', undefined)).headers
    assert.match(challenge.get('www-authenticate') ?? '', /^Basic /)
  })
})
