import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Scene, minutes, startScene } from '../test-fixtures/scene.ts'

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

  it('is a sliding window: of what left late in one minute nothing more leaves early in the next', async () => {
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
})
