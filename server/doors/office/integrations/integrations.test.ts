import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../platform/db/sql.ts'
import { hashPassword } from '../../../core/staff/password.ts'
import { staffOf, testPassword, visitOffice } from '../../../test/office.ts'
import { eventually } from '../../../test/eventually.ts'
import { waitingForLock } from '../../../test/rows.ts'
import { make } from '../../../test/office-forms.ts'
import { type TestService, startService } from '../../../test/service.ts'

describe('the owner connects software, the reviewer decides', () => {
  let service: TestService
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
    const hash = await hashPassword(testPassword, service.context.random)
    await service.db.run(sql()`
      insert into staff (venue_id, email, email_key, role, password_hash, created_at)
      values (null, 'reviewer@example.org', 'reviewer@example.org', 'reviewer', ${hash}, now())`)
  })
  after(() => service.stop())

  const newVenue = async () => {
    const venue = await service.venue()
    await service.db.run(sql()`update venue set access = 'none' where id = ${venue.id}`)
    const { email } = await staffOf(service, venue, 'owner')
    const owner = visitOffice(service)
    await owner.signIn(email)
    const reviewer = visitOffice(service)
    await reviewer.signIn('reviewer@example.org')
    return { venue, owner, reviewer }
  }
  const makeKey = async (owner: ReturnType<typeof visitOffice>, more: Record<string, string> = {}) =>
    owner.post('/office/integrations/keys', {
      kind: 'api',
      scope: 'read_write',
      name: 'Booking widget',
      password: testPassword,
      token: randomUUID(),
      ...more,
    })
  const keyIn = (html: string) => /service_sk_[0-9A-Za-z]{40}/.exec(html)?.[0] ?? ''
  const me = async (key: string) => (await service.call('GET', '/api/v1/me', { key })).status

  it('asks for access, is approved, makes a key that works, and loses it at once when access is withdrawn', async () => {
    const { venue, owner, reviewer } = await newVenue()
    assert.equal((await makeKey(owner)).status, 409, 'no key before approval')
    const asked = await owner.post('/office/integrations/access', {
      description: 'Bookings from <b>our</b> own website.',
    })
    assert.equal(asked.to, '/office/integrations')
    const again = await owner.post('/office/integrations/access', {
      description: 'Bookings from our own website.',
    })
    assert.equal(again.status, 409)

    const requests = await reviewer.get('/operator/requests')
    assert.ok(requests.html.includes('Bookings from &lt;b&gt;our&lt;/b&gt; own website.'))
    await reviewer.post(`/operator/requests/${venue.slug}`, { review: 'approve', why: '' })

    const made = await makeKey(owner)
    const key = keyIn(made.html)
    assert.equal(await me(key), 200)
    const listed = await owner.get('/office/integrations')
    assert.ok(!listed.html.includes(key), 'a key is shown once')
    assert.ok(listed.html.includes(key.slice(-4)))
    await service.call('POST', '/api/v1/webhooks', {
      key,
      body: { url: 'http://127.0.0.1:9/', events: ['guest.created'] },
    })

    assert.equal(
      (await reviewer.post(`/operator/requests/${venue.slug}`, { review: 'withdraw', why: '' })).status,
      400,
    )
    await reviewer.post(`/operator/requests/${venue.slug}`, { review: 'withdraw', why: 'Sold guest data.' })
    assert.equal(await me(key), 401)
    const after = await owner.get('/office/integrations')
    assert.ok(after.html.includes('Sold guest data.'))
    assert.ok(after.html.includes('access to the API was withdrawn'))
    const once = await owner.post('/office/integrations/access', { description: 'We mended our ways.' })
    assert.equal(once.status, 303, 'asked again after withdrawal')
  })

  it('withdrawn while the owner makes keys, none of them works, and asking again opens no form for another', async () => {
    const { venue, owner, reviewer } = await newVenue()
    const requests = `/operator/requests/${venue.slug}`
    await owner.post('/office/integrations/access', { description: 'Bookings from our own website.' })
    await reviewer.post(requests, { review: 'approve' })
    const automation = { kind: 'automation', name: 'Flows' }
    assert.equal(await me(keyIn((await makeKey(owner, automation)).html)), 200)
    const [, ...made] = await Promise.all([
      reviewer.post(requests, { review: 'withdraw', why: 'Sold guest data.' }),
      ...[automation, {}, automation, {}].map((more) => makeKey(owner, more)),
    ])
    for (const { status, html, words } of made) {
      if (status === 200) assert.equal(await me(keyIn(html)), 401)
      else assert.match(words, /Access to the API was withdrawn; no keys can be created/)
    }
    for (const state of ['withdrawn', 'asked anew']) {
      const { html, words } = await owner.get('/office/integrations')
      assert.match(words, /Access was turned off, which includes the automation platform\./, state)
      assert.ok(!html.includes('Create key'), state)
      assert.equal((await makeKey(owner, automation)).status, 409, state)
      await owner.post('/office/integrations/access', { description: 'We mended our ways.' })
    }
    await reviewer.post(requests, { review: 'approve' })
    assert.equal(await me(keyIn((await makeKey(owner, automation)).html)), 200)
  })

  it('needs a fresh password for a key, and revokes one at once with the endpoints it made', async () => {
    const { venue, owner, reviewer } = await newVenue()
    await owner.post('/office/integrations/access', { description: 'Bookings from our own website.' })
    await reviewer.post(`/operator/requests/${venue.slug}`, { review: 'approve' })
    const wrong = await makeKey(owner, { password: 'wrong password here', name: 'Till <b>' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.words, /That password or code is not right/)
    assert.match(wrong.html, /value="Till &lt;b&gt;"/, 'what was typed stays, the password does not')
    assert.ok(!wrong.html.includes('wrong password here'))
    const key = keyIn((await makeKey(owner)).html)
    await service.call('POST', '/api/v1/webhooks', {
      key,
      body: { url: 'http://127.0.0.1:9/', events: ['guest.created'] },
    })
    const { html } = await owner.get('/office/integrations')
    const id = /keys\/(\d+)\/revoke"\s+data-asks="Revoke Booking widget/.exec(html)?.[1] ?? ''
    const stranger = await newVenue()
    assert.equal((await stranger.owner.post(`/office/integrations/keys/${id}/revoke`)).status, 404)
    assert.equal(await me(key), 200)
    await owner.post(`/office/integrations/keys/${id}/revoke`)
    assert.equal(await me(key), 401)
    assert.ok((await owner.get('/office/integrations')).html.includes('the key that made it was revoked'))
  })

  it('makes one key of a form sent twice, and checks the password before anybody has to wait', async () => {
    const { venue, owner, reviewer } = await newVenue()
    await owner.post('/office/integrations/access', { description: 'Bookings from our own website.' })
    await reviewer.post(`/operator/requests/${venue.slug}`, { review: 'approve' })
    const token = randomUUID()
    const both = await Promise.all([makeKey(owner, { token }), makeKey(owner, { token })])
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 303],
    )
    const again = await makeKey(owner, { token })
    assert.deepEqual([again.status, keyIn(again.html)], [303, ''])
    assert.match((await owner.get('/office/integrations')).words, /This key was already created/)
    assert.equal((await makeKey(owner, { token: '' })).status, 400)
    const { keys } = await service.db.one(sql({ keys: 'int8' })`
      select count(*) as keys from api_key where venue_id = ${venue.id} and name = 'Booking widget'`)
    assert.equal(keys, 1)

    // Every place of the venue is taken by somebody who waits for its row.
    let waiting: Promise<unknown>[] = []
    await service.db.transaction(async (db) => {
      await db.one(sql({ id: 'int8' })`select id from venue where id = ${venue.id} for update`)
      waiting = [1, 2, 3, 4].map(() => makeKey(owner))
      await eventually(async () => (await waitingForLock(service)) === 4)
      assert.equal((await makeKey(owner, { password: 'wrong password here' })).status, 400)
    })
    await Promise.all(waiting)
  })

  it('notes answers, plans, keys and deliveries in the venue’s trail, and never who reviewed', async () => {
    const { venue, owner, reviewer } = await newVenue()
    const requests = `/operator/requests/${venue.slug}`
    const ask = () => owner.post('/office/integrations/access', { description: 'Bookings from our site.' })
    await ask()
    await reviewer.post(requests, { review: 'decline', why: 'Say more.' })
    await ask()
    await reviewer.post(requests, { review: 'approve' })
    await makeKey(owner)
    await reviewer.post(`/operator/venues/${venue.slug}`, { plan: 'group', paused: 'yes' })
    await reviewer.post(`/operator/venues/${venue.slug}`, { plan: 'group', paused: 'yes' })
    await reviewer.post(`/operator/venues/${venue.slug}`, { plan: 'group' })
    const made = await service.call('POST', '/api/v1/webhooks', {
      key: venue.key,
      body: { url: 'http://127.0.0.1:9/secret-path', events: ['guest.created'] },
    })
    await service.call('POST', '/api/v1/guests', { key: venue.key, body: { email: 'maya@example.com' } })
    const endpoint = `/office/integrations/endpoints/${made.body.id}`
    await owner.post(`${endpoint}/send-all`, { hours: '24' })
    await service.db.run(sql()`
      update webhook_endpoint set status = 'disabled', disabled_reason = 'gone'
       where venue_id = ${venue.id} and id = ${made.body.id}`)
    await owner.post(`${endpoint}/enable`)
    await owner.post(`${endpoint}/enable`)
    await reviewer.post(requests, { review: 'withdraw', why: 'Sold guest data.' })

    const { html } = await owner.get('/office/activity')
    const entries = html
      .slice(0, html.indexOf('</ol>'))
      .split(/<span class="small soft nowrap">[^<]*<\/span>/)
      .slice(1)
      .map((one) =>
        one
          .replaceAll(/<[^>]*>/g, ' ')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      )
      .toReversed()
    const by = 'by owner'
    assert.deepEqual(
      entries.map((one) => one.replace(/API key \d+/, 'API key N').replace(/ends: \S+/, 'ends: …')),
      [
        `Requested API access for the venue ${by} access: none → requested description: Bookings from our site.`,
        'Declined API access for the venue by the service access: requested → declined answer: Say more.',
        `Requested API access for the venue ${by} access: declined → requested description: Bookings from our site.`,
        'Approved API access for the venue by the service access: requested → approved',
        `Created API key N ${by} ends: … kind: api name: Booking widget scope: read_write`,
        'Changed the venue by the service plan: pro → group paused: no → yes',
        'Changed the venue by the service paused: yes → no',
        `Resent deliveries to an endpoint ${by} endpoint: 127.0.0.1:9 deliveries: 1`,
        `Turned deliveries back on for an endpoint ${by} was: gone endpoint: 127.0.0.1:9`,
        'Withdrew API access for the venue by the service access: approved → withdrawn answer: Sold guest data.',
      ],
    )
    assert.ok(!html.includes('reviewer@'))
    const { rows } = await service.db.session((client) =>
      client.query(
        `select distinct actor_id is not null as kept from activity where venue_id = $1 and actor_kind = 'service'`,
        [venue.id],
      ),
    )
    assert.deepEqual(rows, [{ kept: true }], 'which of the service’s people it was is kept')
  })

  it('shows deliveries and tries of an endpoint, sends again and switches on again, for the own venue only', async () => {
    const { venue, owner } = await newVenue()
    const made = await service.call('POST', '/api/v1/hooks', {
      key: (await venue.makeKey('read_write', 'automation')).key,
      body: { event: 'guest.created', targetUrl: 'https://hooks.zapier.com/x' },
    })
    assert.equal(made.status, 201, made.text)
    const path = `/office/integrations/endpoints/${made.body.id}`
    await service.call('POST', '/api/v1/guests', {
      key: (await venue.makeKey('read_write', 'automation')).key,
      body: { email: 'maya@example.com' },
    })
    const seen = await owner.get(path)
    assert.equal(seen.status, 200)
    assert.ok(seen.html.includes('guest.created'))
    await service.db.run(sql()`
      update webhook_endpoint set status = 'disabled', disabled_reason = 'too-many-failures', failure_count = 20
       where venue_id = ${venue.id} and id = ${made.body.id}`)
    assert.ok((await owner.get(path)).html.includes('Enable again'))
    const stranger = await newVenue()
    for (const action of ['enable', 'send', 'send-all']) {
      const answer = await stranger.owner.post(`${path}/${action}`, { delivery: made.body.id, hours: '1' })
      assert.ok(answer.status === 404 || answer.status === 409, action)
    }
    assert.equal((await stranger.owner.get(path)).status, 404)
    await owner.post(`${path}/enable`)
    assert.ok((await owner.get(path)).html.includes('Active'))
    const all = await owner.post(`${path}/send-all`, { hours: '24' })
    assert.equal(all.to, path)
    assert.ok((await owner.get(path)).html.includes('1 delivery is being resent.'))
  })

  it('says why nothing is sent while the plan or a pause shuts the API, and that it waits', async () => {
    const { venue, owner, reviewer } = await newVenue()
    const made = await service.call('POST', '/api/v1/hooks', {
      key: (await venue.makeKey('read_write', 'automation')).key,
      body: { event: 'guest.created', targetUrl: 'https://hooks.zapier.com/x' },
    })
    const path = `/office/integrations/endpoints/${made.body.id}`
    const set = (plan: string, paused: boolean) =>
      reviewer.post(`/operator/venues/${venue.slug}`, { plan, ...(paused && { paused: 'yes' }) })
    const [wait, waits] = [
      'Events wait for up to 48 hours',
      /resent\. Nothing is sent while the account is paused/,
    ]
    for (const page of [path, '/office/integrations']) assert.ok(!(await owner.get(page)).html.includes(wait))
    const mark = async () => /hx-get="([^"]+)"/.exec((await owner.get(path)).html)?.[1]
    const before = await mark()
    await set('pro', true)
    for (const page of [path, '/office/integrations']) {
      const { words } = await owner.get(page)
      assert.match(words, /Nothing is sent while the account is paused\. Events wait for up to 48 hours/)
      assert.match(words, /Active/)
    }
    assert.notEqual(await mark(), before, 'a page that is open learns of it, too')
    await owner.post(`${path}/send-all`, { hours: '24' })
    assert.match((await owner.get(path)).words, waits)
    await set('starter', false)
    assert.match((await owner.get(path)).words, /on the starter plan, which does not include the API/)
    await set('pro', false)
    assert.ok(!(await owner.get(path)).html.includes(wait))
  })

  it('is for owners and reviewers only', async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'manager')
    const manager = visitOffice(service)
    await manager.signIn(email)
    for (const path of ['/office/integrations', '/office/people', '/operator/requests', '/operator/venues']) {
      assert.equal((await manager.get(path)).status, 403, path)
    }
    assert.equal(
      (await manager.post('/office/integrations/keys', { kind: 'api', scope: 'read', name: 'x' })).status,
      403,
    )
    const reviewer = visitOffice(service)
    await reviewer.signIn('reviewer@example.org')
    assert.equal((await reviewer.get('/office/integrations')).status, 403)
    assert.equal((await reviewer.get('/operator/venues')).status, 200)
    await reviewer.post(`/operator/venues/${venue.slug}`, { plan: 'pro', paused: 'yes' })
    assert.equal(await me(venue.key), 403)
  })

  it('invites, shuts and opens accounts', async () => {
    const { owner, venue } = await newVenue()
    const made = await make(owner, '/office/people/invitations', {
      email: 'nia@example.com',
      role: 'host',
      password: testPassword,
    })
    const link = /\/office\/invitations\/[\w-]{43}/.exec(made.html)?.[0] ?? ''
    const nia = visitOffice(service)
    assert.equal((await nia.post(link, { name: 'Nia', password: testPassword })).status, 303)
    const { id } = await service.db.one(
      sql({ id: 'int8' })`select id from staff where email_key = 'nia@example.com'`,
    )
    const stranger = await newVenue()
    assert.equal((await stranger.owner.post(`/office/people/${id}/shut`)).status, 404)
    await owner.post(`/office/people/${id}/shut`)
    assert.equal((await nia.get('/office/account')).status, 303)
    assert.equal((await visitOffice(service).signIn('nia@example.com')).status, 400)
    await owner.post(`/office/people/${id}/open`)
    assert.equal((await visitOffice(service).signIn('nia@example.com')).status, 303)
    assert.ok((await owner.get('/office/people')).html.includes('Nia'), venue.slug)
  })
})
