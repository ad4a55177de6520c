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
const ninety = { turnMinutes: [{ upTo: 99, minutes: 90 }] }

describe('tables for who is at the door: the empty one of a party that is late', () => {
  const service = madeBefore(() => startService())
  let book: TestBook
  let host: OfficeVisitor
  let table: Record<string, string>

  /** Tables 6 and 7, for four each, that may be joined for eight. */
  const openJoined = async (): Promise<void> => {
    const two = [
      { label: '6', most: 4 },
      { label: '7', most: 4 },
    ]
    service.setClock(now)
    ;({ book, host, table } = await hostAtTables(service, two, {
      ...ninety,
      ...tablesOf(two, { combinations: [{ tables: ['6', '7'], least: 5, most: 8 }] }),
    }))
  }
  const open = async (tables: readonly TestTable[]) => {
    service.setClock(now)
    ;({ book, host, table } = await hostAtTables(service, tables, ninety))
  }
  const booked = (guestName: string, time: string, label?: string): Promise<number> =>
    bookedAt({ book, table }, { guestName, time }, label)
  const isHere = (id: number) =>
    book.query(`update reservation set checked_in_at = '2026-10-06T23:30:00Z' where id = $1`, [id])
  const row = async (id: number): Promise<string> =>
    new RegExp(`<li id="b${id}"[^]*?</li>`).exec((await host.get('/office/service')).html)?.[0] ?? ''
  const pad = async (): Promise<string> => padIn(await host.get('/office/service?size=2'))

  it('is offered from 15 minutes on beside everybody who is here and fits: row, choice of a table, sizes at the door and line, with whose it is', async () => {
    await open([{ label: 'B3', most: 2 }])
    const late = await booked('Rosa Palumbo', '18:50', 'B3')
    const here = await booked('Vera Ipson', '19:30')
    await isHere(here)
    await host.post('/office/waitlist', { token: crypto.randomUUID(), partySize: '2', guestName: 'Ada' })
    service.setClock('2026-10-06T23:04:00Z')
    assert.doesNotMatch(words(await row(here)), /Palumbo/, 'who is 14 minutes late is on the way')
    assert.match(words(await pad()), /No table for 2 is open now/)
    service.setClock(now)
    assert.match(words(await row(here)), /no table yet: B3 if Palumbo, 46 min late, doesn’t come/)
    const picker = await host.get(`/office/bookings/${here}/table?back=/office/service`)
    assert.match(
      picker.words,
      /Held for a late party B3 free tonight .*Rosa Palumbo, 2, has it and is 46 min late/,
    )
    assert.match(
      picker.html,
      new RegExp(`value="seat ${table['B3']}" class=""`),
      'what is held stands not out',
    )
    assert.match(
      words(await pad()),
      /Table B3, free tonight\. Rosa Palumbo, 2, has it and is 46 min late; Ipson, 2, .*could sit here\./,
    )
    assert.match(await pad(), /name="wait" value="\d+" class="primary"/)
    const { words: page } = await host.get('/office/service')
    assert.match(
      page,
      /Ada.*B3 free tonight; if Ipson doesn’t take it; Palumbo, 2, has it and is 46 min late/,
    )
    assert.match(page, /Seat at B3, free tonight; if Ipson doesn’t take it; Palumbo/)
    assert.deepEqual(
      await heldTables(service, book.venue),
      { [late]: 'B3' },
      'and nobody is moved by saying so',
    )
  })

  it('is theirs by one press and one answer, who is late being left without a table, and back with the Undo', async () => {
    await open([{ label: 'B3', most: 2 }])
    const late = await booked('Rosa Palumbo', '18:50', 'B3')
    const here = await booked('Vera Ipson', '19:30')
    await isHere(here)
    const [, tables = ''] = /name="tables" value="([^"]*)"/.exec(await row(here)) ?? []
    assert.equal(tables, table['B3'])
    const press = async (more: Record<string, string> = {}) =>
      host.post(`/office/bookings/${here}/moves`, {
        ...{ version: String((await book.row(here)).version), status: 'Confirmed', back: '/office/service' },
        ...{ move: 'seat', tables, ...more },
      })
    assert.match(
      (await press()).words,
      /seat anyway\? Table B3 is held for Rosa Palumbo, 2 guests, 46 minutes late\. They get another table, or wait for one\./,
    )
    assert.deepEqual(await heldTables(service, book.venue), { [late]: 'B3' })
    await press({ confirmed: 'table-kept' })
    assert.deepEqual(await heldTables(service, book.venue), { [here]: 'B3!' })
    const { html } = await host.get('/office/service')
    const undo = Object.fromEntries(
      [
        ...(/<form[^]*?Undo/.exec(html.slice(html.indexOf('id="said"')))?.[0] ?? '').matchAll(
          /name="(\w+)"\s+value="([^"]*)"/g,
        ),
      ].map(([, name = '', value = '']) => [name, value]),
    )
    await host.post(`/office/bookings/${here}/moves`, undo)
    assert.deepEqual(await heldTables(service, book.venue), { [late]: 'B3' })
  })

  it('is for a walk-in a question, not a change; and until the next party comes, which keeps it', async () => {
    await open([{ label: 'B3', most: 2 }])
    await booked('Rosa Palumbo', '18:50', 'B3')
    const next = await booked('Howard', '20:36', 'B3')
    assert.match(
      words(await pad()),
      /Table B3 until 8:35\sPM \(59 min\)\. Rosa Palumbo, 2, has it and is 46 min late\./,
    )
    assert.match(
      await pad(),
      /<button name="tables"[^>]*><span>Seat 2 at B3 <span class="nowrap">until 8:35/,
      'in one piece, so that its words keep their order on a phone',
    )
    const [, tables = ''] = /name="tables" value="([^"]+)"/.exec(await pad()) ?? []
    const seat = { token: crypto.randomUUID(), partySize: '2', guestName: 'Ben', tables }
    const asked = await host.post('/office/service/walk-ins', seat)
    assert.match(asked.words, /Seat anyway\?.*Table B3 is held for Rosa Palumbo/)
    assert.doesNotMatch(asked.words, /That has changed/)
    await host.post('/office/service/walk-ins', { ...seat, confirmed: 'table-kept' })
    const [made] = await book.query(
      `select id::int, duration_minutes from reservation where venue_id = $1 and source = 'walkin'`,
      [book.venue.id],
    )
    assert.equal(made?.duration_minutes, 59)
    assert.deepEqual(await heldTables(service, book.venue), { [Number(made?.id)]: 'B3!', [next]: 'B3' })
  })

  it('is offered to nobody while another table is open, nor once its party is here', async () => {
    await open([
      { label: 'B3', most: 2 },
      { label: 'B4', most: 2 },
    ])
    await booked('Rosa Palumbo', '18:50', 'B3')
    assert.doesNotMatch(words(await pad()), /Palumbo/)
    await open([{ label: 'B3', most: 2 }])
    await isHere(await booked('Rosa Palumbo', '18:50', 'B3'))
    assert.match(words(await pad()), /No table for 2 is open now/)
  })

  it('names everybody who is late for one of joined tables: at the sizes, in the line, and in the question', async () => {
    await openJoined()
    const gray = await booked('Katherine Gray', '19:00', '6')
    const wilson = await booked('Samuel Wilson', '19:15', '7')
    const sizes = padIn(await host.get('/office/service?size=5'))
    assert.match(
      words(sizes),
      /Table 6\+7, free tonight\. Samuel Wilson, 2, has one and is 21 min late; Katherine Gray, 2, has one and is 36 min late\./,
    )
    await host.post('/office/waitlist', { token: crypto.randomUUID(), partySize: '5', guestName: 'Ada' })
    assert.match(
      (await host.get('/office/service')).words,
      /6\+7 free tonight; Wilson, 2, has one and is 21 min late; Gray, 2, has one and is 36 min late/,
    )
    const [, tables = ''] = /name="tables" value="([^"]+)"/.exec(sizes) ?? []
    const seat = { token: crypto.randomUUID(), partySize: '5', guestName: 'Ben', tables }
    const asked = await host.post('/office/service/walk-ins', seat)
    assert.match(
      asked.words,
      /Table 6 is held for Katherine Gray, 2 guests, 36 minutes late\. Table 7 is held for Samuel Wilson, 2 guests, 21 minutes late\. They get another table, or wait for one\./,
    )
    assert.deepEqual(await heldTables(service, book.venue), { [gray]: '6', [wilson]: '7' })
    await host.post('/office/service/walk-ins', { ...seat, confirmed: 'table-kept' })
    const [made] = await book.query(
      `select id::int from reservation where venue_id = $1 and source = 'walkin'`,
      [book.venue.id],
    )
    assert.deepEqual(await heldTables(service, book.venue), { [Number(made?.id)]: '6!+7!' })
  })

  it('is named to one party of the line after the other; where there is one table for two, with whose turn it is', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 2 },
    ])
    for (const guestName of ['Ada Wilson', 'Ben', 'Cleo'])
      await host.post('/office/waitlist', { token: crypto.randomUUID(), partySize: '2', guestName })
    const { html } = await host.get('/office/service')
    const said = [...html.matchAll(/<li id="w\d+"[^]*?<\/li>/g)].map(([one]) =>
      words(/<span class="row-fact (?:row-facts|two-lines)[^]*?<\/span>/.exec(one)?.[0] ?? '').trim(),
    )
    assert.deepEqual(said, ['6 free tonight', '7 free tonight', '6 free tonight; if Wilson doesn’t take it'])
  })

  it('is named to who is behind in line where those before them have the open ones, and so it is to who walks in', async () => {
    await open([
      { label: '6', most: 2 },
      { label: 'B3', most: 2 },
      { label: 'B4', most: 2 },
    ])
    await booked('Rosa Palumbo', '18:50', 'B3')
    await booked('Wu', '18:55', 'B4')
    const said = async () =>
      [...(await host.get('/office/service')).html.matchAll(/<li id="w\d+"[^]*?<\/li>/g)].map(([one]) =>
        words(/<span class="row-fact (?:row-facts|two-lines)[^]*?<\/span>/.exec(one)?.[0] ?? '').trim(),
      )
    for (const guestName of ['Ada', 'Ben'])
      await host.post('/office/waitlist', { token: crypto.randomUUID(), partySize: '2', guestName })
    assert.deepEqual(await said(), ['6 free tonight', 'B3 if Palumbo, 46 late, doesn’t come'])
    assert.match(
      words(await pad()),
      /Table 6, free tonight\. Ada, 2, waits in line and could sit here\..*B4 free tonight; Wu, 2, has it and is 41 min late/,
    )
  })

  it('is named to the first of tonight’s line, and not after somebody who waits for another day', async () => {
    await open([{ label: '6', most: 2 }])
    await book.query(
      `insert into waitlist_entry (venue_id, guest_name, party_size, date, service_date, status, source, for_later,
         paged_at, offered_until, created_at, updated_at)
       values ($1, 'Vito Colucci', 2, '2026-10-09', '2026-10-09', 'offered', 'public', true, $2, $3, $2, $2)`,
      [book.venue.id, '2026-10-06T20:00:00Z', '2026-10-07T00:30:00Z'],
    )
    await host.post('/office/waitlist', { token: crypto.randomUUID(), partySize: '2', guestName: 'Ada' })
    const { words: page } = await host.get('/office/service')
    assert.match(page, /Ada.*6 free tonight/)
    assert.doesNotMatch(page, /Colucci/)
  })

  it('seats who is in line at the open table that the question named, which somebody without a table needs', async () => {
    await open([{ label: '7', most: 4 }])
    const gray = await booked('Katherine Gray', '19:25')
    await host.post('/office/waitlist', { token: crypto.randomUUID(), partySize: '2', guestName: 'Ada' })
    const press = async (more: Record<string, string> = {}) => {
      const [entry] = await book.query(
        'select id::int, version, status from waitlist_entry where venue_id = $1',
        [book.venue.id],
      )
      return host.post(`/office/waitlist/${Number(entry?.id)}/moves`, {
        ...{ version: String(entry?.version), status: String(entry?.status), back: '/office/service' },
        ...{ move: 'seatNow', ...more },
      })
    }
    assert.match(
      (await press()).words,
      /Table 7 is open at 7:36\sPM, but a party of 2 without a table needs it\./,
    )
    await press({ confirmed: 'tables-full' })
    const [made] = await book.query(
      `select id::int from reservation where venue_id = $1 and source = 'waitlist'`,
      [book.venue.id],
    )
    assert.deepEqual(await heldTables(service, book.venue), { [Number(made?.id)]: '7!' })
    assert.match((await host.get('/office/service')).words, /Ada, 2 guests: seated at 7\D/)
    assert.match(words(await row(gray)), /No table yet/)
  })

  it('is said by the page that holds no table for who is in line, with who could sit there', async () => {
    await open([{ label: '7', most: 4 }])
    await booked('Katherine Gray', '19:25')
    await host.post('/office/waitlist', { token: crypto.randomUUID(), partySize: '2', guestName: 'Ada' })
    const [entry] = await book.query('select id::int, version from waitlist_entry where venue_id = $1', [
      book.venue.id,
    ])
    await host.post(`/office/waitlist/${Number(entry?.id)}/moves`, {
      ...{ version: String(entry?.version), status: 'waiting', back: '/office/service', move: 'page' },
    })
    assert.match(
      (await host.get('/office/service')).words,
      /Ada, 2 guests: paged; no table is held for them; table 7 is open: Katherine Gray, 2, has no table yet and could sit here\./,
    )
  })

  it('or one that only a late party without a table could have, is named to who is here before one for a while', async () => {
    await open([
      { label: '6', most: 2 },
      { label: 'B3', most: 2 },
    ])
    await booked('Howard', '20:36', '6')
    const zhao = await booked('Zhao', '19:20')
    const here = await booked('Vera Ipson', '19:30')
    await isHere(here)
    await host.post('/office/waitlist', { token: crypto.randomUUID(), partySize: '2', guestName: 'Ada' })
    await book.query('delete from reservation_table where reservation_id = $1', [zhao])
    const seen = await row(here)
    assert.match(
      words(seen),
      /no table yet: B3 is free; Zhao, 2, who is late, has no table yet and could sit here, or 6 until 8:35\sPM/,
    )
    assert.equal(/name="tables" value="([^"]*)"/.exec(seen)?.[1], table['B3'])
    const picker = await host.get(`/office/bookings/${here}/table?back=/office/service`)
    assert.match(
      picker.words,
      /B3 free tonight .*Zhao, 2, has no table yet and could sit here.* For a while 6 until/,
    )
    assert.match(picker.html, new RegExp(`value="seat ${table['B3']}" class="primary"`))
    assert.match((await host.get('/office/service')).words, /Ada.*6 until 8:35\sPM \(59 min\)/)
  })

  it('says of joined tables how many without a table could have one of them', async () => {
    await openJoined()
    for (const name of ['Zhao', 'Wu']) await booked(name, '19:20')
    await book.query('delete from reservation_table where venue_id = $1', [book.venue.id])
    assert.match(
      words(padIn(await host.get('/office/service?size=5'))),
      /Table 6\+7, free tonight\. (?:Zhao|Wu), 2, has no table yet and could sit here, and so could 1 more\./,
    )
  })

  it('or one that somebody without a table could have, is said in the row of who is here', async () => {
    await open([{ label: 'B3', most: 2 }])
    const zhao = await booked('Zhao', '19:20')
    const here = await booked('Vera Ipson', '19:30')
    await isHere(here)
    await book.query('delete from reservation_table where reservation_id = $1', [zhao])
    assert.match(
      words(await row(here)),
      /no table yet: B3 is free; Zhao, 2, who is late, has no table yet and could sit here/,
    )
  })
})
