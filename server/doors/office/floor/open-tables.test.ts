import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeDemo } from '../../../demo/make-demo.ts'
import { keyAsHolder, newHoldId, placeHold } from '../../../book/reservations/holds/holds.ts'
import { bookByStaff } from '../../../book/reservations/bookings.ts'
import { type TestBook, staff } from '../../../book/reservations/test/book.ts'
import type { TestTable } from '../../../book/tables/test/floor.ts'
import { actAt } from '../../../test/act.ts'
import { hostAtTables, padIn, wordsOf as words } from '../../../test/host-at-book.ts'
import { type OfficeVisitor, type Seen, staffOf, visitOffice } from '../../../test/office.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { VenueRow } from '../../../core/venue/venues.ts'

const zone = 'America/New_York'
/** Tuesday 6 October 2026, 19:40 in New York. */
const evening = '2026-10-06T23:40:00Z'
const ninety = { turnMinutes: [{ upTo: 99, minutes: 90 }] }
const noTable =
  /no table (?:for \d+ )?is open|there is no table for|none is (?:open|free)|no table is free|>no table</i

const chipAt = ({ html }: Seen, time: string) =>
  words(new RegExp(`<a[^>]*data-fills="time=${time}\\sPM&[^]*?</a`).exec(html)?.[0] ?? '')
const pickAt = ({ html }: Seen, value: string) =>
  words(new RegExp(`<label id="pick-${value.replace('+', '\\+')}"[^]*?</label`).exec(html)?.[0] ?? '')

