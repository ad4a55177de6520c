import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { type OfficeVisitor, staffOf, testPassword, visitOffice } from '../../../test/office.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'

describe('what an owner settles of a key', () => {
  let service: TestService
  let venue: TestVenue
  let owner: OfficeVisitor
  before(async () => {
    service = await startService()
    venue = await service.venue()
    owner = visitOffice(service)
    await owner.signIn((await staffOf(service, venue, 'owner')).email)
  })
  after(() => service.stop())

  const keyIn = (html: string) => /service_sk_[0-9A-Za-z]{40}/.exec(html)?.[0] ?? ''
  const make = (more: Record<string, string>) =>
    owner.post('/office/integrations/keys', {
      ...{ kind: 'api', scope: 'read', name: 'Booking widget', password: testPassword, token: randomUUID() },
      ...more,
    })
  const aboutKey = async (key: string) => (await service.call('GET', '/api/v1/me', { key })).body.key
  const idOf = async () => {
    const [row] = await rowsOf<{ id: number }>(
      service,
      'select max(id)::int as id from api_key where venue_id = $1',
      [venue.id],
    )
    return row?.id as number
  }

  it('a preset, or only what is checked; an end, addresses, a rate', async () => {
    const reports = await aboutKey(keyIn((await make({ scope: 'reports' })).html))
    assert.deepEqual([reports.scope, reports.scopes.at(-1)], ['read', 'contacts:hidden'])
    const website = await aboutKey(keyIn((await make({ scope: 'website-booking' })).html))
    assert.ok(website.scopes.includes('reservations:create'))
    assert.ok(!website.scopes.includes('guests:read'))
    const pos = await aboutKey(keyIn((await make({ scope: 'pos', kind: 'automation' })).html))
    assert.ok(!pos.scopes.includes('webhooks:manage'), 'not for the automation platform')

    const made = await make({
      scope: 'chosen',
      'may.leads:read': 'yes',
      'may.tasks:create': 'yes',
      expires: '2026-10-31',
      addresses: '127.0.0.1\n10.1.2.3/8',
      rate: '300',
      contact: ' dev@example.com ',
      rotate: 'yes',
    })
    const { headers, body } = await service.call('GET', '/api/v1/me', { key: keyIn(made.html) })
    assert.deepEqual(body.key.scopes, ['leads:read', 'tasks:create'])
    assert.equal(body.key.expiresAt, '2026-11-01T04:00:00.000Z', 'when the day ends at the venue')
    assert.deepEqual([body.key.allowedAddresses, body.key.mayRotate], [2, true])
    assert.equal(headers.get('ratelimit-limit'), '300')
    const { words } = await owner.get(`/office/integrations/keys/${await idOf()}`)
    assert.match(words, /read leads, create tasks/)
    assert.match(words, /127\.0\.0\.1\/32, 10\.0\.0\.0\/8/)
    assert.match(words, /Contact dev@example\.com/)
  })

  it('what cannot be is refused with a sentence, and what was typed stays', async () => {
    for (const [more, sentence] of [
      [{ scope: 'chosen' }, /Choose at least one thing/],
      [{ scope: 'chosen', 'may.contacts:hidden': 'yes' }, /Choose at least one thing/],
      [{ scope: 'chosen', 'may.campaigns:read': 'yes' }, /needs campaigns:manage/],
      [{ scope: 'nonsense' }, /Choose the key's access/],
      [{ expires: '2026-10-05' }, /must end in the future/],
      [{ expires: 'soon' }, /must be a real date/],
      [{ addresses: 'example.com' }, /example\.com is no address/],
      [{ addresses: Array.from({ length: 21 }, (_, i) => `10.0.0.${i}`).join('\n') }, /at most 20 blocks/],
      [{ rate: '601' }, /from 1 to 600/],
      [{ rate: '0' }, /from 1 to 600/],
      [{ rate: 'many' }, /from 1 to 600/],
      [{ contact: 'the agency' }, /The contact of a key must be/],
    ] as const) {
      const refused = await make({ ...more, name: 'Till <b>' })
      assert.equal(refused.status, 400)
      assert.match(refused.words.replaceAll('&#39;', "'"), sentence)
      assert.match(refused.html, /value="Till &lt;b&gt;"/)
    }
  })

  it('is changed on the page of the key, with a password', async () => {
    const key = keyIn((await make({ scope: 'read', expires: '2026-10-31' })).html)
    const page = `/office/integrations/keys/${await idOf()}`
    const change = (more: Record<string, string>) => owner.post(page, { password: testPassword, ...more })
    assert.equal((await owner.post(page, { 'may.guests:read': 'yes' })).status, 400)
    const { html } = await owner.get(page)
    assert.match(html, /name="may\.tasks:read" value="yes" checked/)
    assert.match(html, /name="expires"[^>]*value="2026-10-31"/)

    assert.equal((await change({ 'may.guests:read': 'yes', expires: '2026-10-31' })).to, page)
    const narrowed = await aboutKey(key)
    assert.deepEqual([narrowed.scopes, narrowed.expiresAt], [['guests:read'], '2026-11-01T04:00:00.000Z'])
    await change({ 'may.guests:read': 'yes', addresses: '192.0.2.7' })
    assert.equal((await service.call('GET', '/api/v1/me', { key })).body.reason, 'address-not-allowed')
    await change({ 'may.guests:read': 'yes', 'may.guests:edit': 'yes' })
    const widened = await aboutKey(key)
    assert.deepEqual([widened.scope, widened.expiresAt, widened.allowedAddresses], ['read_write', null, 0])
    const trail = await owner.get('/office/activity')
    assert.match(trail.words, /Changed API key/)
    assert.match(trail.words, /scopes: guests:read → guests:read, guests:edit/)

    await owner.post(`${page}/revoke`)
    assert.equal((await change({ 'may.guests:read': 'yes' })).status, 409)
  })

  it('a key from before is widened with one press, once', async () => {
    const { key, id } = await venue.makeKey('read')
    await rowsOf(service, 'update api_key set scopes = null where id = $1', [id])
    const tasks = async () => (await service.call('GET', '/api/v1/tasks', { key })).status
    assert.equal(await tasks(), 403)
    const page = `/office/integrations/keys/${id}`
    assert.match((await owner.get(page)).words, /Allow everything new as well/)
    assert.equal((await owner.post(`${page}/widen`)).to, page)
    assert.equal(await tasks(), 200)
    assert.doesNotMatch((await owner.get(page)).words, /Allow everything new/)
    assert.equal((await owner.post(`${page}/widen`)).status, 409)
  })

  it('shows how much the key was used, and nothing of another venue’s', async () => {
    const { key, id } = await venue.makeKey('read')
    await service.call('GET', '/api/v1/me', { key })
    await service.context.usage.flush()
    assert.match((await owner.get(`/office/integrations/keys/${id}`)).words, /October 6, 2026 1 0 0 0/)
    const stranger = await (await service.venue()).makeKey('read')
    for (const path of ['', '/widen'])
      assert.equal(
        (await owner.post(`/office/integrations/keys/${stranger.id}${path}`, { password: testPassword }))
          .status,
        404,
      )
    assert.equal((await owner.get(`/office/integrations/keys/${stranger.id}`)).status, 404)
    const host = visitOffice(service)
    await host.signIn((await staffOf(service, venue, 'manager')).email)
    assert.equal((await host.get(`/office/integrations/keys/${id}`)).status, 403)
  })

  it('shows the use of all keys side by side, the busiest first', async () => {
    const [little, much] = [await venue.makeKey('read'), await venue.makeKey('read')]
    const calls = [little, much, much, much]
    await Promise.all(calls.map(({ key }) => service.call('GET', '/api/v1/me', { key })))
    await service.call('GET', '/api/v1/reservations?limit=0', { key: much.key })
    await service.context.usage.flush()
    const { html } = await owner.get('/office/integrations')
    const lines = [...html.matchAll(/<tr>[^]*?<\/tr>/g)].map(([line]) =>
      line.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
    )
    const idsInOrder = [
      ...html.matchAll(/<tr>\s*<td data-label="Key"><a [^>]*href="[^"]*\/keys\/(\d+)"/g),
    ].map(([, id]) => Number(id))
    assert.ok(idsInOrder.indexOf(much.id) < idsInOrder.indexOf(little.id))
    assert.ok(idsInOrder.includes(little.id))
    assert.ok(lines.some((line) => line.endsWith(' 4 1 0 0 ')))
  })
})
