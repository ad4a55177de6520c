import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { anyName } from '../test/any-name.ts'
import { type Scene, minutes, startScene } from '../test/scene.ts'
import { takeAt } from '../test/take-at.ts'
import type { Leased } from './lease.ts'
import { lookAtVenue, startTurns } from './look.ts'
import { freePlaces, settleUntried } from './settle.ts'

describe("a venue's pace", () => {
  let scene: Scene
  before(async () => {
    scene = await startScene()
    scene.worker()
    scene.worker()
  })
  after(() => scene.stop())

  it('lets exactly 60 events out in the first minute and the 61st later, also with two workers', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    await scene.endpoint(venue, receiver)
    await scene.happen(venue, 61)
    await scene.quiet()
    assert.equal(receiver.received.length, 60)
    scene.pass(minutes(1) - 1)
    await scene.quiet()
    assert.equal(receiver.received.length, 60)
    scene.pass(1_001)
    await scene.quiet()
    assert.equal(receiver.received.length, 61)
  })

  it('is a sliding window: events late in one minute count early in the next', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    await scene.endpoint(venue, receiver)
    await scene.happen(venue, 1)
    await scene.quiet()
    scene.pass(59_000)
    await scene.happen(venue, 100)
    await scene.quiet()
    assert.equal(receiver.received.length, 60)
    scene.pass(2_000)
    await scene.quiet()
    assert.equal(receiver.received.length, 61, 'one place became free')
    scene.pass(57_000)
    await scene.quiet()
    assert.equal(receiver.received.length, 61)
    scene.pass(3_000)
    await scene.quiet()
    assert.equal(receiver.received.length, 101)
  })

  it('counts an event with three endpoints once', async () => {
    const venue = await scene.service.venue()
    const receivers = [await scene.receiver(), await scene.receiver(), await scene.receiver()]
    for (const receiver of receivers) await scene.endpoint(venue, receiver)
    await scene.happen(venue, 70)
    await scene.quiet()
    assert.deepEqual(
      receivers.map(({ received }) => received.length),
      [60, 60, 60],
    )
  })

  it('does not count retries and pings', async () => {
    const venue = await scene.service.venue()
    const broken = await scene.receiver(500)
    const { id } = await scene.endpoint(venue, broken)
    await scene.happen(venue, 15)
    await scene.quiet()
    scene.pass(minutes(1) + 5_000)
    broken.answer(204)
    await scene.happen(venue, 61)
    for (let n = 0; n < 5; n++)
      await scene.service.call('POST', `/api/v1/webhooks/${id}/test`, { key: venue.key })
    await scene.quiet()
    const byEvent = Object.groupBy(broken.received, ({ headers }) => String(headers['x-service-event']))
    assert.equal(byEvent.ping?.length, 5)
    assert.equal(byEvent['guest.created']?.length, 15 + 15 + 60)
  })

  it("one venue's many events do not delay another's first", async () => {
    const [busy, calm] = [await scene.service.venue(), await scene.service.venue()]
    const receiver = await scene.receiver()
    const other = await scene.receiver()
    await scene.endpoint(busy, receiver)
    await scene.endpoint(calm, other)
    await scene.stopWorkers()
    await scene.happen(busy, 500)
    await scene.happen(calm, 1)
    scene.worker()
    await scene.quiet()
    assert.equal(other.received.length, 1)
    assert.equal(receiver.received.length, 60)
    const before = receiver.received.filter(({ atMs }) => atMs < (other.received[0]?.atMs ?? 0)).length
    assert.ok(before <= 10, `${before} of the busy venue's events went before the calm venue's only one`)
  })

  it('lets at most 50 events out in a minute under late names; ten places stay free for the others', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    await scene.endpoint(venue, receiver, ['task.created', 'guest.created'])
    const sent = () => Map.groupBy(receiver.received, ({ headers }) => String(headers['x-service-event']))
    const counts = () => ['task.created', 'guest.created'].map((name) => sent().get(name)?.length ?? 0)
    await scene.happen(venue, 200, 'task.created')
    await scene.quiet()
    assert.deepEqual(counts(), [50, 0])
    await scene.happen(venue, 12, 'guest.created')
    await scene.quiet()
    assert.deepEqual(counts(), [50, 10])
    scene.pass(minutes(1) + 1_000)
    await scene.quiet()
    assert.deepEqual(counts(), [100, 12], 'the places of late names are no fewer for the others')
  })

  it('version 1’s original events go before 200 late ones, which still do not wait forever', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    await scene.endpoint(venue, receiver, ['guest.updated', 'reservation.created'])
    await scene.stopWorkers()
    await scene.happen(venue, 200, 'guest.updated')
    await scene.happen(venue, 70, 'reservation.created')
    scene.worker()
    await scene.quiet()
    const names = receiver.received.map(({ headers }) => String(headers['x-service-event']))
    const first = names.indexOf('reservation.created')
    assert.ok(first >= 0 && first < 5, `the first reservation went after ${first} others`)
    const late = names.filter((name) => name === 'guest.updated').length
    assert.ok(names.length === 60 && late >= 8 && late <= 12, `${late} of ${names.length} were late`)
  })

  it('counts an event only if one of its deliveries was actually taken', async () => {
    const venue = await scene.service.venue()
    const { id } = await scene.endpoint(venue, await scene.receiver())
    await scene.stopWorkers()
    await scene.happen(venue)
    const { db, clock } = scene.service.context
    await startTurns(db, venue.id)
    const [row] = await lookAtVenue(db, venue.id, clock())
    await scene.service.call('DELETE', `/api/v1/webhooks/${id}`, { key: venue.key })
    const ids = [row?.id ?? '']
    const taken = await takeAt(scene, venue, { turn: row?.turn ?? 0, deliveries: ids, first: ids })
    assert.deepEqual(taken, [])
    assert.deepEqual(await scene.query('select left_at from event where venue_id = $1', [venue.id]), [
      { left_at: null },
    ])
  })
})

