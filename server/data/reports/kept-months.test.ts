import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { staff } from '../../book/reservations/test/book.ts'
import { moveReservation } from '../../book/reservations/moves.ts'
import { checkDays } from './check-days.ts'
import { countedBook } from './test/counted-book.ts'

/* The clock of the tests says Tuesday, October 6, 2026: sums are kept up to October 3, so September is a whole month. */

describe('sums of months', () => {
  const scene = countedBook()
  const job = scene.makeSums
  beforeEach(async () => {
    for (const date of ['2026-08-07', '2026-09-01', '2026-09-30', '2026-10-02'])
      await scene.book.booking('Completed', { date })
    await job()
  })

  const parties = async (from: string, to: string): Promise<number> =>
    (await scene.rowsOf('sizes', { from, to })).reduce((sum, { n }) => sum + (n ?? 0), 0)
  const months = async (): Promise<string[]> =>
    (
      await scene.book.query('select month::text as month from report_month where venue_id = $1 order by 1', [
        scene.book.venue.id,
      ])
    ).map(({ month }) => String(month))
  /** Sums of September that its days do not have: a reader of the month counts 50 parties more. */
  const plant = () =>
    scene.book.query(
      `update report_month set body = '{"sizes":{"size=2":[52,0]}}' where venue_id = $1 and month = '2026-09-01'`,
      [scene.book.venue.id],
    )
  const [september, all] = [['2026-09-01', '2026-09-30'] as const, ['2026-08-01', '2026-10-06'] as const]

  it('are kept of months whose days are all over, and read where a period has the whole month', async () => {
    assert.deepEqual(await months(), ['2026-08-01', '2026-09-01'])
    assert.equal(await parties(...all), 4)
    await plant()
    assert.equal(await parties(...september), 52)
    assert.equal(await parties(...all), 54)
    assert.equal(await parties('2026-09-01', '2026-09-29'), 1)
    assert.equal(await parties('2026-09-02', '2026-10-06'), 2)
  })

  it('count for nothing from when a booking of one of their days changes, and are added up once that day is made', async () => {
    await plant()
    const [row] = await scene.book.query(
      `select id from reservation where venue_id = $1 and service_date = '2026-09-30'`,
      [scene.book.venue.id],
    )
    const undone = await scene.book.act((work) =>
      moveReservation(work, staff('manager'), {
        ...{ id: Number(row?.['id']), move: 'undoComplete', confirmed: ['another-day'] },
      }),
    )
    assert.equal(undone.kind, 'done', JSON.stringify(undone))
    assert.equal(await parties(...september), 2, 'marked')
    await job()
    assert.equal(await parties(...september), 2, 'made')
    await plant()
    assert.equal(await parties(...september), 52, 'and read again')
  })

  it('count for nothing between the time one of their days is made and they are', async () => {
    await plant()
    await scene.book.query(
      `update report_day set times = times + 1 where venue_id = $1 and service_date = '2026-09-01'`,
      [scene.book.venue.id],
    )
    assert.equal(await parties(...september), 2)
  })

  it('count for nothing where a day with bookings has no sums, also one that nobody marked', async () => {
    await plant()
    await scene.book.booking('Completed', { date: '2026-09-15' })
    await scene.book.query('delete from report_mark where venue_id = $1', [scene.book.venue.id])
    assert.equal(await parties(...september), 3)
    await job()
    assert.equal(await parties(...september), 3)
  })

  it('made by other rules count for nothing, and are made once more', async () => {
    for (const what of [`rules = '0'`, `made_of = ''`]) {
      await plant()
      await scene.book.query(`update report_month set ${what} where venue_id = $1`, [scene.book.venue.id])
      assert.equal(await parties(...september), 2)
      await job()
      await plant()
      assert.equal(await parties(...september), 52, 'made')
    }
  })

  it('that are missing are made by the next process that looks', async () => {
    await scene.book.query('delete from report_month where venue_id = $1', [scene.book.venue.id])
    await job()
    assert.deepEqual(await months(), ['2026-08-01', '2026-09-01'])
  })

  it('that differ from their days are found by a check, and made once more', async () => {
    const check = () =>
      checkDays(
        scene.service.context.db.within(scene.book.venue.id),
        { ...scene.book.venue, phone: null },
        { from: '2026-08-01', to: '2026-10-06' },
        scene.service.context.clock(),
      )
    assert.deepEqual((await check()).differing, [])
    await plant()
    const { differing } = await check()
    assert.deepEqual([differing.length, differing[0], differing.at(-1)], [30, ...september])
    await job()
    assert.deepEqual((await check()).differing, [])
    assert.equal(await parties(...september), 2)
  })
})
