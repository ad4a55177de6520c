import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { staffOf, visitOffice } from '../../test/office.ts'
import { type TestService, startService } from '../../test/service.ts'
import { allBookingRules } from '../../venue/rules-store.ts'

describe('settings of the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const atVenue = async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'manager')
    const manager = visitOffice(service)
    await manager.signIn(email)
    const seen = async (path: string) =>
      /name="seen" value="([\w-]+)"/.exec((await manager.get(path)).html)?.[1] ?? ''
    return { venue, manager, seen }
  }
  const dinner = { 'name-0': 'Dinner', 'opens-0': '17:00', 'closes-0': '22:00', 'lastArrival-0': '21:00' }

  it('edits the hours of a weekday and the API follows at once', async () => {
    const { venue, manager, seen } = await atVenue()
    const book = (time: string) =>
      service.call('POST', '/api/v1/reservations', {
        key: venue.key,
        body: { guestName: 'Maya', partySize: 2, date: '2026-10-09', time },
      })
    assert.equal((await book('19:00')).body.reason, 'closed')
    const saved = await manager.post('/office/settings/hours/5', {
      seen: await seen('/office/settings'),
      ...dinner,
    })
    assert.equal(saved.to, '/office/settings#day-5')
    assert.equal((await book('19:00')).status, 201)
    assert.equal((await book('21:30')).body.reason, 'after-last-arrival')
    const { periods } = await allBookingRules(service.db, venue.id)
    assert.deepEqual(
      periods.map(({ weekday, name, startMinute, endMinute }) => [weekday, name, startMinute, endMinute]),
      [[5, 'Dinner', 1020, 1320]],
    )
  })

  it('says every mistake and changes nothing; a page that is no longer true is told so', async () => {
    const { venue, manager, seen } = await atVenue()
    const version = await seen('/office/settings')
    const wrong = await manager.post('/office/settings/hours/5', {
      seen: version,
      ...dinner,
      'lastArrival-0': '23:30',
      'name-1': 'Late',
      'opens-1': '21:00',
      'closes-1': '02:00',
    })
    assert.equal(wrong.status, 400)
    assert.match(wrong.html, /overlap/)
    assert.deepEqual((await allBookingRules(service.db, venue.id)).periods, [])
    assert.equal((await manager.post('/office/settings/hours/5', { seen: version, ...dinner })).status, 303)
    const stale = await manager.post('/office/settings/hours/5', {
      seen: version,
      ...dinner,
      'name-0': 'Supper',
    })
    assert.equal(stale.status, 409)
    assert.match(stale.html, /changed meanwhile/)
  })

  it('shows the bookings a change would strand before it is saved', async () => {
    const { venue, manager, seen } = await atVenue()
    await manager.post('/office/settings/hours/5', { seen: await seen('/office/settings'), ...dinner })
    const made = await service.call('POST', '/api/v1/reservations', {
      key: venue.key,
      body: { guestName: 'Maya <Okafor>', partySize: 2, date: '2026-10-09', time: '19:00' },
    })
    assert.equal(made.status, 201)
    const closure = { from: '2026-10-08', to: '2026-10-10', name: 'Repairs' }
    const asked = await manager.post('/office/settings/closures', {
      seen: await seen('/office/settings/days'),
      ...closure,
    })
    assert.equal(asked.status, 200)
    assert.match(asked.words, /1 booking would be left without a service/)
    assert.match(asked.html, /Maya &lt;Okafor&gt;/)
    assert.deepEqual((await allBookingRules(service.db, venue.id)).closures, [])
    const confirmed = await manager.post('/office/settings/closures', {
      seen: await seen('/office/settings/days'),
      confirmed: 'yes',
      ...closure,
    })
    assert.equal(confirmed.status, 303)
    const [booking] = (await service.call('GET', '/api/v1/reservations', { key: venue.key })).body
    assert.equal(booking.status, 'Requested', 'bookings inside a new closure stay')
  })

  it('keeps the note staff wrote on a block away from everybody else, and through other changes', async () => {
    const { venue, manager, seen } = await atVenue()
    await manager.post('/office/settings/hours/4', { seen: await seen('/office/settings'), ...dinner })
    const block = {
      serviceDate: '2026-10-08',
      from: '18:00',
      to: '19:30',
      scope: 'online',
      publicNote: '',
      staffNote: 'Okafor party',
    }
    await manager.post('/office/settings/blocks', { seen: await seen('/office/settings/days'), ...block })
    const refused = await service.call('POST', '/api/v1/reservations', {
      key: venue.key,
      body: { guestName: 'Nia', partySize: 2, date: '2026-10-08', time: '18:30' },
    })
    assert.equal(refused.body.reason, 'blocked')
    assert.ok(!refused.text.includes('Okafor'))
    await manager.post('/office/settings/limits', {
      seen: await seen('/office/settings/limits'),
      minParty: '1',
      maxParty: '8',
    })
    const days = await manager.get('/office/settings/days')
    assert.match(days.html, /staff: Okafor party/)
    const test = await manager.get('/office/settings/test?date=2026-10-08&time=18:30&size=9')
    assert.match(test.html, /<strong>blocked<\/strong>/)
    assert.match(test.html, /parties of up to 8/)
    const key = /name="block" value="([^"]+)"/.exec(days.html)?.[1] ?? ''
    await manager.post('/office/settings/blocks/remove', {
      seen: await seen('/office/settings/days'),
      block: key,
    })
    assert.deepEqual((await allBookingRules(service.db, venue.id)).blocks, [])
  })

  it('adds and takes away special days, saves the venue, and is for managers', async () => {
    const { venue, manager, seen } = await atVenue()
    await manager.post('/office/settings/special-days', {
      seen: await seen('/office/settings/days'),
      date: '2026-12-31',
      name: 'New Year',
      'opens-0': '18:00',
      'closes-0': '02:00',
    })
    assert.match(
      (await manager.get('/office/settings/days')).words,
      /Thursday 31 December 2026: open 18:00–02:00/,
    )
    await manager.post('/office/settings/special-days/remove', {
      seen: await seen('/office/settings/days'),
      date: '2026-12-31',
    })
    assert.deepEqual((await allBookingRules(service.db, venue.id)).specialDays, [])
    const saved = await manager.post('/office/settings/venue', {
      phone: '(212) 555-0100',
      mailFrom: 'hello@example.com',
      postalAddress: '1 Blue St\r\nNew York',
      testAddresses: 'a@example.com\r\nb@example.com\r\n',
    })
    assert.equal(saved.status, 303)
    const page = (await manager.get('/office/settings/venue')).html
    assert.match(page, /1 Blue St\nNew York/)
    assert.match(page, /a@example.com\nb@example.com/)
    assert.equal((await manager.post('/office/settings/venue', { phone: 'x' })).status, 400)
    const { email } = await staffOf(service, venue, 'host')
    const host = visitOffice(service)
    await host.signIn(email)
    for (const path of [
      '/office/settings',
      '/office/settings/days',
      '/office/settings/limits',
      '/office/settings/venue',
    ]) {
      assert.equal((await host.get(path)).status, 403, path)
    }
  })
})
