import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestService, startService } from '../../test/service.ts'
import { forEachVenue } from './each-venue.ts'

describe('background work venue by venue', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('goes on with the others when one venue fails by itself', async () => {
    const [bad, good] = [await service.venue(), await service.venue()]
    const done: number[] = []
    await forEachVenue(service.context, new Set([bad.id, good.id]), async ({ id }) => {
      if (id === bad.id) throw new RangeError('no such time zone')
      done.push(id)
    })
    assert.deepEqual(done, [good.id])
  })

  it('ends when what it met would meet every venue', async () => {
    const [first, second] = [await service.venue(), await service.venue()]
    let tries = 0
    const run = forEachVenue(service.context, new Set([first.id, second.id]), async () => {
      tries++
      throw Object.assign(new Error('permission denied'), { code: '42501' })
    })
    await assert.rejects(run, { code: '42501' })
    assert.equal(tries, 1)
  })
})
