import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestBook } from '../../../book/reservations/test/book.ts'
import { type TestTable, heldTables } from '../../../book/tables/test/floor.ts'
import { hostAtTables } from '../../../test/host-at-book.ts'
import { madeBefore } from '../../../test/made-before.ts'
import type { OfficeVisitor, Seen } from '../../../test/office.ts'
import { startService } from '../../../test/service.ts'

/** Tuesday 6 October 2026, 18:55 in New York. */
const early = '2026-10-06T22:55:00Z'
const ninety = { turnMinutes: [{ upTo: 99, minutes: 90 }] }

describe('the choice of a table', () => {
  const service = madeBefore(() => startService())
  let book: TestBook
  let host: OfficeVisitor
  let table: Record<string, string>

  const open = async (tables: readonly TestTable[]) => {
    service.setClock(early)
    ;({ book, host, table } = await hostAtTables(service, tables, ninety))
  }
  const fieldsIn = (form: string): Record<string, string> =>
    Object.fromEntries(
      [...form.matchAll(/name="(\w+)"\s+value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    )
  const formIn = ({ html }: Seen) => fieldsIn(/<form[^>]*moves"[^]*?<h2>/.exec(html)?.[0] ?? '')

  it('offers a booking that is ahead a table for a while from its time: one press, one event, and an undo to the usual time', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 2 },
    ])
    await book.booking('Confirmed', { guestName: 'Howard', partySize: 2, time: '21:30' })
    const ana = await book.booking('Confirmed', { guestName: 'Ana', partySize: 2, time: '20:15' })
    assert.equal((await heldTables(service, book.venue))[ana], '7')
    const before = await book.row(ana)
    const page = await host.get(`/office/bookings/${ana}/table`)
    assert.match(page.words, /For a while for 8:15\sPM 6 until 9:30\sPM \(75 min\) .*Assign/)
    const value = `${table['6']}@2026-10-07T01:30:00Z`
    assert.ok(page.html.includes(`value="assign ${value}"`))
    assert.ok(!page.html.includes(`value="seat ${value}"`), 'nobody sits down for a while before their time')
    await book.toldAll()
    const send = { version: String(before.version), status: 'Confirmed', back: '/office/service' }
    await host.post(`/office/bookings/${ana}/table`, { ...send, do: `assign ${value}` })
    const after = await host.get('/office/service')
    assert.match(after.words, /Ana, 2 guests: now at 6 until 9:30\sPM/)
    assert.equal((await heldTables(service, book.venue))[ana], '6!')
    const told = await book.toldAll()
    assert.deepEqual(
      told.map(({ name, data }) => [name, data.durationMinutes]),
      [['reservation.details_changed', 75]],
    )
    const undo = fieldsIn(/<form[^]*?Undo/.exec(after.html.slice(after.html.indexOf('id="said"')))?.[0] ?? '')
    await host.post(`/office/bookings/${ana}/edits/undo`, undo)
    assert.equal((await book.row(ana)).duration_minutes, before.duration_minutes)
    assert.equal((await heldTables(service, book.venue))[ana], '7')
  })

  it('is there for a party in line: any table, seated by one press; one that it does not fit is asked about once', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '8', least: 3, most: 6 },
    ])
    await host.post('/office/waitlist', { token: crypto.randomUUID(), partySize: '2', guestName: 'Ada' })
    const [entry] = await book.query('select id from waitlist_entry where venue_id = $1', [book.venue.id])
    const at = `/office/waitlist/${Number(entry?.['id'])}`
    assert.ok((await host.get('/office/service')).html.includes(`href="${at}/table?back=`))
    const choice = await host.get(`${at}/table?back=/office/service`)
    assert.match(choice.words, /Ada, 2 guests on the waitlist 6 free tonight/)
    assert.match(choice.html, /aria-label="Seat at 6"/)
    assert.match(choice.words, /8 seats 3–6, free/)
    const send = { ...formIn(choice), move: 'seatNow', tables: table['8'] as string }
    const asked = await host.post(`${at}/moves`, send)
    assert.match(asked.words, /Table 8 seats 3–6; this is a party of 2\./)
    const confirm = fieldsIn(/<form[^>]*moves"[^]*?anyway/.exec(asked.html)?.[0] ?? '')
    await host.post(`${at}/moves`, confirm)
    assert.match((await host.get('/office/service')).words, /Ada, 2 guests: seated at 8/)
    const gone = await host.get(`${at}/table`)
    assert.match(gone.words, /They are no longer in line and need no table\./)
  })
})
