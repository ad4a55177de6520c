import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { reservationStatuses } from '@venue-data/contract/records/reservation.ts'
import { activityOfRecord } from '../../core/activity/reads.ts'
import type { Work } from '../../context.ts'
import { type TestService, startService } from '../../test/service.ts'
import { writeMove } from './book-writes.ts'
import { type MoveRequest, moveReservation } from './moves.ts'
import { type ReservationMoveName, reservationMoves } from './states.ts'
import { type TestBook, dinner, openBook, staff } from './test/book.ts'
import { movedRow } from './transition.ts'

const afternoon = '2026-10-06T19:00:00Z'
const capped = dinner({ pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null } })

describe('reservation moves', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const fresh = async (document?: object) => {
    service.setClock(afternoon)
    book = await openBook(service, document)
  }
  const move = (request: MoveRequest, role: 'host' | 'manager' = 'host') =>
    book.act((work) => moveReservation(work, staff(role), request))

  it('of two hosts who make the same move at once one wins and the other gets a message', async () => {
    for (const [from, name, to] of [
      ['Requested', 'confirm', 'Confirmed'],
      ['Confirmed', 'seat', 'Seated'],
      ['Requested', 'cancel', 'Cancelled'],
      ['Cancelled', 'undoCancel', 'Confirmed'],
    ] as const) {
      await fresh()
      const id = await book.booking(from)
      const once = (work: Work) =>
        moveReservation(work, staff('host'), { id, move: name, decidedBy: 'staff', seenStatus: from })
      const [first, second] = await book.meanwhile(once, once)
      assert.deepEqual([first.kind, second.kind], ['done', 'unchanged'], name)
      assert.equal('sentence' in second && second.sentence, `This booking is already ${to}.`)
      assert.equal((await book.told()).length, 1)
    }
  })

  it('of two hosts who make different moves at once the second sees what the first did', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    const [first, second] = await book.meanwhile(
      (work) => moveReservation(work, staff('host'), { id, move: 'seat' }),
      (work) => moveReservation(work, staff('host'), { id, move: 'cancel', decidedBy: 'guest' }),
    )
    assert.deepEqual([first.kind, second.kind], ['done', 'refused'])
    assert.equal(
      'sentence' in second && second.sentence,
      'The booking of Maya has changed: it is now Seated, 2 guests at 19:00 on Tuesday 6 October.',
    )
  })

  it('the statement itself writes only from the statuses in the table', async () => {
    await fresh()
    for (const name of Object.keys(reservationMoves) as ReservationMoveName[]) {
      const { from } = reservationMoves[name]
      for (const status of reservationStatuses) {
        const row = await book.row(await book.booking(status))
        const now = service.context.clock()
        const to = movedRow(name, row, { now, decidedBy: 'staff' })
        const written = await book.act(({ db }) =>
          writeMove(db, book.venue.id, row.id, reservationMoves[name], to, now),
        )
        assert.equal(written !== undefined, (from as readonly string[]).includes(status), `${status} ${name}`)
      }
    }
  })

  it('a stale page gets a clear sentence and never a silent overwrite', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    await move({ id, move: 'seat' })
    const stale = await move({ id, move: 'cancel', decidedBy: 'staff', seenStatus: 'Confirmed' })
    assert.equal(stale.kind, 'refused')
    assert.equal(
      'sentence' in stale && stale.sentence,
      'The booking of Maya has changed: it is now Seated, 2 guests at 19:00 on Tuesday 6 October.',
    )
    const request = await book.booking('Requested')
    await move({ id: request, move: 'confirm' })
    const declined = await move({
      id: request,
      move: 'cancel',
      decidedBy: 'staff',
      seenStatus: 'Requested',
    })
    assert.equal(declined.kind, 'refused', 'a colleague confirmed it since the page was rendered')
    assert.equal((await book.row(request)).status, 'Confirmed')
  })

  it('a page that shows an old version moves nothing, no matter what changed since', async () => {
    await fresh()
    const id = await book.booking('Seated')
    const { version } = await book.row(id)
    await move({ id, move: 'setFloorStage', stage: 'Mains', seenVersion: version })
    const now = await book.row(id)
    const stale = await move({ id, move: 'complete', seenStatus: 'Seated', seenVersion: version })
    assert.equal(stale.kind, 'refused')
    assert.match('sentence' in stale ? stale.sentence : '', /has changed: it is now Seated/)
    assert.deepEqual(await book.row(id), now)
    assert.equal((await move({ id, move: 'complete', seenVersion: now.version })).kind, 'done')
  })

  it('of two hosts who mark the same arrival the second learns that the party is here', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    const { version } = await book.row(id)
    await move({ id, move: 'arrive', seenVersion: version })
    const stale = await move({ id, move: 'arrive', seenVersion: version })
    assert.equal(
      'sentence' in stale && stale.sentence,
      'The booking of Maya has changed: it is now Confirmed, 2 guests at 19:00 on Tuesday 6 October, and they are here.',
    )
  })

  it('of two hosts with the same version, the second gets a message for any pair of moves', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    const press = (name: 'arrive' | 'seat') => (work: Work) =>
      moveReservation(work, staff('host'), { id, move: name, seenStatus: 'Confirmed', seenVersion: 1 })
    const [first, second] = await book.meanwhile(press('arrive'), press('seat'))
    assert.deepEqual([first.kind, second.kind], ['done', 'refused'])
    assert.equal((await book.row(id)).version, 2)
  })

  it('a party expected on another day arrives or is seated only after a confirmation', async () => {
    await fresh()
    for (const [date, name] of [
      ['2026-10-07', 'seat'],
      ['2026-10-05', 'arrive'],
    ] as const) {
      const id = await book.booking('Confirmed', { date })
      const asked = await move({ id, move: name })
      assert.deepEqual('reasons' in asked && asked.reasons.map(({ reason }) => reason), ['another-day'])
      assert.equal((await book.row(id)).version, 1)
      assert.deepEqual(await book.told(), [])
      assert.equal((await move({ id, move: name, confirmed: ['another-day'] })).kind, 'done')
      assert.equal((await book.told()).length, 1)
    }
    // Half past midnight on Wednesday is Tuesday's service.
    const late = await book.booking('Confirmed', { date: '2026-10-07', time: '00:30' })
    assert.equal((await move({ id: late, move: 'seat' })).kind, 'done')
  })

  it("another venue's booking is not found", async () => {
    await fresh()
    const foreign = await book.booking('Confirmed')
    await fresh()
    await assert.rejects(move({ id: foreign, move: 'seat' }), { status: 404 })
    await assert.rejects(move({ id: foreign, move: 'undoCancel' }), { status: 404 })
  })

  it('only once clock >= start is a party a no-show, and only a confirmed one', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    service.setClock('2026-10-06T22:59:59.999Z')
    assert.equal((await move({ id, move: 'markNoShow' })).kind, 'refused')
    service.setClock('2026-10-06T23:00:00Z')
    assert.equal((await move({ id, move: 'markNoShow' })).kind, 'done')
  })

  it('a guest can cancel until the start; who decided is stored, never who did it', async () => {
    await fresh()
    const id = await book.booking('Requested')
    const late = await book.booking('Confirmed')
    const cancel = (booking: number) =>
      book.act((work) => moveReservation(work, { kind: 'guest' }, { id: booking, move: 'cancel' }))
    assert.equal((await cancel(id)).kind, 'done')
    assert.equal((await book.row(id)).cancelled_by, 'guest')
    service.setClock('2026-10-06T23:00:00Z')
    assert.equal((await cancel(late)).kind, 'refused')
    await book.told()
    assert.equal((await move({ id: late, move: 'cancel', decidedBy: 'guest' })).kind, 'done')
    const [told] = await book.told()
    assert.deepEqual(
      [told?.name, told?.data.cancelledBy, told?.data.cancelledAt],
      ['reservation.cancelled', 'guest', '2026-10-06T23:00:00.000Z'],
    )
  })

  it('a guest, a key or the service cannot make staff moves', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    for (const actor of [{ kind: 'guest' }, { kind: 'key', id: 1 }, { kind: 'service' }] as const) {
      const outcome = await book.act((work) => moveReservation(work, actor, { id, move: 'seat' }))
      assert.equal(outcome.kind, 'refused')
    }
  })

  it('undo is for the same and the next service day; later a manager can', async () => {
    await fresh()
    const id = await book.booking('Seated')
    // 01:30 on Thursday is still Wednesday's service at a venue that is open until 02:00.
    service.setClock('2026-10-08T05:30:00Z')
    assert.equal((await move({ id, move: 'undoSeat' })).kind, 'done')
    await move({ id, move: 'seat', confirmed: ['another-day'] })
    service.setClock('2026-10-08T06:00:00Z')
    const refused = await move({ id, move: 'undoSeat' })
    assert.equal(refused.kind, 'refused')
    assert.equal((await move({ id, move: 'undoSeat' }, 'manager')).kind, 'done')
  })

  it('undo is exact: what the move set is cleared, earlier values stay', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    const untouched = await book.row(id)
    service.setClock('2026-10-06T22:50:00Z')
    await move({ id, move: 'arrive' })
    const arrived = await book.row(id)
    assert.deepEqual([arrived.floor_stage, arrived.checked_in_at], ['Arrived', '2026-10-06T22:50:00.000Z'])
    service.setClock('2026-10-06T23:05:00Z')
    await move({ id, move: 'seat' })
    await move({ id, move: 'setFloorStage', stage: 'Mains' })
    await move({ id, move: 'complete' })
    assert.equal((await book.row(id)).floor_stage, 'Mains', 'the stage is kept after Completed')
    await move({ id, move: 'undoComplete' })
    assert.equal((await book.row(id)).floor_stage, 'Mains')
    await move({ id, move: 'undoSeat' })
    const back = await book.row(id)
    const plain = (row: typeof back) => ({ ...row, version: 0, revision: 0, updated_at: '' })
    assert.deepEqual(plain(back), plain(arrived), 'the arrival before the seating stays')
    await move({ id, move: 'undoArrive' })
    assert.deepEqual(plain(await book.row(id)), plain(untouched))

    const direct = await book.booking('Confirmed')
    const before = await book.row(direct)
    await move({ id: direct, move: 'seat' })
    await move({ id: direct, move: 'undoSeat' })
    assert.deepEqual(plain(await book.row(direct)), plain(before), 'an arrival that the seating brought goes')

    for (const status of ['Requested', 'Confirmed'] as const) {
      service.setClock(afternoon)
      const cancelled = await book.booking(status)
      const was = await book.row(cancelled)
      await move({ id: cancelled, move: 'cancel', decidedBy: 'guest' })
      await move({ id: cancelled, move: 'undoCancel' })
      assert.deepEqual(plain(await book.row(cancelled)), plain(was), `back to ${status}`)
    }
  })

  it('a cancelled booking is restored until its evening is over, also after its start, and not later', async () => {
    await fresh()
    const [id, other] = [await book.booking('Cancelled'), await book.booking('Cancelled')]
    service.setClock('2026-10-07T05:59:00Z')
    assert.equal((await move({ id, move: 'undoCancel' })).kind, 'done')
    // Dinner ends at two.
    service.setClock('2026-10-07T06:00:00Z')
    assert.equal((await move({ id: other, move: 'undoCancel' }, 'manager')).kind, 'refused')
  })

  it('a cancellation offers its undo exactly as long as that is not refused', async () => {
    await fresh()
    const [one, other] = [await book.booking('Confirmed'), await book.booking('Confirmed')]
    const offered = async (id: number): Promise<unknown> => {
      const outcome = await move({ id, move: 'cancel', decidedBy: 'guest' })
      return 'offersUndo' in outcome && outcome.offersUndo
    }
    service.setClock('2026-10-07T05:59:00Z')
    assert.equal(await offered(one), true)
    service.setClock('2026-10-07T06:00:00Z')
    assert.equal(await offered(other), false)
  })

  it('restoring re-checks the slot under the lock; exceeding it takes an explicit confirmation', async () => {
    await fresh(capped)
    const cancelled = await book.booking('Cancelled', { partySize: 4 })
    await book.booking('Confirmed', { partySize: 8 })
    const asked = await move({ id: cancelled, move: 'undoCancel' })
    assert.equal(asked.kind, 'needs override')
    assert.deepEqual('reasons' in asked && asked.reasons, [
      {
        reason: 'pacing-covers-full',
        sentence: 'The 19:00 slot takes 10 guests.',
        figure: '12 of 10',
      },
    ])
    assert.equal((await book.row(cancelled)).status, 'Cancelled')
    assert.deepEqual(await book.told(), [])
    const done = await move({ id: cancelled, move: 'undoCancel', confirmed: ['pacing-covers-full'] })
    assert.equal(done.kind, 'done')
    assert.equal('overridden' in done && done.overridden[0]?.figure, '12 of 10')
  })

  it('a party restored while another takes the last places is checked after it', async () => {
    for (const [status, name] of [
      ['Cancelled', 'undoCancel'],
      ['No-show', 'undoNoShow'],
      ['No-show', 'seatLate'],
    ] as const) {
      await fresh(capped)
      const [one, other] = [
        await book.booking(status, { partySize: 6 }),
        await book.booking(status, { partySize: 6 }),
      ]
      const restore = (id: number) => (work: Work) => moveReservation(work, staff('host'), { id, move: name })
      const [first, second] = await book.meanwhile(restore(one), restore(other))
      assert.deepEqual([first.kind, second.kind], ['done', 'needs override'], name)
    }
  })

  it('the undo of “Not here yet” gives back since when they are here, and how far; a new arrival is a new one', async () => {
    for (const [date, time] of [
      ['2026-10-06', '19:00'],
      ['2026-10-07', '19:00'],
    ] as const) {
      await fresh()
      const id = await book.booking('Confirmed', { date, time })
      service.setClock('2026-10-06T22:40:00Z')
      await move({ id, move: 'arrive', confirmed: ['another-day'] })
      await move({ id, move: 'setFloorStage', stage: 'Partly seated' })
      const here = await book.row(id)
      service.setClock('2026-10-06T23:05:00Z')
      const mistaken = await move({ id, move: 'undoArrive' })
      assert.equal(mistaken.kind, 'done')
      const press = ('press' in mistaken && mistaken.press) || []
      assert.equal((await book.row(id)).checked_in_at, null)
      const undone = await move({ id, move: 'arrive', press })
      assert.equal(undone.kind, 'done', 'and nobody is asked again which day it is')
      const { checked_in_at: since, floor_stage: stage } = await book.row(id)
      assert.deepEqual([since, stage], [here.checked_in_at, 'Partly seated'])
      assert.equal((await book.told()).at(-1)?.data.checkedInAt, '2026-10-06T22:40:00.000Z')

      await move({ id, move: 'undoArrive' })
      await move({ id, move: 'arrive', confirmed: ['another-day'] })
      assert.equal((await book.row(id)).checked_in_at, '2026-10-06T23:05:00.000Z')
      const other = await book.booking('Confirmed', { date, time })
      await move({ id: other, move: 'arrive', press, confirmed: ['another-day'] })
      assert.equal((await book.row(other)).checked_in_at, '2026-10-06T23:05:00.000Z', 'of another booking')
    }
  })

  it('updatedAt in lists never goes back and moves only with arrival, seating and cancellation; in a delivery it is the moment of the change', async () => {
    await fresh()
    const id = await book.booking('Requested')
    const steps = [
      ['confirm', '2026-10-06T20:00:00.000Z', '2026-10-06T19:00:00.000Z'],
      ['arrive', '2026-10-06T22:00:00.000Z', '2026-10-06T22:00:00.000Z'],
      // A process whose clock is behind: the change has its own moment, the list does not go back.
      ['seat', '2026-10-06T21:59:00.000Z', '2026-10-06T22:00:00.000Z'],
      ['complete', '2026-10-06T23:00:00.000Z', '2026-10-06T22:00:00.000Z'],
      ['undoComplete', '2026-10-06T23:01:00.000Z', '2026-10-06T22:00:00.000Z'],
      ['undoSeat', '2026-10-06T23:02:00.000Z', '2026-10-06T23:02:00.000Z'],
      // A party that is here is no no-show: it is marked as not arrived first.
      ['undoArrive', '2026-10-06T23:03:00.000Z', '2026-10-06T23:03:00.000Z'],
      ['markNoShow', '2026-10-06T23:30:00.000Z', '2026-10-06T23:03:00.000Z'],
      ['undoNoShow', '2026-10-06T23:31:00.000Z', '2026-10-06T23:03:00.000Z'],
      ['cancel', '2026-10-06T23:32:00.000Z', '2026-10-06T23:32:00.000Z'],
    ] as const
    for (const [name, moment, inLists] of steps) {
      service.setClock(moment)
      const outcome = await move({ id, move: name, decidedBy: 'staff' })
      assert.equal(outcome.kind, 'done', name)
      const listed = await service.call('GET', '/api/v1/reservations', { key: book.venue.key })
      assert.equal(listed.body[0].updatedAt, inLists, name)
      const told = await book.told()
      assert.equal(told.length, 1, `${name}: one event per change`)
      assert.equal(told[0]?.data.updatedAt, moment, name)
      assert.equal(told[0]?.data.status, listed.body[0].status)
      const [row] = await book.query(
        `select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
           from event where venue_id = $1 order by id desc limit 1`,
        [book.venue.id],
      )
      assert.equal(row?.at, moment, `${name}: occurredAt`)
    }
  })

  it('every move records who, when, before and after in the private activity log, and the API shows none of it', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    await move({ id, move: 'seat' })
    await move({ id, move: 'setFloorStage', stage: 'Ordered' })
    await move({ id, move: 'seat' })
    const trail = await book.act(({ db }) => activityOfRecord(db, book.venue.id, 'reservation', id))
    assert.deepEqual(
      trail.map(({ action }) => action),
      ['setFloorStage', 'seat', 'book'],
      'a move that changes nothing is not logged',
    )
    const [stage, seat] = trail
    assert.deepEqual(
      [stage?.actor_kind, stage?.actor_id, stage?.actor_name, stage?.at],
      ['staff', 7, 'host@example.com', '2026-10-06T19:00:00.000Z'],
    )
    assert.deepEqual([stage?.before, stage?.after], [{ floor_stage: 'Seated' }, { floor_stage: 'Ordered' }])
    assert.equal((seat?.before as { status: string } | undefined)?.status, 'Confirmed')
    const answers = await service.call('GET', '/api/v1/reservations', { key: book.venue.key })
    assert.ok(!answers.text.includes('host@example.com'))
    const told = await book.query(`select data from event where venue_id = $1`, [book.venue.id])
    assert.ok(!JSON.stringify(told).includes('host@example.com'))
  })
})
