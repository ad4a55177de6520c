import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { recordKinds } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { makeBell } from '../../platform/kernel/running/bell.ts'
import { eventually } from '../../test/eventually.ts'
import { atWork, hiddenIn } from '../../test/office-forms.ts'
import { type ServiceProcess, startProcess } from '../../test/process.ts'
import { rowsOf } from '../../test/rows.ts'
import {
  type Answer,
  type TestService,
  type TestVenue,
  callPatiently,
  startService,
} from '../../test/service.ts'
import { readChanges, readEvents } from './test/follow.ts'
import { openWaiting } from './waiting.ts'

const gone = new AbortController().signal

describe('waiting for changes', () => {
  let service: TestService
  let venue: TestVenue
  const running: ServiceProcess[] = []

  before(async () => {
    service = await startService()
  })
  after(async () => {
    for (const one of running) one.signal('SIGKILL')
    await Promise.all(running.map(({ ended }) => ended))
    await service.stop()
  })

  const begin = async (): Promise<ServiceProcess> => {
    const one = await startProcess({
      DATABASE_URL: service.databaseUrl,
      SECRETS: service.context.config.secrets as string,
      RATE_LIMIT_PER_MINUTE: '1000000',
    })
    running.push(one)
    await one.ready()
    return one
  }
  const guest = (name: string, url = service.url) =>
    callPatiently(url, 'POST', '/api/v1/guests', { key: venue.key, body: { email: `${name}@example.com` } })
  /** A key of its own, so that its requests can be counted, and how to wait with it from a cursor. */
  const aWaiter = async (url = service.url) => {
    const { key, id } = await venue.makeKey('read')
    const ask = (query: string) => callPatiently(url, 'GET', `/api/v1/changes?${query}`, { key })
    const { next } = await readChanges(ask, 'after=latest')
    return {
      id,
      next,
      /** Resolves when the request has come in; the answer is a promise of its own. */
      wait: async (seconds: number, words = ''): Promise<{ answer: Promise<Answer> }> => {
        const answer = ask(`after=${next}&wait=${seconds}${words}`)
        await eventually(async () => {
          const [row] = await rowsOf<{ used: number }>(
            service,
            'select used from key_window where key_id = $1',
            [id],
          )
          return row && row.used >= 2
        })
        return { answer }
      },
    }
  }

  it('what another process writes ends the wait', async () => {
    venue = await service.venue()
    const [one, other] = await Promise.all([begin(), begin()])
    const waiter = await aWaiter(one.url)
    const { answer } = await waiter.wait(25)
    const { body } = await guest('ada', other.url)
    const { status, body: page } = await answer
    assert.equal(status, 200)
    assert.deepEqual(
      page.changes.map(({ kind, id, change }: Record<string, unknown>) => [kind, id, change]),
      [['guest', body.guest.id, 'created']],
    )
  })

  it('what happens at another process ends a wait for events, and what changes without an event does not', async () => {
    venue = await service.venue()
    const [one, other] = await Promise.all([begin(), begin()])
    const { key, id } = await venue.makeKey('read')
    const ask = (query: string) => callPatiently(one.url, 'GET', `/api/v1/events?${query}`, { key })
    const { next } = await readEvents(ask, 'after=latest')
    const waits = readEvents(ask, `after=${next}&wait=25`)
    await eventually(async () => {
      const [row] = await rowsOf<{ used: number }>(service, 'select used from key_window where key_id = $1', [
        id,
      ])
      return row && row.used >= 2
    })
    await rowsOf(
      service,
      `insert into record_change (venue_id, kind, record_id, op, gone, revision, changed_at)
       values ($1, 'guest', 1, 'upsert', false, 1, now())`,
      [venue.id],
    )
    const { body } = await guest('ada', other.url)
    const { items } = await waits
    assert.deepEqual(
      items.map(({ event, record }) => [event, record?.id]),
      [['guest.created', body.guest.id]],
    )
  })

  /** All that a key with the word `read` may read. */
  const kinds = recordKinds.filter((kind) => kind !== 'campaign' && kind !== 'visit')

  it('SIGTERM answers who waits, with an empty page to go on from', async () => {
    venue = await service.venue()
    const one = await begin()
    const waiter = await aWaiter(one.url)
    const { answer } = await waiter.wait(25)
    one.signal('SIGTERM')
    const { status, body } = await answer
    assert.deepEqual([status, body], [200, { changes: [], next: waiter.next, more: false, kinds }])
    assert.equal(await one.ended, 0)
  })

  it('when nothing comes the page is empty', async () => {
    venue = await service.venue()
    const waiter = await aWaiter()
    const { answer } = await waiter.wait(1)
    assert.deepEqual((await answer).body, { changes: [], next: waiter.next, more: false, kinds })
  })

  it('a key that is revoked meanwhile gets 401 and no data', async () => {
    venue = await service.venue()
    const waiter = await aWaiter()
    const { answer } = await waiter.wait(25)
    await rowsOf(service, 'update api_key set revoked_at = now() where id = $1', [waiter.id])
    await guest('ada')
    const { status, text } = await answer
    assert.equal(status, 401)
    assert.doesNotMatch(text, /ada/)
  })

  it('a kind that the key may read no longer is 403', async () => {
    venue = await service.venue()
    const [one, other] = [await aWaiter(), await aWaiter()]
    const waits = [await one.wait(25), await other.wait(25, '&kinds=guest')]
    await rowsOf(service, `update api_key set scopes = '{leads:read}' where id = $1`, [other.id])
    await guest('ada')
    const [all, guests] = await Promise.all(waits.map(({ answer }) => answer))
    assert.equal(all?.status, 200)
    assert.deepEqual(all?.body.kinds, kinds)
    assert.equal(guests?.body.reason, 'scope-missing')
  })

  it('a venue that is paused meanwhile gets 403', async () => {
    // A venue of its own, so that no change of before ends the wait early.
    venue = await service.venue()
    const waiter = await aWaiter()
    const paused = await waiter.wait(25)
    await rowsOf(service, 'update venue set paused = true where id = $1', [venue.id])
    await rowsOf(service, 'update record_change set seq = null where venue_id = $1', [venue.id])
    assert.equal((await paused.answer).status, 403)
  })

  it('changes of other kinds do not end the wait; those of the kind asked for do', async () => {
    venue = await service.venue()
    const waiter = await aWaiter()
    const { answer } = await waiter.wait(25, '&kinds=task')
    await guest('ada')
    const { body } = await service.call('POST', '/api/v1/tasks', { key: venue.key, body: { title: 'Call' } })
    const { changes } = (await answer).body
    assert.deepEqual(
      changes.map(({ kind, id }: Record<string, unknown>) => [kind, id]),
      [['task', body.task.id]],
    )
  })

  it('a form of the office rings as a call of the API does', async () => {
    const { visitor } = await atWork(service, 'host')
    const token = hiddenIn(await visitor.get('/office/tasks'), 'token')
    let rings = 0
    service.context.bell.onRing(() => rings++)
    await visitor.get('/office/tasks')
    assert.equal(rings, 0)
    await visitor.post('/office/tasks', { token, title: 'Order napkins' })
    assert.equal(rings, 1)
  })

  it('two calls of a key wait at once, and a thousand of the process; when it ends, nobody does', async () => {
    const { db } = service
    const waiting = openWaiting({ db, bell: makeBell() })
    const [first, second] = [waiting.enter(1), waiting.enter(1)]
    assert.ok(first && second)
    assert.equal(waiting.enter(1), undefined)
    first.leave()
    assert.ok(waiting.enter(1))
    const places = Array.from({ length: limits.waitersOfProcess - 2 }, (_, i) => waiting.enter(2 + i))
    assert.ok(places.every((place) => place))
    assert.equal(waiting.enter(5_000), undefined)
    const waits = second.until(
      { feed: 'changes', venue: venue.id, position: Number.MAX_SAFE_INTEGER },
      25_000,
      gone,
    )
    waiting.end()
    await waits
    second.leave()
    assert.equal(waiting.enter(5_000), undefined)
  })

  it('a caller who hangs up waits no longer', async () => {
    const waiting = openWaiting({ db: service.db, bell: makeBell() })
    const leaving = new AbortController()
    const waits = waiting
      .enter(1)
      ?.until({ feed: 'changes', venue: venue.id, position: Number.MAX_SAFE_INTEGER }, 25_000, leaving.signal)
    leaving.abort()
    await waits
  })
})
