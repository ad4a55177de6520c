import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openDesk, staffOf } from '../../test/desk.ts'
import { everyEvening, setRules } from '../../test/open-rules.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import { moveEntry } from './actions.ts'

/** A Tuesday at 15:00 in New York; every evening is open from 17:00 to 23:00. */
describe('the waitlist by API', () => {
  let service: TestService
  let venue: TestVenue
  let desk: Awaited<ReturnType<typeof openDesk>>
  const manager = staffOf('manager')
  before(async () => {
    service = await startService()
    desk = await openDesk(service)
    ;({ venue } = desk)
    await setRules(service, venue, everyEvening())
  })
  after(() => service.stop())

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    service.call(method, `/api/v1${path}`, {
      key: venue.key,
      headers: { 'if-match': '*', ...headers },
      ...(body !== undefined && { body }),
    })
  const party = { guestName: 'Maya Okafor', partySize: 2, phone: '(212) 555-0147' }
  const joined = async (more: object = {}): Promise<{ id: number }> => {
    const { status, body, text } = await call('POST', '/waitlist', { ...party, ...more })
    assert.equal(status, 201, text)
    return body.waitlistEntry
  }
  const refused = async (more: object): Promise<[number, string | undefined]> => {
    const { status, body } = await call('POST', '/waitlist', { ...party, ...more })
    return [status, body.reason]
  }

  it('a party joins with everything it gave, source public, and waitlist.added is sent', async () => {
    const said = {
      requestedTime: '7:30 PM',
      windowStart: '19:00',
      windowEnd: '9pm',
      notes: 'The bar is fine.',
    }
    const entry = await joined({ ...said, email: 'maya@example.com' })
    assert.deepEqual(entry, {
      ...entry,
      ...party,
      ...said,
      email: 'maya@example.com',
      requestedTime: '19:30',
      windowEnd: '21:00',
      date: '2026-10-06',
      status: 'waiting',
      source: 'public',
      quotedMinutes: null,
      revision: 1,
    })
    const told = await rowsOf(
      service,
      `select data from event where venue_id = $1 and name = 'waitlist.added'`,
      [venue.id],
    )
    assert.deepEqual(JSON.parse(String(told.at(-1)?.['data'])), entry)
  })

  it('closed days, hours and sizes are refused as for a booking, and an evening that is over', async () => {
    await setRules(service, venue, {
      ...everyEvening(),
      closures: [{ from: '2026-10-09', to: '2026-10-09', name: 'Private party' }],
      maxParty: 8,
      maxDaysAhead: 30,
    })
    assert.deepEqual(await refused({ date: '2026-10-09' }), [409, 'closed'])
    assert.deepEqual(await refused({ date: '2026-10-08', requestedTime: '10:00' }), [409, 'outside-hours'])
    assert.deepEqual(await refused({ partySize: 9 }), [409, 'party-too-large'])
    assert.deepEqual(await refused({ date: '2026-10-05' }), [409, 'waitlist-closed'])
    assert.deepEqual(await refused({ date: '2026-12-24' }), [409, 'waitlist-closed'])
    assert.deepEqual(await refused({ phone: undefined }), [400, undefined])
    assert.deepEqual(await refused({ windowEnd: 'late' }), [400, undefined])
  })

  it('a party that names no time is taken when a service that is left takes its size', async () => {
    const meal = (name: string, opens: string, closes: string, maxParty: number) =>
      [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, name, opens, closes, maxParty }))
    const tomorrow = { date: '2026-10-07' }
    // It is 15:00: of today's services, dinner is left.
    await setRules(service, venue, {
      periods: [...meal('Lunch', '11:00', '14:00', 4), ...meal('Dinner', '17:00', '22:00', 8)],
    })
    await joined({ partySize: 6 })
    await joined({ partySize: 6, ...tomorrow })
    assert.deepEqual(await refused({ partySize: 9, ...tomorrow }), [409, 'party-too-large'])
    assert.deepEqual(await refused({ partySize: 6, ...tomorrow, requestedTime: '12:00' }), [
      409,
      'party-too-large',
    ])
    await setRules(service, venue, {
      periods: [...meal('Lunch', '11:00', '14:00', 8), ...meal('Dinner', '17:00', '22:00', 4)],
    })
    assert.deepEqual(await refused({ partySize: 6 }), [409, 'party-too-large'])
    await joined({ partySize: 6, ...tomorrow })
    await setRules(service, venue)
  })

  it('leaves once, and not once it has a table', async () => {
    const { id } = await joined()
    const first = await call('POST', `/waitlist/${id}/leave`)
    assert.deepEqual([first.status, first.body.changed], [200, true])
    assert.deepEqual(
      [first.body.waitlistEntry.status, first.body.waitlistEntry.leftAt],
      ['cancelled', '2026-10-06T19:00:00.000Z'],
    )
    const again = await call('POST', `/waitlist/${id}/leave`)
    assert.deepEqual([again.status, again.body.changed], [200, false])
    const patched = await call('PATCH', `/waitlist/${id}`, { partySize: 3 })
    assert.deepEqual([patched.status, patched.body.reason], [409, 'not-in-state'])
    await rowsOf(service, `update waitlist_entry set status = 'booked' where id = $1`, [id])
    const booked = await call('POST', `/waitlist/${id}/leave`)
    assert.deepEqual([booked.status, booked.body.reason], [409, 'not-in-state'])
  })

  it('changes what it said while it waits; the reach of a page does not end that', async () => {
    const { id } = await joined()
    await desk.act((work) => moveEntry(work, manager, { id, move: 'page' }))
    const { status, body } = await call('PATCH', `/waitlist/${id}`, {
      partySize: 3,
      windowEnd: '22:00',
      email: 'maya@example.com',
      phone: null,
    })
    assert.equal(status, 200)
    const { partySize, windowEnd, email, phone, guestName, revision } = body.waitlistEntry
    assert.deepEqual(
      [partySize, windowEnd, email, phone, guestName, revision],
      [3, '22:00', 'maya@example.com', null, 'Maya Okafor', 3],
    )
    assert.equal((await call('PATCH', `/waitlist/${id}`, { email: null })).status, 400)
    const quoted = await call('PATCH', `/waitlist/${id}`, { quotedMinutes: 5 })
    assert.deepEqual([quoted.status, quoted.body.reason], [403, 'staff-only'])
    assert.deepEqual((await call('GET', '/waitlist?email=maya@example.com')).body[0].id, id)
  })

  it('what a key did is in the activity log, with the key', async () => {
    const { id } = await joined()
    await call('PATCH', `/waitlist/${id}`, { notes: 'Window' })
    await call('POST', `/waitlist/${id}/leave`)
    const rows = await rowsOf(
      service,
      `select actor_kind, action from activity where record_kind = 'waitlist_entry' and record_id = $1 order by id`,
      [id],
    )
    assert.deepEqual(
      rows,
      ['join', 'edit', 'leave'].map((action) => ({ actor_kind: 'key', action })),
    )
  })
})
