import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { dinner, openBook } from '../../../book/reservations/test/book.ts'
import { hiddenIn } from '../../../test/office-forms.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../test/office.ts'
import { setRules } from '../../../test/open-rules.ts'
import { type TestService, type TestVenue, aTuesdayAfternoon, startService } from '../../../test/service.ts'

const settings = '/office/settings/venue'

describe('times and dates of the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  beforeEach(() => service.setClock(aTuesdayAfternoon))
  after(() => service.stop())

  const venueIn = async (country: string, timezone: string): Promise<[TestVenue, OfficeVisitor]> => {
    const venue = await service.venue({ country, timezone })
    await setRules(service, venue, dinner())
    const manager = visitOffice(service)
    await manager.signIn((await staffOf(service, venue, 'manager')).email)
    return [venue, manager]
  }
  const bookedAt = async (venue: TestVenue, time: string): Promise<number> => {
    const body = { guestName: 'Maya Okafor', partySize: 2, date: '2026-10-07', time }
    const made = await service.call('POST', '/api/v1/reservations', { key: venue.key, body })
    assert.equal(made.status, 201)
    return made.body.reservation.id
  }
  const chooseClock = async (manager: OfficeVisitor, clockHours: string) => {
    const seen = hiddenIn(await manager.get(settings), 'seen')
    assert.equal((await manager.post(settings, { seen, clockHours })).status, 303)
  }

  it('are as the venue’s country writes them: New York, London, Berlin', async () => {
    for (const [country, zone, booked, now, attributes] of [
      [
        'US',
        'America/New_York',
        'Wednesday, October 7, 7:30 PM',
        'It is 3:00 PM. ',
        'data-locale="en-US" data-zone="America/New_York"',
      ],
      [
        'GB',
        'Europe/London',
        'Wednesday 7 October, 19:30',
        'It is 20:00. ',
        'data-locale="en-GB" data-zone="Europe/London"',
      ],
      [
        'DE',
        'Europe/Berlin',
        'Wednesday, 7 October, 19:30',
        'It is 21:00. ',
        'data-locale="en-DE" data-zone="Europe/Berlin"',
      ],
    ] as const) {
      const [venue, manager] = await venueIn(country, zone)
      const id = await bookedAt(venue, '19:30')
      const page = await manager.get(`/office/bookings/${id}`)
      assert.ok(page.words.includes(booked), `${country}: ${page.words}`)
      const today = await manager.get('/office/today')
      assert.ok(today.words.includes(now), `${country}: ${today.words}`)
      assert.ok(today.html.includes(attributes), 'the form, for scripts')
    }
  })

  it('midnight and noon read right', async () => {
    const [venue, manager] = await venueIn('US', 'America/New_York')
    await setRules(service, venue, {
      periods: [{ weekday: 3, name: 'All day', opens: '11:00', closes: '01:00' }],
    })
    for (const [time, shown] of [
      ['12:00', '12:00 PM'],
      ['00:00', '12:00 AM'],
    ] as const) {
      const body = {
        guestName: 'Ana',
        partySize: 2,
        date: time === '12:00' ? '2026-10-07' : '2026-10-08',
        time,
      }
      const { body: made } = await service.call('POST', '/api/v1/reservations', { key: venue.key, body })
      const { words } = await manager.get(`/office/bookings/${made.reservation.id}`)
      assert.ok(words.includes(`, ${shown} ·`), words)
    }
  })

  it('a setting chooses the clock, of the office and of what its scripts write', async () => {
    const [venue, manager] = await venueIn('US', 'America/New_York')
    const id = await bookedAt(venue, '19:30')
    const page = await manager.get(settings)
    assert.match(page.words, /As written in the United States, such as Saturday, November 21, 7:40\sPM/)
    assert.match(page.words, /24-hour clock, such as Saturday, November 21, 19:40/)
    await chooseClock(manager, '24')
    assert.match((await manager.get(`/office/bookings/${id}`)).words, /Wednesday, October 7, 19:30 ·/)
    const today = await manager.get('/office/today')
    assert.match(today.words, /It is 15:00\./)
    assert.match(today.html, /<body [^>]*data-hour-cycle="h23"/)
    assert.match(
      (await manager.get('/office/activity')).words,
      /clock hours: as the country writes it → 24-hour clock/,
    )
    await chooseClock(manager, '')
    assert.match((await manager.get('/office/today')).words, /It is 3:00\sPM\./)

    const [, british] = await venueIn('GB', 'Europe/London')
    await chooseClock(british, '12')
    assert.match((await british.get('/office/today')).words, /It is 8:00\spm\./)
  })

  it('staff type times in any form, and the sheet says how one was understood', async () => {
    const [venue, manager] = await venueIn('US', 'America/New_York')
    for (const typed of ['730p', '19:30', '7:30\u00a0PM', '7:30 PM', '1930']) {
      const query = new URLSearchParams({ date: '2026-10-07', partySize: '2', time: typed })
      const { words } = await manager.get(`/office/bookings/reasons?${query.toString()}`)
      assert.match(words, /7:30\sPM on Wednesday, October 7:/, typed)
    }
    const id = await bookedAt(venue, '19:30')
    assert.match((await manager.get(`/office/bookings/${id}`)).html, /name="time"[^>]*value="7:30\sPM"/)
  })

  it('an answer of the API follows the contract, even while the office is in use', async () => {
    const book = await openBook(service, dinner())
    const host = visitOffice(service)
    await host.signIn((await staffOf(service, book.venue, 'host')).email)
    const id = await book.booking('Confirmed', { date: '2026-10-07' })
    const refusals = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        // The office writes too, and waits at the same gate.
        const [, refused] = await Promise.all([
          host.post(`/office/bookings/${id}/edits`, {
            version: '1',
            date: '2026-10-07',
            time: '7:00 PM',
            partySize: '2',
            guestName: `Maya ${i}`,
          }),
          service.call('POST', '/api/v1/reservations', {
            key: book.venue.key,
            body: { guestName: 'Ana', partySize: 2, date: '2026-10-07', time: '11:00' },
          }),
        ])
        return refused.body.error
      }),
    )
    assert.deepEqual(
      [...new Set(refusals)],
      ['On Wednesday 7 October the venue takes arrivals between 17:00 and 02:00.'],
    )
    const shown = await host.get('/office/bookings/reasons?date=2026-10-07&partySize=2&time=11am')
    assert.match(
      shown.words,
      /Outside opening hours: Wednesday, October 7 is open 5:00\sPM to 2:00\sAM\./,
      'the same rule, as staff reads it',
    )
  })
})
