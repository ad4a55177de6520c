import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { changeKey } from '../access/change-key.ts'
import { followExpiry } from '../access/follow-expiry.ts'
import { scopesOfWords } from '../access/scopes.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../test/office.ts'
import type { Receiver } from '../../test/receiver.ts'
import type { TestVenue } from '../../test/service.ts'
import { mailAboutEndpoints } from './mail-about-endpoints.ts'
import { type Scene, hours, startScene } from './test/scene.ts'

/* Moving somebody else's endpoint, or steering it, is no way to read what one's own key may not. */

describe('an endpoint and the keys that steer it', () => {
  let scene: Scene
  let venue: TestVenue
  /** Where its maker wants events, and where somebody else would like them. */
  let right: Receiver
  let wrong: Receiver
  let id: string
  before(async () => {
    scene = await startScene()
    scene.worker()
  })
  after(() => scene.stop())

  const call = (method: string, path: string, key: string, body?: unknown) =>
    scene.service.call(method, `/api/v1/webhooks${path}`, { key, ...(body !== undefined && { body }) })
  const keyWith = async (...scopes: Scope[]) => venue.makeKey('read_write', 'api', { scopes })
  const everything = scopesOfWords({ kind: 'api', scope: 'read_write' })
  const begin = async (
    events: readonly string[] = ['guest.created'],
    key?: string,
    settings: object = {},
  ): Promise<void> => {
    venue = await scene.service.venue()
    right = await scene.receiver()
    wrong = await scene.receiver()
    const body = { url: `${right.url}/in`, events, ...settings }
    const made = await call('POST', '', key ?? venue.key, body)
    assert.equal(made.status, 201, made.text)
    id = made.body.id
  }
  let people = 0
  /** Somebody new, whose name, email and phone no key without guests may learn. */
  const guestComes = async () => {
    const n = ++people
    const body = { name: `Maya ${n}`, email: `maya${n}@example.com`, phone: `+1 212 555 ${1000 + n}` }
    const made = await scene.service.call('POST', '/api/v1/guests', { key: venue.key, body })
    assert.equal(made.status, 201, made.text)
    await scene.quiet()
  }
  const bodiesAt = (receiver: Receiver): string[] => receiver.received.map(({ body }) => String(body))
  const read = async () => (await call('GET', `/${id}`, venue.key)).body
  const move = (key: string, more: object = {}) =>
    call('PATCH', `/${id}`, key, { url: `${wrong.url}/in`, ...more })
  const narrow = (keyId: number, scopes: readonly Scope[]) =>
    scene.service.db.transaction((queries) =>
      changeKey(
        scene.service.context,
        { db: queries.within(venue.id), venue: venue as never, now: scene.service.context.clock },
        { kind: 'service' },
        keyId,
        { scopes },
      ),
    )
  const ownerOf = async (): Promise<OfficeVisitor> => {
    const owner = visitOffice(scene.service)
    await owner.signIn((await staffOf(scene.service, venue, 'owner')).email)
    return owner
  }

  describe('a key that may read less than it sends', () => {
    const steering = [
      ['PATCH', '', () => ({ url: `${wrong.url}/in` })],
      ['PATCH', '', () => ({ url: `${right.url}/in` })],
      ['PATCH', '', () => ({ url: `${wrong.url}/in`, payload: 'thin', events: ['reservation.created'] })],
      ['POST', '/rotate-secret', () => ({ overlapHours: 24 })],
      ['POST', '/rotate-secret', () => ({ replace: true })],
      ['POST', '/samples', () => ({ event: 'lead.created' })],
      ['POST', '/replay', () => ({ since: scene.service.context.clock().toString(), only: 'all' })],
      [
        'POST',
        '/replay',
        () => ({ since: scene.service.context.clock().toString(), only: 'all', preview: true }),
      ],
    ] as const

    it('is 403 at each way to steer it, and nothing changes', async () => {
      for (const scopes of [
        ['webhooks:manage'],
        ['webhooks:manage', 'reservations:read'],
        ['webhooks:manage', 'guests:create', 'guests:edit'],
        ['webhooks:manage', 'guests:read', 'contacts:hidden'],
      ] as Scope[][]) {
        for (const payload of ['full', 'thin']) {
          await begin(['guest.*'], undefined, { payload })
          await guestComes()
          const [{ id: delivery }] = (await call('GET', `/${id}/deliveries`, venue.key)).body
          const before = await read()
          const { key } = await keyWith(...scopes)
          const resend = ['POST', `/deliveries/${delivery}/resend`, () => undefined] as const
          for (const [method, path, body] of [...steering, resend]) {
            const answer = await call(method, `/${id}${path}`, key, body())
            assert.deepEqual(
              [answer.status, answer.body.reason],
              [403, 'scope-missing'],
              `${scopes.join(' ')} ${path}`,
            )
          }
          await guestComes()
          assert.deepEqual(wrong.received, [])
          assert.equal(right.received.length, 2)
          const { lastDeliveryAt: _, ...after } = await read()
          const { lastDeliveryAt: __, ...same } = before
          assert.deepEqual(after, same)
        }
      }
    })

    it('may still pause, describe, test and remove it', async () => {
      await begin()
      const { key } = await keyWith('webhooks:manage')
      for (const body of [{ description: 'Till' }, { status: 'paused' }, { status: 'active' }])
        assert.equal((await call('PATCH', `/${id}`, key, body)).status, 200)
      assert.equal((await call('POST', `/${id}/test`, key)).status, 200)
      assert.equal((await call('DELETE', `/${id}`, key)).status, 200)
    })

    it('is judged by what the endpoint sends now, not by what its events could bring', async () => {
      await begin(['*'])
      const { key: few } = await keyWith('webhooks:manage', 'guests:read')
      assert.equal((await move(few)).status, 403)
      const maker = await keyWith('webhooks:manage', 'guests:read')
      id = (await call('POST', '', maker.key, { url: `${right.url}/few`, events: ['*'] })).body.id
      assert.equal((await move(few)).status, 200)
    })

    it('has 404 for what does not exist, as before', async () => {
      await begin()
      const { key } = await keyWith('webhooks:manage')
      id = '0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70'
      assert.equal((await move(key)).status, 404)
    })
  })

  describe('what a moved endpoint sends', () => {
    it('is what both its maker and the key that set its address may read', async () => {
      await begin(['reservation.created'])
      const mover = await keyWith('webhooks:manage', 'reservations:read', 'guests:read')
      assert.equal((await move(mover.key)).status, 200)
      const more = await call('PATCH', `/${id}`, venue.key, { events: ['*'] })
      assert.equal(more.status, 200)
      await guestComes()
      assert.equal(bodiesAt(wrong).length, 1)
      const lead = { name: 'Lena Park', email: 'lena@example.com' }
      await scene.service.call('POST', '/api/v1/leads', { key: venue.key, body: lead })
      await scene.quiet()
      assert.ok(bodiesAt(wrong).every((body) => !body.includes('lead.created')))
    })

    it('hides contacts if either key does, from the waiting deliveries, too', async () => {
      await begin(['reservation.created'])
      const mover = await keyWith('webhooks:manage', 'reservations:read', 'guests:read')
      await call('PATCH', `/${id}`, venue.key, { status: 'paused', include: ['previous'] })
      assert.equal((await move(mover.key)).status, 200)
      await call('PATCH', `/${id}`, venue.key, { events: ['guest.*'] })
      await guestComes()
      await narrow(mover.id, ['webhooks:manage', 'reservations:read', 'guests:read', 'contacts:hidden'])
      await call('PATCH', `/${id}`, venue.key, { status: 'active' })
      await scene.quiet()
      const [body = ''] = bodiesAt(wrong)
      assert.match(body, /"name":null,"email":null,"phone":null/)
      assert.doesNotMatch(body, /maya/i)
    })

    it('ends with what its mover may read, as it is at each try', async () => {
      await begin()
      const mover = await keyWith('webhooks:manage', 'guests:read')
      assert.equal((await move(mover.key)).status, 200)
      wrong.answer(500)
      await guestComes()
      const tried = wrong.received.length
      assert.equal(tried, 1)
      await narrow(mover.id, ['webhooks:manage'])
      wrong.answer(204)
      scene.pass(hours(1))
      await scene.quiet()
      assert.equal(wrong.received.length, tried)
      const [delivery] = (await call('GET', `/${id}/deliveries`, venue.key)).body
      assert.equal(delivery.status, 'dropped')
      await guestComes()
      assert.equal(wrong.received.length, tried)
    })

    it('is its maker’s again once the maker sets the address', async () => {
      await begin()
      const mover = await keyWith('webhooks:manage', 'guests:read')
      await move(mover.key)
      await narrow(mover.id, ['webhooks:manage'])
      const back = await call('PATCH', `/${id}`, venue.key, { url: `${wrong.url}/in` })
      assert.equal(back.status, 200)
      await guestComes()
      assert.equal(wrong.received.length, 1)
    })

    it('follows a rotated key: its successor set the address, with the scopes that it has now', async () => {
      await begin(['reservation.created'])
      const terms = { scopes: everything, mayRotate: true }
      const mover = await venue.makeKey('read_write', 'api', terms)
      const rotate = (key: string) =>
        scene.service.call('POST', '/api/v1/key/rotate', { key, body: { overlapHours: 24 } })
      assert.equal((await move(mover.key)).status, 200)
      const next = (await rotate(mover.key)).body
      await call('PATCH', `/${id}`, venue.key, { events: ['guest.created'] })
      await narrow(next.id, ['webhooks:manage', 'guests:read', 'contacts:hidden'])
      await guestComes()
      assert.match(bodiesAt(wrong)[0] ?? '', /"email":null/)
      // The old key still works, but counts as its successor.
      assert.equal((await call('PATCH', `/${id}`, mover.key, { url: `${wrong.url}/two` })).status, 200)
      await guestComes()
      assert.match(bodiesAt(wrong)[1] ?? '', /"email":null/)
      // What the old key makes in its last hours is its successor's, too.
      const late = await call('POST', '', mover.key, { url: `${right.url}/late`, events: ['guest.created'] })
      assert.equal(late.status, 201)
      await guestComes()
      assert.match(bodiesAt(right)[0] ?? '', /"email":null/)
      scene.pass(hours(25))
      await followExpiry(scene.service.context)
      assert.equal((await read()).status, 'active')
    })

    it('two keys that move it at once, one of them narrowed meanwhile, never send more than the last may read', async () => {
      await begin()
      const keys = await Promise.all([1, 2, 3, 4].map(() => keyWith('webhooks:manage', 'guests:read')))
      const [moves] = await Promise.all([
        Promise.all(keys.map(({ key }) => move(key))),
        Promise.all(
          keys.map(({ id: one }) => narrow(one, ['webhooks:manage', 'guests:read', 'contacts:hidden'])),
        ),
      ])
      await guestComes()
      const isMoved = moves.some(({ status }) => status === 200)
      assert.deepEqual(
        [right, wrong].map(({ received }) => received.length),
        isMoved ? [0, 1] : [1, 0],
      )
      assert.ok(bodiesAt(wrong).every((body) => !body.includes('@example.com')))
    })
  })

  describe('an endpoint whose address was set by a key that is gone', () => {
    const revoke = async (owner: OfficeVisitor, keyId: number) =>
      owner.post(`/office/integrations/keys/${keyId}/revoke`)
    const mailsToOwner = async (): Promise<string[]> => {
      const folder = join(scene.service.context.config.dataDir, 'mail')
      const files: string[] = await readdir(folder).catch(() => [])
      return Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
    }

    it('is paused at the revoke and reported once to the owner, who resumes it', async () => {
      await begin()
      const owner = await ownerOf()
      const mover = await venue.makeKey('read_write', 'api', {
        name: 'Contractor',
        scopes: ['webhooks:manage', 'guests:read'],
      })
      await move(mover.key)
      const page = `/office/integrations/endpoints/${id}`
      assert.match((await owner.get(page)).words, /Address set by Contractor \(…\w{4}\)/)
      await revoke(owner, mover.id)
      assert.deepEqual([(await read()).status, (await read()).disabledReason], ['paused', null])
      await guestComes()
      assert.deepEqual(wrong.received, [])
      const before = (await mailsToOwner()).length
      await mailAboutEndpoints(scene.service.context)
      await mailAboutEndpoints(scene.service.context)
      const mails = await mailsToOwner()
      assert.equal(mails.length - before, 1)
      const mail = mails.find((one) => one.includes('Deliveries of')) ?? ''
      assert.match(mail.replaceAll('=\r\n', ''), /127\.0\.0\.1:\d+, set by/)
      assert.match((await owner.get(page)).words, /Address set by Contractor \(…\w{4}\), revoked/)
      assert.match((await owner.get(page)).words, /Resume only if you know the address/)
      // Software that only switches it on again does not decide this.
      const again = await call('PATCH', `/${id}`, venue.key, { status: 'active' })
      assert.equal(again.status, 409, again.text)
      await owner.post(`${page}/enable`)
      await scene.quiet()
      assert.equal(wrong.received.length, 1)
      assert.equal((await read()).status, 'active')
    })

    it('goes on once a key that works sets the address', async () => {
      await begin()
      const owner = await ownerOf()
      const mover = await keyWith('webhooks:manage', 'guests:read')
      await move(mover.key)
      await revoke(owner, mover.id)
      const set = await call('PATCH', `/${id}`, venue.key, { url: `${right.url}/in`, status: 'active' })
      assert.deepEqual([set.status, set.body.status], [200, 'active'], set.text)
      await guestComes()
      assert.equal(right.received.length, 1)
    })

    it('is paused when that key expires', async () => {
      await begin()
      const expiresAt = scene.service.context.clock().add({ hours: 1 })
      const mover = await venue.makeKey('read_write', 'api', {
        scopes: ['webhooks:manage', 'guests:read'],
        expiresAt,
      })
      await move(mover.key)
      scene.pass(hours(1))
      await followExpiry(scene.service.context)
      assert.equal((await read()).status, 'paused')
      await guestComes()
      assert.deepEqual(wrong.received, [])
    })

    it('stays off for good when its maker’s key goes, even if another key set the address', async () => {
      await begin()
      const owner = await ownerOf()
      const maker = await keyWith('webhooks:manage', 'guests:read')
      const own = await call('POST', '', maker.key, { url: `${right.url}/own`, events: ['guest.created'] })
      id = own.body.id
      const mover = await keyWith('webhooks:manage', 'guests:read')
      await move(mover.key)
      await revoke(owner, mover.id)
      await revoke(owner, maker.id)
      const { status, disabledReason } = await read()
      assert.deepEqual([status, disabledReason], ['disabled', 'key-revoked'])
      assert.equal((await move(venue.key, { status: 'active' })).body.reason, 'endpoint-off-for-good')
    })
  })
})
