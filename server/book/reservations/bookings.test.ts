import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { activityOfRecord } from '../../core/activity/reads.ts'
import { keyed } from '../../data/imports/repeats.ts'
import { type TestService, startService } from '../../test/service.ts'
import { bookByStaff, walkIn } from './bookings.ts'
import { deleteReservation } from './delete-reservation.ts'
import { importReservations, reservationOfRow } from './import-reservation.ts'
import { moveReservation } from './moves.ts'
import { type TestBook, dinner, openBook, staff } from './test/book.ts'

const party = { guestName: 'Maya', partySize: 4, email: null, phone: null, notes: null }
const capped = dinner({ pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null } })

describe('bookings made by staff', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const fresh = async (document?: object, clock = '2026-10-06T19:00:00Z') => {
    service.setClock(clock)
    book = await openBook(service, document)
  }

  it('a phone booking is Confirmed at once, with source staff, and emits reservation.created', async () => {
    await fresh()
    const outcome = await book.act((work) =>
      bookByStaff(work, staff('host'), {
        ...party,
        phone: '212 555 0147',
        ...book.when('2026-10-07', '19:00'),
      }),
    )
    assert.equal(outcome.kind, 'done')
    const told = await book.told()
    assert.deepEqual(
      told.map(({ name }) => name),
      ['guest.created', 'reservation.created'],
    )
    assert.deepEqual([told[1]?.data.status, told[1]?.data.source], ['Confirmed', 'staff'])
    const listed = await service.call('GET', '/api/v1/reservations', { key: book.venue.key })
    assert.deepEqual(listed.body, [told[1]?.data])
  })

  it('shows every reason and leaves nothing behind until they are confirmed', async () => {
    await fresh(
      dinner({ maxParty: 2, closures: [{ from: '2026-10-08', to: '2026-10-08', name: 'Wedding' }] }),
    )
    const asked = { ...party, email: 'maya@example.com', ...book.when('2026-10-08', '19:00') }
    const refused = await book.act((work) => bookByStaff(work, staff('host'), asked))
    assert.deepEqual('reasons' in refused && refused.reasons.map(({ reason }) => reason), [
      'closed',
      'party-too-large',
    ])
    assert.deepEqual(await book.told(), [])
    const guests = await service.call('GET', '/api/v1/guests', { key: book.venue.key })
    assert.deepEqual(guests.body, [])
    const confirmed = ['closed', 'party-too-large'] as const
    const done = await book.act((work) => bookByStaff(work, staff('host'), { ...asked, confirmed }))
    assert.equal(done.kind, 'done')
  })

  it('the last places are given once: by phone, by the API and at the door at the same time', async () => {
    await fresh(capped, '2026-10-06T23:00:00Z')
    const when = book.when('2026-10-06', '19:00')
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        if (i % 3 === 0) {
          const answer = await service.call('POST', '/api/v1/reservations', {
            key: book.venue.key,
            body: { guestName: 'Maya', partySize: 4, date: '2026-10-06', time: '19:00' },
          })
          return answer.status === 201
        }
        const made = await book.act((work) =>
          i % 3 === 1
            ? bookByStaff(work, staff('host'), { ...party, ...when })
            : walkIn(work, staff('host'), party),
        )
        return made.kind === 'done'
      }),
    )
    assert.equal(outcomes.filter(Boolean).length, 2)
  })

  it('who walked in and gets up again is here, as if they had been marked so', async () => {
    await fresh(undefined, '2026-10-06T23:31:20.500Z')
    const made = await book.act((work) => walkIn(work, staff('host'), party))
    assert.equal(made.kind, 'done')
    const id = made.kind === 'done' ? made.record.id : 0
    await book.act((work) => moveReservation(work, staff('host'), { id, move: 'undoSeat' }))
    const row = await book.row(id)
    assert.equal(row.status, 'Confirmed')
    assert.notEqual(row.checked_in_at, null)
    assert.equal(row.floor_stage, 'Arrived')
  })

  it('a walk-in is Seated when entered: created only, not also updated', async () => {
    await fresh(undefined, '2026-10-07T04:31:20.500Z')
    const outcome = await book.act((work) => walkIn(work, staff('host'), { ...party, guestName: null }))
    assert.equal(outcome.kind, 'done')
    const [told, ...more] = await book.told()
    assert.deepEqual(more, [])
    assert.equal(told?.name, 'reservation.created')
    const row = await book.row(told?.data.id ?? 0)
    // Half past midnight is Tuesday's service still.
    assert.deepEqual(
      [row.date, row.time, row.service_date, row.service_minute],
      ['2026-10-07', '00:31', '2026-10-06', 1471],
    )
    assert.deepEqual(
      [row.status, row.source, row.checked_in_at, row.seated_at, row.guest_name],
      ['Seated', 'walkin', '2026-10-07T04:31:20.500Z', '2026-10-07T04:31:20.500Z', null],
    )
  })

  it('a walk-in outside service prompts staff with the plain reason', async () => {
    const wedding = {
      serviceDate: '2026-10-06',
      from: '18:00',
      to: '20:00',
      scope: 'all',
      publicNote: 'Wedding',
    }
    const closed = { closures: [{ from: '2026-10-06', to: '2026-10-06', name: 'Repairs' }] }
    for (const [rules, clock, reason, sentence] of [
      [
        {},
        '2026-10-06T20:30:00Z',
        'outside-hours',
        'Outside opening hours: Tuesday 6 October is open 17:00 to 02:00.',
      ],
      [closed, '2026-10-06T23:00:00Z', 'closed', 'Closed on Tuesday 6 October (Repairs).'],
      [{ blocks: [wedding] }, '2026-10-06T23:00:00Z', 'blocked', 'Blocked from 18:00 to 20:00: Wedding.'],
    ] as const) {
      await fresh(dinner(rules), clock)
      const asked = await book.act((work) => walkIn(work, staff('host'), party))
      assert.deepEqual('reasons' in asked && asked.reasons, [{ reason, sentence, figure: null }])
      assert.deepEqual(await book.told(), [])
      const done = await book.act((work) => walkIn(work, staff('host'), { ...party, confirmed: [reason] }))
      assert.equal(done.kind, 'done')
    }
  })

  it('a walk-in counts for pacing; over the cap takes a confirmation that shows "12 of 10"', async () => {
    await fresh(capped, '2026-10-06T23:00:00Z')
    await book.booking('Confirmed', { partySize: 8 })
    const asked = await book.act((work) => walkIn(work, staff('host'), party))
    assert.equal('reasons' in asked && asked.reasons[0]?.figure, '12 of 10')
    const done = await book.act((work) =>
      walkIn(work, staff('host'), { ...party, confirmed: ['pacing-covers-full'] }),
    )
    assert.equal(done.kind, 'done')
    const late = await service.call('POST', '/api/v1/reservations', {
      key: book.venue.key,
      body: { guestName: 'Maya', partySize: 1, date: '2026-10-06', time: '19:00' },
    })
    assert.equal(late.body.reason, 'pacing-covers-full')
  })

  it('of two hosts who confirm the same "12 of 10" one wins, and the other is asked again with the current figure', async () => {
    await fresh(capped, '2026-10-06T23:00:00Z')
    await book.booking('Confirmed', { partySize: 8 })
    const confirmed = ['pacing-covers-full:12'] as const
    const outcomes = await Promise.all(
      ['host', 'manager'].map(() => book.act((work) => walkIn(work, staff('host'), { ...party, confirmed }))),
    )
    assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['done', 'needs override'])
    const asked = outcomes.find(({ kind }) => kind === 'needs override')
    assert.equal(asked && 'reasons' in asked && asked.reasons[0]?.figure, '16 of 10')
    const again = await book.act((work) =>
      walkIn(work, staff('host'), { ...party, confirmed: ['pacing-covers-full:16'] }),
    )
    assert.equal(again.kind, 'done')
  })

  it('a deleted booking is gone, and its stored response is not replayed', async () => {
    await fresh()
    const request = () =>
      service.call('POST', '/api/v1/reservations', {
        key: book.venue.key,
        body: { guestName: 'Maya', partySize: 2, date: '2026-10-07', time: '19:00', email: 'm@example.com' },
        headers: { 'idempotency-key': 'one' },
      })
    const first = (await request()).body.reservation.id
    assert.equal((await request()).headers.get('idempotent-replayed'), 'true')
    await book.act((work) => deleteReservation(work, staff('host'), first))
    const again = await request()
    assert.equal(again.status, 201)
    assert.equal(again.headers.get('idempotent-replayed'), null)
    assert.notEqual(again.body.reservation.id, first)
    const trail = await book.act(({ db }) => activityOfRecord(db, book.venue.id, 'reservation', first))
    assert.deepEqual([trail[0]?.action, trail[0]?.after], ['delete', null])
    await assert.rejects(
      book.act((work) => deleteReservation(work, staff('host'), first)),
      { status: 404 },
    )
  })

  for (const status of ['Requested', 'Confirmed', 'Seated'] as const) {
    it(`deleting a booking that is ${status} emits first: the record as Cancelled, by staff, at that moment`, async () => {
      await fresh()
      const id = await book.booking(status)
      const [listed] = (await service.call('GET', '/api/v1/reservations', { key: book.venue.key })).body
      assert.deepEqual([listed.id, listed.status], [id, status])
      service.setClock('2026-10-06T19:30:00Z')
      await book.act((work) => deleteReservation(work, staff('manager'), id))
      const at = '2026-10-06T19:30:00.000Z'
      const by = { cancelledBy: 'staff', updatedAt: at, revision: listed.revision + 1 }
      const cancelled = { status: 'Cancelled', cancelledAt: at, ...by }
      assert.deepEqual(await book.told(), [
        { name: 'reservation.cancelled', data: { ...listed, ...cancelled }, occurredAt: at },
      ])
    })
  }

  for (const status of ['Completed', 'No-show', 'Cancelled'] as const) {
    it(`deleting a booking that is ${status} emits nothing: it was over`, async () => {
      await fresh()
      const id = await book.booking(status)
      await book.act((work) => deleteReservation(work, staff('manager'), id))
      assert.deepEqual(await book.told(), [])
    })
  }

  it('imported history emits nothing, nor does deleting it; back at the table both emit', async () => {
    await fresh()
    const file = {
      reference: null,
      cancelledBy: '',
      cancelledAt: null,
      bookingType: null,
      durationMinutes: null,
      createdAt: null,
    }
    const row = { ...file, ...party, date: '2026-10-05', time: '19:00', status: 'Seated' }
    const bring = async (guestName: string) => {
      const read = reservationOfRow({ ...row, guestName }, book.venue.timezone, service.context.clock())
      await book.act((work) => importReservations(work, [keyed(read, new Map())]))
      const [made] = await book.query('select id from reservation where venue_id = $1', [book.venue.id])
      return Number(made?.id)
    }
    const remove = (id: number) => book.act((work) => deleteReservation(work, staff('manager'), id))
    const told = async () => (await book.told()).map(({ name }) => name)
    await remove(await bring('Maya'))
    assert.deepEqual(await told(), [])
    const id = await bring('Ada')
    await book.act((work) => moveReservation(work, staff('manager'), { id, move: 'undoComplete' }))
    await remove(id)
    assert.deepEqual(await told(), ['reservation.updated', 'reservation.cancelled'])
  })

  it('a cancelled booking is not replayed; restored, it replays again', async () => {
    await fresh()
    const request = () =>
      service.call('POST', '/api/v1/reservations', {
        key: book.venue.key,
        body: { guestName: 'Maya', partySize: 2, date: '2026-10-07', time: '19:00' },
        headers: { 'idempotency-key': 'two' },
      })
    const { id } = (await request()).body.reservation
    const move = (name: 'cancel' | 'undoCancel') =>
      book.act((work) => moveReservation(work, staff('host'), { id, move: name, decidedBy: 'guest' }))
    await move('cancel')
    await move('undoCancel')
    const replayed = await request()
    assert.deepEqual(
      [replayed.body.reservation.id, replayed.headers.get('idempotent-replayed')],
      [id, 'true'],
    )
    await move('cancel')
    assert.notEqual((await request()).body.reservation.id, id)
  })
})
