import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestBook, openBook, staff } from '../../../book/reservations/test/book.ts'
import { type Joining, joinWaitlist, moveEntry } from '../../../book/waitlist/actions.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../test/office.ts'
import { startProcess } from '../../../test/process.ts'
import { type TestService, startService } from '../../../test/service.ts'

const evening = '2026-10-06T23:20:00Z' // 19:20 in New York

describe('a phone system that opens the page of who is calling', () => {
  let service: TestService
  let book: TestBook
  let host: OfficeVisitor
  before(async () => {
    service = await startService()
    service.setClock(evening)
    book = await openBook(service)
    host = visitOffice(service)
    await host.signIn((await staffOf(service, book.venue, 'host')).email)
  })
  after(() => service.stop())

  const guest = async (name: string, phone: string, venue = book.venue.id): Promise<number> => {
    const [row] = await book.query(
      `insert into guest (venue_id, name, email, email_key, phone, phone_key, staff_notes, created_at, updated_at)
       values ($1, $2, $3, $3, $4, regexp_replace($4, '[^0-9]', '', 'g'), '', now(), now()) returning id::int`,
      [venue, name, `${crypto.randomUUID()}@example.com`, phone],
    )
    return row?.id as number
  }
  /** Where the number leads, before anything is looked up. */
  const sealed = async (number: string, visitor = host): Promise<string> => {
    const { status, to } = await visitor.get(`/office/call?number=${number}`)
    assert.equal(status, 303)
    assert.match(to ?? '', /^\/office\/caller\?call=[\w.-]+$/)
    return to as string
  }

  it('leads to the guest, by the number as bookings are matched, whether or not its plus is escaped', async () => {
    const id = await guest('Łukasz Groß', '+1 212 555 0199')
    for (const number of ['%2B12125550199', '+12125550199', '212-555-0199', '(212)%20555-0199'])
      assert.equal((await host.get(await sealed(number))).to, `/office/guests/${id}`, number)
  })

  it('asks which of several, and offers a booking for someone else', async () => {
    const ids = [await guest('Ada Moreno', '+1 646 555 0111'), await guest('Luis Moreno', '+1 646 555 0111')]
    const { html, words } = await host.get(await sealed('6465550111'))
    assert.match(words, /Who is calling\?/)
    for (const id of ids) assert.match(html, new RegExp(`href="/office/guests/${id}"`))
    const [, other = ''] = /href="(\/office\/caller\?[^"]*new=yes)"/.exec(html) ?? []
    const form = await host.get(other.replaceAll('&amp;', '&'))
    assert.match(form.html, /name="phone"[^>]*value="6465550111"/)
  })

  it('leads to a party that is only on the waitlist, tonight or for another day, and asks where the number is a guest’s, too', async () => {
    const party = { email: null, notes: null, windowStart: null, windowEnd: null, partySize: 3 }
    const waits = async (guestName: string, phone: string, more: Partial<Joining> = {}): Promise<number> =>
      (await book.act((work) => joinWaitlist(work, staff('host'), { ...party, guestName, phone, ...more })))
        .id
    const tonight = await waits('Ramona Núñez', '+1 212 555 0188')
    assert.equal((await host.get(await sealed('2125550188'))).to, `/office/waitlist#w${tonight}`)
    const later = await waits('Otto Lang', '212 555 0187', { date: '2026-10-09' })
    assert.equal((await host.get(await sealed('%2B12125550187'))).to, `/office/waitlist#w${later}`)

    const known = await guest('Ramona Núñez', '+1 212 555 0188')
    const { html, words } = await host.get(await sealed('2125550188'))
    assert.match(words, /Who is calling\?[^]*Waitlist[^]*3 guests, on the waitlist[^]*Guests[^]*Ramona/)
    for (const to of [`/office/waitlist#w${tonight}`, `/office/guests/${known}`])
      assert.ok(html.includes(`href="${to}"`), to)

    // They may have changed their mind, or want a table on another day.
    await book.act((work) => moveEntry(work, staff('host'), { id: later, move: 'leave' }))
    const gone = await waits('Ines Roy', '212 555 0186')
    await book.act((work) => moveEntry(work, staff('host'), { id: gone, move: 'leave' }))
    const left = await host.get(await sealed('2125550186'))
    assert.match(left.words, /Ines Roy[^]*left the waitlist[^]*Back in line/)
    assert.match(left.html, /new=yes/)
    assert.match((await host.get(await sealed('2125550187'))).html, /name="phone"[^>]*value="2125550187"/)
    const other = await waits('Elsewhere', '917 555 0166')
    await book.query('update waitlist_entry set venue_id = $2 where id = $1', [
      other,
      (await service.venue()).id,
    ])
    assert.match((await host.get(await sealed('9175550166'))).html, /name="phone"[^>]*value="9175550166"/)
  })

  it('opens a new booking with a number that nobody has, also from a short one or a word', async () => {
    await guest('Somebody elsewhere', '+1 917 555 0177', (await service.venue()).id)
    for (const number of ['9175550177', '4711', 'anonymous']) {
      const { status, html } = await host.get(await sealed(number))
      assert.equal(status, 200)
      assert.match(html, new RegExp(`name="phone"[^>]*value="${number}"`), number)
    }
    assert.deepEqual(await book.query('select 1 from reservation where venue_id = $1', [book.venue.id]), [])
  })

  it('is forgotten after ten minutes, and is nothing to who made it up', async () => {
    const call = await sealed('2125550199')
    service.setClock('2026-10-06T23:30:00Z')
    assert.equal((await host.get(call)).to, '/office/bookings/new')
    service.setClock(evening)
    for (const text of ['', 'x', `${call.split('=')[1]}x`])
      assert.equal((await host.get(`/office/caller?call=${text}`)).to, '/office/bookings/new')
    assert.equal((await host.get('/office/call')).status, 400)
    assert.equal((await host.get(`/office/call?number=${'5'.repeat(65)}`)).status, 400)
  })

  it('somebody who is not signed in signs in first, and then sees the guest; no address has the number', async () => {
    const stranger = visitOffice(service)
    const asked = await stranger.get(await sealed('2125550199', stranger))
    assert.match(asked.to ?? '', /^\/office\/sign-in\?next=%2Foffice%2Fcaller%3Fcall%3D/)
    assert.doesNotMatch(asked.to ?? '', /5550199/)
  })

  it('the number is in no log, not even in the most talkative', async () => {
    const process = await startProcess({ LOG_LEVEL: 'debug' })
    try {
      await process.ready()
      const first = await fetch(`${process.url}/office/call?number=2125550143`, { redirect: 'manual' })
      await fetch(new URL(first.headers.get('location') ?? '', process.url))
    } finally {
      await process.stop()
    }
    assert.match(process.said(), /listening|ready/i)
    assert.doesNotMatch(process.said(), /5550143/)
  })
})
