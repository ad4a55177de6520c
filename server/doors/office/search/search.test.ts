import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { referenceOf } from '../../../book/reservations/reference.ts'
import { openBook, staff } from '../../../book/reservations/test/book.ts'
import { referenceKeyOf } from '../../../core/venue/reference-key.ts'
import { phoneKey } from '../../../platform/kernel/phone/phone.ts'
import { visitOffice, staffOf } from '../../../test/office.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { joinWaitlist, moveEntry } from '../../../book/waitlist/actions.ts'

const evening = '2026-10-06T23:20:00Z' // 19:20 in New York

describe('one search for parties and guests', () => {
  let service: TestService
  before(async () => {
    service = await startService()
    service.setClock(evening)
  })
  after(() => service.stop())

  const open = async () => {
    const book = await openBook(service)
    const host = visitOffice(service)
    await host.signIn((await staffOf(service, book.venue, 'host')).email)
    const guest = (name: string, phone: string | null = null) =>
      book.query(
        `insert into guest (venue_id, name, email, email_key, phone, phone_key, staff_notes, created_at, updated_at)
         values ($1, $2, $3, $3, $4, regexp_replace($4, '[^0-9]', '', 'g'), '', now(), now())`,
        [book.venue.id, name, `${crypto.randomUUID()}@example.com`, phone],
      )
    const found = async (typed: string) => {
      const { html, status } = await host.get(`/office/search?q=${encodeURIComponent(typed)}`)
      assert.equal(status, 200)
      return Array.from(html.matchAll(/class="row-name[^>]*>([^<]+)</g), ([, name]) =>
        (name as string).trim(),
      )
    }
    return { book, host, guest, found }
  }

  it('"muller" finds Müller, "0199" the number’s end, and any word of a name its start', async () => {
    const { guest, found } = await open()
    await guest('Anna Müller')
    await guest('Łukasz Groß', '+1 212 555 0199')
    await guest('María del Carmen López')
    await guest('Jean-Luc Ångström')
    assert.deepEqual(await found('muller'), ['Anna Müller'])
    assert.deepEqual(await found('MÜLLER anna'), ['Anna Müller'])
    assert.deepEqual(await found('0199'), ['Łukasz Groß'])
    assert.deepEqual(await found('212'), ['Łukasz Groß'], 'its start, after any country code')
    assert.deepEqual(await found('gross'), ['Łukasz Groß'])
    assert.deepEqual(await found('lukasz'), ['Łukasz Groß'])
    for (const start of ['maria', 'del', 'carmen', 'carmen lo', 'lopez', 'lopez maria del'])
      assert.deepEqual(await found(start), ['María del Carmen López'], start)
    assert.deepEqual(await found('angstr'), ['Jean-Luc Ångström'])
    assert.deepEqual(await found('uller'), [], 'only the start of a word')
    assert.deepEqual(await found('01'), [], 'two digits are no number')
  })

  it('says of a booking of another year which year', async () => {
    const { book, host } = await open()
    await book.booking('Confirmed', { guestName: 'Liam Ryan', date: '2026-10-14', time: '19:00' })
    const id = await book.booking('Completed', { guestName: 'Liam Ryan', time: '21:00' })
    await book.query(
      `update reservation set date = '2025-12-17', service_date = '2025-12-17', starts_at = '2025-12-18T02:00:00Z' where id = $1`,
      [id],
    )
    const { words } = await host.get(`/office/search?q=${id}`)
    assert.match(words, /9:00\sPM Wed, Dec 17, 2025 .*Completed, Wednesday, December 17, 2025/)
    assert.match((await host.get(`/office/bookings/${id}`)).words, /Wednesday, December 17, 2025, 9:00\sPM/)
    const this_year = (await host.get('/office/search?q=liam')).words
    assert.match(this_year, /7:00\sPM Wed, Oct 14 .*Confirmed, Wednesday, October 14\s/)
  })

  it('finds a number in every writing: as it is shown, as it was typed, with the code of the country and without', async () => {
    const writings: [country: string, stored: string[], shown: string, typed: string[]][] = [
      [
        'US',
        ['+1 503 555 0123', '503.555.0123'],
        '(503) 555-0123',
        ['+15035550123', '15035550123', '(503) 555-0123', '503 555', '555 0123'],
      ],
      [
        'GB',
        ['+44 20 7946 0958', '020 7946 0958', '0044 20 79460958'],
        '020 7946 0958',
        ['+442079460958', '020 7946 0958', '0207 946', '0044 20 7946 0958', '7946 0958'],
      ],
    ]
    for (const [country, stored, shown, typed] of writings) {
      const { book, host, found } = await open()
      await book.query('update venue set country = $2 where id = $1', [book.venue.id, country])
      const names: string[] = []
      for (const [n, phone] of stored.entries()) {
        const guestName = `Kim ${'ABC'[n]}`
        names.push(`${guestName} guest`, `${guestName} line`, `${guestName} table`)
        const { digits, international } = phoneKey(phone) ?? { digits: '', international: false }
        await book.query(
          `insert into guest (venue_id, name, phone, phone_key, phone_international, staff_notes, created_at, updated_at)
           values ($1, $2, $3, $4, $5, '', now(), now())`,
          [book.venue.id, `${guestName} guest`, phone, digits, international],
        )
        await book.act((work) =>
          joinWaitlist(work, staff('host'), {
            ...{ guestName: `${guestName} line`, partySize: 2, phone, quotedMinutes: 10, quotedByHand: true },
            ...{ windowStart: null, windowEnd: null },
          }),
        )
        const id = await book.booking('Confirmed', { guestName: `${guestName} table`, email: null })
        await book.query(
          'update reservation set phone = $3, phone_key = $4, phone_international = $5 where venue_id = $1 and id = $2',
          [book.venue.id, id, phone, digits, international],
        )
      }
      for (const one of typed) assert.deepEqual((await found(one)).toSorted(), names.toSorted(), one)
      const { words } = await host.get(`/office/search?q=${encodeURIComponent(shown)}`)
      assert.equal(words.split(shown).length - 1, 2 * stored.length, 'in each row that has a number')
    }
  })

  it('finds a booking of any day by what its guest reads out from their page, and by its own number as ever', async () => {
    const { book, found } = await open()
    const id = await book.booking('Confirmed', {
      guestName: 'Noor Haddad',
      date: '2026-11-20',
      email: null,
    })
    const other = await openBook(service)
    for (const typed of [String(id), `#${id}`]) assert.deepEqual(await found(typed), ['Noor Haddad'])
    const past = await book.booking('Completed', {
      guestName: 'Ida Past',
      date: '2025-10-06',
      email: null,
    })
    assert.deepEqual(await found(String(past)), ['Ida Past'])
    const soon = await book.booking('Confirmed', { guestName: 'Ada King', email: null })
    const reference = referenceOf(await referenceKeyOf(service.db, book.venue.id), id)
    for (const typed of [reference, reference.toLowerCase().replace('-', ' ')])
      assert.deepEqual(await found(typed), ['Noor Haddad'])
    assert.deepEqual(await found(String(soon)), ['Ada King'])
    const strangers = await other.booking('Confirmed', { guestName: 'Stranger', email: null })
    assert.deepEqual(await found(String(strangers)), [])
    assert.deepEqual(await found(referenceOf(await referenceKeyOf(service.db, other.venue.id), id)), [])
  })

  it('finds a coming booking by any part of its name, any digits of its number, and its own number', async () => {
    const { book, found } = await open()
    const tonight = await book.booking('Confirmed', {
      guestName: 'Noor Haddad-Ibáñez',
      phone: '212 555 0100',
      email: null,
    })
    await book.booking('Confirmed', { guestName: 'Ibanez Later', date: '2026-10-20', email: null })
    await book.booking('Confirmed', { guestName: 'Ibanez Too Late', date: '2026-10-21', email: null })
    await book.booking('Completed', { guestName: 'Ibanez Yesterday', date: '2026-10-05', email: null })
    await book.booking('Completed', { guestName: 'Ibanez Before', date: '2026-10-04', email: null })
    assert.deepEqual((await found('banez')).slice(0, 3), [
      'Noor Haddad-Ibáñez',
      'Ibanez Later',
      'Ibanez Yesterday',
    ])
    assert.equal((await found('5550'))[0], 'Noor Haddad-Ibáñez')
    assert.equal((await found(String(tonight)))[0], 'Noor Haddad-Ibáñez')
  })

  it('finds the parties in line for tonight with tonight’s bookings, by name and by digits of the number, and who is off it', async () => {
    const { book, host, guest, found } = await open()
    await guest('Ramona Guest')
    const waits = async (guestName: string, more: { date?: string; phone?: string } = {}) => {
      const party = {
        partySize: 3,
        email: null,
        phone: null,
        notes: null,
        windowStart: null,
        windowEnd: null,
      }
      const { id } = await book.act((work) =>
        joinWaitlist(work, staff('host'), { ...party, guestName, ...more }),
      )
      return id
    }
    const id = await waits('Ramona Núñez', { phone: '(212) 555-0188' })
    await waits('Ramona Tomorrow', { date: '2026-10-07' })
    const gone = await waits('Ramona Gone')
    await book.act((work) => moveEntry(work, staff('host'), { id: gone, move: 'leave' }))
    await book.booking('Confirmed', { guestName: 'Ramona Booked', email: null })
    assert.deepEqual(await found('ramona'), ['Ramona Booked', 'Ramona Núñez', 'Ramona Gone', 'Ramona Guest'])
    assert.deepEqual(await found('nunez'), ['Ramona Núñez'])
    assert.deepEqual(await found('5550188'), ['Ramona Núñez'])
    assert.deepEqual(await found('88'), [], 'two digits are no number')
    const { html, words } = await host.get('/office/search?q=nunez')
    assert.ok(html.includes(`href="/office/waitlist#w${id}"`))
    assert.match(words, /Tonight[^]*0 min[^]*Waiting[^]*3 guests, on the waitlist/)
    const back = await host.get('/office/search?q=ramona+gone')
    assert.match(back.words, /7:20\sPM\s*gone[^]*left the waitlist[^]*Back in line/)
    const [row] = await book.query('select version, status from waitlist_entry where id = $1', [gone])
    const pressed = await host.post(`/office/waitlist/${gone}/moves`, {
      ...{
        version: String(row?.version),
        status: String(row?.status),
        move: 'rejoin',
        back: '/office/service',
      },
    })
    assert.equal(pressed.to, `/office/service#w${gone}`)
    assert.match((await host.get('/office/service')).words, /Ramona Gone, 3 guests: back on the waitlist/)
    assert.doesNotMatch((await host.get('/office/search?q=ramona+gone')).words, /Back in line/)
    const other = await open()
    assert.deepEqual(await other.found('ramona'), [])
  })

  it('shows who is still expected tonight before who is seated, in line, or done', async () => {
    const { book, found } = await open()
    await book.booking('Completed', { guestName: 'Ros Lunch', time: '12:00', email: null })
    await book.booking('No-show', { guestName: 'Ros Missing', time: '12:15', email: null })
    await book.booking('Seated', { guestName: 'Ros Seated', time: '18:00', email: null })
    await book.booking('Confirmed', { guestName: 'Ros Expected', time: '19:30', email: null })
    await book.booking('Cancelled', { guestName: 'Ros Cancelled', date: '2026-10-07', email: null })
    await book.booking('Confirmed', { guestName: 'Ros Next Week', date: '2026-10-13', email: null })
    assert.deepEqual(await found('ros'), [
      'Ros Expected',
      'Ros Seated',
      'Ros Lunch',
      'Ros Missing',
      'Ros Next Week',
      'Ros Cancelled',
    ])
  })

  it('finds nothing of another venue, and takes any text as text', async () => {
    const { found } = await open()
    const other = await open()
    await other.guest('Stranger')
    await other.book.booking('Confirmed', { guestName: 'Stranger' })
    for (const typed of ['stranger', '%', '_', "'", '\\', '\0', '<script>', '9'.repeat(200)])
      assert.deepEqual(await found(typed), [], typed)
  })
})
