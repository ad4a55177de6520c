import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Desk, openDesk, staffOf } from '../test/desk.ts'
import { notedChanges } from '../test/noted-changes.ts'
import { type TestService, startService } from '../test/service.ts'
import { importObjection } from './import-objection.ts'
import { suppress, unsubscribe } from './leaving.ts'
import { savePreferences } from './preferences.ts'

describe('changes of subscribers', () => {
  let service: TestService
  let desk: Desk
  const manager = staffOf('manager')
  const at = (time: string) => service.setClock(`2026-10-06T${time}:00Z`)
  const changes = () => notedChanges(desk, 'subscriber')
  const signUp = async (more: { firstName?: string; tag?: string } = {}) => {
    const body = { email: 'maya@example.com', ...more, consent: { source: 'Website' } }
    return (await service.call('POST', '/api/v1/subscribers', { key: desk.venue.key, body })).body.subscriber
  }

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('are noted with the revision when one is added, given a first name, and leaves', async () => {
    desk = await openDesk(service)
    at('10:00')
    const { id, revision } = await signUp()
    assert.equal(revision, 1)
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
    at('11:00')
    assert.equal((await signUp({ firstName: 'Maya' })).revision, 2)
    assert.deepEqual(await changes(), { [id]: 'upsert 2 at 11:00' })
    await desk.told()
    at('12:00')
    const { subscriber } = await desk.act((work) => unsubscribe(work, manager, id))
    const [left] = await desk.told()
    assert.deepEqual([subscriber.revision, left?.data['revision']], [3, 3])
    at('13:00')
    await desk.act((work) => unsubscribe(work, manager, id))
    assert.deepEqual(await changes(), { [id]: 'upsert 3 at 12:00' })
  })

  it('are noted of somebody whom a file knows as unsubscribed', async () => {
    desk = await openDesk(service)
    at('10:00')
    const objection = { email: 'ben@example.com', firstName: null, kind: 'unsubscribed', at: null } as const
    await desk.act((work) => importObjection(work, manager, objection))
    assert.deepEqual(Object.values(await changes()), ['upsert 1 at 10:00'])
  })

  it('are noted when a tag is added, by whichever door, and not when it was there', async () => {
    desk = await openDesk(service)
    at('10:00')
    const { id, tags } = await signUp({ tag: 'Wine' })
    assert.deepEqual(tags, ['Wine'])
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
    at('11:00')
    assert.equal((await signUp({ tag: 'WINE' })).revision, 1)
    assert.deepEqual((await signUp({ tag: 'Jazz' })).tags, ['Jazz', 'Wine'])
    assert.deepEqual(await changes(), { [id]: 'upsert 2 at 11:00' })
    at('12:00')
    const [topic] = await desk.query<{ id: string }>(
      `insert into tag (venue_id, name, name_key, topic) values ($1, 'Beer', 'beer', true) returning id`,
      [desk.venue.id],
    )
    const choose = (topics: ReadonlySet<number>) =>
      desk.act((work) => savePreferences(work, id, { pause: null, birthdayMails: true, topics }))
    await choose(new Set([Number(topic?.id)]))
    assert.deepEqual(await changes(), { [id]: 'upsert 3 at 12:00' })
    at('13:00')
    await choose(new Set())
    assert.deepEqual(await changes(), { [id]: 'upsert 3 at 12:00' }, 'turned off, they keep the tag')
  })

  it('are not noted of what the record does not show: evidence, preferences, a bounce', async () => {
    desk = await openDesk(service)
    at('10:00')
    const { id } = await signUp({ firstName: 'Maya' })
    at('11:00')
    assert.equal((await signUp({ firstName: 'M.' })).revision, 1)
    await desk.act((work) =>
      savePreferences(work, id, { pause: 30, birthdayMails: false, topics: new Set() }),
    )
    await desk.act((work) => suppress(work, manager, { email: 'maya@example.com', reason: 'bounced' }))
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
    at('12:00')
    await desk.act((work) => suppress(work, manager, { email: 'maya@example.com', reason: 'staff_removal' }))
    assert.deepEqual(await changes(), { [id]: 'upsert 2 at 12:00' }, 'this also unsubscribes')
  })
})
