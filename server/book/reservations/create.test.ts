import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { rowsOf, waitingForLock } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import { replaceBookingRules } from '../rules/replace-document.ts'
import { readRulesDocument } from '../rules/rules-document.ts'

const dinner = (more: object = {}) => ({
  periods: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
    weekday,
    name: 'Dinner',
    opens: '17:00',
    closes: '22:00',
  })),
  ...more,
})

describe('POST /reservations', () => {
  let service: TestService
  let venue: TestVenue
  const rules = async (document: object) => {
    const read = readRulesDocument(document)
    if (!read.ok) throw new Error(read.mistakes.join(' '))
    await service.db.transaction((db) => replaceBookingRules(db, venue.id, read.rules))
  }
  const book = (body: object, headers: Record<string, string> = {}) =>
    service.call('POST', '/api/v1/reservations', { key: venue.key, body, headers })

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('makes a request when all venue rules pass: 201, Requested, source automation, no table', async () => {
    venue = await service.venue()
    await rules(dinner())
    const answer = await book({
      guestName: ' Maya Okafor',
      partySize: 4,
      email: 'Maya@Example.com',
      phone: '(212) 555-0147',
      date: '2026-10-09',
      time: '7:30 PM',
      notes: 'A booth "please" – ☕',
    })
    assert.equal(answer.status, 201, answer.text)
    const { reservation } = answer.body
    assert.deepEqual(reservation, {
      id: reservation.id,
      guestName: ' Maya Okafor',
      email: 'Maya@Example.com',
      phone: '(212) 555-0147',
      partySize: 4,
      date: '2026-10-09',
      time: '19:30',
      durationMinutes: 120,
      status: 'Requested',
      source: 'automation',
      bookingType: 'Dinner',
      notes: 'A booth "please" – ☕',
      floorStage: null,
      externalId: null,
      createdAt: '2026-10-06T19:00:00.000Z',
      checkedInAt: null,
      cancelledAt: null,
      cancelledBy: null,
      updatedAt: '2026-10-06T19:00:00.000Z',
      revision: 1,
      guarantee: null,
    })
    const list = await service.call('GET', '/api/v1/reservations', { key: venue.key })
    assert.deepEqual(list.body, [reservation])
    const found = await service.call('GET', '/api/v1/reservations/find?phone=2125550147', { key: venue.key })
    assert.deepEqual(found.body, [reservation])
    const guests = await service.call('GET', '/api/v1/guests', { key: venue.key })
    assert.equal(guests.body.length, 1)
    assert.equal(guests.body[0].email, 'Maya@Example.com')
  })

  it('of 200 parallel requests for a slot with room for five parties exactly five get through', async () => {
    venue = await service.venue()
    await rules(dinner({ pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null } }))
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        book({
          guestName: `Guest ${i}`,
          partySize: 2,
          date: '2026-10-09',
          time: '19:00',
          email: `g${i}@example.com`,
        }),
      ),
    )
    const statuses = Object.groupBy(answers, ({ status }) => status)
    assert.deepEqual([statuses[201]?.length, statuses[409]?.length], [5, 195])
    assert.ok(statuses[409]?.every(({ body }) => body.reason === 'pacing-covers-full'))
    const guests = await service.call('GET', '/api/v1/guests?limit=100', { key: venue.key })
    assert.equal(guests.body.length, 5, 'a refused request leaves no guest')
  })

  it('is of the guest whom somebody else adds at the same moment, lock or no lock', async () => {
    venue = await service.venue()
    await rules(dinner())
    const [guest, answer] = await service.db.session(async (client) => {
      await client.query('begin')
      const { rows } = await client.query(
        `insert into guest (venue_id, name, email, email_key, created_at, updated_at)
         values ($1, 'Maya', 'maya@example.com', 'maya@example.com', now(), now()) returning id`,
        [venue.id],
      )
      const booking = book({
        guestName: 'Maya',
        email: 'maya@example.com',
        partySize: 2,
        date: '2026-10-09',
        time: '19:00',
      })
      await eventually(async () => (await waitingForLock(service)) === 1)
      await client.query('commit')
      return [rows[0].id, await booking]
    })
    assert.equal(answer.status, 201, answer.text)
    const bookings = await rowsOf(service, 'select guest_id from reservation where venue_id = $1', [venue.id])
    assert.deepEqual(bookings, [{ guest_id: guest }])
    const guests = await rowsOf(service, 'select id from guest where venue_id = $1', [venue.id])
    assert.equal(guests.length, 1)
  })

  it('parallel requests with one Idempotency-Key make one record', async () => {
    venue = await service.venue()
    await rules(dinner())
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        book(
          { guestName: 'Maya', partySize: 2, date: '2026-10-09', time: '19:00' },
          { 'idempotency-key': 'one' },
        ),
      ),
    )
    assert.ok(answers.every(({ status }) => status === 201 || status === 409))
    const again = await book(
      { partySize: 2, guestName: 'Maya', date: '2026-10-09', time: '19:00' },
      { 'idempotency-key': 'one' },
    )
    assert.equal(again.status, 201)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const list = await service.call('GET', '/api/v1/reservations', { key: venue.key })
    assert.equal(list.body.length, 1)
  })
})
