import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestBook, dinner } from '../../../book/reservations/test/book.ts'
import type { OfficeVisitor } from '../../../test/office.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { readStaffTime } from '../parts/staff-time.ts'

const evening = '2026-10-06T20:00:00Z' // 16:00 in New York

describe('the booking sheet', () => {
  let service: TestService
  before(async () => {
    service = await startService()
    service.setClock(evening)
  })
  after(() => service.stop())

  const open = (document?: object) => hostAtBook(service, document)
  const party = { date: '2026-10-06', time: '20:00', partySize: '2' }
  const send = (host: OfficeVisitor, fields: Record<string, string>) =>
    host.post('/office/bookings', { token: crypto.randomUUID(), ...party, ...fields })
  const guests = (book: TestBook) =>
    book.query('select id, name, phone, visit_count from guest where venue_id = $1 order by id', [
      book.venue.id,
    ])

  it('a typed time is read as the service makes likely; the API’s forms stay as they are', async () => {
    const evenings = [{ startMinute: 17 * 60, endMinute: 26 * 60 }]
    const lunch = [{ startMinute: 11 * 60, endMinute: 15 * 60 }]
    for (const [typed, periods, time] of [
      ['8', evenings, '20:00'],
      ['830', evenings, '20:30'],
      ['8.30', evenings, '20:30'],
      ['8:30', evenings, '20:30'],
      ['8p', evenings, '20:00'],
      ['2030', evenings, '20:30'],
      ['08:30', evenings, '08:30'],
      ['8 am', evenings, '08:00'],
      ['12', lunch, '12:00'],
      ['1130', lunch, '11:30'],
      ['1', lunch, '13:00'],
      ['7', [...lunch, ...evenings], '19:00'],
      ['13', lunch, undefined],
      ['870', evenings, undefined],
      ['seven', evenings, undefined],
    ] as const)
      assert.equal(readStaffTime(typed, periods), time, typed)
    const { book, host } = await open()
    assert.equal((await send(host, { time: '8', guestName: 'Ana' })).status, 303)
    const rows = await book.query('select time::text from reservation where venue_id = $1', [book.venue.id])
    assert.deepEqual(rows, [{ time: '20:00:00' }])
    const { status } = await service.call('POST', '/api/v1/reservations', {
      key: book.venue.key,
      body: { guestName: 'Ana', partySize: 2, date: '2026-10-06', time: '8' },
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    assert.equal(status, 400)
  })

  it('of a time of today the sheet reads what is ahead, after midnight, too, and says what has passed', async () => {
    const { book, host } = await open({
      periods: [
        { weekday: 2, name: 'Lunch', opens: '11:00', closes: '15:00' },
        { weekday: 2, name: 'Dinner', opens: '17:00', closes: '01:00' },
      ],
    })
    service.setClock('2026-10-07T00:03:00Z') // 8:03 PM
    const said = async (time: string) => {
      const query = new URLSearchParams({ date: '2026-10-06', partySize: '2', time })
      return (await host.get(`/office/bookings/reasons?${query.toString()}`)).words
    }
    for (const typed of ['1230', '12:30', '12.30'])
      assert.match(await said(typed), /12:30\sAM on Wednesday, October 7, in the book for Tuesday, October 6/)
    const passed = await said('12:30 PM')
    assert.match(passed, /^\s*12:30\sPM has passed: it is 8:03\sPM now/, 'first of all')
    assert.doesNotMatch(passed, /guests with this party|Not online/)
    assert.match(await said('noon'), /12:00\sPM has passed/)
    assert.match(await said('8'), /8:00\sPM has passed/)
    assert.match(await said('9'), /9:00\sPM on Tuesday/)
    for (const typed of ['25:99', '99'])
      assert.match(await said(typed), /The time cannot be read; write it like 7:30\sPM or 730\./)
    assert.equal((await send(host, { time: '1230', guestName: 'Ana' })).status, 303)
    const [row] = await book.query(
      'select date::text, time::text, service_date::text from reservation where venue_id = $1',
      [book.venue.id],
    )
    assert.deepEqual(row, { date: '2026-10-07', time: '00:30:00', service_date: '2026-10-06' })
    service.setClock('2026-10-06T14:00:00Z') // 10 AM: lunch is ahead
    assert.match(await said('1230'), /12:30\sPM on Tuesday/)
    service.setClock('2026-10-07T04:10:00Z') // 12:10 AM, the sheet still open
    assert.match(await said('1230'), /12:30\sAM on Wednesday, October 7/)
    service.setClock(evening)
  })

  it('shows the times of the day: open, nearly full with what is left, refused with why and still to be chosen', async () => {
    const { book, host } = await open(
      dinner({ minNoticeMinutes: 600, pacing: { intervalMinutes: 15, maxCovers: 6 } }),
    )
    await book.booking('Confirmed', { time: '20:00', partySize: 5 })
    await book.booking('Confirmed', { time: '20:15', partySize: 3 })
    const { html } = await host.get('/office/bookings/new?date=2026-10-06&partySize=2&time=20:30')
    const chip = (time: string) =>
      new RegExp(`<a\\s+class="time[^>]*data-fills="time=${time}\\sPM&amp;[^]*?</a`).exec(html)?.[0] ?? ''
    assert.match(chip('8:00'), /refused[^]*7 of 6/)
    assert.match(chip('8:15'), /tight[^]*then room for 1/)
    assert.match(chip('8:30'), /aria-current="true"[^]*not open online/)
    const made = await send(host, { time: '20:30', guestName: 'Ana' })
    assert.equal(made.status, 303, 'what binds guests online only stops no staff')
  })

  it('a new name with a known number is asked about: "new" makes two guests of one phone, the API still matches', async () => {
    const { book, host } = await open()
    const phone = '212 555 0100'
    await send(host, { guestName: 'Maya Okafor', phone })
    await book.toldAll()
    const asked = await send(host, { guestName: 'Ben Iyer', phone })
    assert.equal(asked.status, 409)
    assert.match(asked.words, /Maya Okafor has this phone/)
    assert.match(asked.html, /name="guest" value="new"/)
    assert.equal((await guests(book)).length, 1, 'nothing is made before the answer')
    const made = await send(host, { guestName: 'Ben Iyer', phone, guest: 'new' })
    assert.equal(made.status, 303)
    const rows = await guests(book)
    assert.deepEqual(
      rows.map(({ name, phone: of }) => [name, of]),
      [
        ['Maya Okafor', phone],
        ['Ben Iyer', phone],
      ],
    )
    assert.ok((await book.toldAll()).some(({ name }) => name === 'guest.created'))
    await send(host, { guestName: 'Benny', phone, guest: String(rows[1]?.id) })
    const tied = await book.query('select guest_id from reservation where venue_id = $1 order by id', [
      book.venue.id,
    ])
    assert.deepEqual(
      tied.map(({ guest_id }) => guest_id),
      [rows[0]?.id, rows[1]?.id, rows[1]?.id],
    )
    const { status } = await service.call('POST', '/api/v1/reservations', {
      key: book.venue.key,
      body: { guestName: 'Somebody Else', phone, partySize: 2, date: '2026-10-06', time: '21:00' },
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    assert.equal(status, 201)
    assert.equal((await guests(book)).length, 2, 'matched, as ever')
    assert.equal(
      (await send(host, { guestName: 'maya  OKAFOR', phone })).status,
      303,
      'the same name is not asked about',
    )
  })

  it('a known email admits one guest: for a new one it is left off', async () => {
    const { book, host } = await open()
    await send(host, { guestName: 'Maya', email: 'maya@example.com' })
    assert.equal((await send(host, { guestName: 'Ben', email: 'maya@example.com' })).status, 409)
    const refused = await send(host, { guestName: 'Ben', email: 'maya@example.com', guest: 'new' })
    assert.equal(refused.status, 409)
    assert.match(refused.words, /choose them, or leave the email off/)
    assert.equal((await guests(book)).length, 1)
  })

  it('the question says what matched, and to leave an email off only where it is somebody’s', async () => {
    const { host } = await open()
    const [phone, email] = ['212 555 0100', 'maya@example.com']
    await send(host, { guestName: 'Maya', phone, email })
    await send(host, { guestName: 'Carl', phone: '646 555 0199' })
    const said = async (fields: Record<string, string>) => (await send(host, fields)).words
    const byPhone = await said({ guestName: 'Ben', phone, email: 'ben@example.com' })
    assert.match(byPhone, /Maya has this phone/)
    assert.doesNotMatch(byPhone, /leave the email off/)
    assert.match(await said({ guestName: 'Ben', email }), /Maya has this email[^]*leave the email off/)
    assert.match(await said({ guestName: 'Ben', phone, email }), /Maya has this phone and email[^]*leave the/)
    assert.match(
      await said({ guestName: 'Ben', phone: '646 555 0199', email }),
      /Maya has this email [^]*leave the email off/,
    )
  })

  it('a parted booking: both guests’ counters are right, and undo is exact', async () => {
    const { book, host } = await open()
    const phone = '212 555 0111'
    await send(host, { guestName: 'Maya', phone })
    const [made] = await book.query('select id from reservation where venue_id = $1', [book.venue.id])
    const id = Number(made?.id)
    const { version, status } = await book.row(id)
    await host.post(`/office/bookings/${id}/moves`, { version: String(version), status, move: 'seat' })
    const before = await guests(book)
    assert.deepEqual(
      before.map(({ visit_count }) => visit_count),
      [1],
    )
    await book.query(`update reservation set guest_name = 'Ben' where venue_id = $1 and id = $2`, [
      book.venue.id,
      id,
    ])
    const revision = (await book.row(id)).revision
    /** The guest and the booking with every column, but for the count of writes. */
    const whole = () =>
      book.query(
        `select to_jsonb(g) - '{version,revision,updated_at}'::text[] as guest,
                to_jsonb(r) - '{version,updated_at}'::text[] as booking
           from reservation r join guest g on g.venue_id = r.venue_id and g.id = r.guest_id
          where r.venue_id = $1 and r.id = $2`,
        [book.venue.id, id],
      )
    const wholeBefore = await whole()
    await book.toldAll()
    const parted = await host.post(`/office/bookings/${id}/guest`, { guest: 'new' })
    assert.equal(parted.status, 200)
    assert.match(parted.html, new RegExp(`name="guest" value="${String(before[0]?.id)}"[^>]*>\\s*Undo`))
    assert.deepEqual(
      (await guests(book)).map(({ name, visit_count }) => [name, visit_count]),
      [
        ['Maya', 0],
        ['Ben', 1],
      ],
    )
    const told = await book.toldAll()
    assert.ok(told.some(({ name, data }) => name === 'guest.created' && data.visitCount === 1))
    assert.equal((await book.row(id)).revision, revision, 'the record names no guest')
    await host.post(`/office/bookings/${id}/guest`, { guest: String(before[0]?.id) })
    assert.deepEqual((await guests(book))[0], before[0])
    assert.deepEqual(await whole(), wholeBefore, 'nothing else of the guest or the booking differs')
    assert.deepEqual(
      (await guests(book)).map(({ visit_count }) => visit_count),
      [1, 0],
    )
    const { book: other } = await open()
    await send(host, { guestName: 'Maya', phone })
    const foreign = await other.booking('Confirmed')
    assert.equal((await host.post(`/office/bookings/${foreign}/guest`, { guest: 'new' })).status, 404)
  })

  it('a booking is given to a guest found by name or phone; the answer and its undo say whose it is', async () => {
    const { book, host } = await open()
    await send(host, { guestName: 'Petra Quill', phone: '212 555 0111' })
    await send(host, { guestName: 'Luca Marino', phone: '212 555 0122', time: '21:00' })
    const [petra, luca] = (await guests(book)).map(({ id }) => String(id))
    const [made] = await book.query('select id from reservation where venue_id = $1 order by id', [
      book.venue.id,
    ])
    const here = `/office/bookings/${Number(made?.id)}/guest`
    const page = await host.get(`/office/bookings/${Number(made?.id)}`)
    assert.match(
      page.html,
      new RegExp(`<form[^>]*method="get" action="${here}"[^]*Name or phone of the other guest`),
    )
    for (const typed of ['luca', '0122']) {
      for (const headers of [{}, { 'hx-request': 'true' }]) {
        const found = await host.get(`${here}?q=${typed}`, headers)
        assert.match(found.html, new RegExp(`<button name="guest" value="${luca}">[^]*Luca Marino`))
        assert.doesNotMatch(found.html, new RegExp(`value="${petra}"`))
      }
    }
    assert.match((await host.get(`${here}?q=petra`)).words, /No other guest has this name or phone\./)
    assert.equal((await host.post(here, { guest: '' })).status, 400)
    const moved = await host.post(here, { guest: luca as string })
    assert.match(
      moved.words,
      /Moved to Luca Marino The booking counts for Luca Marino now, and no longer for Petra Quill\./,
    )
    const back = await host.post(here, { guest: petra as string, undo: 'yes' })
    assert.match(
      back.words,
      /Back with Petra Quill The booking counts for Petra Quill again, and no longer for Luca Marino\./,
    )
    const again = await host.post(here, { guest: petra as string })
    assert.match(again.words, /The booking counts for Petra Quill already\./)
  })

  it('a reason that comes up under the press is said at the button; nothing is made, and the next press does it', async () => {
    const { book, host } = await open(dinner({ pacing: { intervalMinutes: 15, maxCovers: 4 } }))
    const page = await host.get('/office/bookings/new?date=2026-10-06&partySize=2&time=20:00')
    const token = /name="token"\s+value="([^"]+)"/.exec(page.html)?.[1] ?? ''
    await book.booking('Confirmed', { time: '20:00', partySize: 4 })
    const refused = await send(host, { token, guestName: 'Ana', notes: 'Window' })
    assert.equal(refused.status, 409)
    assert.match(refused.html, /id="send"[^]*role="alert"[^]*6 of 4[^]*Book anyway/)
    assert.match(refused.html, /value="Ana"/)
    const next = /name="token"\s+value="([^"]+)"/.exec(refused.html)?.[1] ?? ''
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(refused.html)?.[1] ?? ''
    const made = await send(host, { token: next, guestName: 'Ana', notes: 'Window', confirmed })
    assert.equal(made.status, 303)
    const rows = await book.query('select 1 from reservation where venue_id = $1', [book.venue.id])
    assert.equal(rows.length, 2)
  })
})
