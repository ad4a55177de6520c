import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { lapseChanges } from '../../../book/reservations/jobs.ts'
import { type TestBook, dinner, openBook } from '../../../book/reservations/test/book.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../test/office.ts'
import { type TestService, startService } from '../../../test/service.ts'

describe('changes of confirmed bookings in the office', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const visitor = async (role: 'host' | 'manager' | 'owner'): Promise<OfficeVisitor> => {
    const one = visitOffice(service)
    await one.signIn((await staffOf(service, book.venue, role)).email)
    return one
  }
  const open = async (role: 'host' | 'manager' | 'owner' = 'host') => {
    service.setClock('2026-10-06T19:00:00Z')
    book = await openBook(
      service,
      dinner({ pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null } }),
    )
    return visitor(role)
  }
  const ask = async (id: number, body: object): Promise<string> => {
    const answer = await service.call('PATCH', `/api/v1/reservations/${id}`, {
      key: book.venue.key,
      headers: { 'if-match': '*' },
      body,
    })
    assert.equal(answer.status, 202, answer.text)
    return String(answer.body.change.id)
  }
  const answer = (host: OfficeVisitor, id: number, fields: Record<string, string>) =>
    host.post(`/office/bookings/${id}/change`, { back: '/office/today', ...fields })

  it('are under "Needs an answer" and on the booking, and are accepted or declined there', async () => {
    const host = await open()
    const id = await book.booking('Confirmed', { guestName: 'Maya Okafor', partySize: 4 })
    assert.doesNotMatch((await host.get('/office/today')).html, /Needs an answer/)
    const change = await ask(id, { time: '20:00', partySize: 5 })
    const { html } = await host.get('/office/today')
    assert.match(html, /Needs an answer/)
    assert.match(html, /Today: asks for 8:00\sPM, 5 guests/)
    assert.match((await host.get(`/office/bookings/${id}`)).html, /Change requested/)

    const declined = await answer(host, id, { change, answer: 'decline' })
    assert.deepEqual([declined.status, declined.to], [303, `/office/today#b${id}`])
    assert.match((await host.get('/office/today')).html, /Maya Okafor, 4 guests: change declined/)
    assert.equal((await book.row(id)).time, '19:00')

    const again = await ask(id, { date: '2026-10-08', time: '20:00' })
    assert.match((await host.get('/office/today')).html, /asks for Thursday, October 8 at 8:00\sPM, 4 guests/)
    await answer(host, id, { change: again, answer: 'accept' })
    assert.equal((await book.row(id)).date, '2026-10-08')
    const late = await answer(host, id, { change: again, answer: 'accept' })
    assert.equal(late.status, 303)
    assert.match((await host.get('/office/today')).html, /is no longer waiting for an answer/)
  })

  it('a rule that objects by then is shown, and accepting anyway confirms just that', async () => {
    const host = await open()
    const id = await book.booking('Confirmed', { partySize: 4 })
    const change = await ask(id, { time: '20:00' })
    await book.booking('Confirmed', { time: '20:00', partySize: 8 })
    const asked = await answer(host, id, { change, answer: 'accept' })
    assert.equal(asked.status, 409)
    assert.match(asked.html, /12 of 10/)
    await answer(host, id, { change, answer: 'accept', confirmed: 'pacing-covers-full:12' })
    assert.equal((await book.row(id)).time, '20:00')
  })

  it('one that nobody answers in time is marked, once, and leaves the queue', async () => {
    const manager = await open('manager')
    const id = await book.booking('Confirmed')
    await ask(id, { time: '20:00' })
    assert.equal(await lapseChanges(service.context), 0)
    service.setClock('2026-10-06T23:00:00Z')
    assert.doesNotMatch((await manager.get('/office/today')).html, /asks for/)
    const marked = await Promise.all([lapseChanges(service.context), lapseChanges(service.context)])
    assert.deepEqual(new Set(marked), new Set([0, 1]))
    assert.match((await manager.get(`/office/bookings/${id}`)).html, /Change not answered in time/)
  })

  it('the reason an API key gives when it cancels is on the booking', async () => {
    const host = await open()
    const id = await book.booking('Confirmed')
    const path = `/api/v1/reservations/${id}/cancel`
    await service.call('POST', path, { key: book.venue.key, body: { message: 'The flight was cancelled.' } })
    assert.match((await host.get(`/office/bookings/${id}`)).html, /The flight was cancelled\./)
  })

  it('the owner says whether changes wait for an answer', async () => {
    const owner = await open('owner')
    const id = await book.booking('Confirmed')
    await owner.post('/office/integrations/changes', { direct: 'yes' })
    assert.match((await owner.get('/office/integrations')).html, /name="direct"[^>]*checked/)
    const { body } = await service.call('PATCH', `/api/v1/reservations/${id}`, {
      key: book.venue.key,
      headers: { 'if-match': '*' },
      body: { time: '20:00' },
    })
    assert.equal(body.reservation.time, '20:00')
    await owner.post('/office/integrations/changes', {})
    await ask(id, { time: '21:00' })
    const host = await visitor('host')
    assert.equal((await host.post('/office/integrations/changes', { direct: 'yes' })).status, 403)
  })
})
