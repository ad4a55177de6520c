import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { dinner, staff } from '../reservations/test/book.ts'
import { eventually } from '../../test/eventually.ts'
import { startProcess } from '../../test/process.ts'
import { eveningFloor } from './reads.ts'
import { foreseeTables, giveTablesByDay, turnTablesOff, turnTablesOn } from './turn-on.ts'
import { tablesOf } from './test/floor.ts'
import { four, host, tableScene, tonight } from './test/scene.ts'

describe('turning tables on', () => {
  const scene = tableScene()
  const { service, openUndecided, taken, refusedWith, held, booked, made, clashes } = scene

  it('turned on over a full book: every party that fits has a table, the rest were listed first and wait for one', async () => {
    await openUndecided(
      dinner(tablesOf([...four, { label: '2', most: 2 }, { label: '3', most: 6, least: 3 }])),
    )
    const owner = staff('owner')
    const on = (date: string, sizes: readonly number[]) =>
      Promise.all(sizes.map((partySize) => booked(partySize, '19:00', { date })))
    await on(tonight, [2, 2, 4, 6])
    await on('2026-10-08', [4, 2])
    await on('2026-12-05', [2, 4, 2])
    const far = await made(5, '19:00', { date: '2027-01-30' })
    await on('2026-10-05', [])
    const foreseen = await scene.book.act((work) => foreseeTables(work))
    assert.deepEqual(
      foreseen.map(({ serviceDate }) => serviceDate),
      [tonight],
      'on 5 December three tables are enough for 2, 4 and 2',
    )
    await assert.rejects(scene.book.act((work) => turnTablesOn(work, host)))
    await scene.book.act((work) => turnTablesOn(work, owner))
    // From this moment on everybody who is booked counts, with a table or without.
    await refusedWith('tables-full', 2)
    await taken(3, '19:00', { date: '2026-10-08' })
    assert.deepEqual(await held(), {})
    const giveAll = async (): Promise<void> => {
      const days = await Promise.all([giveTablesByDay(service.context), giveTablesByDay(service.context)])
      if (days.some((count) => count > 0)) return giveAll()
    }
    await giveAll()
    const now = await held()
    assert.equal(Object.keys(now).length, 3 + 2 + 3 + 1)
    assert.equal(now[far], '3')
    assert.deepEqual(await clashes(), [])
    const floor = await scene.book.act((work) => eveningFloor(work, tonight))
    assert.deepEqual(
      floor.withoutTable.map(({ id }) => id),
      foreseen.map(({ reservation }) => reservation),
    )
    assert.deepEqual(
      floor.tables.map(({ label, next }) => [label, next !== undefined]),
      [
        ['1', true],
        ['2', true],
        ['3', true],
      ],
    )
    await scene.book.act((work) => turnTablesOff(work, owner))
    assert.deepEqual(await held(), now)
    await taken(9)
    await scene.book.act((work) => turnTablesOn(work, owner))
    await giveAll()
    assert.deepEqual(await held(), now)
  })

  it('killed in the middle of an evening, the process that goes on loses nobody and gives no table twice', async () => {
    await openUndecided(dinner(tablesOf([...four, { label: '2', most: 2 }])))
    const dates = Array.from({ length: 12 }, (_, n) => addDays('2026-10-07', n))
    for (const date of dates) for (const size of [2, 4]) await booked(size, '19:00', { date })
    await scene.book.act((work) => turnTablesOn(work, staff('owner')))
    const stuckOn = dates[5] as string
    const { promise: letGo, resolve } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
    const holding = service.db.session(async (client) => {
      await client.query('begin')
      // What the job writes in the middle of this evening has to wait.
      await client.query(
        `select from reservation where venue_id = $1 and date = $2 order by id desc limit 1 for update`,
        [scene.book.venue.id, stuckOn],
      )
      hold()
      await letGo
      await client.query('rollback')
    })
    await isHeld
    const doomed = await startProcess({
      DATABASE_URL: service.databaseUrl,
      SECRETS: service.context.config.secrets as string,
    })
    await eventually(async () => {
      const [row] = await scene.book.query(
        `select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query ilike '%reservation_table%'`,
      )
      return row?.['waiting'] === 1
    }).finally(() => doomed.signal('SIGKILL'))
    assert.equal(await doomed.ended, 'SIGKILL')
    assert.equal(
      Object.keys(await held()).length,
      2 * dates.indexOf(stuckOn),
      'whole evenings, and no part of one',
    )
    resolve()
    await holding

    await giveTablesByDay(service.context)
    assert.equal(Object.keys(await held()).length, 2 * dates.length)
    assert.deepEqual(await clashes(), [])
  })
})
