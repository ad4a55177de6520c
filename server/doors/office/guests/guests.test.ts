import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import { rowsOf } from '../../../test/rows.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import {
  atWork,
  fieldsIn,
  followed,
  hiddenIn,
  idAt,
  make,
  versionOn,
  wordsOf,
} from '../../../test/office-forms.ts'
import { type TestService, startService } from '../../../test/service.ts'

describe('the guests of the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const add = (visitor: Parameters<typeof make>[0], fields: Record<string, string>) =>
    make(visitor, '/office/guests', fields)

  it('are added once, filled in if they exist, and found by name, email and number', async () => {
    const { visitor } = await atWork(service, 'host')
    const form = {
      name: 'Maya Okafor',
      email: 'maya@example.com',
      phone: '(212) 555-0147',
      token: 'a7d7a6a0-6a3e-4f0c-8a59-5d0c6f6f0001',
    }
    const id = idAt(await visitor.post('/office/guests', form))
    const again = await followed(visitor, await visitor.post('/office/guests', form))
    assert.ok(wordsOf(again).includes('This form was already sent; the guest is in the book once.'))
    const known = await add(visitor, { email: 'MAYA@example.com', phone: '646-555-0100' })
    assert.equal(idAt(known), id)
    const page = await followed(visitor, known)
    assert.ok(
      wordsOf(page).includes(
        'This guest was already in the book. They keep their own phone; what you typed is in the staff notes.',
      ),
    )
    assert.ok(wordsOf(page).includes('Another phone 646-555-0100'), 'what differs is in the notes')
    for (const q of ['okafor', 'maya ok', 'maya@example.com', '555 0147', '2125550147']) {
      const found = await visitor.get(`/office/guests?q=${encodeURIComponent(q)}`)
      assert.ok(found.html.includes(`/office/guests/${id}"`), q)
    }
    assert.ok(wordsOf(await visitor.get('/office/guests?q=nobody')).includes('No guests match “nobody”.'))
  })

  it('with a phone or an email of another name are asked about first; what was and was not taken over is said', async () => {
    const { visitor } = await atWork(service, 'manager')
    const ryan = idAt(await add(visitor, { name: 'Ryan Brooks', phone: '212 555 0191' }))
    const typed = { name: 'Marisol Quintero', email: 'marisol@example.com', phone: '(212) 555-0191' }
    const asked = await add(visitor, { ...typed, notes: 'Likes the patio', vip: 'yes' })
    assert.equal(asked.status, 409)
    assert.match(asked.words, /Ryan Brooks has this phone/)
    assert.match(asked.words, /Add this to Ryan Brooks Make a new guest: Marisol Quintero/)
    assert.doesNotMatch((await visitor.get(`/office/guests/${ryan}`)).words, /marisol@example\.com/)

    const carried = fieldsIn(asked)
    const fresh = await visitor.post('/office/guests', { ...carried, guest: 'new' })
    const marisol = idAt(fresh)
    assert.notEqual(marisol, ryan)
    const shown = await followed(visitor, fresh)
    assert.match(shown.words, /Guest added\./)
    assert.match(shown.words, /marisol@example\.com[^]*Likes the patio/)

    const wei = idAt(await add(visitor, { name: 'Wei Lin', email: 'wei@example.com', phone: '646 555 0122' }))
    const other = { name: 'Mari Quintero', email: 'mquintero@example.org', phone: '(646) 555-0122' }
    const again = await make(visitor, '/office/guests', { ...other, guest: wei })
    assert.equal(idAt(again), wei)
    assert.match(
      (await followed(visitor, again)).words,
      /already in the book\. They keep their own name and email; what you typed is in the staff notes\./,
    )
    const filled = await make(visitor, '/office/guests', {
      name: 'ryan brooks',
      email: 'ryan@example.com',
      phone: '2125550191',
      guest: ryan,
    })
    assert.match(
      (await followed(visitor, filled)).words,
      /already in the book\. Added to them: email\.(?! They)/,
    )
    const told = (await visitor.get('/office/activity')).words
    assert.match(
      told,
      new RegExp(
        `Filled in \\S[^]{0,40} guest ${wei} by manager another name in the notes: Mari Quintero another email in the notes: mquintero@example\\.org`,
      ),
    )
    assert.match(
      told,
      new RegExp(`Filled in \\S[^]{0,40} guest ${ryan} by manager email: ryan@example\\.com`),
    )
    assert.equal(
      (await add(visitor, { ...typed, name: 'Nia', email: 'marisol@example.com', guest: 'new' })).status,
      409,
    )
  })

  it('come back with what was typed and a sentence where it cannot be kept', async () => {
    const { visitor } = await atWork(service, 'host')
    const refused = await add(visitor, { name: 'No way', phone: '12' })
    assert.equal(refused.status, 400)
    assert.ok(refused.html.includes('value="No way"'))
    assert.ok(wordsOf(refused).includes('A guest needs an email or a phone number with at least 7 digits.'))
    const corrected = await visitor.post('/office/guests', {
      token: hiddenIn(refused, 'token'),
      name: 'No way',
      phone: '212 555 0199',
    })
    idAt(corrected)
  })

  it('are edited by one of two who opened the form; the other gets a message and loses nothing they typed', async () => {
    const { visitor } = await atWork(service, 'host')
    const id = idAt(await add(visitor, { name: 'Maya', email: 'maya@example.com' }))
    const path = `/office/guests/${id}/edit`
    const version = await versionOn(visitor, path)
    await followed(visitor, await visitor.post(path, { version, allergies: 'Peanuts' }))
    const stale = await visitor.post(path, { version, allergies: 'Shellfish' })
    assert.equal(stale.status, 409)
    assert.ok(wordsOf(stale).includes('just changed by someone else'))
    assert.ok(stale.html.includes('Shellfish'))
    assert.ok(wordsOf(stale).includes('It now says: Peanuts'))
    const put = await visitor.post(path, {
      version: hiddenIn(stale, 'version'),
      allergies: 'Peanuts, shellfish',
    })
    assert.ok(wordsOf(await followed(visitor, put)).includes('Peanuts, shellfish'))
    assert.equal((await visitor.post(path, { allergies: 'Nuts' })).status, 400, 'a form without its version')
  })

  it('refuse an address another guest has, with the form as it was', async () => {
    const { visitor } = await atWork(service, 'host')
    await add(visitor, { name: 'Ana', email: 'ana@example.com' })
    const id = idAt(await add(visitor, { name: 'Bea', email: 'bea@example.com' }))
    const refused = await visitor.post(`/office/guests/${id}/edit`, {
      version: '1',
      email: 'ana@example.com',
    })
    assert.equal(refused.status, 409)
    assert.ok(wordsOf(refused).includes('Another guest has this email'))
    assert.ok(refused.html.includes('value="ana@example.com"'))
  })

  it('take a line for the notes, once', async () => {
    const { visitor } = await atWork(service, 'host')
    const id = idAt(await add(visitor, { email: 'maya@example.com' }))
    const path = `/office/guests/${id}/notes`
    const noted = await followed(visitor, await visitor.post(path, { note: 'Likes the corner' }))
    assert.ok(wordsOf(noted).includes('Likes the corner host, October 6, 2026'))
    const twice = await followed(visitor, await visitor.post(path, { note: 'Likes the corner' }))
    assert.ok(wordsOf(twice).includes('This note was already added.'))
    const long = await visitor.post(path, { note: 'x'.repeat(501) })
    assert.equal(long.status, 400)
    assert.ok(long.html.includes('x'.repeat(501)))
  })

  it('show their history and counters', async () => {
    const { venue, visitor } = await atWork(service, 'host')
    await service.call('POST', '/api/v1/leads', {
      key: venue.key,
      body: { name: 'Maya', email: 'maya@example.com', eventName: 'Okafor 40th' },
    })
    const list = await visitor.get('/office/guests')
    const id = /guests\/(\d+)"/.exec(list.html)?.[1]
    const page = wordsOf(await visitor.get(`/office/guests/${id}`))
    assert.ok(page.includes('0 visits'))
    assert.ok(page.includes('Okafor 40th'))
    assert.ok(page.includes('No bookings yet.'))
  })

  it('are merged by a manager after a preview, and separated again', async () => {
    const { visitor } = await atWork(service)
    const one = idAt(await add(visitor, { name: 'Maya Okafor', phone: '212 555 0147' }))
    const two = idAt(await add(visitor, { name: 'Maya Okafor', email: 'maya@example.com' }))
    const offered = await visitor.get(`/office/guests/${two}/merge`)
    assert.ok(offered.html.includes(`merge?with=${one}"`), 'who has the same name is offered')
    const asked = await visitor.get(`/office/guests/${two}/merge?with=${one}`)
    assert.ok(wordsOf(asked).includes(`Kept (guest ${one})`))
    const fields = {
      version: hiddenIn(asked, 'version'),
      other: hiddenIn(asked, 'other'),
      otherVersion: hiddenIn(asked, 'otherVersion'),
    }
    const merged = await visitor.post(`/office/guests/${two}/merge`, fields)
    assert.equal(idAt(merged), one)
    const page = await followed(visitor, merged)
    assert.ok(page.html.includes('maya@example.com'))
    assert.equal((await visitor.get(`/office/guests/${two}`)).status, 404)
    for (const [at, other] of [
      [two, one],
      [one, two],
    ] as const) {
      const again = await visitor.post(`/office/guests/${at}/merge`, { ...fields, other })
      assert.equal(idAt(again), one, 'sent once more')
      assert.ok(
        wordsOf(await followed(visitor, again)).includes(
          `Guest ${two} was already merged into guest ${one}.`,
        ),
      )
    }
    const unknown = await visitor.post('/office/guests/999998/merge', { ...fields, other: '999999' })
    assert.equal(unknown.status, 404, 'who never was')
    const undo = /action="([^"]+\/undo)"/.exec(page.html)?.[1] ?? ''
    const undone = await visitor.post(undo)
    assert.equal(idAt(undone), two)
    const twice = await followed(visitor, await visitor.post(undo))
    assert.ok(wordsOf(twice).includes('This merge was already undone.'))
  })

  it('stay as they are where an undo is refused half way', async () => {
    const { visitor } = await atWork(service)
    const one = idAt(await add(visitor, { name: 'Maya', phone: '212 555 0147' }))
    const two = idAt(await add(visitor, { name: 'May', email: 'maya@example.com' }))
    const fields = { version: '1', other: two, otherVersion: '1' }
    const merged = await followed(visitor, await visitor.post(`/office/guests/${one}/merge`, fields))
    await visitor.post(`/office/guests/${one}/edit`, { version: '2', email: 'maya@example.org' })
    idAt(await add(visitor, { name: 'Somebody', email: 'maya@example.com' }))
    const undo = /action="([^"]+\/undo)"/.exec(merged.html)?.[1] ?? ''
    const refused = await followed(visitor, await visitor.post(undo))
    assert.ok(wordsOf(refused).includes('Another guest now has the email of the guest to be restored'))
    assert.ok(
      wordsOf(refused).includes(`guest ${two} (May) became part of this guest`),
      'nothing half done is kept',
    )
  })

  it('are not merged from an outdated page', async () => {
    const { visitor } = await atWork(service)
    const one = idAt(await add(visitor, { name: 'A', email: 'a@example.com' }))
    const two = idAt(await add(visitor, { name: 'B', email: 'b@example.com' }))
    await visitor.post(`/office/guests/${two}/notes`, { note: 'changed' })
    const stale = await visitor.post(`/office/guests/${one}/merge`, {
      version: '1',
      other: two,
      otherVersion: '1',
    })
    assert.equal(stale.status, 409)
    assert.ok(wordsOf(stale).includes('just changed by someone else'))
    assert.equal((await visitor.get(`/office/guests/${two}`)).status, 200, 'nothing was done')
  })

  it('are listed by what they are, in the order asked for, page by page', async () => {
    const { venue, visitor } = await atWork(service, 'host')
    await rowsOf(
      service,
      `with g as (
         insert into guest (venue_id, name, allergies, visit_count, last_visit_date, created_at, updated_at)
         select $1, case when n % 2 = 0 then 'Ábel ' else 'zoe ' end || lpad(n::text, 3, '0'),
                case when n % 40 = 0 then 'nuts' end, n % 8, date '2026-10-01' - n, now(), now()
           from generate_series(1, 160) n returning *),
       r as (insert into guest_regular select venue_id, id, visit_count, last_visit_date from g where visit_count >= 5)
       insert into guest_house (venue_id, id, vip, birthday_month, birthday_day)
       select venue_id, id, right(name, 2) = '07', case when right(name, 2) = '08' then 10 end,
              case when right(name, 2) = '08' then 20 end from g`,
      [venue.id],
    )
    /** All names of a list, from its first page to its last. */
    const namesOf = async (query: string): Promise<string[]> => {
      const names: string[] = []
      for (let path: string | undefined = `/office/guests?${query}`; path !== undefined;) {
        const { html, status } = await visitor.get(path)
        assert.equal(status, 200, path)
        names.push(...[...html.matchAll(/row-link"[^>]*>([^<]+)</g)].map(([, name]) => name as string))
        path = /rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
      }
      return names
    }
    const number = (name: string) => Number(name.slice(-3))
    const all = Array.from({ length: 160 }, (_, i) => i + 1)
    const regulars = all.filter((n) => n % 8 >= 5)
    assert.deepEqual((await namesOf('')).map(number), all.toReversed())
    const byName = await namesOf('sort=name')
    assert.deepEqual(byName.map(number), [
      ...all.filter((n) => n % 2 === 0),
      ...all.filter((n) => n % 2 === 1),
    ])
    const visits = (await namesOf('filter=regulars')).map(number)
    assert.deepEqual(
      visits,
      regulars.toSorted((a, b) => (b % 8) - (a % 8) || b - a),
    )
    assert.deepEqual((await namesOf('filter=regulars&sort=seen')).map(number), regulars)
    assert.deepEqual((await namesOf('filter=regulars&sort=away')).map(number), regulars.toReversed())
    const lapsed = regulars.filter((n) => n - 5 > 115)
    assert.ok(lapsed.length > 10)
    assert.deepEqual(
      (await namesOf('filter=lapsed')).map(number),
      regulars.filter((n) => n > 115),
    )
    assert.deepEqual((await namesOf('filter=allergies')).map(number), [160, 120, 80, 40])
    assert.deepEqual((await namesOf('filter=vip&sort=name')).map(number), [7, 107])
    assert.deepEqual((await namesOf('filter=birthday')).map(number), [8, 108])
    const id =
      /\/office\/guests\/(\d+)"/.exec((await visitor.get('/office/guests?q=zoe 033')).html)?.[1] ?? ''
    await visitor.post(`/office/guests/${id}/edit`, { version: '1', name: 'zoe 033', tags: 'Wine list' })
    const shown = await visitor.get('/office/guests')
    const tag = /<option value="(\d+)"\s*>\s*Wine list/.exec(shown.html)?.[1] ?? ''
    assert.deepEqual((await namesOf(`tag=${tag}`)).map(number), [33])
    assert.ok(wordsOf(await visitor.get('/office/guests?filter=nonsense&sort=odd&after=~~')).includes('zoe'))
  })

  it('regulars follow the counters, no matter what changes them', async () => {
    const { book, host } = await hostAtBook(service)
    const guest = idAt(await add(host, { name: 'Jack', email: 'jack@example.com' }))
    const listed = () =>
      book.query('select id, visit_count, last_visit_date::text from guest_regular where venue_id = $1', [
        book.venue.id,
      ])
    await book.query(
      `update guest set visit_count = 4, imported_visit_count = 4 where venue_id = $1 and id = $2`,
      [book.venue.id, guest],
    )
    const id = await book.booking('Confirmed', { email: 'jack@example.com' })
    const move = (name: 'seat' | 'undoSeat') =>
      book.act((work) => moveReservation(work, staff('host'), { id, move: name }))
    await move('seat')
    assert.deepEqual(await listed(), [{ id: Number(guest), visit_count: 5, last_visit_date: '2026-10-06' }])
    await move('undoSeat')
    assert.deepEqual(await listed(), [])
  })

  it('a card says how they come, by whom a note is, and books for them', async () => {
    const { book, host } = await hostAtBook(service)
    await book.query(`update staff set name = 'Lena: Ruiz' where venue_id = $1`, [book.venue.id])
    const guest = idAt(await add(host, { name: 'Jack Carter', email: 'jack@example.com' }))
    for (const [date, partySize] of [
      ['2026-10-02', 4],
      ['2026-10-03', 2],
      ['2026-10-04', 4],
    ] as const) {
      const id = await book.booking('Completed', { email: 'jack@example.com', date, partySize })
      await book.query(
        `update reservation set seated_at = starts_at, completed_at = starts_at + interval '108 min' where id = $1`,
        [id],
      )
    }
    await host.post(`/office/guests/${guest}/notes`, { note: 'No rush between courses.' })
    const card = await host.get(`/office/guests/${guest}`)
    for (const words of ['4 usual party', '10 total covers', '1 h 48 min usual stay', 'Book for Jack'])
      assert.ok(wordsOf(card).includes(words), words)
    assert.match(card.html, /aria-label="Since [^"]*: 3 visits"/)
    assert.ok(wordsOf(card).includes('No rush between courses. Lena Ruiz, October 6, 2026'), wordsOf(card))
    const sheet = await host.get(`/office/bookings/new?guest=${guest}`)
    assert.match(sheet.html, /name="guestName"[^>]*value="Jack Carter"/s)
    const owner = visitOffice(service)
    await owner.signIn((await staffOf(service, book.venue, 'owner')).email)
    for (const path of ['/office/data/export/guests.csv', `/office/data/person.json?guest=${guest}`]) {
      const { html } = await owner.get(path)
      assert.ok(html.includes('2026-10-06 No rush between courses.'), path)
      assert.ok(!html.includes('Lena'), `${path}: nothing about staff`)
    }
  })
})
