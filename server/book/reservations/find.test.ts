import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { emailKey } from '../../platform/kernel/email.ts'
import { phoneKey } from '../../platform/kernel/phone/phone.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'

describe('GET /reservations/find', () => {
  let service: TestService
  let venue: TestVenue
  const ask = (query: string) => service.call('GET', `/api/v1/reservations/find?${query}`, { key: venue.key })
  const found = async (query: string): Promise<number[]> => {
    const answer = await ask(query)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.map(({ id }: { id: number }) => id)
  }
  /** A booking at a moment (venue-local New York is four hours behind), belonging to the given person. */
  const book = async ({
    startsAt = null as string | null,
    email = null as string | null,
    phone = null as string | null,
    status = 'Confirmed',
    createdAt = '2026-01-01T00:00:00Z',
  }): Promise<number> => {
    const key = phone === null ? undefined : phoneKey(phone)
    const [row] = await rowsOf<{ id: string }>(
      service,
      `insert into reservation (venue_id, email, email_key, phone, phone_key, phone_international, starts_at, date, time,
         status, source, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7::timestamptz, ($7::timestamptz at time zone 'America/New_York')::date,
         ($7::timestamptz at time zone 'America/New_York')::time, $8, 'staff', $9, $9) returning id`,
      [
        venue.id,
        email,
        email === null ? null : emailKey(email),
        phone,
        key?.digits ?? null,
        key?.international ?? false,
        startsAt,
        status,
        createdAt,
      ],
    )
    return Number(row?.id)
  }
  const email = 'maya@example.com'

  before(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    venue = await service.venue()
  })
  after(() => service.stop())

  it('upcoming first, soonest first, then past, most recent first, then those without a date; ties by id', async () => {
    const yesterday = await book({ email, startsAt: '2026-10-05T23:00:00Z' })
    const lastYear = await book({ email, startsAt: '2025-10-06T23:00:00Z' })
    const inTwoDays = await book({ email, startsAt: '2026-10-08T23:00:00Z' })
    const tonight = await book({ email, startsAt: '2026-10-06T23:00:00Z' })
    const tonightToo = await book({ email, startsAt: '2026-10-06T23:00:00Z' })
    const yesterdayToo = await book({ email, startsAt: '2026-10-05T23:00:00Z' })
    const noDate = await book({ email, createdAt: '2026-02-01T00:00:00Z' })
    const noDateNewer = await book({ email, createdAt: '2026-03-01T00:00:00Z' })
    assert.deepEqual(await found(`email=${email}`), [
      tonight,
      tonightToo,
      inTwoDays,
      yesterdayToo,
      yesterday,
      lastYear,
      noDateNewer,
      noDate,
    ])
  })

  it('the current minute is upcoming until it is over', async () => {
    const now = await book({ email, startsAt: '2026-10-06T19:00:00Z' })
    const later = await book({ email, startsAt: '2026-10-06T20:00:00Z' })
    service.setClock('2026-10-06T19:00:59.999Z')
    assert.deepEqual(await found(`email=${email}`), [now, later])
    service.setClock('2026-10-06T19:01:00Z')
    assert.deepEqual(await found(`email=${email}`), [later, now])
    service.setClock('2026-10-06T19:00:00Z')
  })

  it('at most 10, cut after ordering, in every status', async () => {
    const ids: number[] = []
    const statuses = ['Requested', 'Confirmed', 'Seated', 'Completed', 'Cancelled', 'No-show']
    for (let i = 0; i < 14; i++) {
      const day = String(28 - i).padStart(2, '0')
      ids.push(await book({ email, startsAt: `2026-10-${day}T23:00:00Z`, status: statuses[i % 6] ?? '' }))
    }
    assert.deepEqual(await found(`email=${email}`), ids.toReversed().slice(0, 10))
  })

  it('by the booking’s own email or phone: with both, bookings that have either, each once', async () => {
    const byEmail = await book({ email: 'Maya@Example.com', startsAt: '2026-10-07T23:00:00Z' })
    const byPhone = await book({ phone: '+1 (212) 555-0147', startsAt: '2026-10-08T23:00:00Z' })
    const byBoth = await book({ email, phone: '2125550147', startsAt: '2026-10-09T23:00:00Z' })
    await book({ email: 'ben@example.com', phone: '6465550147', startsAt: '2026-10-07T23:00:00Z' })
    assert.deepEqual(await found('email=MAYA@example.com'), [byEmail, byBoth])
    assert.deepEqual(await found('phone=212-555-0147'), [byPhone, byBoth])
    assert.deepEqual(await found('phone=%2B12125550147'), [byPhone, byBoth])
    assert.deepEqual(await found('phone=+12125550147'), [byPhone, byBoth])
    assert.deepEqual(await found('phone=%2B442125550147'), [byBoth])
    assert.deepEqual(await found(`email=${email}&phone=2125550147`), [byEmail, byPhone, byBoth])
    assert.deepEqual(await found(`email=${email}&phone=12`), [byEmail, byBoth])
    assert.deepEqual(await found('email=nobody@example.com'), [])
  })

  it('the guest’s other addresses do not count: bookings are found by what is on them', async () => {
    const id = await book({ email: 'old@example.com', startsAt: '2026-10-07T23:00:00Z' })
    await service.call('POST', '/api/v1/guests', {
      key: venue.key,
      body: { email: 'old@example.com', phone: '2125550147' },
    })
    assert.deepEqual(await found('phone=2125550147'), [])
    assert.deepEqual(await found('email=old@example.com'), [id])
  })

  it('date restricts to that calendar date at the venue', async () => {
    const evening = await book({ email, startsAt: '2026-10-08T23:00:00Z' })
    const afterMidnight = await book({ email, startsAt: '2026-10-09T04:30:00Z' })
    await book({ email, startsAt: '2026-10-10T04:30:00Z' })
    await book({ email })
    assert.deepEqual(await found(`email=${email}&date=2026-10-08`), [evening])
    assert.deepEqual(await found(`email=${email}&date=2026-10-09`), [afterMidnight])
    assert.deepEqual(await found(`email=${email}&date=9999-12-31`), [])
    for (const date of ['2026-10-8', '20261008', 'today', '2026-02-30', '2026-10-08T00:00', '0000-01-01']) {
      assert.equal((await ask(`email=${email}&date=${date}`)).status, 400, date)
    }
    assert.equal((await ask(`email=${email}&date=2026-10-08&date=2026-10-08`)).status, 400)
  })

  it('needs an email or a phone with at least 7 digits', async () => {
    for (const query of ['', 'date=2026-10-08', 'email=', 'phone=', 'phone=555014', 'email=%20&phone=x']) {
      const answer = await ask(query)
      assert.equal(answer.status, 400, query)
      assert.equal(answer.body.error, 'Send an email, or a phone with at least 7 digits.')
    }
    for (const query of [`email=${email}&email=${email}`, 'phone=2125550147&phone=2125550147']) {
      assert.match((await ask(query)).body.error, /can be given only once/)
    }
  })
})
