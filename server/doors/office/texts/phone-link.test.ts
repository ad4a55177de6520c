import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { joinWaitlist } from '../../../book/waitlist/actions.ts'
import { openBook, staff } from '../../../book/reservations/test/book.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { type TestService, startService } from '../../../test/service.ts'

describe('a phone number in the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
    service.setClock('2026-10-06T23:20:00Z')
  })
  after(() => service.stop())

  const typed = '503.555.0123'
  const open = async () => {
    const book = await openBook(service)
    const owner = visitOffice(service)
    await owner.signIn((await staffOf(service, book.venue, 'owner')).email)
    const call = async (method: string, path: string, body?: object) => {
      const answer = await service.call(method, `/api/v1/${path}`, {
        key: book.venue.key,
        ...(body && { body }),
      })
      assert.ok(answer.status < 300, answer.text)
      return answer.body
    }
    const { guest } = await call('POST', 'guests', { name: 'Kim Adler', phone: typed })
    const id = await book.booking('Confirmed', { guestName: 'Kim Adler', phone: typed, email: null })
    const { lead } = await call('POST', 'leads', { name: 'Kim Adler', phone: typed })
    await book.act((work) =>
      joinWaitlist(work, staff('host'), {
        ...{ guestName: 'Kim Adler', partySize: 2, phone: typed, quotedMinutes: 10, quotedByHand: true },
        ...{ windowStart: null, windowEnd: null },
      }),
    )
    const pages = [
      '/office/guests',
      `/office/guests/${guest.id}`,
      `/office/bookings/${id}`,
      '/office/waitlist',
      '/office/service?list=waiting',
      `/office/leads/${lead.id}`,
      `/office/search?q=${typed}`,
      `/office/data/person?guest=${guest.id}`,
    ]
    return { book, owner, call, guest, id, pages }
  }

  it('is written in one form on every page, and links that call it dial its country', async () => {
    const { owner, pages, guest, id } = await open()
    for (const path of pages) {
      const { words, status } = await owner.get(path)
      assert.equal(status, 200, path)
      assert.ok(words.includes('(503) 555-0123'), path)
      assert.ok(!words.includes(typed), path)
    }
    for (const path of [`/office/guests/${guest.id}`, `/office/bookings/${id}`, '/office/waitlist'])
      assert.match((await owner.get(path)).html, /href="tel:\+15035550123">\(503\) 555-0123</, path)
  })

  it('has its country’s code at a venue of another country', async () => {
    const { book, owner, pages } = await open()
    await book.query(`update venue set country = 'GB' where id = $1`, [book.venue.id])
    for (const record of ['guest', 'reservation', 'waitlist_entry'])
      await book.query(`update ${record} set phone = '+1 (503) 5550123' where venue_id = $1`, [book.venue.id])
    for (const path of pages.filter((one) => !/leads|search/.test(one)))
      assert.ok((await owner.get(path)).words.includes('+1 503 555 0123'), path)
  })

  it('is in forms, files and the API as it was typed', async () => {
    const { owner, call, guest, id } = await open()
    for (const path of [`/office/guests/${guest.id}/edit`, `/office/bookings/${id}`])
      assert.match((await owner.get(path)).html, /name="phone"[^>]*value="503\.555\.0123"/, path)
    assert.ok((await owner.get('/office/data/export/guests.csv')).html.includes(typed))
    assert.equal((await call('GET', `guests/${guest.id}`)).phone, typed)
    assert.equal((await call('GET', `reservations/${id}`)).phone, typed)
    const [found] = await call('GET', 'guests/find?phone=%2B15035550123')
    assert.deepEqual([found.id, found.phone], [guest.id, typed])
  })
})
