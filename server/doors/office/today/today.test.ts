import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ReservationStatus } from '@venue-data/contract/records/reservation.ts'
import { type TestBook, dinner, openBook } from '../../../book/reservations/test/book.ts'
import { type OfficeVisitor, type Seen, staffOf, visitOffice } from '../../../test/office.ts'
import { type TestService, aTuesdayAfternoon, startService } from '../../../test/service.ts'
import { timed } from '../../../test/run/timed.ts'

const evening = '2026-10-06T23:20:00Z' // 19:20 in New York

describe('Today in the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
    service.setClock(evening)
  })
  after(() => service.stop())

  const open = async (document?: object): Promise<{ book: TestBook; host: OfficeVisitor }> => {
    const book = await openBook(service, document)
    return { book, host: await signedIn(book, 'host') }
  }
  const signedIn = async (book: TestBook, role: 'host' | 'manager'): Promise<OfficeVisitor> => {
    const visitor = visitOffice(service)
    await visitor.signIn((await staffOf(service, book.venue, role)).email)
    return visitor
  }
  /** What the page showed of a booking, and the button that is pressed. */
  const press = async (book: TestBook, host: OfficeVisitor, id: number, move: string) => {
    const { version, status } = await book.row(id)
    return host.post(`/office/bookings/${id}/moves`, {
      version: String(version),
      status,
      back: '/office/today',
      move,
    })
  }
  const asHtmx = (visitor: OfficeVisitor, path: string, fields?: Record<string, string>) =>
    fetch(service.url + path, {
      method: fields ? 'POST' : 'GET',
      ...(fields && { body: new URLSearchParams(fields) }),
      headers: { cookie: visitor.cookie(), origin: service.url, 'hx-request': 'true' },
    })
  const tokenIn = ({ html }: Seen): string => /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''

  it('shows the book of a service date with its figures, and a party after midnight in its evening', async () => {
    const { book, host } = await open(dinner({ pacing: { intervalMinutes: 15, maxCovers: 10 } }))
    await book.booking('Confirmed', { guestName: 'Maya Okafor', partySize: 8 })
    await book.booking('Confirmed', { guestName: 'Night Owl', date: '2026-10-07', time: '00:30' })
    await book.booking('Confirmed', { guestName: 'Another Day', date: '2026-10-08' })
    await book.booking('Confirmed', { guestName: 'Never Came', date: '2026-10-05' })
    const { html, status } = await host.get('/office/today')
    assert.equal(status, 200)
    assert.match(html, /Maya Okafor/)
    assert.match(html, /Night Owl/)
    assert.ok(!html.includes('Another Day'))
    assert.match(html, />8\/10</)
    assert.match(html, /It is 7:20\sPM/)
    assert.match(html, /New York/)
    assert.match(html, /Late 20 min/)
    const dayBefore = (await host.get('/office/today?date=2026-10-05')).html
    assert.match(dayBefore, /Never Came/)
    assert.doesNotMatch(dayBefore, /Late \d/, 'nobody is waited for a day later')
    assert.ok((await host.get('/office/today?date=2026-10-08')).html.includes('Another Day'))
    assert.match(
      (await host.get('/office/today?view=timeline')).html,
      /aria-label="8 · Maya Okafor 7:00\sPM Confirmed"/,
    )
    assert.match((await host.get('/office/today?date=2026-11-01')).html, /No bookings on this day/)
  })

  it('every button of a booking does its move and comes back to the row', async () => {
    const { book, host } = await open()
    const presses: [ReservationStatus, string, ReservationStatus, RegExp][] = [
      ['Requested', 'confirm', 'Confirmed', /Maya, 2 guests: confirmed/],
      ['Requested', 'cancel:staff', 'Cancelled', /cancelled by the venue/],
      ['Requested', 'cancel:guest', 'Cancelled', /cancelled for the guest/],
      ['Confirmed', 'arrive', 'Confirmed', /Here since 7:20\sPM/],
      ['Confirmed', 'seat', 'Seated', /at table 0 min/],
      ['Confirmed', 'markNoShow', 'No-show', /marked as a no-show/],
      ['Confirmed', 'cancel:guest', 'Cancelled', /by the guest/],
      ['Seated', 'complete', 'Completed', /Maya, 2 guests: left/],
      ['Seated', 'setFloorStage:Mains', 'Seated', /· Mains/],
      ['Seated', 'undoSeat', 'Confirmed', /seating undone/],
      ['Completed', 'undoComplete', 'Seated', /back at the table/],
      ['No-show', 'undoNoShow', 'Confirmed', /expected again/],
      ['No-show', 'seatLate', 'Seated', /seated late/],
    ]
    for (const [from, move, to, shown] of presses) {
      const id = await book.booking(from)
      const page = await host.get('/office/today')
      assert.ok(
        page.html.includes(`value="${move}"`) || move.startsWith('setFloor'),
        `${from} offers ${move}`,
      )
      const answer = await press(book, host, id, move)
      assert.deepEqual([answer.status, answer.to], [303, `/office/today#b${id}`], move)
      assert.equal((await book.row(id)).status, to, move)
      const { html } = await host.get('/office/today')
      assert.match(html, shown, move)
      if (move === 'seatLate') assert.match(html, /value="undoSeat" \/><button>Undo</)
      await book.query('delete from reservation where venue_id = $1', [book.venue.id])
    }
    const cancelled = await book.booking('Cancelled', { date: '2026-10-09' })
    await press(book, host, cancelled, 'undoCancel')
    assert.equal((await book.row(cancelled)).status, 'Confirmed')
    const late = await book.booking('Cancelled', { date: '2026-10-05' })
    await press(book, host, late, 'undoCancel')
    assert.match((await host.get('/office/today')).html, /⚠ The evening it was booked for is over/)
  })

  it('a stale page gets a message and overwrites nothing, nor does a resubmitted form', async () => {
    const { book, host } = await open()
    const id = await book.booking('Confirmed')
    const shown = { version: '1', status: 'Confirmed', back: '/office/today', move: 'seat' }
    await host.post(`/office/bookings/${id}/moves`, shown)
    const seated = await book.row(id)
    await host.post(`/office/bookings/${id}/moves`, shown)
    assert.deepEqual(await book.row(id), seated)
    const { html, words } = await host.get('/office/today')
    assert.match(words, /Maya, 2 guests: seated\./, 'the answer of the first press')
    assert.doesNotMatch(html, /⚠/)
    await host.post(`/office/bookings/${id}/moves`, { ...shown, move: 'cancel:guest' })
    assert.equal((await book.row(id)).status, 'Seated')
    assert.match(
      (await host.get('/office/today')).html,
      /⚠ The booking of Maya has changed: it is now Seated, 2 guests at 7:00\sPM on Tuesday, October 6\. Nothing was done/,
    )
  })

  it('of two hosts who press at once one wins and the other gets a message', async () => {
    const { book, host } = await open()
    const other = await signedIn(book, 'manager')
    const id = await book.booking('Confirmed')
    const fields = { version: '1', status: 'Confirmed', back: '/office/today' }
    await Promise.all([
      host.post(`/office/bookings/${id}/moves`, { ...fields, move: 'seat' }),
      other.post(`/office/bookings/${id}/moves`, { ...fields, move: 'cancel:guest' }),
    ])
    assert.equal((await book.row(id)).version, 2)
    const notices = await Promise.all([host, other].map(async (one) => (await one.get('/office/today')).html))
    assert.equal(notices.filter((html) => html.includes('has changed')).length, 1)
  })

  it('refuses a form from another site, and does nothing', async () => {
    const { book, host } = await open()
    const id = await book.booking('Confirmed')
    const fields = { version: '1', status: 'Confirmed', move: 'seat', partySize: '2' }
    for (const path of [
      `/office/bookings/${id}/moves`,
      `/office/bookings/${id}/edits`,
      '/office/bookings',
      '/office/service/walk-ins',
    ]) {
      assert.equal((await host.post(path, fields, { 'sec-fetch-site': 'cross-site' })).status, 403, path)
    }
    assert.equal((await book.row(id)).version, 1)
  })

  it("another venue's booking is not found, for any field", async () => {
    const { book, host } = await open()
    const { book: other } = await open()
    const foreign = await other.booking('Confirmed', { guestName: 'Stranger' })
    const fields = { version: '1', status: 'Confirmed', move: 'seat', date: '2026-10-07', time: '19:00' }
    for (const id of [foreign, 0, '1e3', '99999999999999999999', 'x']) {
      assert.equal((await host.get(`/office/bookings/${id}`)).status, 404)
      assert.equal((await host.post(`/office/bookings/${id}/moves`, fields)).status, 404)
      assert.equal(
        (await host.post(`/office/bookings/${id}/edits`, { ...fields, partySize: '2' })).status,
        404,
      )
    }
    const reasons = await asHtmx(
      host,
      `/office/bookings/reasons?booking=${foreign}&date=2026-10-07&time=19:00&partySize=2`,
    )
    assert.ok(!(await reasons.text()).includes('Stranger'))
    const manager = await signedIn(book, 'manager')
    assert.equal((await manager.post(`/office/bookings/${foreign}/delete`, fields)).status, 404)
    assert.equal((await other.row(foreign)).version, 1)
  })

  it('deleting and the trail are for managers', async () => {
    const { book, host } = await open()
    const manager = await signedIn(book, 'manager')
    const id = await book.booking('Confirmed')
    assert.equal((await host.post(`/office/bookings/${id}/delete`, { version: '1' })).status, 403)
    assert.ok(!(await host.get(`/office/bookings/${id}`)).html.includes('id="trail"'))
    await press(book, host, id, 'seat')
    const page = await manager.get(`/office/bookings/${id}`)
    assert.match(page.html, /id="trail"/)
    assert.match(page.html, /Seated<\/span>/)
    const headings = Array.from(page.html.matchAll(/<h2>([^<]+)<\/h2>/g), ([, heading]) => heading)
    assert.deepEqual(headings, [...new Set(headings)], 'no two cards of one name')
    assert.match(page.words, /by host/)
    assert.ok(!page.html.includes(`host@${book.venue.slug}.example.com`), 'names, not addresses')
    await manager.post(`/office/bookings/${id}/delete`, { version: '1' })
    assert.equal((await book.row(id)).status, 'Seated', 'a stale page deletes nothing')
    assert.match(
      (await manager.get(`/office/bookings/${id}`)).words,
      /This booking was just changed by someone else; reload and try again\. It was not deleted\./,
    )
    await manager.post(`/office/bookings/${id}/delete`, { version: '2' })
    assert.equal((await manager.get(`/office/bookings/${id}`)).status, 404)
  })

  it('a phone booking shows every reason against it, and is made once when staff decide', async () => {
    const { book, host } = await open(dinner({ maxParty: 4, pacing: { intervalMinutes: 15, maxCovers: 5 } }))
    await book.booking('Confirmed', { partySize: 4, time: '21:00' })
    const fields = {
      date: '2026-10-06',
      time: '9 pm',
      partySize: '6',
      guestName: 'Noor',
      phone: '212 555 0100',
    }
    const asked = await host.post('/office/bookings', {
      ...fields,
      token: tokenIn(await host.get('/office/bookings/new')),
    })
    assert.equal(asked.status, 409)
    assert.match(asked.html, /10 of 5/)
    assert.match(asked.html, /parties of up to 4/)
    assert.match(asked.html, /value="Noor"/)
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(asked.html)?.[1] ?? ''
    assert.equal(confirmed, 'party-too-large pacing-covers-full:10')
    const anyway = { ...fields, confirmed, token: tokenIn(asked) }
    const made = await host.post('/office/bookings', anyway)
    assert.match(made.to ?? '', /^\/office\/today\?date=2026-10-06#b\d+$/)
    const again = await host.post('/office/bookings', anyway)
    assert.equal(again.to, made.to)
    const said = await host.get('/office/today')
    assert.match(said.words, /Noor, 6 guests at 9:00\sPM: booked/)
    assert.doesNotMatch(said.html, /⚠/)
    const changed = await host.post('/office/bookings', { ...anyway, guestName: 'Somebody else' })
    assert.equal(changed.status, 409)
    assert.match(
      changed.words,
      /already submitted this form with different details[^]*Nothing was added this time/,
    )
    assert.match(changed.html, /value="Somebody else"/)
    assert.notEqual(tokenIn(changed), anyway.token, 'sent again, it is added')
    assert.equal(
      (await book.query('select id from reservation where venue_id = $1', [book.venue.id])).length,
      2,
    )

    const token = tokenIn(await host.get('/office/bookings/new'))
    for (const [wrong, sentence] of [
      [{ time: '' }, /Enter a time, such as 7:30\sPM/],
      [{ date: '' }, /Enter a date/],
      [{ guestName: '' }, /Enter a name/],
    ] as const) {
      const refused = await host.post('/office/bookings', { ...fields, ...wrong, token })
      assert.equal(refused.status, 400)
      assert.match(refused.html, sentence)
      assert.match(refused.html, /value="212 555 0100"/, 'what was typed is kept')
    }
    const bad = await host.post('/office/bookings', { ...fields, time: 'seven', token })
    assert.equal(bad.status, 400)
    assert.match(bad.html, /The time cannot be read/)
    const live = await asHtmx(host, '/office/bookings/reasons?date=2026-10-06&time=21:00&partySize=1')
    const words = await live.text()
    assert.match(words, /The 9:00\sPM slot takes 5 guests\./)
    assert.doesNotMatch(words, /fully booked|please call/, 'staff read no sentence for guests')
  })

  it('a walk-in from the book is made at the pad of the service screen; while there is no service it asks with the plain reason', async () => {
    const { host } = await open()
    const book = await host.get('/office/today')
    assert.match(book.html, /href="\/office\/service\?list=waiting#walk-in"/)
    assert.doesNotMatch(book.html, /action="[^"]*walk-ins"/)
    service.setClock('2026-10-06T20:30:00Z')
    const sent = { token: crypto.randomUUID(), partySize: '2' }
    const asked = await host.post('/office/service/walk-ins', sent)
    assert.equal(asked.status, 409)
    assert.match(asked.words, /Outside opening hours: Tuesday, October 6 is open 5:00\sPM to 2:00\sAM\./)
    const confirmed = { token: tokenIn(asked), partySize: '2', confirmed: 'outside-hours' }
    assert.equal((await host.post('/office/service/walk-ins', confirmed)).status, 303)
    service.setClock(evening)
  })

  it('a party from another day is seated only after a confirmation', async () => {
    const { book, host } = await open()
    const id = await book.booking('Confirmed', { date: '2026-10-07' })
    const { html } = await host.get('/office/today?date=2026-10-07')
    assert.match(html, /<details[^]*value="arrive"[^]*value="seat"[^]*<\/details>/, 'a look further away')
    const asked = await press(book, host, id, 'seat')
    assert.equal(asked.status, 409)
    assert.match(asked.words, /Maya, 2 guests: seat anyway\?/)
    assert.match(asked.words, /They are expected on Wednesday, October 7; today is Tuesday, October 6\./)
    const fields = { version: '1', status: 'Confirmed', back: '/office/today?date=2026-10-07', move: 'seat' }
    const live = await (await asHtmx(host, `/office/bookings/${id}/moves`, fields)).text()
    assert.match(live, /id="said"[^>]*>[^]*name="confirmed" value="another-day"/)
    const seated = await host.post(`/office/bookings/${id}/moves`, { ...fields, confirmed: 'another-day' })
    assert.equal(seated.status, 303)
    assert.equal((await book.row(id)).status, 'Seated')
  })

  it('allergies and notes appear in every view of a booking, with the guest next to it', async () => {
    const { book, host } = await open()
    const made: number[] = []
    for (const status of ['Confirmed', 'Requested', 'Seated'] as const) {
      made.push(await book.booking(status, { guestName: `${status} One`, email: 'one@example.com' }))
    }
    await book.query(
      `update guest set allergies = 'Peanuts <severe>', seating_preference = 'Window', visit_count = 7,
         staff_notes = 'Knows the chef.' where venue_id = $1`,
      [book.venue.id],
    )
    await book.query(`update reservation set notes = 'By the fire' where venue_id = $1`, [book.venue.id])
    for (const view of ['list', 'answer', 'floor']) {
      const { html, words } = await host.get(`/office/today?view=${view}`)
      assert.match(html, /class="allergy"><strong>Allergies:<\/strong> Peanuts &lt;severe&gt;</, view)
      assert.match(words, /By the fire/, view)
    }
    const { words: list } = await host.get('/office/today')
    assert.match(list, /7 visits · seat: Window/)
    const timeline = await host.get('/office/today?view=timeline')
    assert.match(timeline.html, /aria-label="[^"]*Confirmed, allergies: Peanuts/)
    const { words } = await host.get(`/office/bookings/${made[0]}`)
    assert.match(words, /Allergies: Peanuts &lt;severe&gt;/)
    assert.match(words, /Visits 7 .*Seating preference Window .*Knows the chef\./)
    const outside = await service.call('GET', '/api/v1/reservations', { key: book.venue.key })
    assert.ok(!outside.text.includes('Peanuts'))
  })

  it('the weeks ahead show what is booked on each day, and which days are closed', async () => {
    const { book, host } = await open(
      dinner({ closures: [{ from: '2026-10-09', to: '2026-10-10', name: 'Repairs' }] }),
    )
    await book.booking('Confirmed', { date: '2026-10-07', partySize: 6 })
    await book.booking('Requested', { date: '2026-10-07', partySize: 3 })
    await book.booking('Cancelled', { date: '2026-10-08', partySize: 5 })
    await book.booking('Confirmed', { date: '2026-11-02', partySize: 2 })
    await book.booking('Confirmed', { date: '2026-11-03', partySize: 40 })
    const { html, words } = await host.get('/office/today?view=weeks')
    assert.match(html, /<title id="weeks-title">Guests booked from Tuesday, October 6 to Monday, November 2</)
    assert.match(words, /11 guests booked/)
    assert.match(
      html,
      /href="\/office\/today\?date=2026-10-07"\s*><title>Wednesday, October 7, 2026: 9 guests in 2 parties</,
    )
    assert.match(html, /<title>Friday, October 9, 2026: 0 guests in 0 parties\. Closed: Repairs</)
    assert.match(words, /Wednesday, October 7 9 2/, 'the same in a table')
    assert.match(words, /Saturday, October 10 0 0 Closed: Repairs/)
    assert.equal(html.match(/<th scope="row">/g)?.length, 28)
    assert.match(html, /href="\/office\/today\?date=2026-10-13&amp;view=weeks" aria-label="Next week"/)
  })

  it('a list that renews itself brings the time and the day along', async () => {
    const { host } = await open()
    service.setClock('2026-10-07T06:30:00Z')
    const part = await (await asHtmx(host, '/office/today?seen=old')).text()
    assert.match(
      part,
      /id="book-day" hx-swap-oob="outerMorph"[^]*Wednesday, October 7, 2026[^]*It is 2:30\sAM/,
    )
    assert.match(part, /id="book-steps"[^>]*hx-swap-oob="outerMorph"[^]*date=2026-10-08/)
    service.setClock(evening)
  })

  it('every place of a role is behind "More" where the bar has no room', async () => {
    const { book, host } = await open()
    const manager = await signedIn(book, 'manager')
    for (const [visitor, expected] of [
      [host, ['today', 'waitlist', 'guests', 'tasks', 'tickets', 'account']],
      [manager, ['today', 'waitlist', 'guests', 'leads', 'tasks', 'tickets', 'subscribers', 'settings']],
    ] as const) {
      const { html } = await visitor.get('/office/today')
      const all = /<details class="all">([^]*?)<\/details>/.exec(html)?.[1] ?? ''
      for (const place of expected) assert.match(all, new RegExp(`href="/office/${place}"`))
    }
  })

  it('an edit is judged by the rules, and one on an old version is refused with what differs', async () => {
    const { book, host } = await open(dinner({ pacing: { intervalMinutes: 15, maxCovers: 6 } }))
    const id = await book.booking('Confirmed', { date: '2026-10-08' })
    const edit = (version: number, more: Record<string, string>) =>
      host.post(`/office/bookings/${id}/edits`, {
        version: String(version),
        date: '2026-10-08',
        time: '19:00',
        partySize: '2',
        guestName: 'Maya',
        ...more,
      })
    assert.equal((await edit(1, { partySize: '7' })).status, 409)
    assert.equal((await edit(1, { partySize: '7', confirmed: 'pacing-covers-full' })).status, 303)
    assert.equal((await edit(2, { partySize: '4', time: '20:00', notes: 'Window' })).status, 303)
    const stale = await edit(1, { guestName: 'Maria' })
    assert.equal(stale.status, 409)
    assert.match(stale.html, /Your changes are below; save again to apply them/)
    for (const [typed, now] of [
      ['Maria', 'Maya'],
      ['2', '4'],
      ['19:00', '8:00 PM'],
    ]) {
      assert.match(stale.html, new RegExp(`value="${typed}"`))
      assert.match(stale.words, new RegExp(`It now says: ${now}`))
    }
    assert.match(stale.html, /name="version" value="3"/, 'to save again is to decide')
    const { party_size, time, notes, guest_name } = await book.row(id)
    assert.deepEqual([party_size, time, notes, guest_name], [4, '20:00', 'Window', 'Maya'])
  })

  it('what is typed of a party is kept as in every other form: lines end alike, and a field that cannot be kept is named', async () => {
    const { book, host } = await open(dinner({}))
    const id = await book.booking('Confirmed', { date: '2026-10-08' })
    const edit = (more: Record<string, string>) =>
      host.post(`/office/bookings/${id}/edits`, {
        ...{ version: '1', date: '2026-10-08', time: '19:00', partySize: '2', guestName: 'Maya' },
        ...more,
      })
    for (const [more, sentence] of [
      [{ guestName: 'x'.repeat(201) }, 'The name must have at most 200 characters.'],
      [{ guestName: 'Ma\u0000ya' }, 'The name must not hold control characters.'],
      [{ email: 'maya@' }, 'The email must be an email address such as name@example.com'],
    ] as const) {
      const refused = await edit(more)
      assert.equal(refused.status, 400, sentence)
      assert.ok(refused.words.includes(sentence), refused.words)
    }
    assert.equal((await edit({ notes: 'Window\r\nHigh chair' })).status, 303)
    assert.equal((await book.row(id)).notes, 'Window\nHigh chair')
  })

  it('shows script in any text field as text', async () => {
    const { book, host } = await open()
    const script = `<script>alert(1)</script>"'`
    const id = await book.booking('Confirmed', { date: '2026-10-09' })
    const sent = await host.post(`/office/bookings/${id}/edits`, {
      version: '1',
      date: '2026-10-09',
      time: '19:00',
      partySize: '2',
      guestName: script,
      phone: script,
      notes: script,
    })
    assert.equal(sent.status, 303)
    const manager = await signedIn(book, 'manager')
    for (const path of [
      '/office/today?date=2026-10-09',
      '/office/today?date=2026-10-09&view=timeline',
      `/office/bookings/${id}`,
    ]) {
      const { html } = await manager.get(path)
      assert.ok(!html.includes('<script>alert'), path)
      assert.ok(html.includes('&lt;script&gt;alert'), path)
      assert.ok(!/ style=| onclick=|javascript:/.test(html), path)
    }
    const bad = await host.post(`/office/bookings/${id}/edits`, { version: '2', date: script, time: script })
    assert.equal(bad.status, 400)
    assert.ok(!bad.html.includes('<script>alert'))
    const nul = await host.post(`/office/bookings/${id}/edits`, {
      version: '2',
      date: '2026-10-09',
      time: '19:00',
      partySize: '2',
      guestName: 'a\0b',
    })
    assert.equal(nul.status, 400)
  })

  it('goes back only to pages of the office', async () => {
    const { book, host } = await open()
    const id = await book.booking('Confirmed')
    const answer = await host.post(`/office/bookings/${id}/moves`, {
      version: '1',
      status: 'Confirmed',
      move: 'arrive',
      back: 'https://evil.example/office/today',
    })
    assert.equal(answer.to, `/office/today#b${id}`)
  })

  it('renews itself: 204 while nothing changed, the new book after any change', async () => {
    const { book, host } = await open()
    const { html } = await host.get('/office/today')
    const asks = /hx-get="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    assert.equal((await asHtmx(host, asks)).status, 204)
    const made = await service.call('POST', '/api/v1/reservations', {
      key: book.venue.key,
      body: { guestName: 'From outside', partySize: 2, date: '2026-10-07', time: '19:00' },
      headers: { 'idempotency-key': 'one' },
    })
    assert.equal(made.status, 201, made.text)
    const renewed = await asHtmx(host, asks)
    assert.equal(renewed.status, 200)
    const part = await renewed.text()
    assert.match(part, /^<section\s+id="book"/)
    assert.match(part, /From outside/)
    const next = /hx-get="([^"]+)"/.exec(part)?.[1]?.replaceAll('&amp;', '&') ?? ''
    assert.equal((await asHtmx(host, next)).status, 204)
    service.setClock('2026-10-06T23:21:00Z')
    assert.equal((await asHtmx(host, next)).status, 200, 'lateness counts on')
    service.setClock(evening)
  })

  it('a list that renews itself does not take the sentence meant for the next page', async () => {
    const { book, host } = await open()
    await press(book, host, await book.booking('Confirmed'), 'seat')
    assert.ok(
      !(await (await asHtmx(host, '/office/today?seen=old')).text()).includes('Maya, 2 guests: seated'),
    )
    assert.match((await host.get('/office/today')).html, /Maya, 2 guests: seated/)
    assert.ok(!(await host.get('/office/today')).html.includes('Maya, 2 guests: seated'))
  })

  it('two forms at once leave two sentences, and no page says that of another', async () => {
    const { book, host } = await open()
    const [one, other] = [
      await book.booking('Confirmed'),
      await book.booking('Confirmed', { guestName: 'Ada' }),
    ]
    await Promise.all([press(book, host, one, 'seat'), press(book, host, other, 'arrive')])
    assert.doesNotMatch((await host.get('/office/waitlist')).words, /: seated|: here/)
    await host.post('/office/waitlist', {})
    const { words } = await host.get('/office/today')
    assert.match(words, /Maya, 2 guests: seated/)
    assert.match(words, /Ada, 2 guests: here/)
    assert.doesNotMatch((await host.get('/office/today')).words, /: seated|: here/)
    await press(book, host, other, 'undoArrive')
    service.setClock('2026-10-06T23:25:00Z')
    assert.doesNotMatch(
      (await host.get('/office/today')).words,
      /not here yet\./,
      'too late to be about this',
    )
    service.setClock(evening)
  })

  it('no party is larger than a venue can have, however it is entered', async () => {
    const { book, host } = await open()
    const asked = { partySize: '10001', date: '2026-10-06', time: '21:00', guestName: 'Maya' }
    const most = /A party can have at most 10,000 guests; check the number\./
    const fresh = async (path: string) => ({ ...asked, token: tokenIn(await host.get(path)) })
    for (const [to, form] of [
      ['/office/bookings', await fresh('/office/bookings/new')],
      ['/office/waitlist', await fresh('/office/waitlist')],
    ] as const) {
      const refused = await host.post(to, form)
      assert.equal(refused.status, 400, to)
      assert.match(refused.words, most, to)
    }
    const id = await book.booking('Confirmed')
    const resized = await host.post(`/office/bookings/${id}/edits`, { ...asked, version: '1' })
    assert.equal(resized.status, 400)
    assert.match(resized.words, most)
    const live = await host.get('/office/bookings/reasons?date=2026-10-06&time=21:00&partySize=999999999')
    assert.match(live.words, most)
    const [{ parties } = {}] = await book.query(
      'select count(*)::int as parties from reservation where venue_id = $1',
      [book.venue.id],
    )
    assert.equal(parties, 1)
  })

  it('a booking at the table says "Seated" once, and the stage of its meal once there is one', async () => {
    const { book, host } = await open()
    const id = await book.booking('Confirmed')
    await press(book, host, id, 'seat')
    const [{ floor_stage: stage } = {}] = await book.query(
      'select floor_stage from reservation where venue_id = $1 and id = $2',
      [book.venue.id, id],
    )
    assert.equal(stage, 'Seated')
    const rowOf = async () =>
      new RegExp(`<li id="b${id}".*?</form>`, 's').exec((await host.get('/office/today')).html)?.[0] ?? ''
    assert.equal((await rowOf()).match(/>\s*Seated\s*<|· Seated/g)?.length, 1)
    await press(book, host, id, 'setFloorStage:Mains')
    assert.match(await rowOf(), /· Mains/)
  })

  it('with htmx a press answers with the book and what came of it, with its undo', async () => {
    const { book, host } = await open()
    const id = await book.booking('Confirmed')
    const fields = { version: '1', status: 'Confirmed', back: '/office/today', move: 'seat' }
    const text = await (await asHtmx(host, `/office/bookings/${id}/moves`, fields)).text()
    assert.match(text, /id="book"/)
    assert.match(text, /id="said"[^>]*hx-swap-oob="true"/)
    assert.match(text, /Maya, 2 guests: seated/)
    assert.match(text, /value="undoSeat"[^>]*>\s*Undo/)
    const other = { ...fields, move: 'markNoShow' }
    assert.match(await (await asHtmx(host, `/office/bookings/${id}/moves`, other)).text(), /has changed/)
  })

  it('a no-show that comes back into a full slot asks before it goes over the cap', async () => {
    const { book, host } = await open(dinner({ pacing: { intervalMinutes: 15, maxCovers: 4 } }))
    const id = await book.booking('No-show', { partySize: 2 })
    await book.booking('Confirmed', { partySize: 4 })
    const asked = await press(book, host, id, 'undoNoShow')
    assert.equal(asked.status, 409)
    assert.match(asked.html, /6 of 4/)
    assert.match(asked.html, /name="confirmed" value="pacing-covers-full:6"/)
    const { version, status } = await book.row(id)
    const again = await host.post(`/office/bookings/${id}/moves`, {
      version: String(version),
      status,
      move: 'undoNoShow',
      confirmed: 'pacing-covers-full:6',
    })
    assert.equal(again.status, 303)
    assert.equal((await book.row(id)).status, 'Confirmed')
  })

  it('shows 10,000 bookings of the day, with 10,000 on other days, a page at a time', async () => {
    const { book, host } = await open()
    for (const date of ['2026-10-06', '2026-10-07']) {
      await book.query(
        `insert into reservation (venue_id, guest_name, party_size, date, time, service_date, service_minute, starts_at,
           duration_minutes, status, source, created_at, updated_at)
         select $1, 'Guest ' || n, 1 + n % 6, $2::date, time '17:00' + (n % 480) * interval '1 minute', $2::date,
           1020 + n % 480, ($2::date + time '17:00' + (n % 480) * interval '1 minute') at time zone 'America/New_York',
           90, case when n % 50 = 0 then 'Requested' else 'Confirmed' end, 'staff', now(), now()
           from generate_series(1, 10000) n`,
        [book.venue.id, date],
      )
    }
    await book.query('analyze reservation')
    await host.get('/office/today')
    for (const path of ['/office/today', '/office/today?view=timeline', '/office/today?page=30']) {
      const { status, headers } = await timed(`${path}, of 10,000 bookings`, 200, () => host.get(path))
      assert.equal(status, 200)
      assert.ok(Number(headers.get('content-length')) < 60 * 1024, 'packed')
    }
    assert.match((await host.get('/office/today?page=1')).html, /Page 2 of 67/)
  })

  it('is a page of the venue’s own time, on any day', async () => {
    service.setClock(aTuesdayAfternoon)
    const { host } = await open()
    assert.match((await host.get('/office/today')).html, /It is 3:00\sPM/)
    service.setClock('2026-10-07T05:30:00Z')
    assert.match(
      (await host.get('/office/today')).html,
      /Tuesday, October 6, 2026/,
      'the service runs until two',
    )
    service.setClock(evening)
  })
})
