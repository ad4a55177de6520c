import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readFileSync } from 'node:fs'
import { type TestBook, dinner, staff } from '../../../book/reservations/test/book.ts'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../test/office.ts'
import { fieldsIn } from '../../../test/office-forms.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { expireOffers } from '../../../book/waitlist/jobs.ts'
import { timed } from '../../../test/run/timed.ts'
import { places, reviewerPlaces } from '../frame/places.ts'
import { iconFile } from '../parts/icon.ts'

const evening = '2026-10-06T23:40:00Z' // 19:40 in New York

describe('the service screen', () => {
  let service: TestService
  before(async () => {
    service = await startService()
    service.setClock(evening)
  })
  after(() => service.stop())

  const open = (document?: object) => hostAtBook(service, document)
  const live = (host: OfficeVisitor, path: string, fields?: Record<string, string>) =>
    fetch(service.url + path, {
      method: fields ? 'POST' : 'GET',
      ...(fields && { body: new URLSearchParams(fields) }),
      headers: { cookie: host.cookie(), origin: service.url, 'hx-request': 'true' },
    })
  /** The names of a list, in its order. */
  const namesIn = (html: string, id: string): string[] => {
    const list =
      new RegExp(`<section class="list ${id}"[^]*?</section>\\s*(?=<section class="list|</div>)`).exec(
        html,
      )?.[0] ?? ''
    return Array.from(list.matchAll(/class="row-name[^>]*>([^<]+)</g), ([, name]) => (name as string).trim())
  }
  const move = async (book: TestBook, host: OfficeVisitor, id: number, name: string) => {
    const { version, status } = await book.row(id)
    return host.post(`/office/bookings/${id}/moves`, {
      version: String(version),
      status,
      back: '/office/service',
      move: name,
    })
  }

  it('calls tonight no last visit of who has sat down', async () => {
    const { book, host } = await open(dinner())
    const id = await book.booking('Confirmed', {
      time: '19:30',
      guestName: 'Ruth Feldman',
      email: 'ruth@example.com',
    })
    await book.query(
      "update guest set visit_count = 3, last_visit_date = '2026-09-12', staff_notes = 'Asks for Ben' where venue_id = $1",
      [book.venue.id],
    )
    const peeked = async () =>
      (/class="peek-words[^]*?<\/dl>/.exec((await host.get('/office/service')).html)?.[0] ?? '')
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
    assert.match(await peeked(), /Last visit Saturday, September 12, 2026, 3 visits in total/)
    await book.act((work) => moveReservation(work, staff('host'), { id, move: 'seat' }))
    assert.match(await peeked(), /Visits \d+ visits?, with tonight/)
    assert.doesNotMatch(await peeked(), /Last visit/)
  })

  it('a guest who phones not to come, before or after the time, is cancelled at once, and that is undone until the evening is over', async () => {
    const { book, host } = await open()
    const early = await book.booking('Confirmed', { guestName: 'Early', time: '20:15' })
    const late = await book.booking('Confirmed', { guestName: 'Late', time: '19:15' })
    const { html } = await host.get('/office/service')
    const rowOf = (id: number) => new RegExp(`<li id="b${id}"[^]*?</form>`).exec(html)?.[0] ?? ''
    for (const id of [early, late]) {
      assert.match(rowOf(id), /value="cancel:guest"[^>]*>\s*Not coming: guest called/)
      await move(book, host, id, 'cancel:guest')
      const page = await host.get('/office/service')
      assert.match(page.words, /cancelled for the guest/)
      assert.match(page.html, /<button>Undo<\/button>/)
      await move(book, host, id, 'undoCancel')
      assert.deepEqual([(await book.row(id)).status, (await book.row(id)).cancelled_by], ['Confirmed', null])
    }
  })

  it('a long list shows its first rows and leads to the rest, where a press stays', async () => {
    const { book, host } = await open()
    await book.query(
      `insert into reservation (venue_id, guest_name, party_size, date, time, service_date, service_minute, starts_at,
                                duration_minutes, status, source, created_at, updated_at)
       select $1, 'Party ' || n, 2, '2026-10-06', '20:00', '2026-10-06', 1200, '2026-10-07T00:00Z', 90, 'Confirmed',
              'staff', now(), now()
         from generate_series(1, 43) n`,
      [book.venue.id],
    )
    const all = Array.from({ length: 43 }, (_, i) => `Party ${i + 1}`)
    const short = await host.get('/office/service')
    assert.deepEqual(namesIn(short.html, 'arriving'), all.slice(0, 40))
    assert.match(short.html, /Arriving<\/h2>\s*<span class="amount">43</)
    const [, path = '', anchor = ''] =
      /href="(\/office\/service\?all=1)#(b\d+)"\s*>Show 3 more</.exec(short.html) ?? []
    const whole = await host.get(path)
    assert.deepEqual(namesIn(whole.html, 'arriving'), all)
    assert.match(whole.html, new RegExp(`id="${anchor}"[^]*?Party 41<`))
    assert.match(whole.html, /hx-get="\/office\/service\?all=1&amp;seen=/)
    const id = Number(anchor.slice(1))
    const { version, status } = await book.row(id)
    const sent = { version: String(version), status, back: path, move: 'arrive' }
    const renewed = await (await live(host, `/office/bookings/${id}/moves`, sent)).text()
    assert.deepEqual(namesIn(renewed, 'waiting'), ['Party 41'])
    assert.equal(namesIn(renewed, 'arriving').length, 42)
  })

  it('without tables a party goes from arriving to done, and each list has whom it should', async () => {
    const { book, host } = await open()
    const late = await book.booking('Confirmed', { guestName: 'Late Lena', time: '19:15' })
    await book.booking('Confirmed', { guestName: 'Later Noor', time: '20:15' })
    await book.booking('Confirmed', { guestName: 'Missing Max', time: '17:30' })
    await book.booking('Seated', { guestName: 'Seated Sam', time: '18:00' })
    await book.booking('Cancelled', { guestName: 'Gone Gina' })
    await book.booking('Confirmed', { guestName: 'Tomorrow Tom', date: '2026-10-07' })
    const seen = await host.get('/office/service')
    assert.equal(seen.status, 200)
    assert.deepEqual(namesIn(seen.html, 'arriving'), ['Late Lena', 'Later Noor', 'Missing Max'])
    assert.match(seen.html, /Never came\?/, 'long late ones are folded below')
    assert.deepEqual(namesIn(seen.html, 'seated'), ['Seated Sam', 'Gone Gina'])
    assert.ok(!seen.html.includes('Tomorrow Tom'))
    assert.equal((await move(book, host, late, 'arrive')).to, `/office/service#b${late}`)
    assert.deepEqual(namesIn((await host.get('/office/service')).html, 'waiting'), ['Late Lena'])
    await move(book, host, late, 'seat')
    assert.ok(namesIn((await host.get('/office/service')).html, 'seated').includes('Late Lena'))
    await move(book, host, late, 'complete')
    assert.equal((await book.row(late)).status, 'Completed')
  })

  it('an arrived party is no no-show, at every door, until the arrival is undone', async () => {
    const { book, host } = await open()
    const id = await book.booking('Confirmed', { guestName: 'Lena', time: '19:00' })
    assert.match((await host.get('/office/service')).html, /No-show…[^]*value="markNoShow"/, 'asks once')
    await move(book, host, id, 'arrive')
    assert.doesNotMatch((await host.get('/office/service')).html, /value="markNoShow"/)
    assert.doesNotMatch((await host.get(`/office/bookings/${id}`)).html, /value="markNoShow"/)
    await move(book, host, id, 'markNoShow')
    assert.equal((await book.row(id)).status, 'Confirmed')
    assert.match(
      (await host.get('/office/service')).words,
      /marked as here, so it is not a no-show; undo the arrival first/,
    )
    const direct = await book.act((work) => moveReservation(work, staff('owner'), { id, move: 'markNoShow' }))
    assert.equal(direct.kind, 'refused')
    await move(book, host, id, 'undoArrive')
    await move(book, host, id, 'markNoShow')
    assert.equal((await book.row(id)).status, 'No-show')
  })

  it('no page offers the no-show of an arrived party, and no form does it, at any door', async () => {
    const { book, host } = await open(dinner(tablesOf([{ label: '1', most: 4 }])))
    await turnTablesOn(service, book.venue)
    const id = await book.booking('Confirmed', { guestName: 'Lena', time: '19:00' })
    const [table] = await book.query('select id from dining_table where venue_id = $1', [book.venue.id])
    const pages = [
      '/office/service',
      '/office/floor',
      `/office/tables/${String(table?.id)}`,
      '/office/grid',
      '/office/today',
      '/office/today?view=floor',
      '/office/today?view=timeline',
      `/office/bookings/${id}`,
      `/office/bookings/${id}/table`,
      '/office/search?q=lena',
      '/office/waitlist',
    ]
    const offering = async (path: string): Promise<boolean> => {
      const whole = await host.get(path)
      assert.equal(whole.status, 200, path)
      const renewed = await (await live(host, path)).text()
      return /value="markNoShow/.test(whole.html) || /value="markNoShow/.test(renewed)
    }
    const doors: string[] = []
    for (const path of pages) if (await offering(path)) doors.push(path)
    assert.deepEqual(doors, ['/office/service', '/office/floor', '/office/today', `/office/bookings/${id}`])
    const seen = await book.row(id)
    await move(book, host, id, 'arrive')
    for (const path of pages) assert.equal(await offering(path), false, path)
    for (const shown of [seen, await book.row(id)]) {
      const fields = { version: String(shown.version), status: shown.status, move: 'markNoShow' }
      for (const back of pages) {
        await host.post(`/office/bookings/${id}/moves`, { ...fields, back })
        await (await live(host, `/office/bookings/${id}/moves`, { ...fields, back })).text()
      }
    }
    const row = await book.row(id)
    assert.deepEqual([row.status, row.no_show_at], ['Confirmed', null])
    // The API has no such move, and takes no status.
    const { key } = book.venue
    for (const [method, path] of [
      ['PATCH', `/api/v1/reservations/${id}`],
      ['POST', `/api/v1/reservations/${id}/no-show`],
    ] as const) {
      const { status } = await service.call(method, path, {
        key,
        body: { status: 'No-show' },
        headers: { 'if-match': '*', 'idempotency-key': crypto.randomUUID() },
      })
      assert.ok(status >= 400 && status < 500, `${method} ${status}`)
    }
    assert.equal((await book.row(id)).status, 'Confirmed')
  })

  it('a screen that asks is answered 204 until something changes, then with the lists and the clock', async () => {
    const { book, host } = await open()
    const { html } = await host.get('/office/service')
    const asks = /hx-get="(\/office\/service\?seen[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    assert.equal((await live(host, asks)).status, 204)
    const id = await book.booking('Confirmed', { guestName: 'Lena', time: '19:30' })
    await move(book, host, id, 'arrive')
    const renewed = await live(host, asks)
    const part = await renewed.text()
    assert.match(part, /^<section\s+id="book"/)
    assert.deepEqual(namesIn(part, 'waiting'), ['Lena'])
    assert.match(part, /id="clock"[^>]*hx-swap-oob/)
  })

  it('the screens of each venue renew once a minute, those of many venues not in the same second', async () => {
    const venues = [await open(), await open(), await open()]
    const asks = new Map<OfficeVisitor, string>()
    const askedIn = (html: string) =>
      /hx-get="(\/office\/service\?seen[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    for (const { host } of venues) asks.set(host, askedIn((await host.get('/office/service')).html))
    const start = Temporal.Instant.from(evening)
    const renewed = new Map<OfficeVisitor, number[]>()
    for (let second = 1; second <= 120; second++) {
      service.setClock(start.add({ seconds: second }).toString())
      for (const { host } of venues) {
        const answer = await live(host, asks.get(host) ?? '')
        if (answer.status === 204) continue
        asks.set(host, askedIn(await answer.text()))
        renewed.set(host, [...(renewed.get(host) ?? []), second])
      }
    }
    service.setClock(evening)
    const seconds = [...renewed.values()]
    for (const [one = 0, other = 0, ...more] of seconds) assert.deepEqual([other - one, more], [60, []])
    assert.equal(new Set(seconds.map(([first]) => first)).size, venues.length)
  })

  it('a screen knows beforehand what it says in the next minute', async () => {
    const { book, host } = await open()
    await book.booking('Confirmed', { guestName: 'Late Lena', time: '19:15' })
    await book.booking('Confirmed', { guestName: 'Soon Sven', time: '19:41' })
    await book.booking('Confirmed', { guestName: 'Later Noor', time: '20:15' })
    await book.booking('Seated', { guestName: 'Seated Sam', time: '18:00' })
    const rowsIn = (html: string) =>
      Array.from(html.matchAll(/<span class="row-when"[^]*?<\/a/g), ([row]) => row)
    const wordsOf = (html: string) =>
      [/id="clock"[^]*?<small/.exec(html)?.[0] ?? '', ...rowsIn(html)].map((one) =>
        one.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
      )
    service.setClock('2026-10-06T23:40:20Z')
    const { html } = await host.get('/office/service')
    const turned = html.replaceAll(/<span data-next="([^"]*)">[^<]*</g, '<span>$1<')
    service.setClock('2026-10-06T23:41:00Z')
    const next = (await host.get('/office/service')).html
    service.setClock(evening)
    assert.deepEqual(wordsOf(turned), wordsOf(next))
    assert.notDeepEqual(wordsOf(html), wordsOf(next))
    assert.match(wordsOf(next).join(), /7:41[^]*26 late[^]*now[^]*in 34/)
  })

  it('a walk-in: a press on the size makes nothing and says what is possible; the next seats them or lets them wait', async () => {
    const { book, host } = await open(dinner({ pacing: { intervalMinutes: 15, maxCovers: 4 } }))
    const asked = await (await live(host, '/office/service/pad?size=3')).text()
    assert.match(asked, /There is room to seat them now/)
    const token = /name="token" value="([^"]+)"/.exec(asked)?.[1] ?? ''
    const fields = { token, partySize: '3', guestName: 'Ana', phone: '' }
    const seated = await (await live(host, '/office/service/walk-ins', fields)).text()
    assert.match(seated, /Ana, 3 guests: seated/)
    assert.deepEqual(namesIn(seated, 'seated'), ['Ana'])
    const full = await (await live(host, '/office/service/pad?size=2')).text()
    assert.match(full, /5 of 4/)
    assert.match(full, /Seat anyway/)
    const next = { ...fields, token: crypto.randomUUID(), partySize: '2', guestName: 'Ben' }
    assert.match(await (await live(host, '/office/service/walk-ins', next)).text(), /Nobody was seated/)
    const line = { ...next, token: crypto.randomUUID(), wait: '20' }
    assert.match(
      await (await live(host, '/office/service/walk-ins', line)).text(),
      /on the waitlist, quoted 20 minutes/,
    )
    assert.deepEqual(namesIn((await host.get('/office/service')).html, 'waiting'), ['Ben'])
    const rows = await book.query('select guest_name from reservation where venue_id = $1', [book.venue.id])
    assert.deepEqual(rows, [{ guest_name: 'Ana' }])
  })

  it('what was confirmed for a walk-in is not asked again after the question whose phone it is', async () => {
    const { book, host } = await open(dinner({ pacing: { intervalMinutes: 15, maxCovers: 4 } }))
    const phone = '212 555 0100'
    await book.booking('Confirmed', { guestName: 'Bo Larsen', phone, partySize: 4, time: '19:30' })
    const full = await host.get('/office/service?size=2')
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(full.html)?.[1] ?? ''
    assert.match(confirmed, /:6$/)
    const sent = { token: crypto.randomUUID(), partySize: '2', guestName: 'Ana', phone, confirmed }
    const asked = await host.post('/office/service/walk-ins', sent)
    assert.match(asked.words, /Bo Larsen has this phone/)
    await host.post('/office/service/walk-ins', { ...fieldsIn(asked), guest: 'new' })
    assert.match((await host.get('/office/service')).words, /Ana, 2 guests: seated/)
  })

  it('a walk-in whose table somebody else took keeps what was typed, at the next table', async () => {
    const tables = ['B1', 'B2'].map((label) => ({ label, most: 2 }))
    const { book, host } = await open(dinner(tablesOf(tables)))
    await turnTablesOn(service, book.venue)
    const ids = await book.query('select id::int from dining_table where venue_id = $1 order by label', [
      book.venue.id,
    ])
    const press = (more: Record<string, string>) => ({
      ...{ token: crypto.randomUUID(), partySize: '2', tables: String(ids[0]?.id) },
      ...more,
    })
    await live(host, '/office/service/walk-ins', press({}))
    const typed = press({ guestName: 'Mo', phone: '212 555 0101' })
    const late = await (await live(host, '/office/service/walk-ins', typed)).text()
    const pad = late.slice(late.indexOf('id="pad-answer"'))
    assert.match(pad, /Table B1 is taken by a party with no name[^]*?Nobody was seated\./)
    assert.match(pad, /name="guestName"[^>]*value="Mo"[^]*name="phone"[^>]*value="212 555 0101"/)
    assert.match(pad, /Seat 2 at B2/)
    const [, tables2 = ''] = /name="tables" value="(\d+)"/.exec(pad) ?? []
    assert.equal(tables2, String(ids[1]?.id))
    const whole = await host.post('/office/service/walk-ins', { ...typed, token: crypto.randomUUID() })
    assert.equal(whole.status, 409)
    assert.match(whole.words, /Nobody was seated\.[^]*Seat 2 at B2/)
  })

  it('an arrival that was taken back by mistake is taken back again', async () => {
    const { book, host } = await open()
    const id = await book.booking('Confirmed', { guestName: 'Ana', time: '19:30' })
    await move(book, host, id, 'arrive')
    await move(book, host, id, 'undoArrive')
    const { html } = await host.get('/office/service')
    assert.match(html, /name="move" value="arrive"[^>]*>\s*(?:<button>)?Undo/)
  })

  it('a walk-in pressed twice is made once, and both presses get the same answer with its undo', async () => {
    const { book, host } = await open(dinner({ pacing: { intervalMinutes: 15, maxCovers: 4 } }))
    const at = '/office/service/walk-ins'
    /** The last line: what came of the press, and its undo. */
    const saidTo = async (sent: Record<string, string>) =>
      /<div id="said"[^]*$/.exec(await (await live(host, at, sent)).text())?.[0] ?? ''
    const twice = async (sent: Record<string, string>) => {
      const both = await Promise.all([saidTo(sent), saidTo(sent)])
      assert.equal(both[0], both[1])
      assert.equal(await saidTo(sent), both[0])
      return both[0]
    }
    const pressed = (more: Record<string, string>) => ({
      token: crypto.randomUUID(),
      partySize: '3',
      guestName: 'Ana',
      phone: '',
      back: '/office/service',
      ...more,
    })
    const seat = pressed({})
    assert.match(await twice(seat), /Ana, 3 guests: seated\.[^]*walk-ins\/\d+\/undo[^]*Undo/)
    const other = await saidTo({ ...seat, guestName: 'Ben' })
    assert.match(other, /already submitted this form with different details[^]*Nothing was added this time/)

    const full = pressed({ guestName: 'Cid' })
    assert.match(await twice(full), /Nobody was seated/, 'nothing was made: the question is asked again')
    const confirmed = { ...full, confirmed: 'pacing-covers-full:6' }
    assert.match(await twice(confirmed), /Cid, 3 guests: seated/)

    const wait = pressed({ guestName: 'Dee', wait: '20' })
    const waits = await twice(wait)
    assert.match(waits, /Dee, 3 guests: on the waitlist, quoted 20 minutes\.[^]*value="leave"[^]*Undo/)
    const undo = Object.fromEntries(
      Array.from(waits.matchAll(/name="(version|status|back|undo)" value="([^"]*)"/g), ([, name, value]) => [
        name,
        value,
      ]),
    )
    const moves = /action="(\/office\/waitlist\/\d+\/moves)"/.exec(waits)?.[1] ?? ''
    assert.match(
      await (await live(host, moves, { ...undo, move: 'leave' })).text(),
      /Dee, 3 guests: not on the waitlist after all/,
    )
    assert.doesNotMatch(await saidTo(wait), /Undo/, 'of a party that something happened to since')

    const first = await host.post(at, pressed({ guestName: 'Eve', wait: '20' }))
    assert.match(first.to ?? '', /^\/office\/service#w\d+$/)
    assert.deepEqual(
      await book.query('select guest_name from reservation where venue_id = $1 order by id', [book.venue.id]),
      [{ guest_name: 'Ana' }, { guest_name: 'Cid' }],
    )
    assert.deepEqual(
      await book.query('select guest_name from waitlist_entry where venue_id = $1 order by id', [
        book.venue.id,
      ]),
      [{ guest_name: 'Dee' }, { guest_name: 'Eve' }],
    )
  })

  it('a press that is sent again, as its answer was lost, is made once and answered as the first', async () => {
    const { book, host } = await open()
    const id = await book.booking('Confirmed', { guestName: 'Zain', time: '19:30' })
    const saidTo = async (to: string, fields: Record<string, string>) =>
      /<div id="said"[^]*$/.exec(await (await live(host, to, fields)).text())?.[0] ?? ''
    let now = Temporal.Instant.from(evening)
    for (const [pressed, words] of [
      ['arrive', 'here'],
      ['seat', 'seated'],
      ['setFloorStage:Ordered', 'ordered'],
      ['setFloorStage:Mains', 'entrées served'],
      ['complete', 'left'],
    ] as const) {
      // Some presses do not count as an update of the booking for the API's lists: none may go by that moment.
      service.setClock((now = now.add({ minutes: 1 })).toString())
      const { version, status } = await book.row(id)
      const sent = { version: String(version), status, back: '/office/service', move: pressed }
      const at = `/office/bookings/${id}/moves`
      const first = await saidTo(at, sent)
      assert.match(first, new RegExp(`Zain, 2 guests: ${words}\\.`))
      assert.equal(await saidTo(at, sent), first, pressed)
      assert.equal((await book.row(id)).version, version + 1)
      assert.match(
        await saidTo(at, { ...sent, move: pressed === 'arrive' ? 'seat' : 'arrive' }),
        /has changed[^]*Nothing was done|already/,
        'another press on the same page',
      )
    }
    const { version, status } = await book.row(id)
    const undone = { version: String(version), status, back: '/office/service', move: 'undoComplete' }
    const other = visitOffice(service)
    await other.signIn((await staffOf(service, book.venue, 'manager')).email)
    await live(host, `/office/bookings/${id}/moves`, undone)
    assert.match(
      await (await live(other, `/office/bookings/${id}/moves`, undone)).text(),
      /has changed[^]*Nothing was done/,
      'of two people the second reads why',
    )

    await live(host, '/office/service/walk-ins', {
      token: crypto.randomUUID(),
      partySize: '2',
      guestName: 'Dee',
      wait: '20',
    })
    const [entry] = await book.query('select id from waitlist_entry where venue_id = $1', [book.venue.id])
    const moves = `/office/waitlist/${String(entry?.id)}/moves`
    const page = { version: '1', status: 'waiting', back: '/office/service', move: 'page' }
    const paged = await saidTo(moves, page)
    assert.match(paged, /Dee, 2 guests: paged[^]*Undo/)
    assert.equal(await saidTo(moves, page), paged)
    service.setClock(evening)
  })

  it('the Undo of a quote gives back what the party was promised, and since when', async () => {
    const { book, host } = await open()
    await live(host, '/office/service/walk-ins', {
      token: crypto.randomUUID(),
      partySize: '3',
      guestName: 'Dee',
      wait: '20',
    })
    const promise = async () => {
      const [row] = await book.query(
        'select id, version, quoted_minutes, quoted_at, quoted_by_hand from waitlist_entry where venue_id = $1',
        [book.venue.id],
      )
      const { id, version, ...quote } = row ?? {}
      return { id: Number(id), version: String(version), quote }
    }
    const { id, version, quote } = await promise()
    service.setClock('2026-10-07T00:00:00Z')
    const sent = { version, status: 'waiting', back: '/office/service', move: 'quote', quotedMinutes: '70' }
    const said = await (await live(host, `/office/waitlist/${id}/moves`, sent)).text()
    assert.match(said, /Dee, 3 guests: quoted 70 minutes\.[^]*name="undo" value="1"[^]*value="quote"[^]*Undo/)
    const after = await promise()
    assert.notDeepEqual(after.quote, quote)
    const undo = {
      version: after.version,
      status: 'waiting',
      back: '/office/service',
      move: 'quote',
      undo: '1',
    }
    assert.match(
      await (await live(host, `/office/waitlist/${id}/moves`, undo)).text(),
      /Dee, 3 guests: quoted 20 minutes, as before\./,
    )
    assert.deepEqual((await promise()).quote, quote)
    service.setClock(evening)
  })

  it('of a number that several guests have up to three are offered, the most visits first', async () => {
    const { book, host } = await open()
    const guest = (name: string | null, visits: number) =>
      book.query(
        `insert into guest (venue_id, name, phone, phone_key, staff_notes, visit_count, created_at, updated_at)
         values ($1, $2, '(212) 555-0100', '2125550100', '', $3, now(), now())`,
        [book.venue.id, name, visits],
      )
    for (const [name, visits] of [
      ['Berta Newname', 0],
      ['Rita Regular', 12],
      [null, 20],
      ['Carl', 3],
      ['Dora', 1],
    ] as const)
      await guest(name, visits)
    const sent = { token: crypto.randomUUID(), partySize: '2', phone: '212 555 0100' }
    const offered = async (guestName: string) => {
      const { status, html, words } = await host.post('/office/service/walk-ins', { ...sent, guestName })
      assert.equal(status, 409)
      const names = Array.from(
        html.matchAll(/name="guest" value="(?:\d+|new)">\s*([^<]+?)\s*</g),
        ([, name]) => name,
      )
      return { names, words, html }
    }
    const { names, words, html } = await offered('Ana')
    assert.deepEqual(names, [
      'Book for Rita Regular, 12 visits',
      'Book for Carl, 3 visits',
      'Book for Dora, 1 visit',
      'Make a new guest: Ana',
    ])
    assert.match(words, /Rita Regular, Carl and Dora have this phone/)
    assert.equal(
      (await offered('dora')).names[0],
      'Book for Dora, 1 visit',
      'the guest with that name comes first',
    )
    const [, rita = ''] = /name="guest" value="(\d+)"[^>]*>\s*Book for Rita/.exec(html) ?? []
    await host.post('/office/service/walk-ins', { ...sent, guestName: 'Ana', guest: rita })
    const [made] = await book.query('select guest_id from reservation where venue_id = $1', [book.venue.id])
    assert.equal(String(made?.guest_id), rita)
  })

  it('a walk-in whose number is known under another name is asked about before anybody is seated', async () => {
    const { book, host } = await open()
    const phone = '212 555 0100'
    await book.booking('Confirmed', { guestName: 'Bo Larsen', phone })
    const sent = { token: crypto.randomUUID(), partySize: '2', guestName: 'Ana', phone }
    const asked = await (await live(host, '/office/service/walk-ins', sent)).text()
    assert.match(asked, /id="pad-answer"[^]*Book for Bo Larsen[^]*Make a new guest: Ana/)
    const plain = await host.post('/office/service/walk-ins', sent)
    assert.equal(plain.status, 409)
    assert.match(plain.words, /Bo Larsen has this phone/)
    const names = () =>
      book.query(
        `select r.guest_name, g.name from reservation r join guest g on g.venue_id = r.venue_id and g.id = r.guest_id
          where r.venue_id = $1 order by r.id`,
        [book.venue.id],
      )
    assert.equal((await names()).length, 1, 'nobody is seated before the answer')
    await host.post('/office/service/walk-ins', { ...fieldsIn(plain), guest: 'new' })
    const bo = /name="guest" value="(\d+)"/.exec(asked)?.[1] ?? ''
    const again = { ...sent, token: crypto.randomUUID(), guestName: 'Bobby', guest: bo }
    assert.match(
      await (await live(host, '/office/service/walk-ins', again)).text(),
      /Bobby, 2 guests: seated/,
    )
    assert.deepEqual(await names(), [
      { guest_name: 'Bo Larsen', name: 'Bo Larsen' },
      { guest_name: 'Ana', name: 'Ana' },
      { guest_name: 'Bobby', name: 'Bo Larsen' },
    ])
  })

  it('a walk-in taken back by its Undo leaves no booking; with its seating undone it is still here', async () => {
    const { book, host } = await open()
    const seat = async (guestName: string) => {
      const fields = { token: crypto.randomUUID(), partySize: '2', guestName, phone: '' }
      const html = await (await live(host, '/office/service/walk-ins', fields)).text()
      const [, path = '', version = ''] =
        /action="(\/office\/service\/walk-ins\/\d+\/undo)"[^]*?name="version" value="(\d+)"/.exec(html) ?? []
      return { path, version, id: Number(/walk-ins\/(\d+)/.exec(path)?.[1]) }
    }
    const wrong = await seat('Wrong Table')
    assert.match(
      await (await live(host, wrong.path, { version: wrong.version })).text(),
      /Wrong Table, 2 guests: walk-in removed/,
    )
    assert.deepEqual(await book.query('select id from reservation where venue_id = $1', [book.venue.id]), [])
    const late = await seat('Too Late')
    await host.post(`/office/bookings/${late.id}/moves`, {
      version: late.version,
      status: 'Seated',
      back: '/office/service',
      move: 'setFloorStage:Ordered',
    })
    const stale = await (await live(host, late.path, { version: late.version })).text()
    assert.match(stale, /Nothing was done/, 'something happened to them since')
    await move(book, host, late.id, 'undoSeat')
    const { html } = await host.get('/office/service')
    assert.deepEqual([namesIn(html, 'arriving'), namesIn(html, 'waiting')], [[], ['Too Late']])
  })

  it('a walk-in taken back takes the guest along that it made, and no guest who was there, or on whom anything hangs since', async () => {
    const { book, host } = await open()
    const undone = async (guestName: string, phone: string, meanwhile = async (_guest: number) => {}) => {
      const fields = { token: crypto.randomUUID(), partySize: '2', guestName, phone }
      const html = await (await live(host, '/office/service/walk-ins', fields)).text()
      const [, path = '', version = ''] =
        /action="(\/office\/service\/walk-ins\/\d+\/undo)"[^]*?name="version" value="(\d+)"/.exec(html) ?? []
      const [made] = await book.query(
        'select id::int from guest where venue_id = $1 order by id desc limit 1',
        [book.venue.id],
      )
      await meanwhile(Number(made?.id))
      assert.match(await (await live(host, path, { version })).text(), /walk-in removed/)
    }
    const names = async () =>
      (await book.query('select name from guest where venue_id = $1 order by id', [book.venue.id])).map(
        ({ name }) => name,
      )
    await undone('Wrong Number', '212 555 0111')
    assert.deepEqual(await names(), [])
    const { key } = await book.venue.makeKey('read')
    const changes = await service.call('GET', '/api/v1/changes?kinds=guests&from=0', { key })
    assert.doesNotMatch(changes.text, /Wrong Number/)
    await undone('Booked Since', '212 555 0112', async (guest) => {
      const id = await book.booking('Confirmed', { guestName: 'Booked Since', partySize: 2, time: '21:00' })
      await book.query('update reservation set guest_id = $2 where id = $1', [id, guest])
    })
    assert.deepEqual(await names(), ['Booked Since'])
    // Matched by the phone: that press made nobody.
    await book.query('update reservation set guest_id = null where venue_id = $1', [book.venue.id])
    await undone('Booked Since', '212 555 0112')
    assert.deepEqual(await names(), ['Booked Since'])
  })

  it('a party that did not come back when paged is kept below those who wait, one press from the line', async () => {
    const { host } = await open()
    const party = { token: crypto.randomUUID(), partySize: '2', guestName: 'Ivy', quotedMinutes: '10' }
    await host.post('/office/waitlist', party)
    const id = /<li id="w(\d+)"/.exec((await host.get('/office/service')).html)?.[1] ?? ''
    const fields = { version: '1', status: 'waiting', back: '/office/service' }
    await host.post(`/office/waitlist/${id}/moves`, { ...fields, move: 'page' })
    service.setClock('2026-10-06T23:56:00Z')
    await expireOffers(service.context)
    const seen = await host.get('/office/service')
    service.setClock(evening)
    assert.match(seen.words, /Did not come back 1/)
    const row = new RegExp(`<li id="w${id}"[^]*?</form>`).exec(seen.html)?.[0] ?? ''
    assert.match(row, /Paged, did not come/)
    assert.match(row.replaceAll(/<[^>]*>/g, ''), /7:5\d\sPM\s*ended/)
    const version = /name="version" value="(\d+)"/.exec(row)?.[1] ?? ''
    const again = await live(host, `/office/waitlist/${id}/moves`, {
      ...fields,
      version,
      status: 'expired',
      move: 'rejoin',
    })
    assert.match(await again.text(), /Ivy, 2 guests: back on the waitlist/)
    assert.doesNotMatch((await host.get('/office/service')).words, /Did not come back/)
  })

  it('a stage pressed by mistake is undone by the Undo next to it, in the words of the dining room', async () => {
    const { book, host } = await open()
    const id = await book.booking('Seated', { guestName: 'Ana', time: '18:00' })
    const press = async (stage: string) => {
      const { version, status } = await book.row(id)
      const fields = {
        version: String(version),
        status,
        back: '/office/service',
        move: `setFloorStage:${stage}`,
      }
      return (await live(host, `/office/bookings/${id}/moves`, fields)).text()
    }
    await press('Starters')
    const html = await press('Mains')
    assert.match(html, /Ana, 2 guests: entrées served\./)
    assert.match(html, /value="setFloorStage:Starters">Undo/)
    await press('Starters')
    assert.equal((await book.row(id)).floor_stage, 'Starters')
  })

  it('a walk-in without script: the size is a page, and so is what came of it', async () => {
    const { host } = await open(dinner({ pacing: { intervalMinutes: 15, maxCovers: 2 } }))
    const asked = await host.get('/office/service?size=4')
    assert.match(asked.words, /4 of 2/)
    const token = /id="pad-answer"[^]*?name="token" value="([^"]+)"/.exec(asked.html)?.[1] ?? ''
    const sent = { token, partySize: '4', guestName: 'Ana' }
    const question = await host.post('/office/service/walk-ins', sent)
    assert.equal(question.status, 409)
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(question.html)?.[1] ?? ''
    const made = await host.post('/office/service/walk-ins', {
      ...sent,
      token: crypto.randomUUID(),
      confirmed,
    })
    assert.match(made.to ?? '', /^\/office\/service#b\d+$/)
    assert.match((await host.get('/office/service')).words, /Ana, 4 guests: seated/)
  })

  it('a waiting party is paged, quoted again, seated and put back from its row', async () => {
    const { host } = await open()
    await host.post('/office/waitlist', {
      token: crypto.randomUUID(),
      partySize: '2',
      guestName: 'Ivy',
      quotedMinutes: '10',
    })
    const { html } = await host.get('/office/service')
    const id = /<li id="w(\d+)"/.exec(html)?.[1] ?? ''
    const fields = { version: '1', status: 'waiting', back: '/office/service', move: 'page' }
    const paged = await (await live(host, `/office/waitlist/${id}/moves`, fields)).text()
    assert.match(paged, /^<section\s+id="book"/)
    assert.match(paged, /Ivy, 2 guests: paged/)
    assert.match(paged.replaceAll(/<[^>]*>/g, ''), /Paged, table held 15 min/)
    const seated = await live(host, `/office/waitlist/${id}/moves`, {
      ...fields,
      version: '2',
      status: 'offered',
      move: 'seatNow',
    })
    assert.deepEqual(namesIn(await seated.text(), 'seated'), ['Ivy'])
  })

  it('a new venue is shown five steps with what is done, managers until all is done', async () => {
    const { book, host } = await open({ periods: [] })
    const { words } = await host.get('/office/service')
    assert.match(words, /Five steps to your first service 0 of 5 done/)
    assert.match(words, /Set your hours/)
    assert.match(words, /No weekly opening hours are set; a manager can enter them under Settings, Hours\./)
    assert.doesNotMatch(words, /rules import/)
    await book.rules(dinner())
    assert.doesNotMatch(
      (await host.get('/office/service')).words,
      /Five steps/,
      'a host can take bookings now',
    )
    const manager = visitOffice(service)
    const { email } = await staffOf(service, book.venue, 'manager')
    await manager.signIn(email)
    const seen = async () => (await manager.get('/office/service')).words
    assert.match(await seen(), /2 of 5 done Set your hours [^.]*\. Done Set how many you can take [^.]*\. Go/)
    await book.rules(dinner({ pacing: { intervalMinutes: 15, maxCovers: 12, maxParties: null } }))
    await book.booking('Confirmed')
    const later = (await manager.get('/office/service')).html
    assert.match(later, /<details class="card steps-card"\s*>/, 'below a line once there are bookings')
    assert.match(await seen(), /4 of 5 done[^]*Add your phone and address [^.]*\. Go/)
    const before = service.context.clock()
    service.setClock(before.add({ hours: 31 * 24 }).toString())
    await manager.signIn(email)
    const old = await seen()
    assert.ok(old.includes('Shift notes') && !old.includes('Five steps'), 'no longer a new venue')
    service.setClock(before.toString())
    await manager.signIn(email)
    await book.query(
      `update venue set phone = '+1 212 555 0100', postal_address = '1 Main Street' where id = $1`,
      [book.venue.id],
    )
    const all = await seen()
    assert.ok(all.includes('Shift notes') && !all.includes('Five steps'), 'all is done')
  })

  it('an evening of 300 bookings and 40 waiting is packed into less than 15 KB', async () => {
    const { book, host } = await open()
    await book.query(
      `insert into reservation (venue_id, guest_name, party_size, date, time, service_date, service_minute, starts_at,
         duration_minutes, status, source, seated_at, checked_in_at, created_at, updated_at)
       select $1, 'Guest Number ' || n, 1 + n % 6, '2026-10-06', time '17:00' + (n % 360) * interval '1 minute', '2026-10-06',
         1020 + n % 360, (date '2026-10-06' + time '17:00' + (n % 360) * interval '1 minute') at time zone 'America/New_York',
         90, case n % 3 when 0 then 'Confirmed' when 1 then 'Seated' else 'Completed' end, 'staff',
         case when n % 3 > 0 then timestamptz '2026-10-06T23:00:00Z' end, case when n % 3 > 0 then timestamptz '2026-10-06T23:00:00Z' end, now(), now()
         from generate_series(1, 300) n`,
      [book.venue.id],
    )
    await book.query(
      `insert into waitlist_entry (venue_id, guest_name, party_size, date, service_date, status, source, quoted_minutes, quoted_at, created_at, updated_at)
       select $1, 'Waiting ' || n, 2, '2026-10-06', '2026-10-06', 'waiting', 'staff', 20, timestamptz '2026-10-06T23:20:00Z', timestamptz '2026-10-06T23:20:00Z', now()
         from generate_series(1, 40) n`,
      [book.venue.id],
    )
    const answer = await timed('the service screen of 300 bookings', 200, () =>
      fetch(`${service.url}/office/service`, { headers: { cookie: host.cookie(), 'accept-encoding': 'br' } }),
    )
    const { headers, status } = answer
    const html = await answer.text()
    assert.equal(status, 200)
    assert.deepEqual(
      ['arriving', 'waiting', 'seated'].map((id) => namesIn(html, id).length > 39),
      [true, true, true],
    )
    assert.ok(Number(headers.get('content-length')) < 15 * 1024, headers.get('content-length') ?? '')
  })

  it('every icon that a page asks for is in the file of icons', () => {
    for (const { icon } of [...places, ...reviewerPlaces])
      assert.match(iconFile.body, new RegExp(`id="${icon}"`), icon)
    for (const name of ['rows', 'chips', 'strips', 'lists', 'waiting', 'evening-clock']) {
      const text = readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8')
      for (const [, icon = ''] of text.matchAll(/icon\('([a-z0-9-]+)'/g))
        assert.ok(iconFile.body.includes(`id="${icon}"`), icon)
    }
  })
})
