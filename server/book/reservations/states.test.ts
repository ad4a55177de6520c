import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { firstEventNames, namesWith } from '@venue-data/contract/webhooks/events.ts'
import { type ReservationStatus, reservationStatuses } from '@venue-data/contract/records/reservation.ts'
import { type TestService, startService } from '../../test/service.ts'
import { moveReservation } from './moves.ts'
import { type ReservationMoveName, reservationMoves } from './states.ts'
import { type TestBook, openBook, staff } from './test/book.ts'

/*
 * Every allowed pair of a status and a move, written out independently of the table of moves, with the event (u, x or
 * none) and what it sets or clears. Every pair not listed here is forbidden.
 */
const spec = `
  Requested  confirm        Confirmed  u
  Requested  cancel         Cancelled  x  +cancelled_at +cancelled_by
  Confirmed  cancel         Cancelled  x  +cancelled_at +cancelled_by
  Requested  arrive         Requested  u  +checked_in_at stage=Arrived
  Confirmed  arrive         Confirmed  u  +checked_in_at stage=Arrived
  Requested  seat           Seated     u  +seated_at +checked_in_at stage=Seated
  Confirmed  seat           Seated     u  +seated_at +checked_in_at stage=Seated
  Seated     complete       Completed  u  +completed_at stage=Seated
  Confirmed  markNoShow     No-show    u  +no_show_at
  Seated     undoSeat       Confirmed  u  -seated_at -checked_in_at
  Completed  undoComplete   Seated     u  -completed_at stage=Seated
  No-show    undoNoShow     Confirmed  u  -no_show_at
  No-show    seatLate       Seated     u  -no_show_at +seated_at +checked_in_at stage=Seated
  Cancelled  undoCancel     Confirmed  u  -cancelled_at -cancelled_by
  Seated     setFloorStage  Seated     -  stage=Mains
`
/** The same state again: a no-op without an event. */
const already = `
  Confirmed confirm, Cancelled cancel, Seated seat, Completed complete, No-show markNoShow, Confirmed undoSeat,
  Seated undoComplete, Confirmed undoNoShow, Seated seatLate, Requested undoCancel, Confirmed undoCancel,
  Requested undoArrive, Confirmed undoArrive`

type Row = { readonly to: string; readonly event: string; readonly sets: readonly string[] }
const rows = new Map<string, Row>(
  spec
    .trim()
    .split('\n')
    .map((line) => {
      const [from = '', move = '', to = '', event = '', ...sets] = line.trim().split(/\s+/)
      return [`${from} ${move}`, { to, event, sets }] as const
    }),
)
const noOps = new Set(already.split(',').map((pair) => pair.trim()))

const moveNames = Object.keys(reservationMoves) as ReservationMoveName[]
/** A moment at which every condition on the clock holds: restoring needs one before the start, the rest one after. */
const clockFor = (move: ReservationMoveName) =>
  move === 'undoCancel' ? '2026-10-06T22:00:00Z' : '2026-10-06T23:30:00Z'

describe('the states of a reservation', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
    book = await openBook(service)
  })
  after(() => service.stop())

  const attempt = async (status: ReservationStatus, move: ReservationMoveName) => {
    service.setClock('2026-10-06T19:00:00Z')
    const id = await book.booking(status)
    const was = await book.row(id)
    service.setClock(clockFor(move))
    const outcome = await book.act((work) =>
      moveReservation(work, staff('host'), { id, move, decidedBy: 'staff', stage: 'Mains' }),
    )
    return { outcome, was, is: await book.row(id), told: await book.told() }
  }

  for (const move of moveNames) {
    for (const status of reservationStatuses) {
      const pair = `${status} ${move}`
      const row = rows.get(pair)
      if (row) {
        it(`${pair} -> ${row.to}, ${row.event === '-' ? 'emits nothing' : row.event}`, async () => {
          const { outcome, was, is, told } = await attempt(status, move)
          assert.equal(outcome.kind, 'done', JSON.stringify(outcome))
          assert.equal(is.status, row.to)
          const names = { u: ['reservation.updated'], x: ['reservation.cancelled'], '-': [] }
          assert.deepEqual(
            told.map(({ name }) => name),
            names[row.event as keyof typeof names],
          )
          const stage = row.sets.find((set) => set.startsWith('stage='))?.slice('stage='.length) ?? null
          assert.equal(is.floor_stage, stage)
          for (const column of [
            'checked_in_at',
            'seated_at',
            'completed_at',
            'no_show_at',
            'cancelled_at',
          ] as const) {
            const set = row.sets.includes(`+${column}`)
            const cleared = row.sets.includes(`-${column}`)
            const now = clockFor(move).replace('Z', '.000Z')
            assert.equal(is[column], set ? now : cleared ? null : was[column], column)
          }
          const by = row.sets.includes('+cancelled_by') ? 'staff' : null
          assert.equal(is.cancelled_by, by)
        })
      } else if (noOps.has(pair)) {
        it(`${pair}: the same state again changes nothing and emits nothing`, async () => {
          const { outcome, was, is, told } = await attempt(status, move)
          assert.equal(outcome.kind, 'unchanged')
          assert.deepEqual(is, was)
          assert.deepEqual(told, [])
        })
      } else {
        it(`${pair} is forbidden: a clear sentence, no change, no event`, async () => {
          const { outcome, was, is, told } = await attempt(status, move)
          assert.equal(outcome.kind, 'refused')
          assert.ok('sentence' in outcome && outcome.sentence.endsWith('.'))
          assert.deepEqual(is, was)
          assert.deepEqual(told, [])
        })
      }
    }
  }

  it('the table matches the written list: from, to, event', () => {
    for (const move of moveNames) {
      const said = [...rows].filter(([pair]) => pair.endsWith(` ${move}`))
      const { from, to, names } = reservationMoves[move]
      const first = namesWith(names).find((name) => firstEventNames.includes(name))
      const letter = first === undefined ? '-' : first === 'reservation.cancelled' ? 'x' : 'u'
      for (const [pair, row] of said) {
        const status = pair.slice(0, -move.length - 1)
        assert.ok((from as readonly string[]).includes(status), pair)
        assert.ok(to === row.to || to === 'same' || to === 'as before', pair)
        assert.equal(letter, row.event, pair)
      }
    }
  })

  it('only what lists reflect moves updatedAt: arrival, seating, cancellation and their undo', () => {
    const dated = moveNames.filter((move) => reservationMoves[move].datesList)
    assert.deepEqual(dated.toSorted(), [
      'arrive',
      'cancel',
      'seat',
      'seatLate',
      'undoArrive',
      'undoCancel',
      'undoSeat',
    ])
  })

  it('every move that can add load takes the lock: restored from Cancelled or No-show', () => {
    const adding = moveNames.filter((move) => reservationMoves[move].addsLoad)
    assert.deepEqual(adding.toSorted(), ['seatLate', 'undoCancel', 'undoNoShow'])
  })
})
