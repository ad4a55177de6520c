import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Statement } from '../../../platform/db/sql.ts'
import { eventually } from '../../../test/eventually.ts'
import type { TestVenue } from '../../../test/service.ts'
import { notingDatabase } from '../../../test/statements/noting.ts'
import { type Scene, startScene } from '../test/scene.ts'
import { startEngine } from './engine.ts'
import { gatherForVenues } from './gather-for-venues.ts'

describe('deliveries of many venues at once', () => {
  let scene: Scene
  before(async () => {
    scene = await startScene()
  })
  after(() => scene.stop())

  const venuesWithEndpoints = async (count: number): Promise<TestVenue[]> => {
    const venues = await Promise.all(Array.from({ length: count }, () => scene.service.venue()))
    const receiver = await scene.receiver()
    for (const venue of venues) await scene.endpoint(venue, receiver)
    return venues
  }

  const outcomes = async (venue: TestVenue): Promise<(string | null)[]> =>
    (await scene.deliveries(venue)).map(({ outcome }) => outcome)

  for (const [what, table] of [
    ['that cannot be taken', 'delivery_turn'],
    ['whose result cannot be written', 'attempt'],
  ] as const)
    it(`one ${what} holds up no other venue's, and goes on once it can`, async () => {
      const [bad, ...others] = await venuesWithEndpoints(6)
      assert.ok(bad)
      await scene.query(`
        create function refuse_row() returns trigger language plpgsql as
          $$ begin raise exception 'this row is bad'; end $$`)
      await scene.query(`
        create trigger refuse_row before insert or update on ${table} for each row
          when (new.venue_id = ${bad.id} and to_jsonb(new) ->> 'number' is distinct from '0')
          execute function refuse_row()`)
      await Promise.all([bad, ...others].map((venue) => scene.happen(venue, 4)))
      scene.worker()
      await eventually(async () => {
        const all = (await Promise.all(others.map(outcomes))).flat()
        return all.length === 20 && all.every((outcome) => outcome === 'delivered')
      })
      assert.deepEqual(await outcomes(bad), [null, null, null, null])
      await scene.query('drop function refuse_row cascade')
      scene.pass(60_000)
      await scene.sweep()
      await eventually(async () => (await outcomes(bad)).every((outcome) => outcome === 'delivered'))
      await scene.stopWorkers()
      const attempts = await scene.query('select token from attempt where venue_id = $1', [bad.id])
      assert.equal(attempts.length, 4, 'each result is written once')
    })

  it('are asked one by one only where one of several failed by its own rows', async () => {
    const db = scene.service.context.workerDb
    const asking = async (numbers: readonly number[], code: string) => {
      const asked: (readonly number[])[] = []
      const ask = gatherForVenues<number, number>({ db, atOnce: 1, most: 10 }, async (_, of) => {
        asked.push(of)
        if (of.includes(3)) throw Object.assign(new Error('refused'), { code })
        return of.map((one) => one * 10)
      })
      const answers = await Promise.allSettled(numbers.map(ask))
      return { asked, answers: answers.map((one) => (one.status === 'fulfilled' ? one.value : 'failed')) }
    }
    const [ofItsOwn, ofAnybody] = ['23514', '57P01']
    assert.deepEqual(await asking([1, 2], ofItsOwn), { asked: [[1, 2]], answers: [10, 20] })
    assert.deepEqual(await asking([1, 3, 2], ofItsOwn), {
      asked: [[1, 3, 2], [1], [3], [2]],
      answers: [10, 'failed', 20],
    })
    assert.deepEqual(await asking([3], ofItsOwn), { asked: [[3]], answers: ['failed'] })
    assert.deepEqual(await asking([1, 3], ofAnybody), { asked: [[1, 3]], answers: ['failed', 'failed'] })
  })

  it('on a cluster, a statement takes or settles those of one venue', async () => {
    const venues = await venuesWithEndpoints(6)
    const about: (readonly unknown[])[] = []
    const note = ({ text, values }: Statement<unknown>): void => {
      const [first] = values
      if (/update delivery d/.test(text) && Array.isArray(first)) about.push(first)
    }
    const db = { ...notingDatabase(scene.service.context.workerDb, note), isCluster: true }
    await Promise.all(venues.map((venue) => scene.happen(venue, 4)))
    const worker = startEngine({ ...scene.service.context, db }, { nowMs: scene.time.nowMs })
    await eventually(async () => {
      const all = (await Promise.all(venues.map(outcomes))).flat()
      return all.length === 24 && all.every((outcome) => outcome === 'delivered')
    })
    await worker.stop()
    assert.ok(about.length >= 12 && about.every((ids) => new Set(ids).size === 1))
  })
})
