import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { activityOfRecord } from '../../../core/activity/reads.ts'
import type { Work } from '../../../context.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { type EditRequest, editReservation } from './edits.ts'
import type { ReservationChanges } from './held-edit.ts'
import { type TestBook, dinner, openBook, staff } from '../test/book.ts'

const afternoon = '2026-10-06T19:00:00Z'
const capped = dinner({ pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null } })

describe('editing a reservation', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const fresh = async (document?: object, clock = afternoon) => {
    service.setClock(clock)
    book = await openBook(service, document)
  }
  const edit = async (
    id: number,
    changes: ReservationChanges,
    more: Partial<Pick<EditRequest, 'seenVersion' | 'confirmed'>> = {},
  ) => {
    const { version } = await book.row(id)
    return book.act((work) =>
      editReservation(work, staff('host'), { id, seenVersion: version, changes, ...more }),
    )
  }

  it('emits reservation.updated for time, date and size only', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    const edits: [ReservationChanges, number][] = [
      [{ guestName: 'Ada' }, 0],
      [{ notes: 'A booth.' }, 0],
      [{ phone: '212 555 0147' }, 0],
      [{ email: 'ada@example.com' }, 0],
      [{ partySize: 5 }, 1],
      [{ when: book.when('2026-10-06', '20:00') }, 1],
      [{ when: book.when('2026-10-07', '20:00') }, 1],
      [{ when: book.when('2026-10-08', '21:00'), partySize: 3, guestName: 'Ada L.' }, 1],
      [{ when: book.when('2026-10-08', '21:00'), partySize: 3 }, 0],
    ]
    for (const [changes, count] of edits) {
      const outcome = await edit(id, changes)
      assert.equal(
        outcome.kind,
        changes.guestName === undefined && changes === edits.at(-1)?.[0] ? 'unchanged' : 'done',
      )
      const told = (await book.told()).filter(({ name }) => name !== 'guest.created')
      assert.deepEqual(
        told.map(({ name }) => name),
        Array.from({ length: count }, () => 'reservation.updated'),
        JSON.stringify(changes),
      )
    }
    const row = await book.row(id)
    assert.equal(row.updated_at, '2026-10-06T19:00:00.000Z')
    assert.equal(row.guest_name, 'Ada L.')
  })

  it('updatedAt in the delivery is the moment of the edit; in lists edits do not move it', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    service.setClock('2026-10-06T20:30:00Z')
    const outcome = await edit(id, { partySize: 4 })
    assert.equal('record' in outcome && outcome.record.updatedAt, '2026-10-06T19:00:00.000Z')
    assert.equal((await book.told())[0]?.data.updatedAt, '2026-10-06T20:30:00.000Z')
  })

  it('of two hosts editing one booking one wins and the other gets a message', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    const { version: seenVersion } = await book.row(id)
    const change = (changes: ReservationChanges) => (work: Work) =>
      editReservation(work, staff('host'), { id, seenVersion, changes })
    const [first, second] = await book.meanwhile(change({ notes: 'Window.' }), change({ guestName: 'Ada' }))
    assert.deepEqual([first.kind, second.kind], ['done', 'refused'])
    assert.equal(
      'sentence' in second && second.sentence,
      'The booking of Maya has changed: it is now Confirmed, 2 guests at 19:00 on Tuesday 6 October.',
    )
    assert.equal((await book.row(id)).version, seenVersion + 1)
  })

  it('a new time re-derives service date and minute, the moment and the booking type', async () => {
    await fresh({
      periods: [
        { weekday: 5, name: 'Dinner', opens: '17:00', closes: '02:00' },
        { weekday: 6, name: 'Lunch', opens: '12:00', closes: '15:00' },
        { weekday: 2, name: 'Dinner', opens: '17:00', closes: '22:00' },
      ],
    })
    const id = await book.booking('Confirmed')
    await edit(id, { when: book.when('2026-10-10', '00:30') })
    const late = await book.row(id)
    assert.deepEqual(
      [late.date, late.time, late.service_date, late.service_minute, late.starts_at, late.booking_type],
      ['2026-10-10', '00:30', '2026-10-09', 1470, '2026-10-10T04:30:00.000Z', 'Dinner'],
    )
    await edit(id, { when: book.when('2026-10-10', '12:00') })
    const lunch = await book.row(id)
    assert.deepEqual(
      [lunch.service_date, lunch.service_minute, lunch.booking_type],
      ['2026-10-10', 720, 'Lunch'],
    )
    assert.equal(lunch.duration_minutes, late.duration_minutes, 'the turn time is fixed at creation')
  })

  it('a table held for the usual time is held for that of the new size; a length that staff set stays', async () => {
    await fresh(
      dinner({
        turnMinutes: [
          { upTo: 2, minutes: 90 },
          { upTo: 8, minutes: 135 },
        ],
      }),
    )
    const id = await book.booking('Confirmed', { partySize: 2 })
    const minutes = async () => (await book.row(id)).duration_minutes
    await edit(id, { partySize: 5, when: book.when('2026-10-06', '20:00') })
    assert.equal(await minutes(), 135)
    await edit(id, { partySize: 2 })
    assert.equal(await minutes(), 90)
    await edit(id, { durationMinutes: 100 })
    await edit(id, { partySize: 6 })
    assert.equal(await minutes(), 100)
  })

  it('changing the size keeps a party after midnight in the evening it was booked for, even if the hours have changed', async () => {
    await fresh()
    const id = await book.booking('Confirmed', { date: '2026-10-10', time: '00:30' })
    await book.rules(dinner({ periods: [{ weekday: 6, name: 'Night', opens: '00:00', closes: '03:00' }] }))
    assert.equal((await edit(id, { partySize: 3 })).kind, 'done')
    const row = await book.row(id)
    assert.deepEqual([row.service_date, row.service_minute], ['2026-10-09', 1470])
  })

  it('on the night the clocks go back a booking keeps its own 01:30 unless its time is changed', async () => {
    await fresh(undefined, '2026-11-01T05:45:00Z')
    // 01:45 in summer time: the first 01:30 has passed, the second is meant.
    const id = await book.booking('Confirmed', { date: '2026-11-01', time: '01:30' })
    assert.equal((await book.row(id)).starts_at, '2026-11-01T06:30:00.000Z')
    service.setClock('2026-11-01T02:00:00Z')
    assert.equal((await edit(id, { when: book.when('2026-11-01', '01:30'), notes: 'Late.' })).kind, 'done')
    assert.equal((await book.row(id)).starts_at, '2026-11-01T06:30:00.000Z')
    await edit(id, { when: book.when('2026-10-31', '23:30') })
    const row = await book.row(id)
    assert.deepEqual(
      [row.service_date, row.service_minute, row.starts_at],
      ['2026-10-31', 1410, '2026-11-01T03:30:00.000Z'],
    )
  })

  it('a time that the clocks skip is refused before anything is checked', async () => {
    await fresh()
    assert.throws(() => book.when('2027-03-14', '02:30'), { status: 400 })
  })

  it('shows every rule against a new time, and books it only when what binds staff is confirmed', async () => {
    await fresh(
      dinner({ minNoticeMinutes: 120, pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null } }),
    )
    await book.booking('Confirmed', { time: '17:00', partySize: 9 })
    const id = await book.booking('Confirmed', { partySize: 3 })
    service.setClock('2026-10-06T20:30:00Z')
    const when = book.when('2026-10-06', '17:00')
    const asked = await edit(id, { when })
    assert.deepEqual('reasons' in asked && asked.reasons.map(({ reason, figure }) => [reason, figure]), [
      ['too-short-notice', null],
      ['pacing-covers-full', '12 of 10'],
    ])
    assert.equal((await edit(id, { when }, { confirmed: ['too-short-notice'] })).kind, 'needs override')
    assert.deepEqual(await book.told(), [])
    const outcome = await edit(id, { when }, { confirmed: ['pacing-covers-full'] })
    assert.equal(outcome.kind, 'done')
    const trail = await book.act(({ db }) => activityOfRecord(db, book.venue.id, 'reservation', id))
    const kept = trail[0]?.after as { overridden: unknown } | undefined
    assert.deepEqual(kept?.overridden, [
      { reason: 'too-short-notice', figure: null },
      { reason: 'pacing-covers-full', figure: '12 of 10' },
    ])
  })

  it('a booking does not count against itself: moved within its slot, made smaller, grown to the cap', async () => {
    await fresh(capped)
    const id = await book.booking('Confirmed', { partySize: 8 })
    assert.equal((await edit(id, { when: book.when('2026-10-06', '19:10') })).kind, 'done')
    assert.equal((await edit(id, { partySize: 10 })).kind, 'done')
    const grown = await edit(id, { partySize: 12 })
    assert.equal('reasons' in grown && grown.reasons[0]?.figure, '12 of 10')
    assert.equal((await edit(id, { partySize: 12 }, { confirmed: ['pacing-covers-full'] })).kind, 'done')
    assert.equal((await edit(id, { partySize: 11 })).kind, 'done', 'smaller never needs confirmation')
  })

  it('of parties enlarged or moved at once into the last places exactly those that fit get them', async () => {
    await fresh(capped)
    const ids = []
    for (let i = 0; i < 6; i++) ids.push(await book.booking('Confirmed', { time: '18:00', partySize: 1 }))
    for (let i = 0; i < 3; i++) ids.push(await book.booking('Confirmed', { partySize: 1 }))
    const when = book.when('2026-10-06', '19:00')
    await Promise.all(ids.map((id, i) => edit(id, i < 6 ? { when, partySize: 3 } : { partySize: 3 })))
    const [sum] = await book.query(
      `select sum(party_size)::int as covers from reservation where venue_id = $1 and time = '19:00'`,
      [book.venue.id],
    )
    const covers = Number(sum?.covers)
    assert.ok(covers === 9 || covers === 10, `${covers} of 10`)
  })

  it('a party moved or enlarged while another takes the last places is checked after it', async () => {
    await fresh(capped)
    const sitting = await book.booking('Confirmed', { partySize: 4 })
    const coming = await book.booking('Confirmed', { date: '2026-10-07', partySize: 4 })
    const change = (id: number, changes: ReservationChanges) => async (work: Work) => {
      const { version: seenVersion } = await book.row(id)
      return editReservation(work, staff('host'), { id, seenVersion, changes })
    }
    const [first, second] = await book.meanwhile(
      change(sitting, { partySize: 8 }),
      change(coming, { when: book.when('2026-10-06', '19:00') }),
    )
    assert.equal(first.kind, 'done')
    assert.equal('reasons' in second && second.reasons[0]?.figure, '12 of 10')
  })

  it('parties moving between dates in both directions at once never deadlock', async () => {
    await fresh()
    const pairs = []
    for (let i = 0; i < 10; i++) {
      pairs.push([
        await book.booking('Confirmed', { date: '2026-10-07' }),
        await book.booking('Confirmed', { date: '2026-10-08' }),
      ] as const)
    }
    const deadlocks = async () => {
      const [row] = await book.query(
        `select deadlocks::int as n from pg_stat_database where datname = current_database()`,
      )
      return row?.n
    }
    const beforehand = await deadlocks()
    const outcomes = await Promise.all(
      pairs.flatMap(([one, other]) => [
        edit(one, { when: book.when('2026-10-08', '20:00') }),
        edit(other, { when: book.when('2026-10-07', '20:00') }),
      ]),
    )
    assert.ok(outcomes.every(({ kind }) => kind === 'done'))
    assert.equal(await deadlocks(), beforehand)
  })

  it('a Cancelled or No-show booking is undone before its time or size changes; its text may change', async () => {
    await fresh()
    for (const status of ['Cancelled', 'No-show'] as const) {
      const id = await book.booking(status)
      assert.equal((await edit(id, { partySize: 5 })).kind, 'refused')
      assert.equal((await edit(id, { when: book.when('2026-10-07', '19:00') })).kind, 'refused')
      assert.equal((await edit(id, { notes: 'Called to apologise.' })).kind, 'done')
    }
  })

  it('a party that is here is not moved to another day, where it would be here, too; its time and size may change', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    await book.query(`update reservation set checked_in_at = '2026-10-06T19:00:00Z' where id = $1`, [id])
    const moved = await edit(id, { when: book.when('2026-10-07', '20:00') })
    assert.ok(moved.kind === 'refused')
    assert.match(moved.sentence, /^They are marked as here; undo that before moving the booking/)
    assert.equal((await book.row(id)).service_date, '2026-10-06')
    assert.equal((await edit(id, { when: book.when('2026-10-06', '20:00'), partySize: 3 })).kind, 'done')
    await book.query('update reservation set checked_in_at = null where id = $1', [id])
    assert.equal((await edit(id, { when: book.when('2026-10-07', '20:00') })).kind, 'done')
  })

  it('new contact details are found by the API and matched to their guest; typed text is kept as typed', async () => {
    await fresh()
    const id = await book.booking('Seated', { email: 'maya@example.com' })
    const first = (await book.row(id)).guest_id
    await edit(id, { email: ' Ada@Example.com', phone: '(212) 555-0147' })
    const row = await book.row(id)
    assert.notEqual(row.guest_id, first)
    const find = (query: string) =>
      service.call('GET', `/api/v1/reservations/find?${query}`, { key: book.venue.key })
    assert.equal((await find('email=ada%40example.com')).body[0].email, ' Ada@Example.com')
    assert.equal((await find('phone=2125550147')).body.length, 1)
    assert.equal((await find('email=maya%40example.com')).body.length, 0)
    await edit(id, { email: null, phone: null })
    assert.equal(
      (await book.row(id)).guest_id,
      row.guest_id,
      'without contact details the booking stays with its guest',
    )
  })
})
