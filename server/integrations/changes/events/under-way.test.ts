import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, callService, startService } from '../../../test/service.ts'
import { startBeside } from '../../../test/wire.ts'
import { type Told, readEvents } from '../test/follow.ts'

/*
 * Many kinds of writers in two processes, and readers that follow the events in both: each sees every event once.
 */

const writers = 16
const writesOfEach = 12

describe('followers of the events, while others write', () => {
  let service: TestService
  let venue: TestVenue
  let beside: Awaited<ReturnType<typeof startBeside>>

  before(async () => {
    service = await startService()
    beside = await startBeside(service)
    venue = await service.venue()
    await setRules(service, venue)
  })
  after(async () => {
    await beside.stop()
    await service.stop()
  })

  /** New guests, guests filled in, leads, tasks completed at once, and requests, some of them refused. */
  const write = async (url: string, writer: number, n: number): Promise<void> => {
    const email = `guest-${writer}-${n - (n % 3)}@example.com`
    const ask = (path: string, body: object) =>
      callService(url, 'POST', `/api/v1/${path}`, { key: venue.key, body })
    const kinds = [
      () => ask('guests', { email }),
      () => ask('guests', { email, name: `Guest ${writer}` }),
      () => ask('leads', { name: `Lead ${writer}`, email }),
      async () => ask(`tasks/${(await ask('tasks', { title: `Task ${n}` })).body.task.id}/complete`, {}),
      () =>
        ask('reservations', {
          ...{ guestName: 'Ada', email, partySize: 2, date: '2026-10-08' },
          time: n % 2 ? '19:00' : '04:00',
        }),
    ]
    await kinds[n % kinds.length]?.()
  }

  it('a walk is every event once, and those of one record in their order', async () => {
    let isOver = false
    const follow = async (words: string): Promise<Told[]> => {
      const seen: Told[] = []
      let next: string | undefined
      for (let turn = 0; ; turn++) {
        const url = turn % 2 ? service.url : beside.url
        const wasOver = isOver
        const page = await readEvents(
          (query) => callService(url, 'GET', `/api/v1/events?${query}`, { key: venue.key }),
          [next === undefined ? '' : `after=${next}`, words].filter(Boolean).join('&'),
        )
        seen.push(...page.items)
        next = page.next
        if (wasOver && !page.more && page.items.length === 0) return seen
      }
    }
    const following = [follow('limit=7'), follow('limit=100&wait=1'), follow('')]
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let n = 0; n < writesOfEach; n++) await write(writer % 2 ? service.url : beside.url, writer, n)
      }),
    )
    isOver = true
    const rows = await rowsOf<{ public_id: string }>(
      service,
      'select public_id from event where venue_id = $1',
      [venue.id],
    )
    assert.ok(rows.length > writers * 5)
    const recorded = rows.map(({ public_id }) => public_id).toSorted()
    const [first, ...others] = await Promise.all(following)
    assert.deepEqual(first?.map(({ eventId }) => eventId).toSorted(), recorded)
    for (const one of others) assert.deepEqual(one, first)
    const byRecord = Map.groupBy(first ?? [], ({ record }) => `${record?.kind} ${record?.id}`)
    for (const [about, told] of byRecord) {
      const revisions = told.map(({ record }) => record?.revision ?? 0)
      assert.deepEqual(
        revisions,
        revisions.toSorted((one, other) => one - other),
        about,
      )
    }
  })
})
