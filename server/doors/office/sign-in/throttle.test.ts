import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { seal } from '../../../platform/kernel/secrets.ts'
import { makePasswordLink } from '../../../core/staff/password-links.ts'
import { type OfficeVisitor, staffOf, testPassword, visitOffice } from '../../../test/office.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'

describe('tries to sign in', () => {
  let service: TestService
  let venue: TestVenue
  let email: string
  let id: number
  const start = async (settings: Record<string, string> = {}) => {
    service = await startService(settings)
    venue = await service.venue()
    ;({ email, id } = await staffOf(service, venue, 'host'))
  }
  afterEach(() => service.stop())

  const from = (...addresses: string[]) => ({ 'x-forwarded-for': addresses.join(', ') })
  const guess = async (headers: Record<string, string> = {}, who = email, visitor = visitOffice(service)) =>
    (await visitor.post('/office/sign-in', { email: who, password: 'a guess' }, headers)).status
  const comesIn = async (visitor: OfficeVisitor, headers: Record<string, string> = {}) =>
    (await visitor.post('/office/sign-in', { email, password: testPassword }, headers)).status
  const guessed = async (times: number, headers: (i: number) => Record<string, string> = () => ({})) => {
    let last = 0
    for (let i = 0; i < times; i++) last = await guess(headers(i))
    return last
  }

  describe('without TRUST_PROXY', () => {
    beforeEach(() => start())

    it('count for the connection and ignore X-Forwarded-For', async () => {
      assert.equal(await guessed(10, (i) => from(`203.0.113.${i}`)), 400)
      assert.equal(await guess(from('203.0.113.99')), 429)
      assert.equal(await comesIn(visitOffice(service)), 429)
      assert.equal(await guess({}, 'somebody.else@example.com'), 400, 'others go on')
    })

    it('do not shut out a browser where the person signed in before, which has an allowance of its own', async () => {
      const tablet = visitOffice(service)
      assert.equal(await comesIn(tablet), 303)
      await tablet.post('/office/sign-out')
      assert.equal(await guessed(11), 429)
      assert.equal(await comesIn(visitOffice(service)), 429, 'a browser that nobody knows waits')
      assert.equal(await comesIn(tablet), 303, 'the tablet at the door does not')
      for (let i = 0; i < 10; i++) assert.equal(await guess({}, email, tablet), 400)
      assert.equal(await guess({}, email, tablet), 429, 'nor may it guess without end')
      assert.equal(await comesIn(tablet), 429)
    })

    it('a known browser stays known after others have signed in there, for 180 days, and only for those', async () => {
      const tablet = visitOffice(service)
      await comesIn(tablet)
      const other = await staffOf(service, venue, 'manager')
      await tablet.signIn(other.email)
      const { email: stranger } = await staffOf(service, venue, 'owner')
      assert.equal(await guessed(11), 429)
      assert.equal(await comesIn(tablet), 303)
      for (let i = 0; i < 11; i++) await guess({}, stranger)
      const asStranger = await tablet.post('/office/sign-in', { email: stranger, password: testPassword })
      assert.equal(asStranger.status, 429, 'who never signed in there is not known there')
      service.setClock('2027-04-03T19:00:00Z')
      assert.equal(await comesIn(tablet), 303)
      service.setClock('2027-10-03T19:00:00Z')
      assert.equal(await guessed(11), 429)
      assert.equal(await comesIn(tablet), 429)
    })

    it('a browser cannot make itself known', async () => {
      assert.equal(await guessed(11), 429)
      const otherRing = seal(service.context.secrets, `x ${id}:30000`, 'something else', Buffer.alloc(12))
      for (const device of ['', 'x', `test.${'A'.repeat(60)}`, otherRing, `x ${id}:30000`])
        assert.equal(await comesIn(visitOffice(service), { cookie: `device=${device}` }), 429, device)
    })

    it('are kept without the address or the name that was typed, however long', async () => {
      const typed = `${'x'.repeat(100_000)}@example.com`
      assert.equal(await guess({}, typed), 400)
      const { rows } = await service.db.session((client) => client.query('select key from sign_in_window'))
      for (const { key } of rows) assert.match(key, /^[\w-]{43}$/)
    })

    it('that succeed count nowhere, with codes neither', async () => {
      for (let i = 0; i < 12; i++) assert.equal(await comesIn(visitOffice(service)), 303)
      const visitor = visitOffice(service)
      await comesIn(visitor)
      for (let i = 0; i < 12; i++) {
        const begun = await visitor.post('/office/account/codes/begin', { password: testPassword })
        assert.equal(begun.status, 200)
      }
    })
  })

  describe('behind a proxy that is trusted', () => {
    it('count for the address the proxy saw and ignore what the caller put in front of it', async () => {
      await start({ TRUST_PROXY: '1' })
      assert.equal(await guessed(11, (i) => from(`198.51.100.${i}`, '203.0.113.1')), 429)
      assert.equal(await comesIn(visitOffice(service), from('203.0.113.2')), 303)
    })

    it('count for the address behind as many proxies as there are', async () => {
      await start({ TRUST_PROXY: '2' })
      const proxied = (i: number, caller: string) => from(`198.51.100.${i}`, caller, '10.0.0.9')
      assert.equal(await guessed(11, (i) => proxied(i, '203.0.113.1')), 429)
      assert.equal(await comesIn(visitOffice(service), proxied(1, '203.0.113.2')), 303)
    })

    it('are believed of the addresses that are named, and of no other', async () => {
      await start({ TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/24' })
      assert.equal(await guessed(11, (i) => from(`198.51.100.${i}`, '203.0.113.1', '10.0.0.9')), 429)
      assert.equal(await comesIn(visitOffice(service), from('203.0.113.2', '10.0.0.9')), 303)
      await service.stop()
      await start({ TRUST_PROXY: '10.0.0.9' })
      assert.equal(await guessed(11, (i) => from(`203.0.113.${i}`)), 429, 'the connection is not 10.0.0.9')
    })

    it('count for a whole network of IPv6, and together for what is no address', async () => {
      await start({ TRUST_PROXY: '1' })
      assert.equal(await guessed(11, (i) => from(`2001:db8:1:2::${i}`)), 429)
      assert.equal(await comesIn(visitOffice(service), from('2001:db8:1:3::1')), 303)
      assert.equal(await guessed(11, (i) => from(`nonsense ${i} ${'x'.repeat(5_000)}`)), 429)
    })

    it('from everywhere together get no further than fifty; known browsers and a new link come in', async () => {
      await start({ TRUST_PROXY: '1' })
      const tablet = visitOffice(service)
      await comesIn(tablet)
      assert.equal(await guessed(50, (i) => from(`203.0.113.${i}`)), 400)
      assert.equal(await guess(from('203.0.113.200')), 429)
      assert.equal(await comesIn(visitOffice(service), from('203.0.113.201')), 429)
      assert.equal(await comesIn(tablet, from('203.0.113.202')), 303)
      assert.equal(await guess(from('203.0.113.200'), 'somebody.else@example.com'), 400)

      const owner = await staffOf(service, venue, 'owner')
      const { context, db } = service
      const { token } = await db.transaction((queries) =>
        makePasswordLink(
          context,
          { db: queries.within(venue.id), venue: { ...venue, plan: 'pro' }, now: context.clock },
          { kind: 'staff', ...owner, role: 'owner' },
          id,
        ),
      )
      const visitor = visitOffice(service)
      const chosen = { password: 'another horse altogether' }
      await visitor.post(`/office/new-password/${token}`, chosen, from('203.0.113.203'))
      const seen = await visitor.post('/office/sign-in', { email, ...chosen }, from('203.0.113.203'))
      assert.equal(seen.status, 303)
    })
  })
})