describe("a venue's pace and tries that are given back", () => {
  it('frees the places of unsent events: still exactly 60 leave in the minute', async () => {
    const found = Promise.withResolvers<void>()
    let lookUps = 0
    const scene = await startScene({
      judge: anyName,
      resolve: async () => {
        lookUps++
        await found.promise
        return ['127.0.0.1']
      },
    })
    try {
      const [venue, receiver] = [await scene.service.venue(), await scene.receiver()]
      await scene.endpointByName(venue, receiver)
      await scene.happen(venue, 70)
      const worker = scene.worker()
      await eventually(() => lookUps === 5)
      const left = () =>
        scene.query('select id from event where venue_id = $1 and left_at is not null', [venue.id])
      assert.equal((await left()).length, 5)
      const stopped = worker.stop()
      found.resolve()
      await stopped
      assert.deepEqual(await left(), [], 'nothing was sent, so nothing has left')
      assert.equal(receiver.received.length, 0)

      scene.worker()
      await scene.quiet()
      assert.equal(receiver.received.length, 60)
      scene.pass(minutes(1) - 1)
      await scene.quiet()
      assert.equal(receiver.received.length, 60)
      scene.pass(1_002)
      await scene.quiet()
      assert.equal(receiver.received.length, 70)
    } finally {
      await scene.stop()
    }
  })

  it('keeps the place of an event that was sent, or may have been', async () => {
    const scene = await startScene()
    try {
      const [venue, receiver] = [await scene.service.venue(), await scene.receiver()]
      await scene.endpoint(venue, receiver)
      await scene.endpoint(venue, receiver)
      await scene.happen(venue, 2)
      const { db, clock } = scene.service.context
      await startTurns(db, venue.id)
      const rows = await lookAtVenue(db, venue.id, clock())
      const ids = rows.map(({ id }) => id ?? '')
      const taken = await takeAt(scene, venue, { turn: rows[0]?.turn ?? 0, deliveries: ids, first: ids })
      const [first, second] = [...Map.groupBy(taken, ({ event_id }) => event_id).values()]
      const givenBack = (leased: Leased) =>
        ({ kind: 'given back', leased, dueAt: clock(), unsentLeftAt: leased.leftAt }) as const
      const giveBack = async (leased: readonly Leased[]): Promise<number> => {
        const results = leased.map(givenBack)
        await settleUntried(db, venue.id, results, clock())
        return freePlaces(db, venue.id, results)
      }
      assert.equal(await giveBack((first ?? []).slice(0, 1)), 0, 'the other delivery is under way')
      assert.equal(await giveBack((first ?? []).slice(1)), 1)
      assert.equal(await giveBack((first ?? []).slice(1)), 0, 'once')
      await scene.query('update delivery set takeovers = 1 where venue_id = $1', [venue.id])
      assert.equal(await giveBack(second ?? []), 0, 'one who crashed may have sent it')
    } finally {
      await scene.stop()
    }
  })
})
