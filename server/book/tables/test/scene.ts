import assert from 'node:assert/strict'
import { beforeEach } from 'node:test'
import { bookByStaff } from '../../reservations/bookings.ts'
import { type MoveRequest, moveReservation } from '../../reservations/moves.ts'
import type { ConfirmedReason } from '../../reservations/staff-reasons.ts'
import { type TestBook, dinner, openBook, staff } from '../../reservations/test/book.ts'
import { madeBefore } from '../../../test/made-before.ts'
import { aTuesdayAfternoon, startService } from '../../../test/service.ts'
import { heldTables, tablesOf, turnTablesOn as letTablesDecide } from './floor.ts'

/** Tuesday 6 October 2026, 15:00 in New York. */
export const tonight = '2026-10-06'
export const host = staff('host')
export const four = [{ label: '1', most: 4 }]

/**
 * One venue at a time with tables, its guests who book and its staff who move them, on a Tuesday afternoon. Its service
 * stops after the tests of the `describe` it is called in.
 */
export const tableScene = () => {
  const service = madeBefore(() => startService())
  beforeEach(() => service.setClock(aTuesdayAfternoon))
  let book: TestBook
  /** A venue with these rules, where tables do not decide yet. */
  const openUndecided = async (document: object): Promise<void> => {
    book = await openBook(service, document)
  }
  /** A venue with these tables, where tables decide. */
  const open = async (
    tables: readonly { label: string; most: number; [field: string]: unknown }[],
    { floor = {}, ...rules }: { floor?: object; [rule: string]: unknown } = {},
  ): Promise<void> => {
    book = await openBook(service, dinner({ ...tablesOf(tables, floor), ...rules }))
    await letTablesDecide(service, book.venue)
  }
  const post = (partySize: number, time = '19:00', more: object = {}) =>
    service.call('POST', '/api/v1/reservations', {
      key: book.venue.key,
      body: { guestName: 'Ada', date: tonight, time, partySize, ...more },
    })
  const taken = async (...asked: Parameters<typeof post>): Promise<number> => {
    const { status, body, text } = await post(...asked)
    assert.equal(status, 201, text)
    return body.reservation.id
  }
  const refusedWith = async (reason: string, ...asked: Parameters<typeof post>): Promise<string> => {
    const { status, body, text } = await post(...asked)
    assert.deepEqual([status, body.reason], [409, reason], text)
    return body.error
  }
  const held = () => heldTables(service, book.venue)
  const ids = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await book.query('select id, label from dining_table where venue_id = $1', [book.venue.id])).map(
        ({ id, label }) => [label, Number(id)],
      ),
    )
  const move = (
    id: number,
    name: MoveRequest['move'],
    confirmed?: readonly ConfirmedReason[],
    actor = staff('manager'),
  ) =>
    book.act((work) =>
      moveReservation(work, actor, {
        id,
        move: name,
        ...(confirmed && { confirmed }),
        ...(name === 'cancel' && { decidedBy: 'guest' }),
      }),
    )
  const booked = async (
    partySize: number,
    time = '19:00',
    more: { tables?: readonly number[]; confirmed?: readonly ConfirmedReason[]; date?: string } = {},
  ) => {
    const { date = tonight, ...rest } = more
    const outcome = await book.act((work) =>
      bookByStaff(work, host, {
        guestName: 'Okafor',
        email: null,
        phone: null,
        notes: null,
        partySize,
        ...book.when(date, time),
        ...rest,
      }),
    )
    return outcome
  }
  const made = async (...asked: Parameters<typeof booked>): Promise<number> => {
    const outcome = await booked(...asked)
    assert.ok(outcome.kind === 'done', JSON.stringify(outcome))
    return outcome.record.id
  }
  const reasonsOf = (outcome: Awaited<ReturnType<typeof move | typeof booked>>): string[] => {
    assert.equal(outcome.kind, 'needs override')
    return outcome.kind === 'needs override' ? outcome.reasons.map(({ reason }) => reason) : []
  }
  /** Every booking that counts, with who holds what from when to when. */
  const clashes = async (): Promise<unknown[]> =>
    book.query(
      `select a.reservation_id, b.reservation_id
         from reservation_table a
         join reservation_table b on b.venue_id = a.venue_id and b.table_id = a.table_id and b.reservation_id > a.reservation_id
         join reservation r on r.venue_id = a.venue_id and r.id = a.reservation_id
         join reservation s on s.venue_id = b.venue_id and s.id = b.reservation_id
        where a.venue_id = $1 and r.status in ('Confirmed', 'Seated') and s.status in ('Confirmed', 'Seated')
          and r.starts_at < s.starts_at + make_interval(mins => s.duration_minutes)
          and s.starts_at < r.starts_at + make_interval(mins => r.duration_minutes)`,
      [book.venue.id],
    )
  return {
    service,
    get book() {
      return book
    },
    open,
    openUndecided,
    post,
    taken,
    refusedWith,
    held,
    ids,
    move,
    booked,
    made,
    reasonsOf,
    clashes,
  }
}
