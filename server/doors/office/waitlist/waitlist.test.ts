import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestBook, dinner } from '../../../book/reservations/test/book.ts'
import type { OfficeVisitor, Seen } from '../../../test/office.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import { fieldsIn } from '../../../test/office-forms.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { timed } from '../../../test/run/timed.ts'

const evening = '2026-10-06T23:20:00Z' // 19:20 in New York

describe('the waitlist in the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
    service.setClock(evening)
  })
  after(() => service.stop())

  const open = (document?: object) => hostAtBook(service, document)
  const tokenIn = ({ html }: Seen): string => /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const join = async (host: OfficeVisitor, fields: Record<string, string> = {}) => {
    const token = tokenIn(await host.get('/office/waitlist'))
    return host.post('/office/waitlist', { token, partySize: '2', guestName: 'Ada', ...fields })
  }
  const entryOf = async (book: TestBook, name = 'Ada') =>
    (
      await book.query(
        `select id, version, status, quoted_minutes, reservation_id, seated_at from waitlist_entry
          where venue_id = $1 and guest_name = $2 order by id desc limit 1`,
        [book.venue.id, name],
      )
    )[0] as {
      id: number
      version: number
      status: string
      quoted_minutes: number
      reservation_id: number | null
      seated_at: unknown
    }
  const press = async (
    book: TestBook,
    host: OfficeVisitor,
    move: string,
    more: Record<string, string> = {},
  ) => {
    const { id, version, status } = await entryOf(book)
    const fields = { version: String(version), status, move, ...more }
    const answer = await host.post(`/office/waitlist/${id}/moves`, fields)
    return { answer, page: (await host.get('/office/waitlist')).html, entry: await entryOf(book) }
  }

  it('says that nobody is waiting, and quotes a party by the length of the line', async () => {
    const { book, host } = await open()
    assert.match((await host.get('/office/waitlist')).html, /Nobody is waiting tonight/)
    await join(host, { guestName: 'First', quotedMinutes: '' })
    assert.match((await host.get('/office/waitlist')).html, /placeholder="20 suggested"/)
    const answer = await join(host, { phone: '212 555 0100' })
    assert.match(answer.to ?? '', /^\/office\/waitlist#w\d+$/)
    const { html } = await host.get('/office/waitlist')
    assert.match(html, /Ada, 2 guests: on the waitlist, quoted 20 minutes/)
    assert.match(html, /href="tel:\+12125550100">\(212\) 555-0100</)
    assert.equal((await entryOf(book)).quoted_minutes, 20)
    await join(host, { guestName: 'Third', quotedMinutes: '45' })
    assert.equal((await entryOf(book, 'Third')).quoted_minutes, 45)
  })

  it('counts the wait against the quote, and past it in red', async () => {
    const { host } = await open()
    await join(host, { quotedMinutes: '15' })
    service.setClock('2026-10-06T23:30:00Z')
    assert.match((await host.get('/office/waitlist')).html, /class="strong"><span[^>]*>10 min</)
    service.setClock('2026-10-06T23:42:00Z')
    assert.match((await host.get('/office/waitlist')).html, /class="overdue"><span[^>]*>22 min · 7 min over</)
    service.setClock(evening)
  })

  it('every button does its move and shows it', async () => {
    const { book, host } = await open()
    await join(host)
    let seen = await press(book, host, 'page')
    assert.deepEqual([seen.answer.status, seen.entry.status], [303, 'offered'])
    assert.match(seen.page, /Paged just now/)
    assert.match(seen.page, /Page again/)
    assert.match(seen.page, /held until 7:35\sPM/)
    seen = await press(book, host, 'page')
    assert.equal(seen.entry.status, 'offered')
    seen = await press(book, host, 'notYet')
    assert.equal(seen.entry.status, 'waiting')
    seen = await press(book, host, 'quote', { quotedMinutes: '40' })
    assert.equal(seen.entry.quoted_minutes, 40)
    assert.match(seen.page, /quoted 40 minutes/)
    seen = await press(book, host, 'typed', { quotedMinutes: '35', time: '' })
    assert.equal(seen.entry.quoted_minutes, 35, 'Enter sends what was typed')
    seen = await press(book, host, 'leave')
    assert.equal(seen.entry.status, 'cancelled')
    assert.match(seen.page, /left 7:20\sPM/)
    seen = await press(book, host, 'rejoin')
    assert.equal(seen.entry.status, 'waiting')
    seen = await press(book, host, 'seatNow')
    assert.equal(seen.entry.status, 'booked')
    assert.match(seen.page, /seated 7:20\sPM/)
    assert.match((await host.get('/office/today')).html, /Waitlist/)
    seen = await press(book, host, 'recall')
    assert.deepEqual([seen.entry.status, seen.entry.reservation_id], ['waiting', null])
  })

  it('a party that grows, or was misheard, is changed in its row, keeps its place and is quoted again; the undo puts it back', async () => {
    const { book, host } = await open()
    await join(host, { quotedMinutes: '40', phone: '212 555 0100' })
    const { id, version } = await entryOf(book)
    for (const page of ['/office/waitlist', '/office/service'])
      assert.match((await host.get(page)).html, new RegExp(`id="w${id}-change" name="move" value="change"`))
    const typed = { partySize: '4', guestName: 'Ada', phone: '212 555 0199', notes: 'Stroller' }
    const rest = { quotedMinutes: '', back: '/office/service' }
    // Enter in one of its fields presses the hidden button.
    const { entry } = await press(book, host, 'typed', { ...typed, ...rest })
    assert.deepEqual([entry.status, entry.quoted_minutes], ['waiting', 10], 'as four are quoted')
    const said = async () =>
      (await book.query('select party_size, phone, notes from waitlist_entry where id = $1', [id])).map(
        ({ party_size, phone, notes }) => [party_size, phone, notes],
      )[0]
    assert.deepEqual(await said(), [4, '212 555 0199', 'Stroller'])
    const page = await host.get('/office/service')
    assert.match(page.words, /Ada, 2 guests: 4 guests now, quoted 10 minutes\./)
    const stale = { ...typed, partySize: '6', version: String(version) }
    const late = await host.post(`/office/waitlist/${id}/moves`, {
      ...{ status: 'waiting', move: 'change', back: '/office/service' },
      ...stale,
    })
    assert.match((await host.get(late.to as string)).words, /changed meanwhile\. Nothing was done\./)
    assert.match(page.html, /name="quoted" value="1"/)
    const undo = {
      partySize: '2',
      guestName: 'Ada',
      phone: '212 555 0100',
      notes: '',
      undo: '1',
      quoted: '1',
    }
    const undone = await press(book, host, 'change', { ...undo, back: '/office/service' })
    assert.equal(undone.entry.quoted_minutes, 40, 'as staff had said')
    assert.deepEqual(await said(), [2, '212 555 0100', null])
    assert.match((await host.get('/office/service')).words, /Ada, 4 guests: 2 guests now, as before\./)
    const refused = await press(book, host, 'change', { ...typed, partySize: '0', back: '/office/waitlist' })
    assert.equal(refused.answer.status, 400)
    assert.deepEqual(await said(), [2, '212 555 0100', null])
  })

  /** The fields of the sheet that opens for a party, as they come. */
  const sheetOf = async (book: TestBook, host: OfficeVisitor, back = '/office/service') => {
    const { id } = await entryOf(book)
    const page = await host.get(`/office/bookings/new?entry=${id}&back=${back}`)
    return { page, fields: fieldsIn(page) }
  }
  const bookLater = async (book: TestBook, host: OfficeVisitor, more: Record<string, string>) => {
    const { fields } = await sheetOf(book, host)
    const answer = await host.post('/office/bookings', { ...fields, ...more })
    // A double tap: the second press gets the answer of the first.
    const again = await host.post('/office/bookings', { ...fields, ...more })
    assert.deepEqual([again.status, again.to], [answer.status, answer.to])
    return { answer, entry: await entryOf(book) }
  }

  it('a table for later is booked in the sheet, filled in with the party, and the waitlist takes it back', async () => {
    const { book, host } = await open()
    await join(host, { phone: '212 555 0100', partySize: '3', notes: 'High chair' })
    for (const path of ['/office/waitlist', '/office/service'])
      assert.match(
        (await host.get(path)).html,
        new RegExp(`href="/office/bookings/new\\?entry=\\d+&amp;back=${path}"`),
      )
    const { page, fields } = await sheetOf(book, host)
    assert.match(page.words, /Book for later/)
    assert.deepEqual(
      [fields.partySize, fields.guestName, fields.phone, fields.notes, fields.date, fields.time],
      ['3', 'Ada', '212 555 0100', 'High chair', '2026-10-06', ''],
    )
    assert.match(page.html, /data-fills="time=8:00\sPM&amp;date=2026-10-06"/, 'times to press')
    const late = await bookLater(book, host, { time: 'late' })
    assert.equal(late.answer.status, 400)
    assert.match(late.answer.html, /name="entry" value="\d+"/)
    const done = await bookLater(book, host, {
      time: '2045',
      partySize: '2',
      length: '75',
      occasion: 'Birthday',
    })
    assert.match(done.answer.to ?? '', /^\/office\/service#w\d+$/)
    assert.match(
      (await host.get('/office/service')).words,
      /Ada, 2 guests: has a table for later, at 8:45\sPM/,
    )
    assert.deepEqual([done.entry.status, done.entry.seated_at], ['booked', null])
    assert.equal((await book.query('select from reservation where venue_id = $1', [book.venue.id])).length, 1)
    const row = await book.row(done.entry.reservation_id as number)
    assert.deepEqual(
      [row.date, row.time, row.party_size, row.status, row.source],
      ['2026-10-06', '20:45', 2, 'Confirmed', 'waitlist'],
    )
    assert.match((await host.get(`/office/bookings/${row.id}`)).html, /name="occasion"[^>]*value="Birthday"/)
    assert.match((await host.get('/office/waitlist')).html, /has a table for later/)
    const back = await press(book, host, 'recall')
    assert.deepEqual([back.entry.status, back.entry.reservation_id], ['waiting', null])
    const old = await book.row(row.id)
    const restore = {
      version: String(old.version),
      status: old.status,
      move: 'undoCancel',
      back: '/office/service',
    }
    await host.post(`/office/bookings/${row.id}/moves`, restore)
    assert.match(
      (await host.get('/office/service')).words,
      /Ada is back on the waitlist: seat them, or book a table for later, from there\. Nothing was done/,
    )
    assert.equal((await book.row(row.id)).status, 'Cancelled', 'they are not counted twice')
  })

  it('a table for later for a number that is known under another name asks whose it is', async () => {
    const { book, host } = await open()
    await book.booking('Confirmed', { guestName: 'Bo Larsen', phone: '212 555 0100' })
    await join(host, { phone: '212 555 0100' })
    const asked = await bookLater(book, host, { time: '20:45' })
    assert.equal(asked.answer.status, 409)
    assert.match(asked.answer.words, /Bo Larsen has this phone/)
    const fields = fieldsIn(asked.answer)
    const done = await host.post('/office/bookings', { ...fields, guest: 'new' })
    assert.equal(done.status, 303)
    const rows = await book.query('select name, phone from guest where venue_id = $1 order by id', [
      book.venue.id,
    ])
    assert.deepEqual(rows, [
      { name: 'Bo Larsen', phone: '212 555 0100' },
      { name: 'Ada', phone: '212 555 0100' },
    ])
  })

  it('seating a party whose number is known under another name asks whose it is, with and without script', async () => {
    const guests = ({ venue, query }: TestBook) =>
      query('select name, phone, email from guest where venue_id = $1 order by id', [venue.id])
    const { book, host } = await open()
    const phone = '212 555 0100'
    await book.booking('Confirmed', { guestName: 'Bo Larsen', phone })
    await join(host, { phone })
    const asked = await press(book, host, 'seatNow')
    assert.equal(asked.answer.status, 409)
    assert.match(asked.answer.words, /Bo Larsen has this phone[^]*Make a new guest: Ada/)
    assert.equal(asked.entry.status, 'waiting', 'nothing is done before the answer')
    const { id, version, status } = asked.entry
    const pressed = await fetch(`${service.url}/office/waitlist/${id}/moves`, {
      method: 'POST',
      body: new URLSearchParams({
        version: String(version),
        status,
        move: 'seatNow',
        back: '/office/service',
      }),
      headers: { cookie: host.cookie(), origin: service.url, 'hx-request': 'true' },
    })
    assert.match(await pressed.text(), /id="said"[^]*Bo Larsen has this phone[^]*name="guest" value="new"/)
    const done = await host.post(`/office/waitlist/${id}/moves`, { ...fieldsIn(asked.answer), guest: 'new' })
    assert.equal(done.status, 303)
    assert.deepEqual(await guests(book), [
      { name: 'Bo Larsen', phone, email: null },
      { name: 'Ada', phone, email: null },
    ])

    await join(host, { phone, guestName: 'Bó  larsen' })
    const same = await entryOf(book, 'Bó  larsen')
    const fields = { version: String(same.version), status: same.status, move: 'seatNow' }
    const seated = await host.post(`/office/waitlist/${same.id}/moves`, fields)
    assert.equal(seated.status, 303, 'the same name asks nothing')
    assert.equal((await guests(book)).length, 2)
  })

  it('the answer stays through the question about the slot; an address of another guest stays with that guest', async () => {
    const { book, host } = await open(dinner({ pacing: { intervalMinutes: 15, maxCovers: 2 } }))
    await book.booking('Confirmed', {
      guestName: 'Bo Larsen',
      phone: '212 555 0100',
      email: 'bo@example.com',
      time: '19:15',
    })
    await join(host)
    const { id } = await entryOf(book)
    await book.query(`update waitlist_entry set email = 'bo@example.com' where venue_id = $1 and id = $2`, [
      book.venue.id,
      id,
    ])
    const asked = await press(book, host, 'seatNow')
    assert.match(asked.answer.words, /somebody new is seated without it/)
    const to = `/office/waitlist/${id}/moves`
    const full = await host.post(to, { ...fieldsIn(asked.answer), guest: 'new' })
    assert.equal(full.status, 409)
    assert.match(full.words, /seat now anyway/)
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(full.html)?.[1] ?? ''
    assert.equal((await host.post(to, { ...fieldsIn(full), confirmed })).status, 303)
    const { reservation_id } = await entryOf(book)
    const [tied] = await book.query(
      `select r.email, g.name from reservation r left join guest g on g.venue_id = r.venue_id and g.id = r.guest_id
        where r.venue_id = $1 and r.id = $2`,
      [book.venue.id, reservation_id],
    )
    assert.deepEqual(tied, { email: null, name: null }, 'without phone or email nobody is in the guest book')
  })

  it('a table for later of a party that waits for another evening is a table of that evening', async () => {
    const { book, host } = await open()
    for (const [asks, time, date] of [
      [null, '20:30', '2026-10-09'],
      ['00:30', '00:30', '2026-10-10'],
    ] as const) {
      await join(host)
      const { id } = await entryOf(book)
      await book.query(
        `update waitlist_entry set date = '2026-10-09', service_date = '2026-10-09', requested_time = $3
          where venue_id = $1 and id = $2`,
        [book.venue.id, id, asks],
      )
      const seen = await bookLater(book, host, asks === null ? { time } : {})
      assert.equal(seen.entry.status, 'booked', seen.answer.words.slice(0, 500))
      const row = await book.row(seen.entry.reservation_id as number)
      assert.deepEqual([row.date, row.time, row.service_date], [date, time, '2026-10-09'])
    }
  })

  it('a table for later that breaks a rule asks first', async () => {
    const { book, host } = await open(dinner({ pacing: { intervalMinutes: 15, maxCovers: 4 } }))
    await book.booking('Confirmed', { partySize: 4, time: '21:00' })
    await join(host)
    const asked = await bookLater(book, host, { time: '21:00' })
    assert.equal(asked.answer.status, 409)
    assert.match(asked.answer.html, /6 of 4/)
    assert.equal(asked.entry.status, 'waiting')
    const done = await host.post('/office/bookings', {
      ...fieldsIn(asked.answer),
      confirmed: 'pacing-covers-full',
    })
    assert.equal(done.status, 303)
    assert.equal((await entryOf(book)).status, 'booked')
  })

  it('two hosts booking the same party for later make one booking', async () => {
    const { book, host } = await open()
    await join(host)
    const { fields } = await sheetOf(book, host)
    const { id } = await entryOf(book)
    await press(book, host, 'quote', { quotedMinutes: '50' })
    const stale = await host.post('/office/bookings', { ...fields, time: '20:45' })
    assert.equal(stale.status, 409)
    assert.match(stale.words, /The party of Ada has changed: it is now waiting\. Nothing is booked yet\./)
    const sent = { ...fieldsIn(stale), time: '20:45' }
    const answers = await Promise.all(
      [0, 1].map(() => host.post('/office/bookings', { ...sent, token: crypto.randomUUID() })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    )
    assert.equal((await book.query('select from reservation where venue_id = $1', [book.venue.id])).length, 1)
    const gone = await host.get(`/office/bookings/new?entry=${id}&back=/office/service`)
    assert.equal(gone.to, '/office/service')
    assert.match((await host.get('/office/service')).words, /no longer waiting|has changed/)
  })

  it('a stale page gets a message, and a resubmitted form gets the first answer and adds nothing', async () => {
    const { book, host } = await open()
    const token = tokenIn(await host.get('/office/waitlist'))
    const party = { token, partySize: '2', guestName: 'Ada' }
    const first = await host.post('/office/waitlist', party)
    const second = await host.post('/office/waitlist', party)
    assert.equal(second.to, first.to)
    const { html, words } = await host.get('/office/waitlist')
    assert.match(words, /Ada, 2 guests: on the waitlist, quoted 10 minutes/)
    assert.doesNotMatch(html, /⚠/)
    assert.equal(
      (await book.query('select from waitlist_entry where venue_id = $1', [book.venue.id])).length,
      1,
    )
    const { id, version, status } = await entryOf(book)
    const shown = { version: String(version), status, move: 'seatNow' }
    await host.post(`/office/waitlist/${id}/moves`, shown)
    assert.match((await host.get('/office/waitlist')).words, /Ada, 2 guests: seated\./)
    await host.post(`/office/waitlist/${id}/moves`, { ...shown, move: 'leave' })
    assert.match(
      (await host.get('/office/waitlist')).html,
      /⚠ The party of Ada has changed: it is now booked\. Nothing was done/,
    )
    assert.equal((await book.query('select from reservation where venue_id = $1', [book.venue.id])).length, 1)
  })

  it('a new quote on an old page gets a message and stays in its field', async () => {
    const { book, host } = await open()
    await join(host)
    const { id } = await entryOf(book)
    const shown = { version: '1', status: 'waiting', move: 'quote' }
    await host.post(`/office/waitlist/${id}/moves`, { ...shown, quotedMinutes: '45' })
    const stale = await host.post(`/office/waitlist/${id}/moves`, { ...shown, quotedMinutes: '25' })
    assert.equal(stale.status, 409)
    assert.match(stale.words, /The party of Ada has changed: it is now waiting\. Nothing was done\./)
    assert.match(stale.html, /name="quotedMinutes"\s+value="25"/)
    assert.equal((await entryOf(book)).quoted_minutes, 45)
  })

  it('a party waiting for another day is seated only after a confirmation', async () => {
    const { book, host } = await open()
    await join(host)
    await book.query(
      `update waitlist_entry set date = '2026-10-07', service_date = '2026-10-07' where venue_id = $1`,
      [book.venue.id],
    )
    assert.match(
      (await host.get('/office/today')).words,
      /0 on the waitlist/,
      'the figure is of this evening',
    )
    const { answer, entry } = await press(book, host, 'seatNow')
    assert.deepEqual([answer.status, entry.status], [409, 'waiting'])
    assert.match(answer.words, /Ada, 2 guests: seat now anyway\?/)
    assert.match(answer.words, /They are expected on Wednesday, October 7; today is Tuesday, October 6\./)
    const seated = await press(book, host, 'seatNow', { confirmed: 'another-day' })
    assert.equal(seated.entry.status, 'booked')
  })

  it("refuses forged forms, another venue's party and what nobody offers", async () => {
    const { book, host } = await open()
    const { book: other, host: stranger } = await open()
    await join(stranger)
    await join(host)
    const foreign = await entryOf(other)
    const { id } = await entryOf(book)
    const fields = { version: '1', status: 'waiting', move: 'seatNow' }
    for (const wrong of [foreign.id, 0, 'x', '99999999999999999999']) {
      assert.equal((await host.post(`/office/waitlist/${wrong}/moves`, fields)).status, 404)
    }
    const forged = { 'sec-fetch-site': 'cross-site' }
    assert.equal((await host.post(`/office/waitlist/${id}/moves`, fields, forged)).status, 403)
    assert.equal((await host.post('/office/waitlist', { partySize: '2' }, forged)).status, 403)
    assert.equal((await host.post(`/office/waitlist/${id}/moves`, { ...fields, move: 'x' })).status, 400)
    await host.post(`/office/waitlist/${id}/moves`, { ...fields, move: 'expire' })
    assert.match((await host.get('/office/waitlist')).html, /⚠ Only staff|⚠ /)
    assert.deepEqual([(await entryOf(book)).status, (await entryOf(other)).status], ['waiting', 'waiting'])
  })

  it('shows script in any text field as text, and keeps what was typed along with a mistake', async () => {
    const { host } = await open()
    const script = `<script>alert(1)</script>`
    await join(host, { guestName: script, phone: script, notes: script })
    const wrong = await join(host, { guestName: script, partySize: script })
    assert.equal(wrong.status, 400)
    for (const html of [(await host.get('/office/waitlist')).html, wrong.html]) {
      assert.ok(!html.includes('<script>alert'))
      assert.ok(html.includes('&lt;script&gt;alert'))
    }
  })

  it('renews itself, and a press with htmx answers with the line and an undo', async () => {
    const { book, host } = await open()
    await join(host)
    const asHtmx = (path: string, fields?: Record<string, string>) =>
      fetch(service.url + path, {
        method: fields ? 'POST' : 'GET',
        ...(fields && { body: new URLSearchParams(fields) }),
        headers: { cookie: host.cookie(), origin: service.url, 'hx-request': 'true' },
      })
    const asks = /hx-get="([^"]+)"/.exec((await host.get('/office/waitlist')).html)?.[1] ?? ''
    assert.equal((await asHtmx(asks.replaceAll('&amp;', '&'))).status, 204)
    const { id } = await entryOf(book)
    const pressed = await asHtmx(`/office/waitlist/${id}/moves`, {
      version: '1',
      status: 'waiting',
      move: 'leave',
    })
    const text = await pressed.text()
    assert.match(text, /id="line"/)
    assert.match(text, /Ada, 2 guests: left/)
    assert.match(text, /value="rejoin"[^>]*>\s*Undo/)
    assert.equal((await asHtmx(asks.replaceAll('&amp;', '&'))).status, 200)
  })

  it('the undo of Left and of Seat gives back how long they waited', async () => {
    const { book, host } = await open()
    await join(host)
    service.setClock('2026-10-07T00:32:00Z')
    const waiting = async () => /Waiting \d+ min/.exec((await host.get('/office/service')).words)?.[0]
    assert.equal(await waiting(), 'Waiting 72 min')
    for (const move of ['leave', 'seatNow']) {
      const { id, version, status } = await entryOf(book)
      const answer = await fetch(`${service.url}/office/waitlist/${id}/moves`, {
        method: 'POST',
        body: new URLSearchParams({ version: String(version), status, move, back: '/office/service' }),
        headers: { cookie: host.cookie(), origin: service.url, 'hx-request': 'true' },
      })
      const text = await answer.text()
      const [, undoes = '', does = ''] =
        /<form((?:(?!<form)[^])*?)name="move"\s+value="(\w+)"[^>]*>\s*Undo\s*</.exec(text) ?? []
      const fields = Array.from(
        undoes.matchAll(/<input[^>]*name="(\w+)"[^>]*value="([^"]*)"/g),
        ([, name, value]) => [name as string, value as string],
      )
      const sent = { ...Object.fromEntries(fields), move: does } as Record<string, string>
      assert.equal((await host.post(`/office/waitlist/${id}/moves`, sent)).status, 303)
      assert.equal(await waiting(), 'Waiting 72 min', move)
    }
    await bookLater(book, host, { time: '2115' })
    await press(book, host, 'recall')
    assert.equal(await waiting(), 'Waiting 72 min', 'a table for later, taken back')
    service.setClock(evening)
  })

  it('a party that is back in line has waited since it joined', async () => {
    service.setClock(evening)
    const { book, host } = await open()
    await join(host)
    service.setClock('2026-10-07T00:32:00Z')
    await press(book, host, 'leave')
    await press(book, host, 'rejoin')
    assert.match((await host.get('/office/service')).words, /Waiting 72 min/)
    service.setClock(evening)
  })

  it('shows 10,000 parties in line a page at a time', async () => {
    const { book, host } = await open()
    await book.query(
      `insert into waitlist_entry (venue_id, guest_name, party_size, date, service_date, status, source, created_at, updated_at)
       select $1, 'Party ' || n, 2, '2026-10-06', '2026-10-06', 'waiting', 'staff', now(), now()
         from generate_series(1, 10000) n`,
      [book.venue.id],
    )
    await host.get('/office/waitlist')
    const { status, words } = await timed('the waitlist of 10,000 parties', 200, () =>
      host.get('/office/waitlist?page=3'),
    )
    assert.equal(status, 200)
    assert.match(words, /Party \d+/)
  })
})
