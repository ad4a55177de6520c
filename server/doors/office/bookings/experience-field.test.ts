import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../test/office.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'

const experiences = [
  { key: 'counter', name: 'Chef’s counter', mostPerEvening: 1, partyTo: 4 },
  { key: 'tasting', name: 'Tasting menu', asks: 'prepaid', amountCents: 9_500 },
]

describe('what goes with a booking, in the office', () => {
  let service: TestService
  let venue: TestVenue
  let host: OfficeVisitor
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  beforeEach(async () => {
    service.setClock('2026-10-09T19:00:00Z')
    venue = await service.venue()
    await setRules(service, venue, everyEvening({ experiences }))
    host = visitOffice(service)
    await host.signIn((await staffOf(service, venue, 'host')).email)
  })

  const book = (more: Record<string, string> = {}) =>
    host.post('/office/bookings', {
      ...{ date: '2026-10-09', time: '19:00', partySize: '2', guestName: 'Maya Okafor' },
      ...{ phone: '', email: '', notes: '', guest: '', token: crypto.randomUUID(), ...more },
    })
  const rows = () =>
    rowsOf(
      service,
      'select id, version, experience, booking_type as type from reservation where venue_id = $1 order by id',
      [venue.id],
    )
  const edit = async (more: Record<string, string>) => {
    const [row] = await rows()
    return host.post(`/office/bookings/${String(row?.['id'])}/edits`, {
      ...{ date: '2026-10-09', time: '19:00', partySize: '2', guestName: 'Maya Okafor' },
      ...{ phone: '', email: '', notes: '', version: String(row?.['version']), ...more },
    })
  }
  const chosen = async () => (await rows()).map(({ experience, type }) => [experience, type])

  it('staff choose it as they book, whatever it asks of guests, and nothing is asked', async () => {
    assert.match((await host.get('/office/bookings/new')).html, /<option value="tasting"/)
    assert.equal((await book({ experience: 'tasting' })).status, 303)
    assert.deepEqual(await chosen(), [['tasting', 'Tasting menu']])
    assert.equal((await book()).status, 303)
    assert.deepEqual((await chosen())[1], [null, 'Dinner'])
    assert.deepEqual(await rowsOf(service, 'select id from guarantee where venue_id = $1', [venue.id]), [])
    assert.equal((await book({ experience: 'gone' })).status, 400)
  })

  it('as many as may have it that evening, and one that is not offered to them, are said first; staff may all the same', async () => {
    await book({ experience: 'counter' })
    const second = await book({ experience: 'counter' })
    assert.equal(second.status, 409)
    assert.match(second.words, /“Chef’s counter” is for 1 party an evening\./)
    const large = await book({ experience: 'counter', partySize: '6' })
    assert.match(large.words, /“Chef’s counter” is not offered at that time to a party of this size\./)
    assert.equal((await book({ experience: 'counter', confirmed: 'experience-full' })).status, 303)
    assert.deepEqual(await chosen(), [
      ['counter', 'Chef’s counter'],
      ['counter', 'Chef’s counter'],
    ])
  })

  it('it is changed on the booking, told as a change of its details, and taken back by Undo', async () => {
    await book({ experience: 'counter' })
    const changed = await edit({ experience: 'tasting' })
    assert.equal(changed.status, 303, changed.words)
    assert.deepEqual(await chosen(), [['tasting', 'Tasting menu']])
    const events = await rowsOf(service, 'select name from event where venue_id = $1 order by id', [venue.id])
    assert.deepEqual(events.at(-1), { name: 'reservation.details_changed' })
    assert.equal((await edit({ experience: '' })).status, 303)
    assert.deepEqual(await chosen(), [[null, 'Dinner']])
  })

  it('a change of it is judged like another booking of that evening', async () => {
    await book({ experience: 'tasting' })
    await book({ experience: 'counter', guestName: 'Ada' })
    const asked = await edit({ experience: 'counter' })
    assert.equal(asked.status, 409)
    assert.match(asked.words, /“Chef’s counter” is for 1 party an evening/)
    assert.deepEqual((await chosen())[0], ['tasting', 'Tasting menu'])
  })

  it('the screens of the evening show it, and before the shift for how many the kitchen prepares it', async () => {
    await book({ experience: 'tasting', partySize: '3' })
    await book({ experience: 'tasting', guestName: 'Ada' })
    assert.match((await host.get('/office/service')).words, /Experience:\s*Tasting menu/)
    const { words } = await host.get('/office/service/sheet')
    assert.match(words, /Experiences tonight\s+Tasting menu:\s+5 covers in 2 parties/)
    const [row] = await rows()
    assert.match((await host.get(`/office/bookings/${String(row?.['id'])}`)).words, /Type\s+Tasting menu/)
  })

  it('a venue without experiences has no such field', async () => {
    await setRules(service, venue, everyEvening())
    assert.doesNotMatch((await host.get('/office/bookings/new')).html, /name="experience"/)
  })
})