describe('a table that is open, and that a party without one could have', () => {
  let service: TestService
  let book: TestBook
  let host: OfficeVisitor
  let table: Record<string, string>
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const open = async (tables: readonly TestTable[]) => {
    service.setClock(evening)
    ;({ book, host, table } = await hostAtTables(service, tables, ninety))
  }
  /** Booked at eight, with no table although one is open: what it had came free a moment ago. */
  const zhao = async (partySize = 2): Promise<number> => {
    const id = await book.booking('Confirmed', { guestName: 'Zhao', partySize, time: '20:00' })
    await book.query('delete from reservation_table where venue_id = $1 and reservation_id = $2', [
      book.venue.id,
      id,
    ])
    return id
  }
  const live = (query: string) =>
    host.get(`/office/bookings/reasons?date=2026-10-06&${query}`, { 'hx-request': 'true' })

  it('is offered to a walk-in, with who could sit there; to wait is what is proposed', async () => {
    await open([{ label: '2', most: 4 }])
    await zhao()
    const pad = padIn(await host.get('/office/service?size=2'))
    assert.match(words(pad), /Table 2, free tonight\. Zhao, 2, has no table yet and could sit here\./)
    assert.match(pad, /name="wait" value="\d+" class="primary"/)
    assert.doesNotMatch(pad, noTable)
    const seat = {
      token: crypto.randomUUID(),
      partySize: '2',
      guestName: 'Ben',
      tables: table['2'] as string,
    }
    await host.post('/office/service/walk-ins', seat)
    assert.match((await host.get('/office/service')).words, /Ben, 2 guests: seated at 2\./)
    assert.match(padIn(await host.get('/office/service?size=2')), /No table for 2 is open now/)
  })

  it('is said in the row of who waits, with who is late for it, and one press seats them there', async () => {
    await open([{ label: '2', most: 4 }])
    const late = await zhao()
    await book.query(
      `update reservation set time = '19:30', starts_at = '2026-10-06T23:30:00Z', service_minute = 1170 where id = $1`,
      [late],
    )
    const token = /name="token" value="([^"]+)"/.exec((await host.get('/office/waitlist')).html)?.[1]
    await host.post('/office/waitlist', { token: token ?? '', partySize: '2', guestName: 'Ada' })
    const [entry] = await book.query('select id::int, version from waitlist_entry where venue_id = $1', [
      book.venue.id,
    ])
    const { html } = await host.get('/office/service')
    const [row = ''] = new RegExp(`<li id="w${Number(entry?.id)}"[^]*?</li>`).exec(html) ?? []
    assert.match(
      words(row),
      /2 free; Zhao, 2, who is late, has no table yet and could sit here .*Seat at 2, free tonight; Zhao/,
    )
    const move = /name="move" value="(seatNow \d[^"]*)"/.exec(row)?.[1] ?? ''
    const form = { version: String(entry?.version), status: 'waiting', move, back: '/office/service' }
    await host.post(`/office/waitlist/${Number(entry?.id)}/moves`, form)
    assert.match((await host.get('/office/service')).words, /Ada, 2 guests: seated at 2/)
  })

  it('is offered for a while, where that party is late and the next one comes before a whole stay ends', async () => {
    await open([{ label: '2', most: 4 }])
    const next = await book.booking('Confirmed', { guestName: 'Howard', partySize: 2, time: '21:05' })
    await book.query('delete from reservation_table where reservation_id = $1', [next])
    await book.query(
      'insert into reservation_table (venue_id, reservation_id, table_id, pinned) values ($1, $2, $3, true)',
      [book.venue.id, next, table['2']],
    )
    const late = await zhao()
    await book.query(
      `update reservation set time = '19:30', starts_at = '2026-10-06T23:30:00Z', service_minute = 1170 where id = $1`,
      [late],
    )
    const pad = padIn(await host.get('/office/service?size=2'))
    assert.match(
      words(pad),
      /Table 2 until 9:05\sPM \(85 min\)\. Zhao, 2, has no table yet and could sit here\./,
    )
    assert.match(pad, /name="wait" value="\d+" class="primary"/)
    const [, tables = ''] = /name="tables" value="([^"]+)"/.exec(pad) ?? []
    const seat = { token: crypto.randomUUID(), partySize: '2', guestName: 'Ben', tables }
    await host.post('/office/service/walk-ins', seat)
    assert.match((await host.get('/office/service')).words, /Ben, 2 guests: seated at 2\D/)
    const [ben] = await book.query(
      `select duration_minutes from reservation where venue_id = $1 and guest_name = 'Ben'`,
      [book.venue.id],
    )
    assert.equal(ben?.duration_minutes, 85)
  })

  it('is after the ones that nobody needs', async () => {
    await open([
      { label: '1', most: 2 },
      { label: '2', most: 4 },
    ])
    await zhao()
    const pad = words(padIn(await host.get('/office/service?size=2')))
    assert.match(
      pad,
      /Table 2, free tonight\.(?! Zhao).*1 free tonight; Zhao, 2, has no table yet and could sit here/,
    )
  })

  it('is listed where a party is given a table, and in the panel of the table on the floor', async () => {
    await open([{ label: '2', most: 4 }])
    const id = await book.booking('Confirmed', { guestName: 'Connor', partySize: 2, time: '20:00' })
    await zhao()
    // While they have it, nobody else could sit there.
    const theirs = await host.get(`/office/bookings/${id}/table?back=/office/service`)
    assert.match(theirs.html, /aria-label="Keep at 2"/)
    assert.doesNotMatch(theirs.words, /Zhao/)
    await book.query('delete from reservation_table where venue_id = $1', [book.venue.id])
    const choice = await host.get(`/office/bookings/${id}/table?back=/office/service`)
    assert.match(choice.words, /free tonight .*Zhao, 2, has no table yet and could sit here/)
    assert.match(choice.html, /aria-label="Seat at 2"/)
    assert.doesNotMatch(choice.html, noTable)
    const panel = await host.get(`/office/tables/${table['2']}`)
    assert.match(panel.words, /Free tonight.*, 2, has no table yet and could sit here\./)
  })

  it('is said to be needed in the booking sheet: next to the table, at the time, and at the button', async () => {
    await open([{ label: '2', most: 4 }])
    await zhao()
    const sheet = await live('partySize=4&time=20:00&table=')
    assert.match(pickAt(sheet, table['2'] as string), /2 .*Zhao, 2, has no table yet and could sit here/)
    assert.match(pickAt(sheet, ''), /Any others need the open ones/)
    assert.match(chipAt(sheet, '8:00'), /needed by others/)
    assert.match(sheet.words, /Table 2 is open at 8:00\sPM, but a party of 2 without a table needs it\./)
    assert.doesNotMatch(sheet.html, noTable)
    const chosen = await live(`partySize=4&time=20:00&table=${table['2']}`)
    assert.doesNotMatch(chosen.words, /Book (?:anyway|without)/)
    await host.post('/office/bookings', {
      ...{ token: crypto.randomUUID(), date: '2026-10-06', time: '20:00', partySize: '4', guestName: 'Ana' },
      table: table['2'] as string,
    })
    assert.match((await live('partySize=4&time=20:00&table=')).html, noTable)
  })

  it('says which guest waits for an answer, or is booking online', async () => {
    await open([{ label: '2', most: 4 }])
    const id = await book.booking('Requested', { guestName: 'Ivo', partySize: 3, time: '20:00' })
    const pad = async () => words(padIn(await host.get('/office/service?size=2')))
    assert.match(await pad(), /Ivo, 3, is waiting for your answer and could sit here\./)
    await book.query(`update reservation set status = 'Cancelled' where id = $1`, [id])
    await book.act((work) =>
      placeHold(work, {
        ...book.when('2026-10-06', '20:00'),
        id: newHoldId((size) => Buffer.alloc(size, 3)),
        partySize: 3,
        by: { holder: keyAsHolder(1) },
      }),
    )
    assert.match(await pad(), /A party of 3 is booking online and could sit here\./)
  })

  it('is listed for a party when it is left by its time, soon or later, to assign and not to seat', async () => {
    await open([
      { label: '1', most: 2 },
      { label: '2', most: 4 },
    ])
    service.setClock('2026-10-06T22:30:00Z')
    const there = await book.booking('Confirmed', { guestName: 'Desai', partySize: 4, time: '18:30' })
    const seen = {
      version: String((await book.row(there)).version),
      status: 'Confirmed',
      back: '/office/service',
    }
    await host.post(`/office/bookings/${there}/moves`, { ...seen, move: 'seat' })
    service.setClock('2026-10-06T23:40:00Z')
    for (const time of ['20:05', '20:50']) {
      const id = await book.booking('Confirmed', { guestName: 'Ana', partySize: 2, time })
      const page = await host.get(`/office/bookings/${id}/table`)
      assert.match(page.words, /2 free tonight from 8:(?:05|50)\sPM/)
      assert.match(page.html, /aria-label="Assign at 2"/)
      assert.doesNotMatch(page.html, /aria-label="Seat at 2"/)
      assert.match(page.html, /aria-label="Seat at 1"/)
      await book.query(`update reservation set status = 'Cancelled' where id = $1`, [id])
    }
  })

  it('is still there for a party that would make room by moving', async () => {
    await open([
      { label: '1', most: 2 },
      { label: '2', least: 1, most: 4 },
    ])
    const moving = await book.booking('Confirmed', { guestName: 'Small', partySize: 2, time: '20:30' })
    await zhao(4)
    await book.query('update reservation_table set table_id = $2 where reservation_id = $1', [
      moving,
      table['2'],
    ])
    const pad = words(padIn(await host.get('/office/service?size=2')))
    assert.match(
      pad,
      /Table 1 until 8:30\sPM \(50 min\)\..* 1 free tonight; Zhao, 4, has no table yet and could be seated if another party moved here/,
    )
  })
})

