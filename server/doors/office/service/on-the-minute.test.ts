import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestBook } from '../../../book/reservations/test/book.ts'
import { type TestTable, heldTables } from '../../../book/tables/test/floor.ts'
import { hostAtTables, padIn, wordsOf as words } from '../../../test/host-at-book.ts'
import { madeBefore } from '../../../test/made-before.ts'
import type { OfficeVisitor } from '../../../test/office.ts'
import { startService } from '../../../test/service.ts'

const ninety = { turnMinutes: [{ upTo: 99, minutes: 90 }] }

describe('stays at tables by the minutes of a clock', () => {
  const service = madeBefore(() => startService())
  let book: TestBook
  let host: OfficeVisitor
  let table: Record<string, string>

  /** Tuesday 6 October 2026 in New York, 42.2 seconds past the minute. */
  const clock = (time: string): void => service.setClock(`2026-10-06T${time}:42.200Z`)
  const open = async (tables: readonly TestTable[]) => {
    clock('23:30')
    ;({ book, host, table } = await hostAtTables(service, tables, ninety))
  }
  const booked = async (guestName: string, time: string, label: string): Promise<number> => {
    const id = await book.booking('Confirmed', { guestName, partySize: 2, time })
    await book.query('delete from reservation_table where reservation_id = $1', [id])
    await book.query(
      `insert into reservation_table (venue_id, reservation_id, table_id) values ($1, $2, $3)`,
      [book.venue.id, id, table[label]],
    )
    return id
  }
  const press = (id: number, label: string) =>
    host.post(`/office/bookings/${id}/moves`, {
      version: '1',
      status: 'Confirmed',
      back: '/office/service',
      tables: String(table[label]),
      move: 'seat',
    })

  it('who sits down seconds after their time moves nobody who comes when their stay ends', async () => {
    await open([
      { label: 'B3', most: 2 },
      { label: 'B4', most: 2 },
    ])
    const first = await booked('Rosa Palumbo', '19:30', 'B3')
    const next = await booked('Vera Ipson', '21:00', 'B3')
    await press(first, 'B3')
    assert.deepEqual(await heldTables(service, book.venue), { [first]: 'B3', [next]: 'B3' })
  })

  it('nor is it asked about where there is no other table', async () => {
    await open([{ label: 'B3', most: 2 }])
    const first = await booked('Rosa Palumbo', '19:30', 'B3')
    await booked('Vera Ipson', '21:00', 'B3')
    await press(first, 'B3')
    const [row] = await book.query('select status from reservation where id = $1', [first])
    assert.equal(row?.['status'], 'Seated')
    const { words: page } = await host.get('/office/service')
    assert.match(page, /Vera Ipson.*taken to 9:00 PM/)
  })

  it('a short stay is as long as the clock says, and ends when it was said to', async () => {
    await open([{ label: 'B3', most: 2 }])
    const next = await booked('Vera Ipson', '20:45', 'B3')
    assert.match(words(padIn(await host.get('/office/service?size=2'))), /B3 until 8:45 PM \(75 min\)/)
    assert.deepEqual(await heldTables(service, book.venue), { [next]: 'B3' })
  })

  it('a row that waits for a table says the same minutes over as the row of who sits there', async () => {
    await open([{ label: 'B3', most: 2 }])
    const first = await booked('Rosa Palumbo', '19:30', 'B3')
    const next = await booked('Vera Ipson', '21:00', 'B3')
    await press(first, 'B3')
    service.setClock('2026-10-07T01:02:08Z')
    await book.query('update reservation set checked_in_at = $2 where id = $1', [
      next,
      '2026-10-07T01:00:00Z',
    ])
    const { words: page } = await host.get('/office/service')
    assert.match(page, /2 over .*B3 is 2 over/)
    assert.match(page, /Rosa Palumbo.*2 over/)
  })
})
