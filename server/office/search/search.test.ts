import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openBook } from '../../reservations/test/book.ts'
import { visitOffice, staffOf } from '../../test/office.ts'
import { type TestService, startService } from '../../test/service.ts'

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
      return Array.from(html.matchAll(/class="row-name"\s*>([^<]+)</g), ([, name]) => (name as string).trim())
    }
    return { book, host, guest, found }
  }

  it('service 8.8: "muller" finds Müller, "0199" the number’s end, and any word of a name its start', async () => {
    const { guest, found } = await open()
    await guest('Anna Müller')
    await guest('Łukasz Groß', '+1 212 555 0199')
    await guest('María del Carmen López')
    await guest('Jean-Luc Ångström')
    assert.deepEqual(await found('muller'), ['Anna Müller'])
    assert.deepEqual(await found('MÜLLER anna'), ['Anna Müller'])
    assert.deepEqual(await found('0199'), ['Łukasz Groß'])
    assert.deepEqual(await found('212'), ['Łukasz Groß'], 'its start, whatever country code leads it')
    assert.deepEqual(await found('gross'), ['Łukasz Groß'])
    assert.deepEqual(await found('lukasz'), ['Łukasz Groß'])
    for (const start of ['maria', 'del', 'carmen', 'carmen lo', 'lopez', 'lopez maria del'])
      assert.deepEqual(await found(start), ['María del Carmen López'], start)
    assert.deepEqual(await found('angstr'), ['Jean-Luc Ångström'])
    assert.deepEqual(await found('uller'), [], 'only the start of a word')
    assert.deepEqual(await found('01'), [], 'two digits are no number')
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

  it('finds nothing of another venue, and takes any text as text', async () => {
    const { found } = await open()
    const other = await open()
    await other.guest('Stranger')
    await other.book.booking('Confirmed', { guestName: 'Stranger' })
    for (const typed of ['stranger', '%', '_', "'", '\\', '\0', '<script>', '9'.repeat(200)])
      assert.deepEqual(await found(typed), [], typed)
  })
})
