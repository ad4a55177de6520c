import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { invite } from '../../../core/staff/invitations.ts'
import { codeAt } from '../../../core/staff/totp.ts'
import { atWork, wordsOf } from '../../../test/office-forms.ts'
import { staffOf, testPassword, visitOffice, secretIn, type OfficeVisitor } from '../../../test/office.ts'
import { type TestService, aTuesdayAfternoon, startService } from '../../../test/service.ts'

describe('signing in to the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('lets in with address and password, and keeps the session in a cookie scripts cannot read', async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'owner')
    const visitor = visitOffice(service)
    const first = await visitor.get('/office/account')
    assert.deepEqual([first.status, first.to], [303, '/office/sign-in?next=%2Foffice%2Faccount'])
    const seen = await visitor.signIn(email)
    assert.deepEqual([seen.status, seen.to], [303, '/office/account/name?next=%2Foffice'])
    const [session, device, ...more] = seen.headers.getSetCookie()
    assert.match(session ?? '', /^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    assert.match(device ?? '', /^device=test\.[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    assert.deepEqual(more, [])
    const account = await visitor.get('/office/account')
    assert.equal(account.status, 200)
    assert.ok(account.html.includes(email))
  })

  it('says one sentence whether the address or the password was wrong, and slows guessing down', async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'host')
    const visitor = visitOffice(service)
    const sentences = new Set<string>()
    for (const fields of [
      { email, password: 'something else entirely' },
      { email: 'nobody@example.com', password: testPassword },
    ]) {
      const seen = await visitor.post('/office/sign-in', fields)
      assert.equal(seen.status, 400)
      sentences.add(/role="alert">([^<]*)/.exec(seen.html)?.[1] ?? '')
    }
    assert.equal(sentences.size, 1)
    let status = 0
    for (let i = 0; i < 12; i++) {
      ;({ status } = await visitor.post('/office/sign-in', { email, password: 'x' }))
    }
    assert.equal(status, 429)
    service.setClock('2026-10-06T19:16:00Z')
    assert.equal((await visitor.signIn(email)).status, 303, 'the window ends')
    service.setClock(aTuesdayAfternoon)
  })

  it('refuses a form from another site and changes nothing', async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'owner')
    const visitor = visitOffice(service)
    await visitor.signIn(email)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'none', origin: 'https://evil.example' },
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
      { 'sec-fetch-site': '', origin: 'null' },
    ]) {
      const seen = await visitor.post('/office/account/sign-out-everywhere', {}, headers)
      assert.equal(seen.status, 403, JSON.stringify(headers))
    }
    assert.equal((await visitor.get('/office/account')).status, 200)
  })

  it('signs out everywhere at once', async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'manager')
    const tablet = visitOffice(service)
    const phone = visitOffice(service)
    await tablet.signIn(email)
    await phone.signIn(email)
    await phone.post('/office/account/sign-out-everywhere')
    assert.equal((await tablet.get('/office/account')).status, 303)
    assert.equal((await phone.get('/office/account')).status, 303)
  })

  it('takes a bearer session from scripts, and never an API key, nor a session on the API', async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'owner')
    const visitor = visitOffice(service)
    await visitor.signIn(email)
    const token = visitor.cookie().slice('session='.length)
    const as = (authorization: string) =>
      fetch(`${service.url}/office/account`, { headers: { authorization }, redirect: 'manual' })
    assert.equal((await as(`Bearer ${token}`)).status, 200)
    assert.equal((await as(`Bearer ${venue.key}`)).status, 303)
    assert.equal(
      (await service.call('GET', '/api/v1/me', { headers: { authorization: `Bearer ${token}` } })).status,
      401,
    )
    assert.equal(
      (await service.call('GET', '/api/v1/me', { headers: { 'x-service-key': token } })).status,
      401,
    )
  })

  it('asks for a code once codes are on, takes each code once, and can be switched off again', async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'owner')
    const visitor = visitOffice(service)
    await visitor.signIn(email)
    assert.equal(
      (await visitor.post('/office/account/codes/begin', { password: 'not it at all' })).status,
      400,
    )
    const begun = await visitor.post('/office/account/codes/begin', { password: testPassword })
    const secret = secretIn(begun.html)
    const step = Temporal.Instant.from(aTuesdayAfternoon).epochMilliseconds / 30_000
    assert.equal((await visitor.post('/office/account/codes/on', { code: '000000' })).status, 400)
    assert.equal((await visitor.post('/office/account/codes/on', { code: codeAt(secret, step) })).status, 303)

    const other = visitOffice(service)
    const asked = await other.signIn(email)
    assert.equal(asked.status, 200)
    assert.match(asked.html, /name="code"/)
    const withCode = (code: string) => other.post('/office/sign-in', { email, password: testPassword, code })
    assert.equal(
      (await withCode(codeAt(secret, step))).status,
      400,
      'the code that switched codes on was used',
    )
    const both = await Promise.all([withCode(codeAt(secret, step + 1)), withCode(codeAt(secret, step + 1))])
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [303, 400],
      'of two tries with one code one gets in',
    )
    const off = (more: Record<string, string>) => visitor.post('/office/account/codes/off', more)
    service.setClock('2026-10-06T19:02:00Z')
    const code = codeAt(secret, step + 4)
    assert.equal((await off({ password: testPassword })).status, 400, 'the password alone is not enough')
    assert.equal((await off({ code })).status, 400, 'nor is a code')
    assert.equal((await off({ password: testPassword, code: codeAt(secret, step + 5) })).status, 303)
    assert.equal((await visitOffice(service).signIn(email)).status, 303)
    service.setClock(aTuesdayAfternoon)
  })

  it('the secret of codes stays on the server; switching them on or off ends every other session', async () => {
    const venue = await service.venue()
    const { id, email } = await staffOf(service, venue, 'owner')
    const [visitor, elsewhere] = [visitOffice(service), visitOffice(service)]
    await visitor.signIn(email)
    await elsewhere.signIn(email)
    const isIn = async (one: OfficeVisitor) => (await one.get('/office/account')).status === 200
    const begin = (more: Record<string, string> = {}) =>
      visitor.post('/office/account/codes/begin', { password: testPassword, ...more })
    const on = (code: string, more: Record<string, string> = {}) =>
      visitor.post('/office/account/codes/on', { code, ...more })
    const step = Temporal.Instant.from(aTuesdayAfternoon).epochMilliseconds / 30_000
    assert.equal((await on('000000')).status, 409, 'nothing was begun')
    const [first, second] = [secretIn((await begin()).html), secretIn((await begin()).html)]
    const own = 'A'.repeat(32)
    for (const secret of [first, own])
      assert.equal((await on(codeAt(secret, step), { secret })).status, 400, 'only the newest secret counts')
    const kept = await service.db.session((client) =>
      client.query(`select totp_pending_sealed as sealed from staff where id = ${id}`),
    )
    assert.ok(!String(kept.rows[0].sealed).includes(second))
    assert.ok(await isIn(elsewhere))
    assert.equal((await on(codeAt(second, step))).status, 303)
    assert.deepEqual([await isIn(visitor), await isIn(elsewhere)], [true, false])
    const again = await begin({ code: codeAt(second, step + 1) })
    assert.equal(again.status, 409, 'where codes are on they cannot be switched on')
    assert.match(again.html, /Codes are already on/)
    assert.equal((await on(codeAt(second, step))).status, 409)
    await elsewhere.post('/office/sign-in', { email, password: testPassword, code: codeAt(second, step + 1) })
  })

  it('an invitation works once', async () => {
    const venue = await service.venue()
    const { email: owner } = await staffOf(service, venue, 'owner')
    const token = await invite(service.context, service.db, venue.id, {
      email: 'new.host@example.com',
      role: 'host',
      invitedBy: owner,
    })
    const visitor = visitOffice(service)
    const path = `/office/invitations/${token}`
    assert.equal((await visitor.get(path)).status, 200)
    assert.equal((await visitor.post(path, { name: 'Nia', password: 'short' })).status, 400)
    assert.equal((await visitor.post(path, { name: 'Nia', password: testPassword })).to, '/office')
    assert.ok((await visitor.get('/office/account')).html.includes('Nia'))
    assert.equal((await visitOffice(service).post(path, { name: 'Eve', password: testPassword })).status, 404)
  })

  it('ends the session of the person signed in on that browser before', async () => {
    const venue = await service.venue()
    const [host, manager] = [await staffOf(service, venue, 'host'), await staffOf(service, venue, 'manager')]
    const visitor = visitOffice(service)
    await visitor.signIn(manager.email)
    const before = visitor.cookie()
    await visitor.post('/office/sign-in', { email: host.email, password: 'not the right one' })
    assert.equal((await visitor.get('/office/account')).status, 200, 'a try that fails ends nothing')
    await visitor.signIn(host.email)
    assert.ok((await visitor.get('/office/account')).html.includes(host.email))
    const old = await visitOffice(service).get('/office/account', { cookie: before })
    assert.equal(old.status, 303)
  })

  it('says of a form that is too long what it is, and nothing about bytes', async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'host')
    const visitor = visitOffice(service)
    await visitor.signIn(email)
    const seen = await visitor.post('/office/tasks', { title: 'x'.repeat(300_000) })
    assert.equal(seen.status, 400)
    assert.match(seen.words, /too long for this form, so nothing was saved/)
  })

  it('goes back only to pages of the office', async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'host')
    const named = visitOffice(service)
    await named.signIn(email)
    await named.post('/office/account/name', { name: 'June' })
    for (const [next, to] of [
      ['/office/guests?q=a%20b', '/office/guests?q=a%20b'],
      ['https://evil.example/', '/office'],
      ['//evil.example', '/office'],
      ['/office\\evil', '/office'],
      ['/officeevil', '/office'],
      ['/office/../api', '/office'],
    ] as const) {
      const seen = await visitOffice(service).post('/office/sign-in', { email, password: testPassword, next })
      assert.equal(seen.to, to)
    }
  })

  it('asks who has no name for one after signing in, once it is given never again, and lets them go on without', async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'host')
    const visitor = visitOffice(service)
    const next = '/office/guests?q=a'
    const signIn = () => visitor.post('/office/sign-in', { email, password: testPassword, next })
    const asked = await signIn()
    assert.equal(asked.to, `/office/account/name?next=${encodeURIComponent(next)}`)
    const page = await visitor.get(asked.to ?? '')
    assert.ok(page.html.includes(`<a class="button quiet" href="${next}">Not now</a>`))
    for (const name of [' ', 'x'.repeat(101), 'a\u0000b'])
      assert.equal((await visitor.post('/office/account/name', { name, next })).status, 400, name)
    assert.equal((await visitor.post('/office/account/name', { name: ' June  Park ', next })).to, next)
    assert.match((await visitor.get('/office/account')).words, /June Park/)
    assert.equal((await signIn()).to, next)
    assert.equal(
      (await visitor.post('/office/account/name', { name: 'June', next: 'https://evil.example/' })).to,
      '/office/account',
    )
    const { visitor: manager } = await atWork(service, 'manager', venue)
    const seen = wordsOf(await manager.get('/office/activity'))
    assert.match(seen, /Changed the name of June by June name: June Park → June/)
    const stranger = visitOffice(service)
    assert.equal(
      (await stranger.get('/office/account/name')).to,
      '/office/sign-in?next=%2Foffice%2Faccount%2Fname',
    )
    assert.equal((await stranger.post('/office/account/name', { name: 'Eve' })).to, '/office/sign-in')
  })
})
