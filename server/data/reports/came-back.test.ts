import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { staff } from '../../book/reservations/test/book.ts'
import { deleteReservation } from '../../book/reservations/delete-reservation.ts'
import { mergeGuests, undoMerge } from '../../crm/guests/merge.ts'
import { erasePerson } from '../erasure/erase.ts'
import { figuresBySql } from './test/by-sql.ts'
import { countedBook } from './test/counted-book.ts'

/* The clock of the tests says Tuesday, October 6, 2026: guests who came by June 28 have had 90 days, and 10 more. */

describe('guests who came back, by the source that brought them', () => {
  const scene = countedBook()

  const came = (name: string, date: string, source: 'staff' | 'walkin' = 'staff', time = '19:00') =>
    scene.book.booking('Completed', { guestName: name, email: `${name}@example.com`, date, source, time })
  const shown = async (
    from: string,
    to: string,
    compare: 'before' | 'year' = 'before',
  ): Promise<string[]> => {
    const { venue } = scene.book
    const rows = await scene.rowsOf('came_back', { from, to }, compare)
    const bySql = await figuresBySql(scene.service, {
      ...{ venue: venue.id, zone: venue.timezone, from, to, today: '2026-10-06' },
    })
    const words = ({ key, n, d }: (typeof rows)[number]): string =>
      'source' in key ? `${key['source']}: ${n} of ${d}` : `too soon: ${n}`
    const found = rows.map(words).toSorted()
    assert.deepEqual(found, (bySql['came_back'] ?? []).map(words).toSorted(), 'by a program of its own')
    return found
  }
  /** Counted from the bookings, and from the sums of days. */
  const are = async (expected: readonly string[], from = '2026-09-30', to = '2026-10-05'): Promise<void> => {
    assert.deepEqual(await shown(from, to), expected, 'counted')
    await scene.makeSums()
    assert.deepEqual(await shown(from, to), expected, 'added up')
  }

  it('are those of the last days whose guests have had 90 days, served again by the ninetieth', async () => {
    // The first and the last of these six days, and the days beside them.
    await came('ana', '2026-06-28')
    await came('ana', '2026-09-26', 'walkin')
    await came('ben', '2026-06-28')
    await came('ben', '2026-09-27')
    await came('cleo', '2026-06-23', 'walkin')
    for (const [date, time] of [
      ['2026-06-24', '18:00'],
      ['2026-06-24', '21:00'],
      ['2026-06-25', '19:00'],
    ] as const)
      await came('cleo', date, 'staff', time)
    for (const [name, date] of [
      ['dan', '2026-06-22'],
      ['eva', '2026-06-29'],
    ] as const) {
      await came(name, date)
      await came(name, '2026-07-02')
    }
    await are(['staff: 1 of 2', 'walkin: 1 of 1'])
    // A second party on the same date is no second evening, and who did not come did not come back.
    await came('fay', '2026-06-26', 'staff', '18:00')
    await came('fay', '2026-06-26', 'staff', '21:00')
    await scene.book.booking('No-show', { guestName: 'fay', email: 'fay@example.com', date: '2026-07-10' })
    // Of this period itself, which is too soon.
    await came('gil', '2026-10-01')
    // Nobody knows when somebody with imported visits first came.
    await came('hal', '2026-06-26')
    await came('hal', '2026-06-27')
    await scene.book.query(
      `update guest set imported_visit_count = 1 where venue_id = $1 and email = 'hal@example.com'`,
      [scene.book.venue.id],
    )
    await scene.book.query('delete from report_day where venue_id = $1', [scene.book.venue.id])
    await are(['staff: 1 of 3', 'too soon: 1', 'walkin: 1 of 1'])
  })

  it('are those of the period itself, where all of them have had 90 days', async () => {
    await came('ana', '2026-05-01')
    await came('ana', '2026-07-30')
    await came('ben', '2026-05-02', 'walkin')
    await came('cleo', '2026-05-03')
    await are(['staff: 1 of 1', 'walkin: 0 of 1'], '2026-05-01', '2026-05-02')
    await are(['staff: 1 of 2', 'walkin: 0 of 1'], '2026-05-01', '2026-06-28')
    // A day later it ends too soon for its last day, so that all of it begins a day earlier.
    await came('dan', '2026-04-30', 'walkin')
    await are(['staff: 1 of 2', 'walkin: 0 of 2'], '2026-05-01', '2026-06-29')
  })

  it('are those within 90 days of a first visit in a long period, too, and of none beside it', async () => {
    for (const [name, first, back] of [
      ['ana', '2025-12-31', '2026-03-31'],
      ['ben', '2026-01-01', '2026-04-01'],
      ['cleo', '2026-06-28', '2026-06-29'],
      ['dan', '2026-06-29', '2026-06-30'],
    ] as const) {
      await came(name, first)
      await came(name, back)
    }
    await are(['staff: 2 of 2'], '2026-01-01', '2026-06-28')
  })

  it('are counted once where days of a long period are also those of the year before', async () => {
    await came('ana', '2025-09-10')
    await came('ana', '2025-09-20')
    const long = ['2025-09-02', '2026-10-06', 'year'] as const
    assert.deepEqual(await shown(...long), ['staff: 1 of 1'])
    await scene.makeSums()
    assert.deepEqual(await shown(...long), ['staff: 1 of 1'])
  })

  it('follow deleted visits, merges, merges taken back, and erasures', async () => {
    const first = await came('ana', '2026-06-23')
    await came('ana', '2026-06-25', 'walkin')
    await came('ana', '2026-06-26', 'walkin')
    await came('ben', '2026-06-10', 'walkin')
    await came('ben', '2026-06-24', 'walkin')
    await are(['staff: 1 of 1'])
    const guests = await scene.book.query('select id, version from guest where venue_id = $1 order by id', [
      scene.book.venue.id,
    ])
    const [one, other] = guests.map((row) => ({ id: Number(row['id']), seenVersion: Number(row['version']) }))
    assert.ok(one && other && guests.length === 2)
    const { merge } = await scene.book.act((work) => mergeGuests(work, staff('manager'), one, other))
    await are([])
    await scene.book.act((work) => undoMerge(work, staff('manager'), merge))
    await are(['staff: 1 of 1'])
    await scene.book.act((work) => deleteReservation(work, staff('owner'), first))
    await are(['walkin: 1 of 1'])
    await scene.book.act((work) =>
      erasePerson(work, staff('owner'), { email: 'ana@example.com', phone: null, guestId: null, name: null }),
    )
    await are([])
  })

  it('change no sums of the past when they come back today', async () => {
    await came('ana', '2026-06-28')
    await scene.makeSums()
    await came('ana', '2026-10-06')
    assert.deepEqual(
      await scene.book.query('select 1 from report_mark where venue_id = $1', [scene.book.venue.id]),
      [],
    )
    await are(['staff: 0 of 1'])
  })
})
