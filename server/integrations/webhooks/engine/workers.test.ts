import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { type Scene, minutes, startScene } from '../test/scene.ts'
import { takeAt } from '../test/take-at.ts'
import type { Leased } from './lease.ts'
import { engineLimits } from './limits.ts'
import { lookAtVenue, startTurns } from './look.ts'
import { prune } from './prune.ts'
import { resultOf } from './dispatch.ts'
import { type Tried, settleTries } from './settle.ts'
import type { TestVenue } from '../../../test/service.ts'

describe('workers on one database', () => {
  let scene: Scene
  before(async () => {
    scene = await startScene()
  })
  after(() => scene.stop())

  /** Takes a venue's only delivery, like a worker that is then killed. */
  const takeAsOneWhoDies = async (venue: TestVenue): Promise<Leased> => {
    const { db, clock } = scene.service.context
    await startTurns(db, venue.id)
    const [row] = await lookAtVenue(db, venue.id, clock())
    const ids = [row?.id ?? '']
    const taken = await takeAt(scene, venue, { turn: row?.turn ?? 0, deliveries: ids, first: ids })
    assert.equal(taken.length, 1)
    return taken[0] as Leased
  }

  it('never send one delivery twice concurrently', async () => {
    const venues = await Promise.all(Array.from({ length: 6 }, () => scene.service.venue()))
    const receiver = await scene.receiver()
    for (const venue of venues) await scene.endpoint(venue, receiver)
    for (let n = 0; n < 4; n++) scene.worker()
    await Promise.all(venues.map((venue) => scene.happen(venue, 60)))
    await scene.quiet()
    await scene.stopWorkers()
    assert.equal(receiver.received.length, 360)
    const ids = new Set(receiver.received.map(({ body }) => JSON.parse(String(body)).id))
    assert.equal(ids.size, 360)
    const attempts = await scene.query('select count(*)::int as made from attempt')
    assert.equal(attempts[0]?.made, 360)
  })

  it('of two that read the same facts only one may take', async () => {
    const venue = await scene.service.venue()
    await scene.endpoint(venue, await scene.receiver())
    await scene.happen(venue, 2)
    const { db, clock } = scene.service.context
    await startTurns(db, venue.id)
    const [one, other] = await lookAtVenue(db, venue.id, clock())
    const take = (row: typeof one) =>
      takeAt(scene, venue, { turn: row?.turn ?? 0, deliveries: [row?.id ?? ''] })
    const taken = await Promise.all([take(one), take(other)])
    assert.deepEqual(
      taken.map(({ length }) => length).toSorted((a, b) => a - b),
      [0, 1],
    )
  })

  it('take over what a crashed one held, with the same id and bytes and without using up a try', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(500)
    await scene.endpoint(venue, receiver)
    await scene.happen(venue)
    const taken = await takeAsOneWhoDies(venue)
    scene.worker()
    scene.pass(engineLimits.leaseMs - 1)
    await scene.sweep()
    await scene.quiet()
    assert.equal(receiver.received.length, 0, 'the lease has not run out')
    scene.pass(1)
    await scene.sweep()
    await scene.quiet()
    assert.equal(JSON.parse(String(receiver.received[0]?.body)).id, taken.id)
    const [delivery] = await scene.deliveries(venue)
    assert.deepEqual([delivery?.tries, delivery?.takeovers], [1, 1])

    const late = resultOf(
      scene.service.context,
      taken,
      { kind: 'answered', statusCode: 204, body: Buffer.alloc(0), durationMs: 5 },
      scene.service.context.clock(),
    ) as Tried
    const written = await settleTries(scene.service.db, [late])
    assert.deepEqual(written, [], 'the result of a lease that was taken over counts for nothing')
    const [after] = await scene.deliveries(venue)
    assert.deepEqual([after?.tries, after?.outcome], [1, null])
    await scene.stopWorkers()
  })

  it('a result is written once, however often it is reported', async () => {
    const venue = await scene.service.venue()
    const { id } = await scene.endpoint(venue, await scene.receiver())
    await scene.happen(venue)
    const taken = await takeAsOneWhoDies(venue)
    const failed = resultOf(
      scene.service.context,
      taken,
      { kind: 'timeout', durationMs: 10_000 },
      scene.service.context.clock(),
    ) as Tried
    for (const count of [1, 0]) {
      const written = await settleTries(scene.service.db, [failed])
      assert.equal(written.length, count)
    }
    const shown = await scene.shown(venue, id)
    assert.deepEqual([shown.failureCount, shown.lastDeliveryStatus], [1, 'timeout'])
  })

  it('after three takeovers a further crash uses up a try, so that no delivery kills workers forever', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    await scene.endpoint(venue, receiver)
    await scene.happen(venue)
    for (let crashes = 0; crashes < 12; crashes++) {
      await takeAsOneWhoDies(venue)
      scene.pass(engineLimits.leaseMs)
      const [delivery] = await scene.deliveries(venue)
      assert.deepEqual([delivery?.tries, delivery?.takeovers], [Math.max(0, crashes - 3), crashes])
    }
    scene.worker()
    await scene.sweep()
    await scene.quiet()
    const [delivery] = await scene.deliveries(venue)
    assert.deepEqual([delivery?.outcome, receiver.received.length], ['failed', 0])
    await scene.stopWorkers()
  })

  it('at most 5 tries of an endpoint and 20 of a venue are under way at once, over all workers', async () => {
    const venue = await scene.service.venue()
    const silent = await scene.receiver(0)
    for (let n = 0; n < 6; n++) await scene.endpoint(venue, silent)
    await scene.happen(venue, 10)
    const workers = [scene.worker(), scene.worker()]
    await eventually(() => silent.received.length === 20)
    await eventually(async () => {
      scene.service.context.bell.ring()
      const [{ held } = {}] = await scene.query(
        'select count(*)::int as held from lane where venue_id = $1 and due_at > $2',
        [venue.id, scene.service.context.clock().toString()],
      )
      return held === 1 && workers.every((worker) => worker.counts().turns === 0)
    })
    assert.equal(silent.received.length, 20)
    const byEndpoint = Object.groupBy(silent.received, ({ path }) => path)
    assert.ok(Object.values(byEndpoint).every((all) => (all?.length ?? 0) <= 5))
    await silent.stop()
    await scene.quiet()
    await scene.stopWorkers()
  })

  it('a stopped one lets running tries end, writes their results and takes nothing new', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(0)
    await scene.endpoint(venue, receiver)
    await scene.happen(venue, 8)
    const worker = scene.worker()
    await eventually(() => receiver.received.length === 5)
    const stopped = worker.stop()
    await receiver.stop()
    await stopped
    const deliveries = await scene.deliveries(venue)
    assert.ok(
      deliveries.every(({ lease_token }) => lease_token === null),
      'nothing is left leased',
    )
    assert.deepEqual(
      deliveries.map(({ tries }) => tries).toSorted((a, b) => a - b),
      [0, 0, 0, 1, 1, 1, 1, 1],
    )
  })

  it('find by the sweep what a lane forgot', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    await scene.endpoint(venue, receiver)
    await scene.happen(venue, 2)
    await scene.query('delete from lane where venue_id = $1', [venue.id])
    scene.worker()
    await scene.quiet()
    assert.equal(receiver.received.length, 0)
    await scene.sweep()
    await scene.quiet()
    assert.equal(receiver.received.length, 2)
    await scene.stopWorkers()
  })

  it('keep bytes seven days after the end and the log thirty days', async () => {
    const venue = await scene.service.venue()
    await scene.endpoint(venue, await scene.receiver())
    await scene.happen(venue)
    scene.worker()
    await scene.quiet()
    const counts = async () => {
      await prune(scene.service.context)
      const [row] = await scene.query(
        `select (select count(*) from event where venue_id = $1 and data is not null)::int as data,
                (select count(*) from attempt where venue_id = $1)::int as attempts,
                (select count(*) from delivery where venue_id = $1)::int as deliveries,
                (select count(*) from event where venue_id = $1)::int as events`,
        [venue.id],
      )
      return row
    }
    const day = minutes(24 * 60)
    scene.pass(7 * day - 1)
    assert.deepEqual(await counts(), { data: 1, attempts: 1, deliveries: 1, events: 1 })
    scene.pass(1)
    assert.deepEqual(await counts(), { data: 0, attempts: 1, deliveries: 1, events: 1 })
    scene.pass(23 * day)
    assert.deepEqual(await counts(), { data: 0, attempts: 0, deliveries: 1, events: 1 })
    scene.pass(2 * day)
    assert.deepEqual(await counts(), { data: 0, attempts: 0, deliveries: 0, events: 0 })
    await scene.stopWorkers()
  })

  it('a backlog of old rows is deleted in one run, even when one moment has more than a piece', async () => {
    const venue = await scene.service.venue()
    const { id } = await scene.endpoint(venue, await scene.receiver())
    const now = scene.service.context.clock()
    const rows = 2 * engineLimits.rowsOfSweep + 500
    // Two and a half pieces at one moment, and as many spread over days.
    await scene.query(
      `insert into event (venue_id, name, data, occurred_at)
       select $1::bigint, 'guest.created', '{}', $2::timestamptz - case when n > $3 then n else 0 end * interval '7 minutes'
         from generate_series(1, 2 * $3::int) as n`,
      [venue.id, now.toString(), rows],
    )
    await scene.query(
      `insert into delivery (venue_id, id, event_id, endpoint_id, occurred_at, due_at, tries, done_at, outcome)
       select venue_id, gen_random_uuid(), id, $2, occurred_at, occurred_at, 1, occurred_at, 'delivered'
         from event where venue_id = $1`,
      [venue.id, id],
    )
    scene.pass(minutes(24 * 60) * 7)
    await prune(scene.service.context)
    const [{ kept } = {}] = await scene.query(
      'select count(*)::int as kept from event where venue_id = $1 and data is not null',
      [venue.id],
    )
    assert.equal(kept, 0)
    scene.pass(minutes(24 * 60) * 25)
    await prune(scene.service.context)
    const [{ events } = {}] = await scene.query(
      'select count(*)::int as events from event where venue_id = $1',
      [venue.id],
    )
    assert.equal(events, 0)
  })
})
