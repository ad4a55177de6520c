import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Registry } from 'prom-client'
import { eventually } from '../../../test/eventually.ts'
import { runOperator, settingsOf } from '../../../test/processes/operator.ts'
import type { TestVenue } from '../../../test/service.ts'
import { type Scene, hours, minutes, startScene } from '../test/scene.ts'
import { engineLimits } from './limits.ts'
import { showEngine } from './metrics.ts'

const jitterMs = 5_000

describe('while the plan or a pause blocks the API', () => {
  let scene: Scene
  before(async () => {
    scene = await startScene()
    scene.worker()
    scene.worker()
  })
  after(() => scene.stop())

  const laneDueIn = async (venue: TestVenue): Promise<number> => {
    const [{ due_at } = {}] = await scene.query('select due_at from lane where venue_id = $1', [venue.id])
    const now = scene.service.context.clock()
    return Temporal.Instant.from(String(due_at)).epochMilliseconds - now.epochMilliseconds
  }

  const shutting = { pause: { paused: true }, 'plan without the API': { plan: 'starter' } } as const
  const opening = { paused: false, plan: 'pro' } as const
  for (const [what, change] of Object.entries(shutting)) {
    it(`(${what}) deliveries and hooks wait: no try is used, endpoints stay active, lanes that come up are deferred 5 min`, async () => {
      const venue = await scene.service.venue()
      const [receiver, hooked] = [await scene.receiver(500), await scene.receiver()]
      const { id } = await scene.endpoint(venue, receiver)
      await scene.hook(venue, hooked)
      await scene.happen(venue)
      await scene.quiet()
      assert.deepEqual([receiver.received.length, hooked.received.length], [1, 1])

      await scene.setPlan(venue, change)
      const refused = await scene.service.call('POST', `/api/v1/webhooks/${id}/test`, { key: venue.key })
      assert.equal(refused.status, 403)
      await scene.happen(venue, 3)
      await scene.quiet()
      assert.equal(await laneDueIn(venue), engineLimits.shutLaneMs)
      assert.equal(engineLimits.shutLaneMs, minutes(5))
      scene.pass(minutes(1) + jitterMs)
      await scene.sweep()
      await scene.quiet()
      scene.pass(minutes(5))
      await scene.sweep()
      await scene.quiet()
      assert.equal(await laneDueIn(venue), engineLimits.shutLaneMs)
      assert.deepEqual([receiver.received.length, hooked.received.length], [1, 1])
      const tries = (await scene.deliveries(venue)).map((one) =>
        [one.tries, one.takeovers, one.outcome].join(),
      )
      const waiting = Array.from({ length: 6 }, () => '0,0,')
      assert.deepEqual(tries.toSorted(), [...waiting, '1,0,', '1,0,delivered'])

      receiver.answer(204)
      await scene.setPlan(venue, opening)
      await scene.quiet()
      assert.deepEqual([receiver.received.length, hooked.received.length], [5, 4])
      const shown = await scene.shown(venue, id)
      assert.deepEqual([shown.status, shown.disabledReason, shown.failureCount], ['active', null, 0])
    })
  }

  it('the failure count does not change', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(500)
    const { id } = await scene.endpoint(venue, receiver)
    await scene.happen(venue, 19)
    await scene.quiet()
    await scene.setPlan(venue, { paused: true })
    for (let n = 0; n < 3; n++) {
      scene.pass(hours(1))
      await scene.happen(venue)
      await scene.quiet()
    }
    const [kept] = await scene.query('select status, failure_count from webhook_endpoint where id = $1', [id])
    assert.deepEqual(kept, { status: 'active', failure_count: 19 })
    assert.equal(receiver.received.length, 19)
  })

  it("on reopening, what is not yet 48 h old goes out, oldest first, at the venue's pace", async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    await scene.endpoint(venue, receiver)
    await scene.setPlan(venue, { plan: 'free' })
    await scene.happen(venue, 2)
    scene.pass(hours(1))
    for (let n = 0; n < 7; n++) {
      await scene.happen(venue, 10)
      scene.pass(1_000)
    }
    scene.pass(hours(47) - 1_000)
    await scene.setPlan(venue, { plan: 'pro' })
    await scene.quiet()
    assert.equal(receiver.received.length, 60, 'the first minute')
    scene.pass(minutes(1) + engineLimits.startWithinMs)
    await scene.quiet()
    assert.equal(receiver.received.length, 70)
    const moments = receiver.received.map(({ body }) => String(JSON.parse(body.toString()).occurredAt))
    const sent = Map.groupBy(moments.slice(0, 60), (moment) => moment)
    assert.deepEqual(
      [...sent.values()].map((some) => some.length),
      [10, 10, 10, 10, 10, 10],
      'the six oldest of the seven tens went first',
    )
    assert.deepEqual([...sent.keys()].toSorted(), [...new Set(moments)].toSorted().slice(0, 6))
    await scene.sweep()
    const outcomes = (await scene.deliveries(venue)).map(({ outcome }) => outcome)
    assert.deepEqual(outcomes.slice(0, 2), ['dropped', 'dropped'])
    assert.ok(outcomes.slice(2).every((outcome) => outcome === 'delivered'))
  })

  it('the operator’s command, in its own process, opens the lane at once', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    await scene.endpoint(venue, receiver)
    const command = (paused: string) =>
      runOperator(['venue', 'update', '--slug', venue.slug, '--paused', paused], settingsOf(scene.service))
    assert.equal((await command('true')).code, 0)
    await scene.happen(venue)
    await scene.quiet()
    assert.equal(await laneDueIn(venue), engineLimits.shutLaneMs)
    assert.equal((await command('false')).code, 0)
    await eventually(() => receiver.received.length === 1)
  })

  it('if nothing announces the reopening, its lane comes up after the 5 min, and a sweep finds it earlier', async () => {
    for (const wake of [async () => scene.pass(minutes(5)), () => scene.sweep()]) {
      const venue = await scene.service.venue()
      const receiver = await scene.receiver()
      await scene.endpoint(venue, receiver)
      await scene.setPlan(venue, { paused: true })
      await scene.happen(venue)
      await scene.quiet()
      await scene.query('update venue set paused = false where id = $1', [venue.id])
      await scene.quiet()
      assert.equal(receiver.received.length, 0)
      await wake()
      await scene.quiet()
      assert.equal(receiver.received.length, 1)
    }
  })

  it('the metrics count only what may be sent', async () => {
    const venue = await scene.service.venue()
    await scene.endpoint(venue, await scene.receiver())
    await scene.setPlan(venue, { paused: true })
    await scene.happen(venue)
    scene.pass(minutes(2))
    await scene.quiet()
    const registry = new Registry()
    showEngine(registry, scene.service.context, { counts: () => ({ underWay: 0, unwritten: 0 }) } as never)
    const text = await registry.metrics()
    assert.match(text, /^webhook_due 0$/m)
    assert.match(text, /^webhook_oldest_due_seconds 0$/m)
  })
})
