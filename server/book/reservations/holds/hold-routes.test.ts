import { limits } from '@venue-data/contract/limits.ts'
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, aTuesdayAfternoon, startService } from '../../../test/service.ts'

const date = '2026-10-06'

describe('holding a time by key', () => {
  let service: TestService
  let venue: TestVenue
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  beforeEach(async () => {
    service.setClock(aTuesdayAfternoon)
    venue = await service.venue()
    await setRules(
      service,
      venue,
      everyEvening({ maxParty: 12, pacing: { intervalMinutes: 15, maxCovers: 10 } }),
    )
  })

  const post = (path: string, body: object, { key = venue.key, once = '' } = {}) =>
    service.call('POST', path, { key, body, headers: once === '' ? {} : { 'idempotency-key': once } })
  const hold = (more: object = {}, how = {}) =>
    post('/api/v1/holds', { date, time: '19:00', partySize: 2, ...more }, how)
  const request = (more: object = {}, how = {}) =>
    post('/api/v1/reservations', { guestName: 'Maya', date, time: '19:00', partySize: 2, ...more }, how)

  it('holds for five minutes, refused as a request would be, and the request that has it gets through', async () => {
    const held = await hold({ partySize: 10 })
    assert.equal(held.status, 201, held.text)
    assert.deepEqual(Object.keys(held.body).toSorted(), ['expiresAt', 'id'])
    assert.equal(held.body.expiresAt, '2026-10-06T19:05:00.000Z')
    assert.equal((await request()).body.reason, 'pacing-covers-full')
    assert.equal((await hold()).body.reason, 'pacing-covers-full')
    assert.equal((await hold({ time: '23:30' })).body.reason, 'outside-hours')
    const made = await request({ partySize: 10, holdId: held.body.id })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      await rowsOf(service, `select 1 as is from booking_hold where venue_id = ${venue.id}`),
      [],
    )
    assert.equal((await request({ holdId: held.body.id })).status, 409, 'it is used up')
  })

  it('after five minutes its places are anybody’s, and its id is ignored', async () => {
    const { body } = await hold({ partySize: 10 })
    service.setClock('2026-10-06T19:05:00Z')
    assert.equal((await request({ partySize: 10 })).status, 201)
    assert.equal((await request({ holdId: body.id })).status, 409)
    assert.equal((await request({ time: '20:00', holdId: body.id })).status, 201)
    for (const holdId of ['x', 'pX4sT9vQmN2kLw7RbC1dZg', ' '])
      assert.equal((await request({ time: '20:30', holdId })).status, 201, holdId)
  })

  it('a key has six at a time, also when it asks for all at once; another key has its own', async () => {
    const days = Array.from({ length: 12 }, (_, n) => `2026-10-${String(7 + n).padStart(2, '0')}`)
    const answers = await Promise.all(days.map((day) => hold({ date: day })))
    const kinds = Object.groupBy(answers, ({ status }) => status)
    assert.deepEqual([kinds[201]?.length, kinds[409]?.length], [limits.holdsOfKey, 6])
    assert.deepEqual(kinds[409]?.[0]?.body, {
      error: 'This key holds 6 times already; a hold ends after 5 minutes.',
      reason: 'too-many-holds',
    })
    const holdId = kinds[201]?.[0]?.body.id
    assert.equal((await hold({ holdId, time: '20:00' })).status, 201, 'one in place of another')
    assert.equal((await hold({}, { key: (await venue.makeKey('read_write')).key })).status, 201)
    assert.equal((await request()).status, 201, 'a request needs no hold')
  })

  it('the hold it replaces does not count against it, and stays where the new one is refused', async () => {
    const { body } = await hold({ partySize: 8 })
    assert.equal((await hold({ partySize: 11, holdId: body.id })).status, 409)
    const next = await hold({ partySize: 10, holdId: body.id })
    assert.equal(next.status, 201, next.text)
    assert.equal((await request({ partySize: 10, holdId: next.body.id })).status, 201)
  })

  it('a refusal of the holder of a time suggests other times as if it were not held', async () => {
    const { body } = await hold({ partySize: 10, time: '19:15' })
    const refused = await post('/api/v1/reservations?alternatives=1', {
      ...{ guestName: 'Maya', date, time: '23:00', partySize: 10, holdId: body.id },
    })
    assert.equal(refused.status, 409)
    const open = await post('/api/v1/reservations', {
      ...{
        guestName: 'Maya',
        partySize: 10,
        holdId: body.id,
        startsAt: refused.body.alternatives[0].startsAt,
      },
    })
    assert.equal(open.status, 201, open.text)
  })

  it('is of the venue alone: another venue’s key cannot use it', async () => {
    const { body } = await hold({ partySize: 10 })
    const other = await service.venue()
    await setRules(service, other)
    assert.equal((await request({ holdId: body.id }, { key: other.key })).status, 201)
    assert.equal((await request()).status, 409, 'still held')
  })

  it('the same key and body again are the same hold', async () => {
    const first = await hold({}, { once: 'call-81' })
    const again = await hold({}, { once: 'call-81' })
    assert.deepEqual([again.status, again.body], [201, first.body])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  })

  it('is in no list and no event, and cannot be tried', async () => {
    await hold()
    assert.deepEqual((await service.call('GET', '/api/v1/reservations', { key: venue.key })).body, [])
    assert.deepEqual(await rowsOf(service, `select name from event where venue_id = ${venue.id}`), [])
    const tried = await post('/api/v1/dry-run', { method: 'POST', path: '/api/v1/holds', body: {} })
    assert.equal(tried.body.reason, 'no-dry-run')
  })
})