describe('the Change sheet', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('shows the time and table a party has as chosen, late or overbooked, of any length', async () => {
    service.setClock('2026-10-06T20:00:00Z')
    const rules = { ...ninety, pacing: { intervalMinutes: 15, maxCovers: 2 } }
    const { book, host } = await hostAtTables(service, [{ label: '13', most: 4 }], rules)
    const id = await book.booking('Confirmed', { guestName: 'Maya', partySize: 4, time: '19:30' })
    // Held for less than is usual, and followed at once.
    await book.query('update reservation set duration_minutes = 45 where id = $1', [id])
    await book.booking('Confirmed', { guestName: 'Next', partySize: 4, time: '20:15' })
    for (const clock of ['2026-10-06T20:00:00Z', '2026-10-06T23:45:00Z']) {
      service.setClock(clock)
      const page = await host.get(`/office/bookings/${id}`)
      const sheets = [
        page,
        await host.get(
          `/office/bookings/reasons?booking=${id}&date=2026-10-06&time=19:30&partySize=4&length=45&table=`,
          { 'hx-request': 'true' },
        ),
      ]
      for (const sheet of sheets) {
        assert.match(pickAt(sheet, ''), /13 their table, free to 8:15\sPM/)
        assert.equal(Array.from(sheet.html.matchAll(/<b>13<\/b>/g)).length, 1, 'there once')
        assert.match(sheet.html, /<label id="pick-"[^>]*><input[^>]*value=""\s+checked/)
        assert.match(chipAt(sheet, '7:30'), /7:30\sPM theirs/)
        assert.doesNotMatch(sheet.words, /Save (?:anyway|without)/)
      }
      const choice = await host.get(`/office/bookings/${id}/table`)
      assert.match(choice.words, /13 free until 8:15\sPM seats 1–4/)
      assert.match(choice.html, /aria-label="Seat at 13"|aria-label="Keep at 13"/)
      assert.doesNotMatch(choice.html, noTable)
    }
  })

  it('says who still sits at a party’s table, and not that it is free until they came', async () => {
    service.setClock('2026-10-06T22:30:00Z')
    const { book, host } = await hostAtTables(service, [{ label: '13', most: 4 }], ninety)
    const sits = await book.booking('Confirmed', { guestName: 'Karim', partySize: 4, time: '18:30' })
    await host.post(`/office/bookings/${sits}/moves`, {
      ...{ version: String((await book.row(sits)).version), status: 'Confirmed', back: '/office/service' },
      move: 'seat',
    })
    const waits = await book.booking('Confirmed', { guestName: 'Karan', partySize: 4, time: '20:00' })
    service.setClock('2026-10-07T00:10:00Z')
    const page = await host.get(`/office/bookings/${waits}`)
    assert.match(pickAt(page, ''), /13 their table, and Karim, 4, 6:30\sPM to 8:11\sPM/)
    assert.doesNotMatch(page.words, /Table 13, free to/)
  })

  it('a booking that is over is not told about tables', async () => {
    service.setClock(evening)
    const { book, host } = await hostAtTables(service, [{ label: '13', most: 4 }], ninety)
    await book.booking('Confirmed', { guestName: 'Ana', partySize: 4, time: '20:00' })
    const id = await book.booking('Cancelled', { guestName: 'Karan', partySize: 4, time: '20:00' })
    const choice = await host.get(`/office/bookings/${id}/table`)
    assert.match(choice.words, /Karan, 4 guests They are cancelled and need no table\./)
    assert.doesNotMatch(choice.html, noTable)
    assert.doesNotMatch(choice.html, /name="do"/)
  })
})

