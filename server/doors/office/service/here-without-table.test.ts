import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestBook } from '../../../book/reservations/test/book.ts'
import { type TestTable, heldTables, tablesOf } from '../../../book/tables/test/floor.ts'
import { bookedAt, hostAtTables, padIn, wordsOf as words } from '../../../test/host-at-book.ts'
import { madeBefore } from '../../../test/made-before.ts'
import type { OfficeVisitor } from '../../../test/office.ts'
import { startService } from '../../../test/service.ts'

/** Tuesday 6 October 2026, 19:36 in New York. */
const now = '2026-10-06T23:36:00Z'

describe('a party that is here without a table, next to one that is free for a while', () => {
  const service = madeBefore(() => startService())
  let book: TestBook
  let host: OfficeVisitor
  let table: Record<string, string>

  const open = async (tables: readonly TestTable[], combinations: Parameters<typeof tablesOf>[1] = {}) => {
    service.setClock(now)
    ;({ book, host, table } = await hostAtTables(service, tables, {
      turnMinutes: [{ upTo: 99, minutes: 90 }],
      ...tablesOf(tables, combinations),
    }))
  }
  const here = async (guestName: string, partySize: number, at: string): Promise<number> => {
    const id = await book.booking('Confirmed', { guestName, partySize, time: '19:30' })
    await book.query(`update reservation set checked_in_at = $2 where id = $1`, [id, at])
    return id
  }
  /** Table 5 is Howard's at 20:50; Ahmed, who is late, and who is here have none. */
  const openBeforeHoward = async () => {
    await open([{ label: '5', most: 4 }])
    const howard = await bookedAt({ book, table }, { guestName: 'Howard', time: '20:50' }, '5')
    await book.booking('Confirmed', { guestName: 'Saad Ahmed', partySize: 2, time: '19:20' })
    const moretti = await here('Lia Moretti', 3, '2026-10-06T23:28:00Z')
    const pena = await here('Ana Peña', 3, '2026-10-06T23:31:00Z')
    await book.query('delete from reservation_table where venue_id = $1 and reservation_id <> $2', [
      book.venue.id,
      howard,
    ])
    await book.query('update reservation_table set pinned = true where venue_id = $1', [book.venue.id])
    return { moretti, pena }
  }
  const rowOf = async (id: number): Promise<string> =>
    new RegExp(`<li id="b${id}"[^]*?</li>`).exec((await host.get('/office/service')).html)?.[0] ?? ''

  it('is named before who is late, by the sizes at the door and by the table on the floor', async () => {
    await openBeforeHoward()
    const both =
      /Moretti, 3, is here and could sit here; Saad Ahmed, 2, has no table yet and could sit here\./
    assert.match(
      words(padIn(await host.get('/office/service?size=2'))),
      /Table 5 until 8:50\sPM \(74 min\)\./,
    )
    assert.match(words(padIn(await host.get('/office/service?size=2'))), both)
    assert.match((await host.get(`/office/tables/${table['5']}?back=/office/floor`)).words, both)
  })

  it('reads in its row and in the choice of a table until when it may have it', async () => {
    const { moretti } = await openBeforeHoward()
    assert.match(words(await rowOf(moretti)), /no table yet: 5 until 8:50\sPM/)
    const choice = await host.get(`/office/bookings/${moretti}/table?back=/office/service`)
    assert.match(choice.words, /For a while 5 until 8:50\sPM \(74 min\).*Saad Ahmed, 2, has no table yet/)
    assert.match(choice.html, new RegExp(`value="seat ${table['5']}@[^"]*" class="primary"`))
  })

  it('and comes after another one, reads who goes before it, and sits down there by the same press', async () => {
    const { moretti, pena } = await openBeforeHoward()
    const row = await rowOf(pena)
    assert.match(words(row), /no table yet: 5 until 8:50\sPM if Moretti doesn’t take it/)
    const choice = await host.get(`/office/bookings/${pena}/table?back=/office/service`)
    assert.match(choice.words, /5 until 8:50\sPM \(74 min\).*Moretti, 3, is here and could sit here/)
    assert.doesNotMatch(choice.html, /class="primary" aria-label="Seat at 5/)
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(row)?.[1] ?? ''
    await host.post(`/office/bookings/${pena}/moves`, {
      ...{ version: field('version'), status: 'Confirmed', back: '/office/service' },
      ...{ tables: field('tables'), move: 'seat' },
    })
    assert.equal((await book.row(pena)).status, 'Seated')
    assert.equal((await heldTables(service, book.venue))[pena], '5!')
    assert.match(words(await rowOf(moretti)), /No table yet/)
  })

  it('is told by the question, where a press names no table, which one is open and until when', async () => {
    const { moretti } = await openBeforeHoward()
    const { version } = await book.row(moretti)
    const asked = await host.post(`/office/bookings/${moretti}/moves`, {
      ...{ version: String(version), status: 'Confirmed', back: '/office/service', move: 'seat' },
    })
    assert.match(
      asked.words,
      /No table for 3 is open for the whole stay at 7:36\sPM; 5 is open until 8:50\sPM\./,
    )
    assert.equal((await book.row(moretti)).status, 'Confirmed')
  })

  it('or in line for joined tables, reads everybody who goes before it at one of them', async () => {
    const two = [
      { label: '6', most: 2 },
      { label: '7', most: 2 },
    ]
    await open(two, { combinations: [{ tables: ['6', '7'], least: 3, most: 4 }] })
    for (const [guestName, partySize] of [
      ['Ada', '2'],
      ['Ben', '2'],
      ['Cleo', '4'],
    ] as const)
      await host.post('/office/waitlist', { token: crypto.randomUUID(), partySize, guestName })
    assert.match(
      (await host.get('/office/service')).words,
      /Cleo.*6\+7 free tonight ?; if Ada and Ben don’t take it/,
    )
  })
})
