import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestBook, dinner } from '../../../book/reservations/test/book.ts'
import { heldTables, tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import type { OfficeVisitor, Seen } from '../../../test/office.ts'
import { hiddenIn } from '../../../test/office-forms.ts'
import { type TestService, startService } from '../../../test/service.ts'

const evening = '2026-10-06T20:00:00Z' // 16:00 in New York

describe('tables in the booking sheet', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const floor = [
    { label: '24', least: 2, most: 4, features: ['booth'] },
    { label: '26', least: 2, most: 4 },
    { label: '33', least: 4, most: 6 },
  ]
  const open = async (document = dinner(tablesOf(floor))) => {
    service.setClock(evening)
    const opened = await hostAtBook(service, document)
    await turnTablesOn(service, opened.book.venue)
    const rows = await opened.book.query('select id, label from dining_table where venue_id = $1', [
      opened.book.venue.id,
    ])
    const table = Object.fromEntries(rows.map(({ id, label }) => [label, String(id)])) as Record<
      string,
      string
    >
    return { ...opened, table: (label: string) => table[label] as string }
  }
  const party = { date: '2026-10-06', time: '20:00', partySize: '4', guestName: 'Ana' }
  const send = (host: OfficeVisitor, fields: Record<string, string>) =>
    host.post('/office/bookings', { token: crypto.randomUUID(), ...party, ...fields })
  const held = ({ venue }: TestBook) => heldTables(service, venue)
  const last = async (book: TestBook) => {
    const [row] = await book.query(
      'select id, version, duration_minutes as minutes from reservation where venue_id = $1 order by id desc limit 1',
      [book.venue.id],
    )
    return row as { id: number; version: number; minutes: number }
  }
  const sheet = '/office/bookings/new?date=2026-10-06&partySize=4&time=20:00'
  const picks = ({ html }: Seen) => /<fieldset id="table-picks"[^]*?<\/fieldset>/.exec(html)?.[0] ?? ''
  const pick = (page: Seen, value: string) =>
    new RegExp(`<label id="pick-${value.replace('+', '\\+')}"[^]*?</label`).exec(page.html)?.[0] ?? ''

  it('offers what is free with seats and until when, and says who has the others', async () => {
    const { book, host, table } = await open()
    await send(host, { time: '21:30', guestName: 'Stern', table: table('24') })
    await send(host, { time: '19:00', guestName: 'Okafor', table: table('26') })
    const page = await host.get(sheet)
    assert.match(pick(page, ''), /checked[^]*Any[^]*now table 33, free all evening/)
    assert.match(pick(page, table('33')), /33[^]*4–6, all evening/)
    assert.match(pick(page, table('24')), /taken[^]*disabled[^]*Stern, 4, 9:30\sPM to 11:30\sPM/)
    assert.match(pick(page, table('26')), /taken[^]*disabled[^]*Okafor, 4, 7:00\sPM to 9:00\sPM/)
    const shorter = await host.get('/office/bookings/new?date=2026-10-06&partySize=4&time=17:00')
    assert.match(pick(shorter, table('24')), /booth, 2–4, to 9:30\sPM/)
    assert.equal(Object.keys(await held(book)).length, 2)
  })

  it('says who moves for the table that a party gets, before the press and after it', async () => {
    const { book, host } = await open(dinner(tablesOf(floor.slice(1))))
    await send(host, { guestName: 'Abe Stern', partySize: '4' })
    const { id } = await last(book)
    await book.query(
      `update reservation_table set pinned = false,
         table_id = (select id from dining_table where venue_id = $1 and label = '33')
        where venue_id = $1`,
      [book.venue.id],
    )
    const page = await host.get(sheet.replace('partySize=4', 'partySize=6'))
    assert.match(pick(page, ''), /Any[^]*now table 33 when Stern moves to 26</)
    assert.match(page.html, /id="send"[^]*Table 33 when Stern moves to 26\./)
    const answer = await send(host, { guestName: 'Ana', partySize: '6' })
    assert.match(
      (await host.get(answer.to as string)).words,
      /Ana, 6 guests at 8:00\sPM, table 33: booked\. Abe Stern is now at table 26\./,
    )
    assert.equal((await held(book))[id], '26')
  })

  it('says to the same minute as everywhere until when somebody sits who came within a minute', async () => {
    const { host, table } = await open()
    service.setClock('2026-10-06T23:04:35Z')
    await host.post('/office/service/walk-ins', {
      ...{ token: crypto.randomUUID(), partySize: '4', guestName: 'Sitting', tables: table('24') },
    })
    assert.match(pick(await host.get(sheet), table('24')), /Sitting, 4, 7:04\sPM to 9:04\sPM/)
  })

  /** Kim, 4 guests, sat down at 24 at five; the day is seen eighty minutes later, when others sit at 33 since half past. */
  const sitting = async (minutes: number) => {
    const opened = await open(dinner({ ...tablesOf(floor), shortestStays: [{ upTo: 99, minutes: 60 }] }))
    const { book, host, table } = opened
    const sits = async (guestName: string, label: string, at: string) => {
      service.setClock(at)
      const walkIn = { partySize: '4', guestName, tables: table(label) }
      await host.post('/office/service/walk-ins', { token: crypto.randomUUID(), ...walkIn })
      return (await last(book)).id
    }
    const id = await sits('Kim', '24', '2026-10-06T21:00:00Z')
    await book.query('update reservation set duration_minutes = $2 where id = $1', [id, minutes])
    await sits('Okafor', '33', '2026-10-06T21:30:00Z')
    const next = (time: string) => send(host, { time, guestName: 'Stern', table: table('26') })
    service.setClock('2026-10-06T22:20:00Z')
    const saves = async (value: string) =>
      host.post(`/office/bookings/${id}/edits`, {
        ...{ ...party, guestName: 'Kim', time: '17:00', length: String(minutes), table: value },
        version: String((await book.row(id)).version),
      })
    return { ...opened, id, next, saves, page: () => host.get(`/office/bookings/${id}`) }
  }

  it('offers a party that sits other tables for a while as of now, and none where somebody sits', async () => {
    const { book, host, id, next, page, saves, table } = await sitting(240)
    await next('19:40')
    const shown = await page()
    const end = '2026-10-06T23:40:00Z'
    assert.match(pick(shown, `${table('26')}@${end}`), /26[^]*until 7:40\sPM \(80 min\)/)
    assert.match(pick(shown, table('33')), /taken[^]*disabled[^]*Okafor, 4, 5:30\sPM to/)
    assert.doesNotMatch(picks(shown), new RegExp(`${table('33')}@`), 'Okafor sits there')
    const live = await host.get(
      `/office/bookings/reasons?booking=${id}&date=2026-10-06&time=1700&partySize=4&length=240&table=${table('26')}%40${end}`,
    )
    assert.match(live.html, />1 h 20 min from now, until 7:40\sPM</)
    assert.equal((await saves(`${table('26')}@${end}`)).status, 303)
    assert.equal((await held(book))[id], '26!')
    assert.equal((await book.row(id)).duration_minutes, 160, 'from five to twenty to eight')
  })

  it('offers a party that sits nothing for less than is worth a move, and takes none that was more when it was shown', async () => {
    const { book, id, next, page, saves, table } = await sitting(134)
    await next('19:00')
    const shown = await page()
    assert.doesNotMatch(picks(shown), /until \d/, 'it has 54 minutes left, and 26 is free for 40')
    assert.match(pick(shown, table('26')), /taken[^]*Stern, 4, 7:00\sPM to/)
    const refused = await saves(`${table('26')}@2026-10-06T23:00:00Z`)
    assert.equal(refused.status, 409)
    assert.match(refused.words, /Table 26 is free until 7:00\sPM only, 40 minutes from now\./)
    assert.deepEqual([(await held(book))[id], (await book.row(id)).duration_minutes], ['24!', 134])
    assert.equal((await saves(table('26'))).status, 409, 'nor for a whole stay')
    assert.equal((await held(book))[id], '24!')
  })

  it('says that a party moves only where it has another table to go to', async () => {
    const { book, host, table } = await open()
    for (const guestName of ['Stern', 'Okafor']) await send(host, { guestName })
    const [one] = Object.values(await held(book)) as [string, string]
    assert.match(
      pick(await host.get(sheet), table(one)),
      /taken[^]*(Stern|Okafor), 4, [^]* to 10:00\sPM, moves/,
    )
    await send(host, { guestName: 'Abe' })
    const full = await host.get(sheet)
    for (const label of ['24', '26', '33']) {
      assert.match(pick(full, table(label)), /taken[^]*(Stern|Okafor|Abe), 4, [^]* to 10:00\sPM</)
      assert.doesNotMatch(pick(full, table(label)), /disabled/, 'staff may put them there, and are asked')
    }
  })

  it('another wish where to sit moves nobody, and the answer says which table the party stays at', async () => {
    const { book, host } = await open()
    await send(host, {})
    const [label] = Object.values(await held(book))
    const edit = async (fields: Record<string, string>) => {
      const { id, version } = await last(book)
      const house = { occasion: '', seating: '', tags: '' }
      const { to } = await host.post(`/office/bookings/${id}/edits`, {
        ...party,
        ...house,
        version: String(version),
        ...fields,
      })
      return (await host.get((to ?? '').split('#')[0] as string)).words
    }
    assert.match(
      await edit({ seating: 'Booth' }),
      new RegExp(`saved\\. They stay at table ${label}; choose another`),
    )
    assert.deepEqual(Object.values(await held(book)), [label])
    assert.doesNotMatch(await edit({ seating: 'Booth', occasion: 'Birthday' }), /They stay at table/)
  })

  it('says until when a table is free that is out of order later, to the minute', async () => {
    const outage = {
      ...{
        table: '24',
        fromDate: '2026-10-06',
        fromTime: '22:30',
        untilDate: '2026-10-06',
        untilTime: '23:30',
      },
    }
    const { host, table } = await open(dinner(tablesOf(floor, { turnoverMinutes: 15, outOfOrder: [outage] })))
    const at = (time: string) => host.get(`/office/bookings/new?date=2026-10-06&partySize=4&time=${time}`)
    assert.match(pick(await at('17:00'), table('24')), /booth, 2–4, to 10:30\sPM/)
    assert.match(pick(await at('22:00'), table('24')), /disabled[^]*not in use/)
  })

  it('seats them where staff choose, for as long as they say, and leaves the rest to the machine', async () => {
    const { book, host, table } = await open()
    assert.equal((await send(host, { table: table('33'), length: '75' })).status, 303)
    const first = await last(book)
    assert.equal(first.minutes, 75)
    assert.equal((await send(host, { time: '21:15' })).status, 303)
    assert.equal((await send(host, { time: '17:00', table: 'none' })).status, 303)
    const tables = Object.values(await held(book))
    assert.deepEqual(tables, ['33!', '24'], 'the third party is without a table, though there is one')
    assert.equal((await send(host, { table: '999999' })).status, 400)
    assert.equal((await send(host, { table: 'x' })).status, 400)
    assert.equal((await send(host, { length: '9999' })).status, 400)
  })

  const turns = [
    { upTo: 2, minutes: 90 },
    { upTo: 4, minutes: 105 },
    { upTo: 8, minutes: 135 },
  ]
  const length = ({ html }: Seen) => {
    const field = /<select name="length">[^]*?<\/select/.exec(html)?.[0] ?? ''
    return (/<option value="[^"]*" selected>([^<]*)/.exec(field) ?? /<option[^>]*>([^<]*)/.exec(field))?.[1]
  }

  it('how long is the usual time of the size that is typed, before and after a time is chosen', async () => {
    const { host } = await open(dinner({ ...tablesOf(floor), turnMinutes: turns }))
    const live = (more: string) =>
      host.get(`/office/bookings/reasons?date=2026-10-06&length=&${more}`, { 'hx-request': 'true' })
    assert.equal(length(await host.get('/office/bookings/new?date=2026-10-06')), '1 h 30 min, as usual for 2')
    assert.equal(length(await live('partySize=5&time=')), '2 h 15 min, as usual for 5')
    assert.equal(length(await live('partySize=5&time=2015')), '2 h 15 min, as usual for 5')
    assert.equal(length(await live('partySize=5&time=junk')), '2 h 15 min, as usual for 5')
    assert.match((await live('partySize=5&time=2015')).html, /id="how-long"[^>]*hx-swap-oob/)
  })

  it('the usual time follows the size when a booking is changed; a length that staff set stays until they choose the usual one', async () => {
    const { book, host } = await open(dinner({ ...tablesOf(floor), turnMinutes: turns }))
    await send(host, { partySize: '5' })
    const { id, minutes } = await last(book)
    assert.equal(minutes, 135)
    const edit = async (fields: Record<string, string>) =>
      host.post(`/office/bookings/${id}/edits`, {
        ...party,
        version: String((await book.row(id)).version),
        ...fields,
      })
    const live = (more: string) =>
      host.get(`/office/bookings/reasons?booking=${id}&date=2026-10-06&time=2000&${more}`, {
        'hx-request': 'true',
      })
    assert.equal(length(await host.get(`/office/bookings/${id}`)), '2 h 15 min, as usual for 5')
    assert.equal(length(await live('partySize=3&length=')), '1 h 45 min, as usual for 3')
    await edit({ partySize: '3', length: '' })
    assert.equal((await last(book)).minutes, 105)
    await edit({ partySize: '3', length: '150' })
    assert.equal(length(await host.get(`/office/bookings/${id}`)), '2 h 30 min')
    assert.equal(length(await live('partySize=2&length=150')), '2 h 30 min')
    await edit({ partySize: '2', length: '150' })
    assert.equal((await last(book)).minutes, 150)
    await edit({ partySize: '2', length: '' })
    assert.equal((await last(book)).minutes, 90)
  })

  const undoOf = ({ html }: Seen) => {
    const said = /<div id="said"[^]*?<div id="pick"/.exec(html)?.[0] ?? ''
    const form = /<form[^>]* action="([^"]+)"[^>]*>([^]*?)<button[^>]*>Undo<\/button>/.exec(said)
    assert.ok(form, 'there is an Undo')
    const fields = [...(form[2] as string).matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name, value]) => [name, (value as string).replaceAll('&amp;', '&')],
    )
    return { to: form[1] as string, fields: Object.fromEntries(fields) as Record<string, string> }
  }
  const lastLine = ({ html }: Seen) =>
    (/<div id="said"[^]*?<div id="pick"/.exec(html)?.[0] ?? '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')

  it('a new booking is said in the last line with its table and an undo, which leaves nothing of it', async () => {
    const { book, host, table } = await open()
    const made = await send(host, { back: '/office/service', table: table('24') })
    const page = await host.get(made.to as string)
    assert.match(lastLine(page), /Ana, 4 guests at 8:00\sPM on Tuesday, October 6, table 24: booked\. Undo/)
    const { to, fields } = undoOf(page)
    const { id } = await last(book)
    await book.query('update reservation set version = 2 where id = $1', [id])
    const kept = await host.get((await host.post(to, fields)).to as string)
    assert.match(lastLine(kept), /Ana, 4 guests: changed since it was booked\. Nothing was done\./)
    await book.toldAll()
    const back = await host.get((await host.post(to, { ...fields, version: '2' })).to as string)
    assert.match(lastLine(back), /Ana, 4 guests: booking removed\./)
    assert.deepEqual(await held(book), {})
    assert.deepEqual(
      (await book.toldAll()).map(({ names }) => names),
      [['reservation.deleted', 'reservation.cancelled']],
    )
    assert.equal(await last(book), undefined)
    const twice = await host.get((await host.post(to, { ...fields, version: '2' })).to as string)
    assert.match(lastLine(twice), /no longer in the book\. Nothing was done\./)
  })

  it('a change is said as what it is now and was before, and its undo puts back time, size, length and table', async () => {
    const { book, host, table } = await open(dinner({ ...tablesOf(floor), turnMinutes: turns }))
    await send(host, { partySize: '5' })
    const { id } = await last(book)
    const edit = async (fields: Record<string, string>) => {
      const answer = await host.post(`/office/bookings/${id}/edits`, {
        ...party,
        ...{ partySize: '5', back: '/office/service', length: '', table: '' },
        version: String((await book.row(id)).version),
        ...fields,
      })
      return host.get(answer.to as string)
    }
    const page = await edit({ partySize: '3', time: '21:30', table: table('26') })
    assert.match(
      lastLine(page),
      /Ana: 3 guests, 9:30\sPM, table 26 \(was 5 guests, 8:00\sPM, table 33\)\. Undo/,
    )
    const { to, fields } = undoOf(page)
    const back = await host.get((await host.post(to, fields)).to as string)
    assert.match(lastLine(back), /Ana, 5 guests: back at 8:00\sPM, table 33\./)
    const { party_size, time, duration_minutes } = await book.row(id)
    assert.deepEqual([party_size, time, duration_minutes, (await held(book))[id]], [5, '20:00', 135, '33'])
    const stale = await host.get((await host.post(to, fields)).to as string)
    assert.match(lastLine(stale), /Nothing was done\./)

    assert.match(lastLine(await edit({ length: '150' })), /table 33, for 2 h 30 min \(was for 2 h 15 min\)/)
    const notes = await edit({ notes: 'Window', length: '150' })
    assert.match(lastLine(notes), /Ana, 5 guests: saved\./)
    assert.doesNotMatch(lastLine(notes), /Undo/)
  })

  it('a request that is confirmed is said with its day, time and table; nobody is asked to take it back', async () => {
    const { book, host } = await open(dinner(tablesOf(wished)))
    const id = await book.booking('Requested', {
      date: '2026-10-07',
      time: '20:00',
      partySize: 4,
      guestName: 'Ivo',
    })
    const answer = await host.post(`/office/bookings/${id}/moves`, {
      ...{ version: String((await book.row(id)).version), status: 'Requested' },
      ...{ back: '/office/service', move: 'confirm' },
    })
    const said = lastLine(await host.get(answer.to as string))
    assert.match(said, /Ivo, 4 guests: confirmed for 8:00\sPM on Wednesday, October 7, table 24\./)
    assert.doesNotMatch(said, /Undo/)
  })

  const wished = [
    { label: '24', least: 2, most: 4 },
    { label: '26', least: 2, most: 4, features: ['window'] },
    { label: '33', least: 4, most: 6, features: ['patio'] },
  ]

  it('a table is found that has what the party would like; where it is gone they get another, never none', async () => {
    const { book, host } = await open(dinner(tablesOf(wished)))
    const live = (seating: string) =>
      host.get(`/office/bookings/reasons?date=2026-10-06&partySize=4&time=20:00&seating=${seating}`)
    assert.match(pick(await live(''), ''), /now table 24/)
    assert.match(pick(await live('By+the+window'), ''), /now table 26/)
    await send(host, { seating: 'By the window' })
    assert.deepEqual(Object.values(await held(book)), ['26'])
    await send(host, { seating: 'By the window', guestName: 'Bo' })
    assert.deepEqual(Object.values(await held(book)), ['26', '24'])
    assert.match((await host.get('/office/service')).html, /Would like to sit: <\/span>By the window/)
    const { id, version } = await last(book)
    const page = await host.get(`/office/bookings/${id}`)
    assert.match(page.html, /name="seating"[^>]*value="By the window"/)
    assert.match(
      page.html,
      /<datalist id="list-seating"><option value="Dining room"><\/option><option value="patio">/,
    )
    await host.post(`/office/bookings/${id}/edits`, {
      ...party,
      guestName: 'Bo',
      version: String(version),
      occasion: '',
    })
    assert.doesNotMatch((await host.get(`/office/bookings/${id}`)).html, /By the window/)
  })

  it('what a guest answered online counts until staff write something else', async () => {
    const { book, host } = await open(dinner(tablesOf(wished)))
    const id = await book.booking('Requested', { time: '20:00', partySize: 4 })
    await book.query(
      `insert into guest_booking (venue_id, reservation_id, seating, answers) values ($1, $2, 'Outside', '{}')`,
      [book.venue.id, id],
    )
    await book.query('delete from reservation_table where venue_id = $1', [book.venue.id])
    const { version } = await last(book)
    const fields = { version: String(version), status: 'Requested', back: '/office/service' }
    await host.post(`/office/bookings/${id}/moves`, { ...fields, move: 'confirm' })
    assert.deepEqual(await held(book), { [id]: '33' })
  })

  it('a table that goes to somebody else under the press is said at the button, which takes the next press', async () => {
    const { book, host, table } = await open()
    await send(host, { guestName: 'Abe Stern', table: table('24') })
    const refused = await send(host, { table: table('24'), notes: 'High chair' })
    assert.equal(refused.status, 409)
    assert.match(
      refused.html,
      /id="send"[^]*role="alert"[^]*Table 24 is taken by Abe Stern, 4 guests, from 8:00\sPM to 10:00\sPM/,
    )
    assert.match(
      refused.words,
      /Nothing is booked yet\. The button below books it with this one: Table \d+, free/,
    )
    assert.match(refused.html, /value="Ana"[^]*High chair/)
    assert.match(pick(refused, ''), /checked[^]*now table 26/)
    assert.equal(
      (await book.query('select 1 from reservation where venue_id = $1', [book.venue.id])).length,
      1,
    )
    const made = await send(host, { token: hiddenIn(refused, 'token'), table: '' })
    assert.equal(made.status, 303)
    assert.deepEqual(Object.values(await held(book)), ['24!', '26'])
  })

  it('if no table is left, staff read so, and the next press books without one', async () => {
    const { book, host, table } = await open(dinner(tablesOf([{ label: '24', most: 4 }])))
    await send(host, { guestName: 'Abe Stern', table: table('24') })
    const live = await host.get('/office/bookings/reasons?date=2026-10-06&partySize=4&time=20:00&table=', {
      'hx-request': 'true',
    })
    assert.match(
      live.html,
      /id="send"[^]*There is no table for 4 at 8:00\sPM[^]*books it without a table[^]*Book without a table/,
    )
    assert.match(live.html, /<fieldset id="table-picks"[^]*hx-swap-oob/)
    assert.match(live.html, /data-fills="time=8:00\sPM&amp;date=2026-10-06"[^]*?no table/)
    const chosen = await host.get(
      '/office/bookings/reasons?date=2026-10-06&partySize=4&time=20:00&table=none',
      { 'hx-request': 'true' },
    )
    assert.doesNotMatch(chosen.words, /Book (?:anyway|without)/, 'without a table is what they chose')
    const refused = await send(host, { table: table('24') })
    assert.match(
      refused.words,
      /Table 24 is taken by Abe Stern[^]*There is no table for 4 at 8:00\sPM[^]*Book without a table/,
    )
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(refused.html)?.[1] ?? ''
    assert.equal((await send(host, { confirmed, table: '' })).status, 303)
    assert.deepEqual(Object.values(await held(book)), ['24!'])
  })

  it('a booking is put at another table, kept longer, and taken off its table in its own sheet', async () => {
    const { book, host, table } = await open()
    await send(host, {})
    const { id } = await last(book)
    await send(host, { time: '22:00', guestName: 'Next', table: table('26') })
    const next = await last(book)
    await book.toldAll()
    const edit = async (fields: Record<string, string>) =>
      host.post(`/office/bookings/${id}/edits`, {
        ...party,
        version: String((await book.row(id)).version),
        ...fields,
      })
    assert.match(pick(await host.get(`/office/bookings/${id}`), ''), /24[^]*their table, free all evening/)
    const { revision } = await book.row(id)
    assert.equal((await edit({ table: table('26') })).status, 303)
    assert.deepEqual(await held(book), { [id]: '26!', [next.id]: '26!' })
    assert.equal((await book.row(id)).revision, revision, 'tables: no revision')
    assert.deepEqual(await book.toldAll(), [])
    const longer = await edit({ length: '135' })
    assert.equal(longer.status, 303, 'to another table, as theirs is promised from 22:00')
    assert.deepEqual(await held(book), { [id]: '24', [next.id]: '26!' })
    assert.deepEqual(
      (await book.toldAll()).map(({ names, data }) => [names, data.durationMinutes]),
      [[['reservation.details_changed'], 135]],
    )
    const refused = await edit({ table: table('26'), notes: 'Window' })
    assert.equal(refused.status, 409)
    assert.match(
      refused.html,
      /id="send"[^]*Table 26 is taken by Next[^]*Nothing is saved yet\.\s+Choose another table above/,
    )
    assert.equal((await book.row(id)).notes, null)
    assert.equal((await edit({ table: 'none' })).status, 303)
    assert.deepEqual(await held(book), { [next.id]: '26!' })
    assert.match(pick(await host.get(`/office/bookings/${id}`), ''), /As it is[^]*without a table/)
  })

  it('a seated party is kept longer from when it sat down', async () => {
    const { book, host, table } = await open(dinner(tablesOf([{ label: '24', most: 4 }])))
    await send(host, { time: '17:00', table: table('24') })
    const { id } = await last(book)
    await send(host, { time: '19:30', guestName: 'Next', table: table('24') })
    service.setClock('2026-10-06T21:20:00Z') // 17:20
    const { version, status } = await book.row(id)
    await host.post(`/office/bookings/${id}/moves`, { version: String(version), status, move: 'seat' })
    const edit = async (length: string, more: Record<string, string> = {}) =>
      host.post(`/office/bookings/${id}/edits`, {
        ...party,
        time: '17:00',
        version: String((await book.row(id)).version),
        length,
        ...more,
      })
    assert.equal((await edit('130')).status, 303, '17:20 to 19:30')
    const asked = await edit('135')
    assert.match(
      asked.words,
      /No table for 4 is open for the whole stay[^]*24 is open until 7:30\sPM[^]*saves it without a table[^]*Save without a table/,
    )
  })

  it('while nobody is in line the head of Waiting says that tables are free, and otherwise for which size it quotes, and for whom the open ones are', async () => {
    const { book, host, table } = await open(dinner(tablesOf([{ label: '24', most: 4 }])))
    service.setClock('2026-10-06T23:00:00Z') // 19:00
    const head = async () =>
      /<section[^>]*id="waiting"[^]*?<\/header>/.exec((await host.get('/office/service')).html)?.[0] ?? ''
    assert.match(await head(), /tables free/)
    const inLine = async () =>
      /Nobody is [^.]*\./.exec((await host.get('/office/service')).words.replaceAll(/\s+/g, ' '))?.[0]
    assert.equal(await inLine(), 'Nobody is waiting.')
    const id = await book.booking('Requested', { time: '19:30', partySize: 2 })
    assert.doesNotMatch(await head(), /tables free/)
    assert.equal(await inLine(), 'Nobody is in line, but parties without a table need those that are open.')
    await book.query('delete from reservation where venue_id = $1 and id = $2', [book.venue.id, id])
    await host.post('/office/service/walk-ins', {
      ...{ token: crypto.randomUUID(), guestName: 'Ana', partySize: '2', tables: table('24') },
    })
    assert.match(await head(), /quote for 2: [\d hmin]+/)
    assert.doesNotMatch(await head(), /tables free/)
  })

  it('an address that names a day there is not says so and shows today', async () => {
    const { host } = await open()
    for (const path of ['/office/today', '/office/grid']) {
      assert.match(
        (await host.get(`${path}?date=2026-02-31`)).words,
        /There is no such day as 2026-02-31\. This is today\./,
      )
      assert.doesNotMatch((await host.get(`${path}?date=2026-10-07`)).words, /no such day/)
      assert.doesNotMatch((await host.get(path)).words, /no such day/)
    }
  })

  it('with tables off the sheet asks nothing about tables', async () => {
    service.setClock(evening)
    const { host } = await hostAtBook(service, dinner(tablesOf(floor)))
    const page = await host.get(sheet)
    assert.equal(picks(page), '')
    assert.doesNotMatch(page.html, /name="(?:table|length)"/)
  })
})
