import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { keyAsHolder, newHoldId, placeHold } from '../../../book/reservations/holds/holds.ts'
import { bookByStaff } from '../../../book/reservations/bookings.ts'
import { editReservation } from '../../../book/reservations/edits/edits.ts'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { type TestBook, staff } from '../../../book/reservations/test/book.ts'
import { type TestTable, heldTables, tablesOf } from '../../../book/tables/test/floor.ts'
import { bookedAt, hostAtTables, padIn, wordsOf as words } from '../../../test/host-at-book.ts'
import type { OfficeVisitor, Seen } from '../../../test/office.ts'
import { type TestService, startService } from '../../../test/service.ts'

/** Tuesday 6 October 2026, 18:55 in New York. */
const early = '2026-10-06T22:55:00Z'
const ninety = { turnMinutes: [{ upTo: 99, minutes: 90 }] }

describe('a table that is free for a while', () => {
  let service: TestService
  let book: TestBook
  let host: OfficeVisitor
  let table: Record<string, string>
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const open = async (tables: readonly TestTable[], more: object = {}) => {
    service.setClock(early)
    ;({ book, host, table } = await hostAtTables(service, tables, { ...ninety, ...more }))
  }
  const howard = (time = '20:00') => book.booking('Confirmed', { guestName: 'Howard', partySize: 2, time })
  const pad = async (size = 2) => padIn(await host.get(`/office/service?size=${size}`))
  const seat = (tables: string, more: Record<string, string> = {}) =>
    host.post('/office/service/walk-ins', {
      ...{ token: crypto.randomUUID(), partySize: '2', guestName: 'Ben', tables },
      ...more,
    })
  const walkIns = () =>
    book.query(
      `select id::int, duration_minutes from reservation where venue_id = $1 and source = 'walkin' order by id`,
      [book.venue.id],
    )
  const until = (time: string) => `@2026-10-${time}:00Z`
  /** The visit of a booking, as connected software reads it. */
  const visit = async (id: number) => {
    const { key } = await book.venue.makeKey('read', 'api', { scopes: ['visits:read'] })
    const { status, body, text } = await service.call('GET', `/api/v1/visits/${id}`, { key })
    assert.equal(status, 200, text)
    return body
  }

  it('is offered to a walk-in with its end, and one press seats them there until then; the next party keeps its table', async () => {
    await open([{ label: '6', most: 2 }])
    const next = await howard()
    const before = await heldTables(service, book.venue)
    await book.toldAll()
    const offered = await pad()
    assert.match(
      words(offered),
      /2 guests\. Table 6 until 8:00\sPM \(65 min\)\. [\d hmin]+ for the whole evening\./,
    )
    const value = new RegExp(`name="tables" value="(${table['6']}@[^"]+)" class="primary"`).exec(offered)?.[1]
    assert.equal(value, `${table['6']}${until('07T00:00')}`)
    await seat(value)
    assert.match((await host.get('/office/service')).words, /Ben, 2 guests: seated at 6/)
    const [made] = await walkIns()
    assert.equal(made?.duration_minutes, 65)
    assert.deepEqual(await heldTables(service, book.venue), { ...before, [Number(made?.id)]: '6!' })
    assert.equal(before[next], '6')
    const told = await book.toldAll()
    assert.deepEqual(
      told.map(({ name, data }) => [name, data.durationMinutes]),
      [['reservation.created', 65]],
    )
  })

  it('comes after one for the whole stay, and after one from which others can move', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 4 },
    ])
    await howard()
    // Table 6 is Howard's, who can move to 7.
    assert.match(words(await pad()), /Table 7, free tonight\..*6 until 8:00\sPM \(65 min\)/)
    await book.booking('Confirmed', { guestName: 'Large', partySize: 4, time: '20:15' })
    assert.match(words(await pad()), /Table 7 until 8:15\sPM \(80 min\)\..*6 until 8:00\sPM \(65 min\)/)
  })

  it('is offered for no less than the shortest stay that the venue set, and never where that is 0', async () => {
    await open([{ label: '6', most: 4 }], {
      shortestStays: [
        { upTo: 2, minutes: 65 },
        { upTo: 3, minutes: 66 },
        { upTo: 4, minutes: 0 },
      ],
    })
    await howard()
    assert.match(words(await pad(2)), /Table 6 until/)
    assert.match(words(await pad(3)), /No table for \d is open now\./)
    assert.match(words(await pad(4)), /No table for \d is open now\./)
    assert.doesNotMatch(words(await pad(4)), /whole evening/)
  })

  it('is asked about again with its new end, if that is sooner by the time it is pressed', async () => {
    await open([{ label: '6', most: 2 }])
    await howard('20:15')
    const offered = `${table['6']}${until('07T00:15')}`
    assert.ok((await pad()).includes(offered))
    await book.query(
      `update reservation set time = '19:45', service_minute = 1185, starts_at = '2026-10-06T23:45:00Z'
        where venue_id = $1`,
      [book.venue.id],
    )
    const asked = await seat(offered)
    assert.match(asked.words, /Table 6 is free until 7:45\sPM only, 50 minutes\./)
    const endIn = ({ html }: Seen) => /name="until" value="([^"]+)"/.exec(html)?.[1] as string
    // Sooner yet: what was confirmed was 7:45.
    await book.query(
      `update reservation set time = '19:30', service_minute = 1170, starts_at = '2026-10-06T23:30:00Z'
        where venue_id = $1`,
      [book.venue.id],
    )
    const again = await seat(offered, { confirmed: 'short-stay', until: endIn(asked) })
    assert.match(again.words, /Table 6 is free until 7:30\sPM only, 35 minutes\./)
    assert.deepEqual(await walkIns(), [])
    await seat(offered, { confirmed: 'short-stay', until: endIn(again) })
    assert.equal((await walkIns())[0]?.duration_minutes, 35)
  })

  it('ends sooner where a guest online holds it meanwhile, which is asked about, too', async () => {
    await open([{ label: '6', most: 2 }])
    await howard('20:15')
    const offered = `${table['6']}${until('07T00:15')}`
    assert.ok((await pad()).includes(offered))
    await book.query(
      `update reservation set status = 'Cancelled', cancelled_at = now(), cancelled_by = 'guest', cancelled_from = 'Confirmed' where venue_id = $1`,
      [book.venue.id],
    )
    const held = await book.act((work) =>
      placeHold(work, {
        ...book.when('2026-10-06', '19:45'),
        ...{ id: newHoldId(randomBytes), partySize: 2, by: { holder: keyAsHolder(1) } },
      }),
    )
    assert.notEqual(held.kind, 'refused')
    assert.match((await seat(offered)).words, /Table 6 is free until 7:45\sPM only, 50 minutes\./)
    assert.deepEqual(await walkIns(), [])
  })

  it('ends at the second 01:30 of the night the clocks go back, if that is when somebody comes', async () => {
    await open([{ label: '6', most: 2 }])
    service.setClock('2026-11-01T05:45:00Z')
    await host.signIn(`host@${book.venue.slug}.example.com`)
    await book.booking('Confirmed', { guestName: 'Late', partySize: 2, date: '2026-11-01', time: '01:30' })
    assert.match(words(await pad()), /Table 6 until 1:30\sAM \(45 min\)/)
    await seat(`${table['6']}@2026-11-01T06:30:00Z`)
    assert.equal((await walkIns())[0]?.duration_minutes, 45)
  })

  it('is given to one of two hosts who press it at once', async () => {
    await open([{ label: '6', most: 2 }])
    await howard()
    const offered = `${table['6']}${until('07T00:00')}`
    const both = await Promise.all([seat(offered), seat(offered, { guestName: 'Cleo' })])
    assert.equal((await walkIns()).length, 1)
    assert.match(
      both.map(({ words }) => words).join(' '),
      /Table 6 is taken by (?:Ben|Cleo), 2 guests, from 6:55\sPM to 8:00\sPM\./,
    )
  })

  it('ends before the party of the next service that comes after midnight, and lets a table rest in between', async () => {
    await open([{ label: '6', most: 2 }], {
      ...tablesOf([{ label: '6', most: 2 }], { turnoverMinutes: 15 }),
      periods: [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) => [
        { weekday, name: 'Dinner', opens: '17:00', closes: '23:45' },
        { weekday, name: 'Night', opens: '00:00', closes: '02:00' },
      ]),
    })
    await book.booking('Confirmed', { guestName: 'Night', partySize: 2, date: '2026-10-07', time: '00:10' })
    service.setClock('2026-10-07T02:50:00Z')
    assert.match(words(await pad()), /Table 6 until 11:55\sPM \(65 min\)/)
    await seat(`${table['6']}${until('07T03:55')}`)
    assert.equal((await walkIns())[0]?.duration_minutes, 65)
  })

  it('ends when the table goes out of use, which needs no rest before that', async () => {
    const six = [{ label: '6', most: 2 }]
    const outage = { table: '6', fromDate: '2026-10-06', fromTime: '20:00', why: 'Wobbles' }
    const ends = { untilDate: '2026-10-07', untilTime: '03:00' }
    await open(six, tablesOf(six, { turnoverMinutes: 15, outOfOrder: [{ ...outage, ...ends }] }))
    const offered = await pad()
    assert.match(words(offered), /Table 6 until 8:00\sPM \(65 min\)/)
    const value = `${table['6']}${until('07T00:00')}`
    assert.ok(offered.includes(`value="${value}"`), offered)
    await seat(value)
    assert.equal((await walkIns())[0]?.duration_minutes, 65)
  })

  it('cannot be taken past midnight by two hosts at once, one of whom seats a late party that stays into the next day', async () => {
    await open([{ label: '6', most: 2 }], {
      periods: [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) => [
        { weekday, name: 'Dinner', opens: '17:00', closes: '23:45' },
        { weekday, name: 'Night', opens: '00:00', closes: '02:00' },
      ]),
    })
    const late = await book.booking('Confirmed', { guestName: 'Late', partySize: 2, time: '22:30' })
    service.setClock('2026-10-07T02:50:00Z')
    const tables = [Number(table['6'])]
    const party = { guestName: 'Night', partySize: 2, email: null, phone: null, notes: null }
    await assert.rejects(
      book.meanwhile(
        (work) => moveReservation(work, staff('host'), { id: late, move: 'seat', tables }),
        (work) => bookByStaff(work, staff('host'), { ...party, ...book.when('2026-10-07', '00:00'), tables }),
      ),
      /Table 6 is taken by Late, 2 guests, from 22:50 to 00:20\./,
    )
    assert.deepEqual(Object.values(await heldTables(service, book.venue)), ['6'])
  })

  it('is offered to a booked party that is here, and undoing its seating restores the length it had, also where none was said', async () => {
    for (const before of [90, null]) {
      await open([
        { label: '6', most: 2 },
        { label: '7', most: 2 },
      ])
      await howard()
      const id = await book.booking('Confirmed', { guestName: 'Ida', partySize: 2, time: '18:45' })
      // Somebody sits at the table that Ida was to have, longer than planned.
      await book.query('update reservation set duration_minutes = $2 where id = $1', [id, before])
      const over = await book.booking('Seated', { guestName: 'Lee', partySize: 2, time: '17:00' })
      await book.query(
        `update reservation_table set table_id = (select table_id from reservation_table where reservation_id = $1)
          where reservation_id = $2`,
        [id, over],
      )
      const picker = await host.get(`/office/bookings/${id}/table?back=/office/service`)
      assert.match(
        words(picker.html),
        /No table for \d is open for the whole stay\..*until 8:00\sPM \(65 min\)/,
      )
      const value = /name="do" value="(seat \d+@[^"]+)"/.exec(picker.html)?.[1] as string
      const row = await book.row(id)
      await book.toldAll()
      await host.post(`/office/bookings/${id}/table`, {
        ...{ do: value, status: 'Confirmed', version: String(row.version), back: '/office/service' },
      })
      const seated = await book.row(id)
      assert.deepEqual([seated.status, seated.duration_minutes], ['Seated', 65])
      assert.equal((await visit(id)).durationMinutes, 65)
      const told = await book.told()
      assert.deepEqual(
        told.map(({ name, data }) => [name, data.durationMinutes]),
        [['reservation.updated', 65]],
      )
      const [press] = await book.query(
        `select max(id)::int as id from activity where venue_id = $1 and record_id = $2 and action = 'seat'`,
        [book.venue.id, id],
      )
      // Another length that is taken back leaves what the seating will restore.
      const edit = async (durationMinutes: number, pressed: readonly number[] | undefined) => {
        const { version: seenVersion } = await book.row(id)
        const asked = { id, seenVersion, changes: { durationMinutes }, ...(pressed && { press: pressed }) }
        const outcome = await book.act((work) => editReservation(work, staff('host'), asked))
        assert.ok(outcome.kind === 'done', JSON.stringify(outcome))
        return outcome.press
      }
      await edit(65, await edit(50, undefined))
      const { version } = await book.row(id)
      const fields = { status: 'Seated', version: String(version), press: String(press?.id) }
      await host.post(`/office/bookings/${id}/moves`, { ...fields, move: 'undoSeat' })
      const back = await book.row(id)
      assert.deepEqual([back.status, back.duration_minutes], ['Confirmed', before])
      assert.equal((await visit(id)).durationMinutes, before)
    }
  })

  const waits = async (guestName: string, partySize = '2') => {
    const token = /name="token" value="([^"]+)"/.exec(
      (await host.get('/office/waitlist')).html,
    )?.[1] as string
    await host.post('/office/waitlist', { token, partySize, guestName })
    const [entry] = await book.query(
      'select id::int, version from waitlist_entry where guest_name = $1 and venue_id = $2',
      [guestName, book.venue.id],
    )
    return Number(entry?.id)
  }
  const pressed = async (id: number, move: string, more: Record<string, string> = {}) => {
    const [entry] = await book.query('select version, status from waitlist_entry where id = $1', [id])
    return host.post(`/office/waitlist/${id}/moves`, {
      ...{ version: String(entry?.version), status: String(entry?.status), move, back: '/office/service' },
      ...more,
    })
  }

  it('the other tables are below the question of who was slower at one, with the name that was typed', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 2 },
    ])
    await pressed(await waits('Ada'), 'page')
    const { html } = await seat(String(table['6']), { guestName: 'Cleo' })
    assert.match(
      words(html),
      /Table 6 is taken by a party that was paged, 2 guests[^]*Seat anyway[^]*2 guests\. Table 7, free tonight\./,
    )
    assert.match(html, /Seat 2 at 7/)
    assert.match(html, /value="Cleo" aria-label="Name of the walk-in"/)
  })

  it('the head of Waiting says that two could sit down now, unless somebody in line would get the table', async () => {
    await open([{ label: '6', most: 2 }])
    const head = async () =>
      words(
        /<section[^>]*id="waiting"[^]*?<\/header>/.exec((await host.get('/office/service')).html)?.[0] ?? '',
      )
    await waits('Large', '4')
    assert.match(await head(), /table for 2 now/)
    await waits('Ada')
    assert.match(await head(), /quote for 2: [\d hmin]+/)
  })

  it('is said in the row of a party in line, which is paged for it; who comes later has what is left, less than the shortest stay once asked', async () => {
    await open([{ label: '6', most: 2 }])
    await howard()
    const id = await waits('Ada')
    const page = await host.get('/office/service')
    assert.match(page.words, /6 until 8:00\sPM \(65 min\)/)
    const value = /name="move" value="(page \d+@[^"]+)"/.exec(page.html)?.[1] as string
    await pressed(id, value)
    const [held] = await book.query(`select until_moment from table_hold where venue_id = $1`, [
      book.venue.id,
    ])
    assert.equal(new Date(String(held?.until_moment)).toISOString(), '2026-10-07T00:00:00.000Z')
    assert.match(words(await pad()), /No table for \d is open now/)
    service.setClock('2026-10-06T23:07:00Z')
    await pressed(id, 'seatNow')
    const [made] = await book.query(
      `select duration_minutes from reservation where venue_id = $1 and source = 'waitlist'`,
      [book.venue.id],
    )
    assert.equal(made?.duration_minutes, 53)

    await open([{ label: '6', most: 2 }])
    await howard('19:45')
    const late = await waits('Ada')
    await pressed(late, `page ${table['6']}${until('06T23:45')}`)
    service.setClock('2026-10-06T23:09:00Z')
    const asked = await pressed(late, 'seatNow')
    assert.match(asked.words, /Table 6 is free until 7:45\sPM only, 36 minutes\./)
    const end = /name="until" value="([^"]+)"/.exec(asked.html)?.[1] as string
    await pressed(late, 'seatNow', { confirmed: 'short-stay', until: end })
    const [seated] = await book.query(
      `select duration_minutes from reservation where venue_id = $1 and source = 'waitlist'`,
      [book.venue.id],
    )
    assert.equal(seated?.duration_minutes, 36)
  })

  it('is what is left to a party paged for a whole stay that comes later, where its table was given to somebody for afterwards', async () => {
    await open([{ label: '6', most: 2 }])
    const id = await waits('Ada')
    await pressed(id, 'page')
    await howard('20:30')
    service.setClock('2026-10-06T23:07:00Z')
    await pressed(id, 'seatNow')
    assert.match((await host.get('/office/service')).words, /Ada, 2 guests: seated at 6/)
    const [made] = await book.query(
      `select id::int, duration_minutes from reservation where venue_id = $1 and source = 'waitlist'`,
      [book.venue.id],
    )
    assert.equal(made?.duration_minutes, 78)
    assert.equal((await heldTables(service, book.venue))[Number(made?.id)], '6!')
  })

  it('says beside a table for who walks in that somebody in line could sit there, and offers what nobody waits for first', async () => {
    await open([{ label: '6', most: 2 }])
    await waits('Ada Haddad')
    const offered = await pad()
    assert.match(
      words(offered),
      /Table 6, free tonight\. Haddad, 2, waits in line and could sit here\..*Seat 2 at 6 Wait, quote/,
    )
    assert.match(offered, /name="wait" value="\d+" class="primary"/)
    // Whose turn it is has one table, and the other is anybody's.
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 4 },
    ])
    await waits('Ada Haddad')
    assert.match(
      words(await pad()),
      /Table 7, free tonight\. Seat 2 at 7 .*6 free tonight; Haddad, 2, waits in line and could sit here/,
    )
  })

  it('is named to each of the line in turn, then to who walks in behind them: of all that are free, of which three are shown', async () => {
    const times = { 6: '19:45', 7: '19:50', 8: '19:55', 9: '20:00', 10: '20:05' }
    await open(Object.keys(times).map((label) => ({ label, most: 2 })))
    for (const [label, time] of Object.entries(times))
      await bookedAt({ book, table }, { guestName: 'Howard', time }, label)
    const line: number[] = []
    for (const name of ['Ada', 'Ben', 'Cleo', 'Dora']) line.push(await waits(name))
    const { html } = await host.get('/office/service')
    const rows = line.map((id) => new RegExp(`<li id="w${id}"[^]*?</li>`).exec(html)?.[0] ?? '')
    assert.deepEqual(
      rows.map((row) => [
        words(/title="Page for ([^"]+)"/.exec(row)?.[1] ?? ''),
        row.match(/Seat at \d+/g)?.join(', '),
      ]),
      [
        ['10 until 8:05 PM (70 min)', 'Seat at 10, Seat at 9, Seat at 8'],
        ['9 until 8:00 PM (65 min)', 'Seat at 9, Seat at 8, Seat at 7'],
        ['8 until 7:55 PM (60 min)', 'Seat at 8, Seat at 7, Seat at 6'],
        ['7 until 7:50 PM (55 min)', 'Seat at 7, Seat at 6'],
      ],
    )
    const offered = await pad()
    assert.match(words(offered), /Table 6 until 7:45\sPM \(50 min\)\. [\d hmin]+ for the whole evening\./)
    assert.match(offered, new RegExp(`value="${table['6']}@[^"]+" class="primary"`))
    assert.equal(offered.match(/name="tables"/g)?.length, 3)
    const choice = await host.get(`/office/waitlist/${line[3]}/table?back=/office/service`)
    assert.match(
      choice.words,
      /For a while 7 until 7:50\sPM .* 6 until 7:45\sPM .* 10 until 8:05\sPM \(70 min\) .*Ada, 2, waits in line and could sit here/,
      'the choice of a table begins with what the row says',
    )
    assert.match(choice.html, new RegExp(`value="seatNow ${table['7']}@[^"]+" class="primary"`))
  })

  it('is held by the one press of the row that names it, and is offered still to who was paged without it', async () => {
    await open([{ label: '6', most: 2 }])
    await howard()
    const id = await waits('Ada')
    const before = await host.get('/office/service')
    const [, press = ''] = new RegExp(`id="w${id}-page" name="move" value="([^"]+)"`).exec(before.html) ?? []
    await pressed(id, 'page')
    const paged = await host.get('/office/service')
    assert.match(paged.words, /no table is held for them/)
    assert.match(paged.words, /Seat at 6 until 8:00\sPM \(65 min\)/)
    await pressed(id, 'notYet')
    await pressed(id, press)
    assert.match((await host.get('/office/service')).words, /Ada, 2 guests: paged; table 6 is held/)
    const [held] = await book.query(`select until_moment from table_hold where venue_id = $1`, [
      book.venue.id,
    ])
    assert.equal(new Date(String(held?.until_moment)).toISOString(), '2026-10-07T00:00:00.000Z')
  })

  it('is on the card of the table, for who is in line and for a walk-in; and it is not held for a party paged too late', async () => {
    await open([{ label: '6', most: 2 }])
    await howard()
    const id = await waits('Ada')
    const card = await host.get(`/office/tables/${table['6']}?back=/office/floor`)
    assert.equal(card.words.match(/until 8:00\sPM \(65 min\)/g)?.length, 2)
    assert.equal(card.html.split(`value="${table['6']}${until('07T00:00')}"`).length, 3)
    await seat(`${table['6']}${until('07T00:00')}`)
    assert.equal((await walkIns())[0]?.duration_minutes, 65)
    await pressed(id, `page ${table['6']}${until('07T00:00')}`)
    assert.match(
      (await host.get('/office/service')).words,
      /This table is no longer free\. Nothing was done\./,
    )
  })

  it('is in the booking sheet for any time, and booked until then', async () => {
    await open([{ label: '6', most: 2 }])
    await howard('21:00')
    const sheet = await host.get('/office/bookings/reasons?date=2026-10-06&partySize=2&time=19:45&table=', {
      'hx-request': 'true',
    })
    assert.match(sheet.words, /6 until 9:00\sPM \(75 min\)/)
    const value = /name="table"\s+value="(\d+@[^"]+)"/.exec(sheet.html)?.[1] as string
    const chosen = await host.get(
      `/office/bookings/reasons?date=2026-10-06&partySize=2&time=19:45&length=&table=${encodeURIComponent(value)}`,
      { 'hx-request': 'true' },
    )
    assert.match(chosen.words, /Table 6 until 9:00\sPM \(75 min\)\./)
    assert.match(chosen.words, /1 h 15 min, until 9:00\sPM/)
    assert.doesNotMatch(chosen.words, /as usual/, 'the length beside it is the one they are booked for')
    assert.doesNotMatch(chosen.words, /Book (?:anyway|without)/)
    await host.post('/office/bookings', {
      ...{ token: crypto.randomUUID(), date: '2026-10-06', time: '19:45', partySize: '2', guestName: 'Ana' },
      table: value,
    })
    const [made] = await book.query(
      `select duration_minutes from reservation where venue_id = $1 and guest_name = 'Ana'`,
      [book.venue.id],
    )
    assert.equal(made?.duration_minutes, 75)
    assert.equal(Object.values(await heldTables(service, book.venue)).join(), '6,6!')
  })

  it('counts in the sheet from when a party sat down, and does not apply where the day was changed with it', async () => {
    await open([{ label: '6', most: 2 }])
    const party = { guestName: 'Zoe', partySize: 2, time: '18:30' }
    const id = await book.booking('Seated', party)
    await book.query(
      `update reservation set seated_at = '2026-10-06T22:55:00Z', duration_minutes = 90 where id = $1`,
      [id],
    )
    const save = async (date: string): Promise<unknown> => {
      const { version } = await book.row(id)
      await host.post(`/office/bookings/${id}/edits`, {
        ...{ date, time: '18:30', partySize: '2', guestName: 'Zoe', version: String(version) },
        ...{ table: `${table['6']}${until('07T00:00')}`, confirmed: ['table-kept', 'hours', 'past'] },
      })
      return (await book.row(id)).duration_minutes
    }
    assert.equal(await save('2026-10-06'), 65)
    assert.equal(await save('2026-10-08'), 65)
  })

  it('says in the row until when it is theirs, and from 15 minutes before the end who is next; or until when they could stay', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 2 },
    ])
    const next = await howard()
    await book.booking('Confirmed', { guestName: 'Le', partySize: 2, time: '20:10' })
    await seat(`${table['6']}${until('07T00:00')}`)
    const chip = async () =>
      words(
        /<span class="row-fact[^"]*">(?:until|can stay)[^]*?<\/span>/.exec(
          (await host.get('/office/service')).html,
        )?.[0] ?? '',
      )
    const look = async () =>
      /<span class="row-fact ?(\w*)">until/.exec((await host.get('/office/service')).html)?.[1]
    assert.match(await chip(), /^ ?until 8:00\sPM ?$/)
    service.setClock('2026-10-06T23:46:00Z')
    const missing = await book.booking('Confirmed', { guestName: 'Missing', partySize: 2, time: '17:00' })
    await book.query(
      `insert into reservation_table (venue_id, reservation_id, table_id, pinned) values ($1, $2, $3, true)
       on conflict do nothing`,
      [book.venue.id, missing, table['6']],
    )
    assert.match(await chip(), /until 8:00\sPM, then Howard, party of 2/, 'who never came is not next')
    assert.equal(await look(), 'warn')
    const { html: near } = await host.get('/office/service')
    const facts = /<span class="row-facts[^"]*">([^]*?)<\/span><\/span>/.exec(near)?.[0] ?? ''
    assert.match(words(facts), /^ *until 8:00\sPM, then Howard, party of 2/, 'it comes first in its line')
    assert.match(
      near,
      /class="peek-mark[^]*?<dt>Table<\/dt><dd[^>]*>[^]*?then Howard, party of 2/,
      'and has a mark',
    )
    service.setClock('2026-10-06T23:55:00Z')
    assert.equal(await look(), 'bad')
    await book.query(
      `update reservation set status = 'Cancelled', cancelled_at = now(), cancelled_by = 'guest', cancelled_from = 'Confirmed' where id = $1`,
      [next],
    )
    assert.match(await chip(), /can stay until 8:25\sPM/)
    // A request has no table in its rows, but one is kept for it.
    await book.booking('Requested', { guestName: 'Ask', partySize: 2, time: '20:00' })
    assert.match(await chip(), /until 8:00\sPM/)
  })

  it('says of a party that sits past the end whom it keeps waiting, and never that it could have stayed', async () => {
    await open([{ label: '6', most: 2 }])
    await howard()
    await seat(`${table['6']}${until('07T00:00')}`)
    for (const clock of ['2026-10-07T00:10:00Z', '2026-10-07T00:32:00Z']) {
      service.setClock(clock)
      const { html } = await host.get('/office/service')
      assert.doesNotMatch(html, /can stay/, clock)
      assert.match(words(html), /until 8:00\sPM, then Howard, party of 2/, clock)
    }
  })

  it('is counted as free for a while, neither as free nor as taken; a table needed sooner is due', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 2 },
      { label: '8', most: 2 },
      { label: '9', most: 2 },
    ])
    for (const time of ['19:20', '20:00', '20:00']) await howard(time)
    assert.match((await host.get('/office/floor')).words, /Floor 0 1 free · 2 for a while · 1 due/)
    await waits('Ada')
    await howard('20:15')
    const page = await host.get('/office/service')
    assert.match(page.words, /for 2: now until 8:00\sPM, or [\d hmin]+/)
  })

  it('is said of the own table of a party that is late for it, in its row, the picker and the card: one press seats it there, and the next one keeps the table', async () => {
    await open([{ label: '6', most: 2 }])
    const late = await book.booking('Confirmed', { guestName: 'Late', partySize: 2, time: '18:30' })
    const next = await howard()
    assert.deepEqual(await heldTables(service, book.venue), { [late]: '6', [next]: '6' })
    const rowOf = (seen: Seen) => new RegExp(`<li id="b${late}"[^]*?</li>`).exec(seen.html)?.[0] ?? ''
    const row = rowOf(await host.get('/office/service'))
    assert.match(words(row), /6 until 8:00\sPM \(65 min\)/)
    const value = `${table['6']}${until('07T00:00')}`
    assert.ok(row.includes(`name="tables" value="${value}"`), row)
    const picker = await host.get(`/office/bookings/${late}/table?back=/office/service`)
    assert.match(
      words(picker.html),
      /No other table for 2 is open for the whole stay\. For a while 6 until 8:00\sPM/,
    )
    assert.ok(picker.html.includes(`value="seat ${value}"`))
    const card = await host.get(`/office/tables/${table['6']}`)
    assert.match(words(card.html), /Late, 2 guests 6:30\sPM, 25 late until 8:00\sPM \(65 min\)/)
    const { version } = await book.row(late)
    const fields = { version: String(version), status: 'Confirmed', back: '/office/service' }
    await host.post(`/office/bookings/${late}/moves`, { ...fields, move: 'seat', tables: value })
    const seen = await host.get('/office/service')
    assert.match(seen.words, /Late, 2 guests: seated at 6/)
    const seated = await book.row(late)
    assert.deepEqual([seated.status, seated.duration_minutes], ['Seated', 65])
    assert.deepEqual(await heldTables(service, book.venue), { [late]: '6', [next]: '6' })
  })

  it('is no question at the own table of a late party where the next one can move', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 2 },
    ])
    const late = await book.booking('Confirmed', { guestName: 'Late', partySize: 2, time: '18:30' })
    await book.query(`update reservation_table set table_id = $2 where reservation_id = $1`, [
      await howard(),
      (await book.query('select table_id from reservation_table where reservation_id = $1', [late]))[0]?.[
        'table_id'
      ],
    ])
    const row =
      new RegExp(`<li id="b${late}"[^]*?</li>`).exec((await host.get('/office/service')).html)?.[0] ?? ''
    assert.doesNotMatch(words(row), /until/)
    assert.doesNotMatch(row, /name="tables" value="[^"]*@/)
  })

  it('says at a party that is here and has no table where it could sit: also a table that guests cannot book', async () => {
    await open([
      { label: '6', most: 2 },
      { label: 'B3', most: 2, online: false },
    ])
    await book.booking('Seated', { guestName: 'Lee', partySize: 2, time: '18:30' })
    const here = await book.booking('Confirmed', { guestName: 'Ethan', partySize: 2, time: '19:00' })
    await book.query(
      `update reservation set source = 'public', checked_in_at = '2026-10-06T22:50:00Z' where id = $1`,
      [here],
    )
    await book.query('delete from reservation_table where reservation_id = $1', [here])
    const rowOf = async () =>
      words(
        new RegExp(`<li id="b${here}"[^]*?</li>`).exec((await host.get('/office/service')).html)?.[0] ?? '',
      )
    assert.match(await rowOf(), /no table yet: B3 is free/)
    const { version } = await book.row(here)
    const fields = { version: String(version), status: 'Confirmed', back: '/office/service' }
    await host.post(`/office/bookings/${here}/moves`, { ...fields, move: 'seat' })
    assert.match((await host.get('/office/service')).words, /Ethan, 2 guests: seated at B3/)
  })

  it('is where the row of a party without a table says: its Seat gives just that, the whole stay by moving others before one for a while', async () => {
    for (const isTaken of [false, true]) {
      await open([
        { label: '6', most: 2 },
        { label: '7', most: 2 },
      ])
      const give = async (id: number, label: string) => {
        await book.query('delete from reservation_table where reservation_id = $1', [id])
        await book.query(
          `insert into reservation_table (venue_id, reservation_id, table_id) values ($1, $2, $3)`,
          [book.venue.id, id, table[label]],
        )
      }
      const sits = await book.booking('Seated', { guestName: 'Lee', partySize: 2, time: '18:00' })
      await book.query(
        `update reservation set seated_at = '2026-10-06T22:00:00Z', duration_minutes = $2 where id = $1`,
        [sits, isTaken ? 240 : 90],
      )
      const next = await book.booking('Confirmed', { guestName: 'Amir Hakimi', partySize: 2, time: '20:00' })
      const here = await book.booking('Confirmed', { guestName: 'Ethan', partySize: 2, time: '18:50' })
      await book.query(
        `update reservation set checked_in_at = '2026-10-06T22:50:00Z', duration_minutes = null where id = $1`,
        [here],
      )
      await book.query('delete from reservation_table where reservation_id = $1', [here])
      await give(sits, '7')
      await give(next, '6')
      const { html } = await host.get('/office/service')
      const row = new RegExp(`<li id="b${here}"[^]*?</li>`).exec(html)?.[0] ?? ''
      assert.match(
        words(row),
        isTaken
          ? /no table yet: 6 until 8:00\sPM(?!, or)/
          : /no table yet: 6 when Hakimi moves, or 6 until 8:00\sPM/,
      )
      const { version } = await book.row(here)
      const tables = /name="tables" value="([^"]*)"/.exec(row)?.[1] ?? ''
      assert.equal(tables, isTaken ? `${table['6']}${until('07T00:00')}` : table['6'])
      await host.post(`/office/bookings/${here}/moves`, {
        ...{ version: String(version), status: 'Confirmed', back: '/office/service', move: 'seat', tables },
      })
      const seated = await book.row(here)
      assert.deepEqual([seated.status, seated.duration_minutes], ['Seated', isTaken ? 65 : null])
      const at = await heldTables(service, book.venue)
      assert.deepEqual([at[here]?.[0], at[next]], ['6', isTaken ? '6' : '7'])
    }
  })

  it('asks where else at a party that could have its own table for less than the shortest stay', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 2 },
    ])
    const here = await book.booking('Confirmed', { guestName: 'Ethan', partySize: 2, time: '18:00' })
    const next = await howard('19:15')
    await book.query('delete from reservation_table where venue_id = $1', [book.venue.id])
    for (const id of [here, next])
      await book.query(
        'insert into reservation_table (venue_id, reservation_id, table_id, pinned) values ($1, $2, $3, true)',
        [book.venue.id, id, table['6']],
      )
    await book.query(`update reservation set checked_in_at = '2026-10-06T22:00:00Z' where id = $1`, [here])
    const { html } = await host.get('/office/service')
    const row = new RegExp(`<li id="b${here}"[^]*?</li>`).exec(html)?.[0] ?? ''
    assert.match(words(row), /table 6 is free until 7:15\sPM only: 7 is free/)
  })

  it('proposes another table to who is here before who is late, also where its own is free for too short a while', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 2 },
      { label: '8', most: 2 },
    ])
    const over = await book.booking('Seated', { guestName: 'Lee', partySize: 2, time: '17:00' })
    const late = await bookedAt({ book, table }, { guestName: 'Lena', time: '18:30' }, '8')
    const here = await bookedAt({ book, table }, { guestName: 'Ethan', time: '18:50' }, '6')
    const next = await bookedAt({ book, table }, { guestName: 'Howard', time: '19:15' }, '6')
    await book.query(`update reservation set seated_at = '2026-10-06T21:00:00Z' where id = $1`, [over])
    await book.query(`update reservation_table set table_id = $2 where reservation_id = $1`, [
      over,
      table['8'],
    ])
    await book.query(`update reservation set checked_in_at = '2026-10-06T22:50:00Z' where id = $1`, [here])
    await book.query('update reservation_table set pinned = true where reservation_id = any($1)', [
      [here, next],
    ])
    const { html } = await host.get('/office/service')
    const rowOf = (id: number) => words(new RegExp(`<li id="b${id}"[^]*?</li>`).exec(html)?.[0] ?? '')
    assert.match(rowOf(here), /table 6 is free until 7:15\sPM only: 7 is free/)
    assert.match(rowOf(late), /table 8 is 25 min over(?!:)/)
  })

  it('gives a party that is here without a table only one that it can have for its whole stay from now, not for what is left of its booked one', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 2 },
      { label: '8', most: 2 },
    ])
    const here = await book.booking('Confirmed', { guestName: 'Ethan', partySize: 2, time: '17:45' })
    const [next, other] = [await howard('19:20'), await howard('19:20')]
    await book.query('delete from reservation_table where venue_id = $1', [book.venue.id])
    for (const [id, label] of [
      [next, '6'],
      [other, '7'],
    ] as const)
      await book.query(
        'insert into reservation_table (venue_id, reservation_id, table_id, pinned) values ($1, $2, $3, true)',
        [book.venue.id, id, table[label]],
      )
    await book.query(`update reservation set checked_in_at = '2026-10-06T22:00:00Z' where id = $1`, [here])
    // Whoever sits down at 8 holds the day, which is filled before that.
    await seat(String(table['8']), { guestName: 'Ben' })
    const held = await heldTables(service, book.venue)
    assert.deepEqual([held[next], held[other], held[here]], ['6!', '7!', undefined])
  })

  it('names who is booked and here, while others sit at its table, to who walks in and to the line', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 2 },
    ])
    const over = await book.booking('Seated', { guestName: 'Lee', partySize: 2, time: '17:00' })
    const here = await book.booking('Confirmed', { guestName: 'Ann Here', partySize: 2, time: '18:50' })
    await book.query('delete from reservation_table where venue_id = $1', [book.venue.id])
    for (const id of [over, here])
      await book.query(
        'insert into reservation_table (venue_id, reservation_id, table_id, pinned) values ($1, $2, $3, true)',
        [book.venue.id, id, table['6']],
      )
    assert.match(words(await pad()), /Table 7, free tonight\. Seat 2 at 7/)
    await book.query(`update reservation set checked_in_at = '2026-10-06T22:50:00Z' where id = $1`, [here])
    assert.match(words(await pad()), /Table 7, free tonight\. Here, 2, is here and could sit here\./)
    const entry = await waits('Ada')
    const row = new RegExp(`<li id="w${entry}"[^]*?</li>`).exec((await host.get('/office/service')).html)?.[0]
    assert.match(words(row ?? ''), /7 free tonight ?; if Here doesn’t take it/)
  })

  it('asks at a party that is here, or due, while others still sit at its table: who is here already is proposed a table first', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 2 },
    ])
    const over = await book.booking('Seated', { guestName: 'Lee', partySize: 2, time: '17:00' })
    const due = await book.booking('Confirmed', {
      ...{ guestName: 'Due', email: 'due@example.com', partySize: 2, time: '18:45' },
    })
    const here = await book.booking('Confirmed', { guestName: 'Here', partySize: 2, time: '18:50' })
    await book.query(
      `insert into guest_house (venue_id, id, vip) select venue_id, id, true from guest where venue_id = $1`,
      [book.venue.id],
    )
    const give = async (id: number, label: string) => {
      await book.query('delete from reservation_table where reservation_id = $1', [id])
      await book.query(
        `insert into reservation_table (venue_id, reservation_id, table_id, pinned) values ($1, $2, $3, true)`,
        [book.venue.id, id, table[label]],
      )
    }
    for (const id of [over, due, here]) await give(id, '6')
    await give(await howard(), '7')
    await book.query(`update reservation set seated_at = '2026-10-06T21:00:00Z' where id = $1`, [over])
    await book.query(`update reservation set checked_in_at = '2026-10-06T22:50:00Z' where id = $1`, [here])
    const rowOf = async (id: number) =>
      words(new RegExp(`<li id="b${id}"[^]*?</li>`).exec((await host.get('/office/service')).html)?.[0] ?? '')
    assert.match(await rowOf(here), /table 6 is 25 min over: 7 until 8:00\sPM/)
    // That they are a VIP is said, and gives them no table before who is here.
    assert.match(await rowOf(due), /VIP/)
    assert.match(await rowOf(due), /table 6 is 25 min over(?!:)/)
    // Lee's table is theirs next, so it is not Lee who is waited for.
    assert.match(words(await pad()), /Likely next: table 6 at 8:25\sPM\. /)
  })

  it('proposes to who is here while others sit at its table the whole stay by moving others, then one for a while', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 2 },
      { label: '8', most: 2 },
    ])
    const give = async (id: number, label: string, pinned: boolean) => {
      await book.query('delete from reservation_table where reservation_id = $1', [id])
      await book.query(
        `insert into reservation_table (venue_id, reservation_id, table_id, pinned) values ($1, $2, $3, $4)`,
        [book.venue.id, id, table[label], pinned],
      )
    }
    const over = await book.booking('Seated', { guestName: 'Lee', partySize: 2, time: '17:00' })
    const sits = await book.booking('Seated', { guestName: 'Ito', partySize: 2, time: '18:00' })
    const here = await book.booking('Confirmed', { guestName: 'Here', partySize: 2, time: '18:50' })
    const next = await book.booking('Confirmed', { guestName: 'Amir Hakimi', partySize: 2, time: '20:00' })
    await book.query(`update reservation set seated_at = '2026-10-06T21:00:00Z' where id = $1`, [over])
    await book.query(`update reservation set seated_at = '2026-10-06T22:00:00Z' where id = $1`, [sits])
    await book.query(`update reservation set checked_in_at = '2026-10-06T22:50:00Z' where id = $1`, [here])
    await give(over, '6', true)
    await give(here, '6', true)
    await give(sits, '8', true)
    await give(next, '7', false)
    const row = new RegExp(`<li id="b${here}"[^]*?</li>`).exec((await host.get('/office/service')).html)?.[0]
    assert.match(words(row ?? ''), /table 6 is 25 min over: 7 when Hakimi moves, or 7 until 8:00\sPM/)
    assert.deepEqual((await heldTables(service, book.venue))[next], '7', 'nobody is moved by saying so')
  })
})
