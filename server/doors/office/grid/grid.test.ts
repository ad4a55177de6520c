import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { dinner } from '../../../book/reservations/test/book.ts'
import { heldTables, tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import type { Seen } from '../../../test/office.ts'
import { type TestService, startService } from '../../../test/service.ts'

const evening = '2026-10-06T22:00:00Z' // 18:00 in New York
const three = [
  { label: '2', most: 4 },
  { label: '10', most: 4 },
  { label: '33', least: 4, most: 6 },
]

describe('the grid', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const open = async (document: object = dinner(tablesOf(three)), at = evening) => {
    service.setClock(at)
    const opened = await hostAtBook(service, document)
    const { book } = opened
    await turnTablesOn(service, book.venue)
    const rows = await book.query('select id, label from dining_table where venue_id = $1', [book.venue.id])
    const ids = Object.fromEntries(rows.map(({ id, label }) => [label, String(id)])) as Record<string, string>
    return { ...opened, table: (label: string) => ids[label] as string }
  }
  const row = ({ html }: Seen, label: string) =>
    new RegExp(`<li class="g-row"[^>]*data-label="${label}"[^]*?</li>`).exec(html)?.[0] ?? ''
  const wordsOf = (html: string) =>
    html
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  const hoursOf = ({ html }: Seen) =>
    [...html.matchAll(/<span class="f\d+ n\d+">(\d+:\d\d\s[AP]M)<\/span>/g)].map(([, time]) =>
      time?.replace(/\s/, ' '),
    )

  const fieldsIn = (form: string): Record<string, string> =>
    Object.fromEntries(
      [...form.matchAll(/name="(\w+)"\s+value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    )
  /** What the Undo of a last line sends. */
  const undoIn = ({ html }: Seen) =>
    fieldsIn(/<form[^]*?Undo/.exec(html.slice(html.indexOf('id="said"')))?.[0] ?? '')

  it('shows tables as rows by label, the evening as columns, who is there and what is free between', async () => {
    const { book, host } = await open()
    await book.booking('Confirmed', { time: '19:00', partySize: 4, guestName: 'Okafor' })
    await book.booking('Confirmed', { time: '21:30', partySize: 4, guestName: 'Stern' })
    const page = await host.get('/office/grid')
    assert.equal(page.status, 200)
    assert.deepEqual(hoursOf(page).slice(0, 3), ['5:00 PM', '6:00 PM', '7:00 PM'])
    assert.match(page.html, /now-flag f12"><span[^>]*>6:00\sPM/)
    const labels = [...page.html.matchAll(/data-label="([^"]+)"/g)].map(([, label]) => label)
    assert.deepEqual(labels, ['2', '10', '33'])
    const first = row(page, '2')
    // From 17:00: two hours are 24 steps; Okafor from 19:00 for two hours, Stern from 21:30.
    assert.match(first, /class="blk[^"]*f24 n24[^"]*"[^]*Okafor/)
    assert.match(first, /class="blk[^"]*f54 n24[^"]*"[^]*Stern/)
    assert.match(wordsOf(first), /Okafor 7:00\sPM , party of 4, table 2, 7:00\sPM to 9:00\sPM/)
    assert.match(first, /gap f12 n12"><i>1 h<\/i>[^]*gap f48 n6"><i>30 min<\/i>/)
    assert.match(wordsOf(row(page, '33')), /33 4–6 8 h$/)
    const renewed = await host.get((/hx-get="([^"]+)"/.exec(page.html)?.[1] ?? '').replaceAll('&amp;', '&'), {
      'hx-request': 'true',
    })
    assert.equal(renewed.status, 204)
  })

  it('says of a gap that begins now the minutes there are, as the pad does, and none that is too short', async () => {
    const { book, host } = await open(dinner(tablesOf(three)), '2026-10-06T22:17:00Z')
    await book.booking('Confirmed', { time: '19:00', partySize: 4, guestName: 'Okafor' })
    const at = async (time: string) => {
      service.setClock(`2026-10-06T${time}Z`)
      return wordsOf(row(await host.get('/office/grid'), '2'))
    }
    assert.match(await at('22:17:00'), / 43 min 5 h$/)
    assert.match(await at('22:24:35'), / 36 min 5 h$/)
    assert.match(await at('22:44:10'), / 16 min 5 h$/)
    assert.match(await at('22:46:00'), /9:00\sPM 5 h$/, 'fourteen minutes are of no use to anybody')
  })

  it('shows why and when a table takes nobody: each time its own reason, from its true beginning', async () => {
    const floor = tablesOf(three)
    const outage = (fromTime: string, untilTime: string, why?: string) => ({
      table: '2',
      fromDate: '2026-10-06',
      fromTime,
      untilDate: '2026-10-06',
      untilTime,
      ...(why !== undefined && { why }),
    })
    const { host } = await open(
      dinner({
        tables: {
          ...floor.tables,
          turnoverMinutes: 15,
          rooms: [...floor.tables.rooms, { name: 'Patio', on: false }],
          tables: [...floor.tables.tables, { label: '40', room: 'Patio', most: 2 }],
          outOfOrder: [outage('18:30', '19:30', 'Loose leg'), outage('20:00', '21:00')],
          plans: [
            { table: '10', service: 'Dinner' },
            { table: '2', weekdays: [3] },
          ],
        },
      }),
    )
    const page = await host.get('/office/grid')
    const off = (label: string) =>
      [
        ...row(page, label).matchAll(
          /class="blk off (f\d+ n\d+)[^"]*"><span class="blk-in"><b><\/b><span>Off<\/span><small>([^<]*)</g,
        ),
      ].map(([, at, why]) => `${at} ${why}`)
    // From 17:00 in steps of five minutes.
    assert.deepEqual(off('2'), ['f18 n12 Loose leg', 'f36 n12 out of order'])
    assert.deepEqual(off('10').length, 1)
    assert.match(off('10')[0] ?? '', /^f0 n\d+ closed by plan$/)
    assert.deepEqual(off('33'), [])
    assert.match(off('40')[0] ?? '', /^f0 n\d+ room closed$/)
  })

  it('after midnight it is still the same evening, and the night the clocks go back has both hours', async () => {
    const { host } = await open(dinner(tablesOf(three)), '2026-10-07T05:10:00Z') // 01:10
    const late = await host.get('/office/grid')
    assert.match(late.words, /Today, Tuesday, October 6/)
    assert.match(late.html, /now-flag f98"><span[^>]*>1:10\sAM/)
    const night = await open(
      {
        periods: [{ weekday: 6, name: 'Late', opens: '22:00', closes: '03:00' }],
        turnMinutes: [{ upTo: 8, minutes: 60 }],
        ...tablesOf(three),
      },
      '2026-10-31T20:00:00Z',
    )
    const at = (startsAt: string) =>
      service.call('POST', '/api/v1/reservations', {
        key: night.book.venue.key,
        body: { guestName: 'Ada', partySize: 2, startsAt },
      })
    for (const offset of ['-04:00', '-05:00'])
      assert.equal((await at(`2026-11-01T01:30:00${offset}`)).status, 201)
    for (const { id } of await night.book.query('select id from reservation where venue_id = $1', [
      night.book.venue.id,
    ])) {
      const { version, status } = await night.book.row(Number(id))
      const confirmed = { version: String(version), status, move: 'confirm' }
      assert.equal((await night.host.post(`/office/bookings/${Number(id)}/moves`, confirmed)).status, 303)
    }
    const page = await night.host.get('/office/grid?date=2026-10-31')
    assert.deepEqual(hoursOf(page), ['10:00 PM', '11:00 PM', '12:00 AM', '1:00 AM', '1:00 AM', '2:00 AM'])
    assert.match(row(page, '2'), /f42 n12[^]*1:30\sAM to 1:30\sAM[^]*f54 n12[^]*1:30\sAM to 2:30\sAM/)
  })

  it('a block goes to another table, later and longer by one press, and back by another', async () => {
    const { book, host, table } = await open()
    const id = await book.booking('Confirmed', { time: '19:00', partySize: 4, guestName: 'Okafor' })
    await book.toldAll()
    const drag = async (fields: Record<string, string>, version?: number) =>
      host.post(
        '/office/grid/moves',
        {
          id: String(id),
          version: String(version ?? (await book.row(id)).version),
          back: '/office/grid',
          ...fields,
        },
        { 'hx-request': 'true' },
      )
    const moved = await drag({ shift: '30', longer: '15', to: table('33') })
    assert.match(moved.words, /Okafor, 4 guests: 30 min later, 15 min longer, now at 33\./)
    assert.match(row(moved, '33'), /f30 n27[^]*Okafor/)
    assert.deepEqual(await heldTables(service, book.venue), { [id]: '33!' })
    assert.deepEqual(
      (await book.toldAll()).map(({ names, data }) => [names, data.time, data.durationMinutes]),
      [[['reservation.rescheduled', 'reservation.details_changed', 'reservation.updated'], '19:30', 135]],
    )
    const undone = await host.post('/office/grid/moves', undoIn(moved), { 'hx-request': 'true' })
    assert.match(row(undone, '2'), /f24 n24[^]*Okafor/)
    assert.deepEqual(await heldTables(service, book.venue), { [id]: '2' }, 'as the machine had put it')
    const stale = await drag({ shift: '15' }, 1)
    assert.match(stale.words, /The booking of Okafor has changed[^]*Nothing was done/)
  })

  it('a booking whose length nobody ever said has none again after the undo of a longer block, and of a change', async () => {
    const { book, host } = await open()
    const id = await book.booking('Confirmed', { time: '19:00', partySize: 4, guestName: 'Okafor' })
    await book.query('update reservation set duration_minutes = null where id = $1', [id])
    const length = async () => (await book.row(id)).duration_minutes
    const asked = async () => ({ version: String((await book.row(id)).version), back: '/office/grid' })
    const longer = { id: String(id), ...(await asked()), shift: '0', longer: '30' }
    const moved = await host.post('/office/grid/moves', longer, { 'hx-request': 'true' })
    assert.equal(await length(), 150)
    await host.post('/office/grid/moves', undoIn(moved), { 'hx-request': 'true' })
    assert.equal(await length(), null)

    const words = { guestName: 'Okafor', email: '', phone: '', notes: '' }
    const edit = { date: '2026-10-06', time: '20:00', partySize: '4', length: '45', ...words }
    const { to } = await host.post(`/office/bookings/${id}/edits`, { ...(await asked()), ...edit })
    assert.equal(await length(), 45)
    const page = await host.get(to ?? '')
    const fields = fieldsIn(/<form[^>]*edits\/undo[^]*?Undo/.exec(page.html)?.[0] ?? '')
    await host.post(`/office/bookings/${id}/edits/undo`, fields)
    assert.deepEqual([await length(), (await book.row(id)).time], [null, '19:00'])
  })

  it('what speaks against it is asked about; who sits stays in the hour', async () => {
    const { book, host, table } = await open(
      dinner({ ...tablesOf(three), pacing: { intervalMinutes: 15, maxCovers: 4 } }),
    )
    const id = await book.booking('Confirmed', { time: '19:00', partySize: 4, guestName: 'Okafor' })
    const other = await book.booking('Confirmed', { time: '20:00', partySize: 4, guestName: 'Stern' })
    const drag = async (of: number, fields: Record<string, string>) =>
      host.post(
        '/office/grid/moves',
        { id: String(of), version: String((await book.row(of)).version), back: '/office/grid', ...fields },
        { 'hx-request': 'true' },
      )
    const asked = await drag(id, { shift: '60' })
    assert.match(asked.words, /change anyway\?[^]*8 of 4/)
    assert.equal((await book.row(id)).time, '19:00')
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(asked.html)?.[1] ?? ''
    await drag(id, { shift: '60', confirmed })
    assert.equal((await book.row(id)).time, '20:00')
    const { version, status } = await book.row(other)
    service.setClock('2026-10-07T00:00:00Z')
    await host.post(`/office/bookings/${other}/moves`, { version: String(version), status, move: 'seat' })
    const refused = await drag(other, { shift: '30' })
    assert.match(refused.words, /This party is already seated; you can only change[^]*Nothing was done/)
    const [held] = Object.values(await heldTables(service, book.venue))
    const onto = await drag(id, { to: table((await heldTables(service, book.venue))[other] ?? held ?? '') })
    assert.match(onto.words, /is taken by Stern/)
    assert.match((await drag(other, { longer: '30' })).words, /30 min longer/)
    assert.equal((await book.row(other)).duration_minutes, 150)
    assert.equal((await drag(id, { longer: '-115' })).status, 200)
    assert.equal((await book.row(id)).duration_minutes, 120)
  })

  it('a table that is too small or too large is asked about once, with whatever else speaks against it, and who is moved is named', async () => {
    const floor = [
      { label: 'B4', least: 1, most: 2 },
      { label: '5', least: 1, most: 4 },
      { label: '6', least: 1, most: 4 },
      { label: '9', least: 6, most: 8 },
    ]
    const { book, host, table } = await open(
      dinner({ ...tablesOf(floor), pacing: { intervalMinutes: 15, maxCovers: 4 } }),
    )
    const id = await book.booking('Confirmed', { time: '19:00', partySize: 4, guestName: 'Okafor' })
    const stern = await book.booking('Confirmed', { time: '20:00', partySize: 2, guestName: 'Stern' })
    const drag = async (fields: Record<string, string>) =>
      host.post(
        '/office/grid/moves',
        { id: String(id), version: String((await book.row(id)).version), back: '/office/grid', ...fields },
        { 'hx-request': 'true' },
      )
    const held = () => heldTables(service, book.venue)
    const before = await held()
    assert.equal(before[stern], 'B4')
    for (const [label, seats] of [
      ['B4', '1–2'],
      ['9', '6–8'],
    ] as const) {
      const { words } = await drag({ to: table(label) })
      assert.match(
        words,
        new RegExp(`change anyway\\?[^]*Table ${label} seats ${seats}; this is a party of 4\\.`),
      )
    }
    assert.deepEqual(await held(), before)
    const both = { shift: '60', to: table('B4') }
    const first = await drag(both)
    assert.match(first.words, /1 h later, table B4\): change anyway/)
    const confirmed = (seen: Seen) => /name="confirmed" value="([^"]+)"/.exec(seen.html)?.[1] ?? ''
    assert.equal(confirmed(first), 'table-size pacing-covers-full:6')
    const done = await drag({ ...both, confirmed: confirmed(first) })
    assert.match(done.words, /Okafor, 4 guests: 1 h later, now at B4\. Stern is now at table \w+\./)
    const after = await held()
    assert.equal(after[id], 'B4!')
    assert.notEqual(after[stern], 'B4')
    await host.post('/office/grid/moves', undoIn(done), { 'hx-request': 'true' })
    assert.deepEqual(await held(), before)
  })

  it('a table that is too small for a party alone is not joined with one that others have', async () => {
    const floor = tablesOf([
      { label: '1', least: 1, most: 2 },
      { label: '2', least: 1, most: 2 },
      { label: '7', least: 3, most: 4 },
    ])
    const joined = { tables: ['1', '2'], least: 3, most: 4 }
    const document = dinner({ ...floor, tables: { ...floor.tables, combinations: [joined] } })
    const { book, host, table } = await open(document)
    const id = await book.booking('Confirmed', { time: '19:00', partySize: 3, guestName: 'Okafor' })
    const nolan = await book.booking('Confirmed', { time: '19:00', partySize: 2, guestName: 'Pat Nolan' })
    const held = await heldTables(service, book.venue)
    const other = held[nolan] === '1' ? '2' : '1'
    const { words } = await host.post(
      '/office/grid/moves',
      {
        id: String(id),
        version: String((await book.row(id)).version),
        back: '/office/grid',
        to: table(other),
      },
      { 'hx-request': 'true' },
    )
    assert.match(words, new RegExp(`Table ${other} seats 1–2; this is a party of 3\\.`))
    assert.doesNotMatch(words, /is taken by/)
  })

  it('without script a move comes back to the grid; with tables off there is no grid', async () => {
    const { book, host, table } = await open()
    const id = await book.booking('Confirmed', { time: '19:00', partySize: 4 })
    const sent = await host.post('/office/grid/moves', {
      id: String(id),
      version: '1',
      to: table('10'),
      back: '/office/grid?date=2026-10-06',
    })
    assert.deepEqual([sent.status, sent.to], [303, '/office/grid?date=2026-10-06'])
    assert.deepEqual(await heldTables(service, book.venue), { [id]: '10!' })
    const off = await hostAtBook(service, dinner(tablesOf(three)))
    const page = await off.host.get('/office/grid')
    assert.match(page.words, /Tables are off at this venue/)
    assert.doesNotMatch((await off.host.get('/office/service')).html, /office\/grid/)
  })
})
