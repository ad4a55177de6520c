import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Registry } from 'prom-client'
import { type Scene, minutes, startScene } from '../test/scene.ts'
import { showEngine } from './metrics.ts'

describe('metrics of the engine', () => {
  let scene: Scene
  before(async () => {
    scene = await startScene()
  })
  after(() => scene.stop())

  it('are all current, from the first scrape on', async () => {
    const venue = await scene.service.venue()
    await scene.endpoint(venue, await scene.receiver())
    await scene.happen(venue, 3)
    scene.pass(minutes(2))
    const registry = new Registry()
    showEngine(registry, scene.service.context, { counts: () => ({ underWay: 0, unwritten: 0 }) } as never)
    const text = await registry.metrics()
    assert.match(text, /^webhook_due 3$/m)
    assert.match(text, /^webhook_oldest_due_seconds 120$/m)
    assert.match(text, /^webhook_lanes_waiting 1$/m)
  })
})
