import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { type Scene, startScene } from '../test/scene.ts'
import { engineLimits } from './limits.ts'

describe('a live hook alongside 98 that no longer answer', () => {
  let scene: Scene
  before(async () => {
    scene = await startScene()
  })
  after(() => scene.stop())

  it('gets what happens at once, though thousands of tries are due and each of the others takes its time', async () => {
    const venue = await scene.service.venue()
    const [silent, live] = [await scene.receiver(0), await scene.receiver()]
    const hooks = 98
    const events = 38
    for (let n = 0; n < hooks; n++) await scene.hook(venue, silent)
    await scene.happen(venue, events)
    const [{ due } = {}] = await scene.query(
      `with failed as (
         update delivery set tries = 1 where venue_id = $1 returning 1), known as (
         update webhook_endpoint set unanswered_count = 1 where venue_id = $1)
       select count(*)::int as due from failed`,
      [venue.id],
    )
    assert.equal(due, hooks * events)
    // The evening's pace is that of a minute later.
    scene.pass(120_000)
    await scene.hook(venue, live)
    scene.worker()
    await eventually(async () => {
      const now = scene.service.context.clock().toString()
      const [{ lanes } = {}] = await scene.query(
        'select count(*)::int as lanes from lane where due_at <= $1',
        [now],
      )
      return silent.ignored() >= engineLimits.triesOfSilent && lanes === 0
    })
    for (let one = 1; one <= 3; one++) {
      await scene.happen(venue)
      await eventually(() => live.received.length === one)
    }
    assert.equal(silent.received.length, silent.ignored(), 'none of the others has ended meanwhile')
  })
})