describe('on the demo’s full Saturday', () => {
  let service: TestService
  let venue: VenueRow
  let host: OfficeVisitor
  const saturday = '2026-10-10'
  const now = Temporal.Instant.from('2026-10-10T23:40:00Z')
  before(async () => {
    service = await startService()
    service.setClock('2026-10-10T21:00:00Z')
    venue = (await makeDemo(service.context)).venue
    host = visitOffice(service)
    await host.signIn((await staffOf(service, venue, 'host', 'door@example.com')).email)
    // Four parties that were booked although it was full, and two tables that were freed a moment ago.
    const asked = { guestName: 'Zhao', email: null, phone: null, notes: null }
    for (const [partySize, time] of [
      [2, '19:45'],
      [4, '20:00'],
      [2, '20:30'],
      [5, '20:15'],
    ] as const) {
      const startsAt = Temporal.PlainDateTime.from(`${saturday}T${time}`).toZonedDateTime(zone).toInstant()
      await actAt(service, venue as never, (work) =>
        bookByStaff(work, staff('host'), {
          ...asked,
          ...{ partySize, date: saturday, time, startsAt, tables: [] },
        }),
      )
    }
    await rowsOf(service, 'update reservation_house set no_table = false where venue_id = $1', [venue.id])
    service.setClock(now.toString())
  })
  after(() => service.stop())

  type Held = { id: number; status: string; size: number; from: number; until: number; tables: number[] }
  const minute = 60_000
  /** Who is in the book as confirmed or seated, straight from the rows. */
  const holders = async (): Promise<Held[]> =>
    (
      await rowsOf<Held & { at: string; minutes: number }>(
        service,
        `select r.id::int, r.status, r.party_size as size, coalesce(r.seated_at, r.starts_at) as at,
                coalesce(r.duration_minutes, 120) as minutes,
                array(select t.table_id::int from reservation_table t
                       where t.venue_id = r.venue_id and t.reservation_id = r.id) as tables
           from reservation r
          where r.venue_id = $1 and r.service_date = $2 and r.status in ('Confirmed', 'Seated') order by r.id`,
        [venue.id, saturday],
      )
    ).map((row) => {
      const from = Temporal.Instant.from(row.at).epochMilliseconds
      return { ...row, from, until: from + row.minutes * minute }
    })

  it('each party that has a table has it in its own Change sheet, chosen', async () => {
    const labels = new Map(
      (
        await rowsOf<{ id: number; label: string }>(
          service,
          'select id::int, label from dining_table where venue_id = $1',
          [venue.id],
        )
      ).map(({ id, label }) => [id, label]),
    )
    let seen = 0
    for (const { id, tables } of await holders()) {
      if (tables.length === 0) continue
      const page = await host.get(`/office/bookings/${id}`)
      const label = tables
        .map((one) => labels.get(one) as string)
        .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
        .join('+')
      assert.ok(
        pickAt(page, '').startsWith(` ${label} their table`),
        `${id}: ${pickAt(page, '')}, not ${label}`,
      )
      assert.doesNotMatch(page.words, /Save (?:anyway|without)/)
      seen++
    }
    assert.ok(seen > 30, `${seen} parties have a table`)
  })

  it('no page says that there is no table where rows have one free', async () => {
    const [tables, parties, zoneOf] = await Promise.all([
      rowsOf<{ id: number; label: string; least: number; most: number }>(
        service,
        'select id::int, label, least, most from dining_table where venue_id = $1 and removed_at is null',
        [venue.id],
      ),
      holders(),
      rowsOf<{ timezone: string }>(service, 'select timezone from venue where id = $1', [venue.id]),
    ])
    assert.equal(zoneOf[0]?.timezone, zone)
    const isFree = (table: number, from: number, until: number, but?: number): boolean =>
      !parties.some(
        (one) =>
          one.id !== but &&
          one.tables.includes(table) &&
          one.from < until &&
          from < (one.status === 'Seated' ? Math.max(one.until, now.epochMilliseconds + minute) : one.until),
      )
    let [opened, closed] = [0, 0]
    for (const party of parties.filter(({ status }) => status === 'Confirmed')) {
      const from = party.from - now.epochMilliseconds < 30 * minute ? now.epochMilliseconds : party.from
      const until = from + party.until - party.from
      // Who is due soon may sit down now, or have a table that is left by then; who is late has its own to its booked end.
      const inTime = party.from > now.epochMilliseconds
      const isOwn = (id: number): boolean => party.tables.length === 1 && party.tables[0] === id
      const isFreeThen = (id: number): boolean => isFree(id, party.from, party.until, party.id)
      const isOpen = (id: number): boolean =>
        isFree(id, from, until, party.id) || ((inTime || isOwn(id)) && isFreeThen(id))
      const free = tables.filter(
        ({ id, least, most }) => least <= party.size && party.size <= most && isOpen(id),
      )
      const { html } = await host.get(`/office/bookings/${party.id}/table`)
      if (free.length > 0)
        assert.doesNotMatch(html, noTable, `${party.id}: ${free.map(({ label }) => label).join()}`)
      for (const [, press, label] of html.matchAll(/aria-label="(Seat|Assign) at (\w+)"/g)) {
        const one = tables.find((known) => known.label === label)
        if (!one) continue
        const mayNow =
          isFree(one.id, from, until, party.id) || (!inTime && isOwn(one.id) && isFreeThen(one.id))
        const may = press === 'Seat' ? mayNow : isOpen(one.id)
        assert.ok(may, `${press} at ${label} is offered to ${party.id}`)
      }
      if (free.length > 0) opened++
      else closed++
    }
    assert.ok(opened > 5 && closed > 0, `${opened} with a table free, ${closed} without`)

    for (const size of [1, 2, 3, 4, 5, 6, 8]) {
      const [usual] = await rowsOf<{ minutes: number }>(
        service,
        `select duration_minutes as minutes from reservation where venue_id = $1 and party_size = $2 and duration_minutes is not null
          order by id desc limit 1`,
        [venue.id, size],
      )
      const length = (usual?.minutes ?? 120) * minute
      const at = now.epochMilliseconds
      const free = tables.filter(
        ({ id, least, most }) => least <= size && size <= most && isFree(id, at, at + length),
      )
      const pad = padIn(await host.get(`/office/service?size=${size}`))
      if (free.length > 0)
        assert.doesNotMatch(pad, noTable, `${size}: ${free.map(({ label }) => label).join()}`)
      const sheet = await host.get(
        `/office/bookings/reasons?date=${saturday}&partySize=${size}&time=&table=`,
        { 'hx-request': 'true' },
      )
      for (const [, time, said] of sheet.html.matchAll(
        /data-fills="time=([^"&]+)&[^"]*"[^]*?<small[^>]*>([^<]*)<\/small/g,
      )) {
        if (said?.trim() !== 'no table') continue
        const [hour, minutes] = (time as string).split(/[:\s]/)
        const written = `${String((Number(hour) % 12) + 12).padStart(2, '0')}:${minutes}`
        const starts = Temporal.PlainDateTime.from(`${saturday}T${written}`).toZonedDateTime(zone).toInstant()
        assert.equal(wallTimeOf(starts, zone).time, written)
        const from = starts.epochMilliseconds
        const open = tables.filter(
          ({ id, least, most }) => least <= size && size <= most && isFree(id, from, from + length),
        )
        assert.deepEqual(
          open.map(({ label }) => label),
          [],
          `${size} at ${time}`,
        )
      }
    }
  })
})
