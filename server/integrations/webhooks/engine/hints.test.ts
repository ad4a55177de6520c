import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Queries } from '../../../platform/db/pool.ts'
import { openLane } from '../../../core/events/record.ts'
import { eventually } from '../../../test/eventually.ts'
import { type TestService, startService } from '../../../test/service.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { gatherHints } from './hints.ts'
import { type Lane, openLanes, pickLanes, returnLanes } from './lanes.ts'

const farText = '2030-01-01T00:00:00.000Z'
const far = Temporal.Instant.from(farText)

describe('hints about lanes', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const [one, other] = [1 as VenueId, 2 as VenueId]
  const query = async (text: string): Promise<Record<string, unknown>[]> =>
    (await service.db.session((client) => client.query(text))).rows
  const dueVenues = async (): Promise<unknown[]> =>
    (await query(`select venue_id from lane where due_at < '${farText}' order by venue_id`)).map(
      ({ venue_id }) => venue_id,
    )
  const dueAt = async (): Promise<unknown> =>
    (await query('select due_at from lane where venue_id = 1'))[0]?.due_at
  const hintsOf = () => gatherHints({ ...service.context, db: service.context.workerDb }, () => undefined)

  beforeEach(async () => {
    await query('truncate lane')
    await query(`insert into lane (venue_id, due_at) values (1, '${farText}'), (2, '${farText}')`)
  })

  let holding: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const letGo of holding) await letGo()
    holding = []
  })

  /** Runs a statement as another process would, and holds it just before its commit. */
  const hold = async (statement: (db: Queries) => Promise<unknown>): Promise<() => Promise<void>> => {
    const done = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const held = service.db.transaction(async (db) => {
      await statement(db)
      done.resolve()
      await release.promise
    })
    await Promise.race([done.promise, held])
    const letGo = async (): Promise<void> => {
      release.resolve()
      await held
    }
    holding.push(letGo)
    return letGo
  }
  const waits = async (): Promise<unknown> =>
    (
      await query(
        `select count(*)::int as waits from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    )[0]?.waits

  it("two workers whose statements hold one another's lanes open both in the end, and neither waits for a lock", async () => {
    const letGo = [
      await hold((db) => openLanes(db, new Map([[one, far]]))),
      await hold((db) => openLanes(db, new Map([[other, far]]))),
    ]
    const now = service.context.clock()
    const [first, second] = [hintsOf(), hintsOf()]
    first.open(one, now)
    first.open(other, now)
    second.open(other, now)
    second.open(one, now)
    for (let looks = 0; looks < 5; looks++) assert.equal(await waits(), 0)
    assert.deepEqual(await dueVenues(), [])
    assert.ok(first.waiting() > 0 && second.waiting() > 0, 'neither has given up')
    await letGo[0]?.()
    await eventually(async () => (await dueVenues()).join() === '1')
    await letGo[1]?.()
    await eventually(async () => (await dueVenues()).join() === '1,2')
    await eventually(() => first.waiting() + second.waiting() === 0)
  })

  it('a lane that is held up does not hold up the others', async () => {
    const letGo = await hold((db) => openLane(db, one, far))
    const hints = hintsOf()
    hints.open(one, service.context.clock())
    hints.open(other, service.context.clock())
    await eventually(async () => (await dueVenues()).join() === '2')
    await letGo()
    await eventually(async () => (await dueVenues()).join() === '1,2')
  })

  it('a lane held by another worker is returned once it is released', async () => {
    const now = service.context.clock()
    await openLanes(service.db, new Map([[one, now]]))
    const [lane] = await pickLanes(service.db, now)
    const letGo = await hold((db) => openLane(db, one, far))
    const hints = hintsOf()
    const nextAt = now.add({ milliseconds: 1 })
    hints.giveBack({ lane: lane as Lane, nextAt, pacedUntil: undefined })
    await letGo()
    await eventually(async () => (await dueAt()) === nextAt.toString())
  })

  it('a lane opened while a worker held it comes back for that moment, due now or later', async () => {
    const now = service.context.clock()
    for (const later of [0, 60_000]) {
      await openLanes(service.db, new Map([[one, now]]))
      const [lane] = await pickLanes(service.db, now)
      const at = now.add({ milliseconds: later })
      await openLane(service.db, one, at)
      await returnLanes(service.db, [{ lane: lane as Lane, nextAt: far, pacedUntil: undefined }])
      assert.equal(await dueAt(), at.toString({ smallestUnit: 'millisecond' }))
    }
  })

  it('a lane that another worker picked, even in the same millisecond, is not returned by the previous one', async () => {
    const now = service.context.clock()
    await openLanes(service.db, new Map([[one, now]]))
    const [before] = await pickLanes(service.db, now)
    await openLanes(service.db, new Map([[one, now]]))
    const [lane] = await pickLanes(service.db, now)
    const held = await dueAt()
    await returnLanes(service.db, [{ lane: before as Lane, nextAt: far, pacedUntil: undefined }])
    assert.equal(await dueAt(), held)
    await returnLanes(service.db, [{ lane: lane as Lane, nextAt: now, pacedUntil: undefined }])
    assert.deepEqual(await dueVenues(), [1])
  })

  it('after the end nothing more is written', async () => {
    const letGo = await hold((db) => openLane(db, one, far))
    const hints = hintsOf()
    hints.open(one, service.context.clock())
    await hints.written(20)
    await letGo()
    assert.equal(await dueAt(), farText)
  })
})
