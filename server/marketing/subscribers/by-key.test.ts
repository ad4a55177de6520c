import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'

describe('subscribers changed by API', () => {
  let service: TestService
  let venue: TestVenue
  before(async () => {
    service = await startService()
    venue = await service.venue()
  })
  after(() => service.stop())

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, `/api/v1${path}`, {
      key: venue.key,
      headers: { 'if-match': '*' },
      ...(body !== undefined && { body }),
    })
  const signUp = (email: string) => call('POST', '/subscribers', { email, consent: { source: 'Checkout' } })
  const made = async (email: string): Promise<number> => (await signUp(email)).body.subscriber.id
  const told = async (name: string): Promise<number> =>
    (await rowsOf(service, 'select id from event where venue_id = $1 and name = $2', [venue.id, name])).length

  it('a name and a birthday, which is a day and a month', async () => {
    const id = await made('maya@example.com')
    const changes = { firstName: 'Maya', birthMonth: 2, birthDay: 29 }
    const { status, body } = await call('PATCH', `/subscribers/${id}`, changes)
    assert.equal(status, 200)
    const { firstName, birthMonth, birthDay, status: state, revision } = body.subscriber
    assert.deepEqual([{ firstName, birthMonth, birthDay }, state, revision], [changes, 'subscribed', 2])
    for (const wrong of [{ birthDay: 30 }, { birthMonth: null }, { birthMonth: 13 }, { birthDay: 0 }]) {
      assert.equal((await call('PATCH', `/subscribers/${id}`, wrong)).status, 400, JSON.stringify(wrong))
    }
    const cleared = await call('PATCH', `/subscribers/${id}`, { birthMonth: null, birthDay: null })
    assert.deepEqual([cleared.body.changed, cleared.body.subscriber.birthDay], [true, null])
    for (const field of ['status', 'email', 'suppressed']) {
      const back = await call('PATCH', `/subscribers/${id}`, { firstName: 'Mia', [field]: 'subscribed' })
      const said = [403, 'staff-only', `A key cannot set ${field}.`]
      assert.deepEqual([back.status, back.body.reason, back.body.error], said)
    }
  })

  it('tags are added and taken away, in any letter case, with one event for each change', async () => {
    const id = await made('nia@example.com')
    const tag = (body: object) => call('POST', `/subscribers/${id}/tags`, body)
    const before = await told('subscriber.updated')
    const added = await tag({ add: ['Wine', ' jazz ', 'WINE'] })
    assert.equal(added.status, 200, added.text)
    const { tags, revision } = added.body.subscriber
    assert.deepEqual([tags, revision, added.body.changed], [['jazz', 'Wine'], 2, true])
    const again = await tag({ add: ['wine'], remove: ['Nothing of the kind'] })
    assert.deepEqual([again.body.subscriber.revision, again.body.changed], [2, false])
    const both = await tag({ add: ['Beer'], remove: ['wInE'] })
    assert.deepEqual(both.body.subscriber.tags, ['Beer', 'jazz'])
    assert.equal((await told('subscriber.updated')) - before, 2)
    assert.deepEqual((await call('GET', `/subscribers/${id}`)).body.tags, ['Beer', 'jazz'])
    assert.deepEqual(
      (await call('GET', '/subscribers?tag=beer')).body.map((one: { id: number }) => one.id),
      [id],
    )
    const [trail] = await rowsOf(
      service,
      `select actor_kind, before::jsonb -> 'tags' as was, after::jsonb -> 'tags' as is from activity
        where venue_id = $1 and record_kind = 'subscriber' and record_id = $2 order by id desc limit 1`,
      [venue.id, id],
    )
    assert.deepEqual(trail, { actor_kind: 'key', was: ['jazz', 'Wine'], is: ['Beer', 'jazz'] })
    const fifty = Array.from({ length: 50 }, (_, n) => `Tag ${n}`)
    assert.equal((await tag({ add: fifty, remove: ['Beer'] })).body.subscriber.tags.length, 51)
    for (const wrong of [
      {},
      { add: [], remove: [] },
      { add: null },
      { add: 'Wine' },
      { add: [5] },
      { add: [' '] },
      { remove: [''] },
      { add: [...fifty, 'One more'] },
      { add: ['x'.repeat(61)] },
      { add: [`e${'\u0301'.repeat(60)}`] },
      { add: ['Wine'], remove: ['WINE '] },
    ]) {
      assert.equal((await tag(wrong)).status, 400, JSON.stringify(wrong))
    }
    const stale = await service.call('POST', `/api/v1/subscribers/${id}/tags`, {
      key: venue.key,
      headers: { 'if-match': '"1.x"' },
      body: { add: ['Late'] },
    })
    assert.equal(stale.status, 412)
  })

  it('parallel calls that tag one person all count, and none is lost', async () => {
    const id = await made('omar@example.com')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        call('POST', `/subscribers/${id}/tags`, { add: [`T${n}`, `T${(n + 1) % 20}`] }),
      ),
    )
    assert.ok(answers.every(({ status }) => status === 200))
    const { tags, revision } = (await call('GET', `/subscribers/${id}`)).body
    assert.equal(tags.length, 20)
    assert.equal(revision, 1 + answers.filter(({ body }) => body.changed).length)
  })

  it('somebody leaves once, by id or by address, with one event', async () => {
    const [one, other] = [await made('ada@example.com'), await made('ben@example.com')]
    const before = await told('subscriber.unsubscribed')
    const byId = await call('POST', `/subscribers/${one}/unsubscribe`)
    assert.deepEqual(
      [byId.status, byId.body.changed, byId.body.subscriber.status],
      [200, true, 'unsubscribed'],
    )
    assert.equal((await call('POST', `/subscribers/${one}/unsubscribe`)).body.changed, false)
    const asked = { email: 'BEN@example.com', reason: 'Asked in our app.' }
    const byAddress = await call('POST', '/subscribers/unsubscribe', asked)
    assert.deepEqual([byAddress.body.changed, byAddress.body.subscriber.id], [true, other])
    assert.equal((await call('POST', '/subscribers/unsubscribe', asked)).body.changed, false)
    assert.equal((await told('subscriber.unsubscribed')) - before, 2)
    assert.equal((await signUp('ben@example.com')).body.status, 'unsubscribed')
  })

  it('an address that nobody knows is kept from being added later', async () => {
    const asked = { email: 'eve@example.com', reason: 'Asked in our app.' }
    const first = await call('POST', '/subscribers/unsubscribe', asked)
    assert.deepEqual([first.status, first.body], [200, { changed: true, subscriber: null }])
    assert.equal((await call('POST', '/subscribers/unsubscribe', asked)).body.changed, false)
    const added = await signUp('eve@example.com')
    assert.deepEqual(
      [added.body.added, added.body.status, added.body.subscriber],
      [false, 'suppressed', null],
    )
    const [row] = await rowsOf(
      service,
      `select actor_kind, after::jsonb ->> 'why' as why from activity
        where venue_id = $1 and record_kind = 'suppression'`,
      [venue.id],
    )
    assert.deepEqual(row, { actor_kind: 'key', why: 'Asked in our app.' })
  })
})
