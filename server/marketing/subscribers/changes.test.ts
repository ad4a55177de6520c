import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Actor } from '../../core/activity/actor.ts'
import { migrationFiles, statementsOf } from '../../platform/db/migrate.ts'
import { type Desk, openDesk, staffOf } from '../../test/desk.ts'
import { notedChanges } from '../../test/every-door/noted-changes.ts'
import { type TestService, startService } from '../../test/service.ts'
import { importObjection } from './import-objection.ts'
import { suppress, unsubscribe, unsuppress } from './leaving.ts'
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

  it('are not noted of what the record does not show: evidence, preferences', async () => {
    desk = await openDesk(service)
    at('10:00')
    const { id } = await signUp({ firstName: 'Maya' })
    at('11:00')
    assert.equal((await signUp({ firstName: 'M.' })).revision, 1)
    await desk.act((work) =>
      savePreferences(work, id, { pause: 30, birthdayMails: false, topics: new Set() }),
    )
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
  })

  describe('of whether an address is on the do-not-email list', () => {
    const email = 'maya@example.com'
    const mailer: Actor = { kind: 'service' }
    const read = async (path: string) => (await service.call('GET', path, { key: desk.venue.key })).body
    /** How everybody who reads somebody sees them: by themselves, in the list, and in the feed. */
    const seen = async (id: number) => {
      const subscriber = await read(`/api/v1/subscribers/${id}`)
      const list = await read('/api/v1/subscribers')
      const feed = await read('/api/v1/changes?kinds=subscriber')
      assert.deepEqual(list, [subscriber])
      assert.deepEqual(feed.changes.at(-1)?.data, subscriber)
      return { status: subscriber.status, suppressed: subscriber.suppressed, revision: subscriber.revision }
    }
    const arrive = async () => {
      desk = await openDesk(service)
      at('10:00')
      const { id, suppressed } = await signUp()
      assert.equal(suppressed, false)
      await desk.told()
      at('11:00')
      return id
    }
    /** What one act emits: under which name, and how the person was and is. */
    const emitted = async (act: () => Promise<unknown>) => {
      const count = 'select id from event where venue_id = $1'
      const known = new Set((await desk.query<{ id: number }>(count, [desk.venue.id])).map(({ id }) => id))
      await act()
      const rows = await desk.query<{ id: number; name: string; data: string; previous: string }>(
        'select id, name, data, previous from event where venue_id = $1 order by id',
        [desk.venue.id],
      )
      return rows
        .filter(({ id }) => !known.has(id))
        .map(({ name, data, previous }) => {
          const { suppressed, status } = JSON.parse(data)
          return { name, suppressed, status, was: JSON.parse(previous).suppressed }
        })
    }
    const doors: readonly {
      readonly by: string
      readonly act: () => Promise<unknown>
      readonly leaves: boolean
    }[] = [
      {
        by: 'a bounce',
        act: () => desk.act((work) => suppress(work, mailer, { email, reason: 'bounced' })),
        leaves: false,
      },
      {
        by: 'a spam report',
        act: () => desk.act((work) => suppress(work, mailer, { email, reason: 'spam_report' })),
        leaves: true,
      },
      {
        by: 'staff',
        act: () => desk.act((work) => suppress(work, manager, { email, reason: 'staff_removal' })),
        leaves: true,
      },
      {
        by: 'the import of a bounce',
        act: () =>
          desk.act((work) =>
            importObjection(work, manager, { email, firstName: null, kind: 'bounced', at: null }),
          ),
        leaves: false,
      },
      {
        by: 'the import of a spam report',
        act: () =>
          desk.act((work) =>
            importObjection(work, manager, { email, firstName: null, kind: 'spam_report', at: null }),
          ),
        leaves: true,
      },
    ]
    for (const { by, act, leaves } of doors) {
      it(`are noted and emitted once by ${by}, and again when it is taken off`, async () => {
        const id = await arrive()
        const status = leaves ? 'unsubscribed' : 'subscribed'
        const name = leaves ? 'subscriber.unsubscribed' : 'subscriber.updated'
        assert.deepEqual(await emitted(act), [{ name, suppressed: true, status, was: false }])
        assert.deepEqual(await seen(id), { status, suppressed: true, revision: 2 })
        assert.deepEqual(await changes(), { [id]: 'upsert 2 at 11:00' })
        at('12:00')
        assert.deepEqual(await emitted(act), [], 'a second time changes nothing')
        assert.deepEqual(await changes(), { [id]: 'upsert 2 at 11:00' })
        at('13:00')
        const takeOff = () => desk.act((work) => unsuppress(work, manager, { email, why: 'Typed wrongly' }))
        assert.deepEqual(await emitted(takeOff), [
          { name: 'subscriber.updated', suppressed: false, status, was: true },
        ])
        assert.deepEqual(await seen(id), { status, suppressed: false, revision: 3 })
        assert.deepEqual(await changes(), { [id]: 'upsert 3 at 13:00' })
      })
    }

    it('are no news of an address that nobody here has, and of one that a key names who is on the list', async () => {
      const id = await arrive()
      const call = (address: string) =>
        service.call('POST', '/api/v1/subscribers/unsubscribe', {
          key: desk.venue.key,
          body: { email: address },
        })
      assert.deepEqual((await call('nobody@example.com')).body, { changed: true, subscriber: null })
      assert.deepEqual(await seen(id), { status: 'subscribed', suppressed: false, revision: 1 })
      assert.equal((await call(email)).body.subscriber.suppressed, false, 'they left: that is enough')
    })

    it('stay with somebody new under an address that was on the list before', async () => {
      desk = await openDesk(service)
      at('10:00')
      await desk.act((work) => suppress(work, mailer, { email, reason: 'bounced' }))
      const objection = { email, firstName: null, kind: 'unsubscribed', at: null } as const
      await desk.act((work) => importObjection(work, manager, objection))
      const [id] = Object.keys(await changes()).map(Number)
      assert.deepEqual(await seen(id as number), { status: 'unsubscribed', suppressed: true, revision: 1 })
    })

    it('are noted of everybody who was on the list before subscribers showed it', async () => {
      const id = await arrive()
      const other = (
        await service.call('POST', '/api/v1/subscribers', {
          key: desk.venue.key,
          body: { email: 'ben@example.com', consent: { source: 'Website' } },
        })
      ).body.subscriber
      await desk.query(`insert into suppression values ($1, $2, 'bounced', now())`, [desk.venue.id, email])
      const { next } = await read('/api/v1/changes?after=latest')
      const file = (await migrationFiles()).find(({ name }) => name.startsWith('0084-'))
      for (const statement of statementsOf(file?.text ?? '')) await desk.query(statement, [])
      const { changes: since } = await read(`/api/v1/changes?after=${next}`)
      assert.deepEqual(
        since.map(({ id: record, data }: { id: number; data: { suppressed: boolean; revision: number } }) => [
          record,
          data.suppressed,
          data.revision,
        ]),
        [[id, true, 2]],
      )
      assert.equal((await read(`/api/v1/subscribers/${other.id}`)).revision, 1)
    })
  })
})
