import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deleteReservation } from '../reservations/delete-reservation.ts'
import { moveReservation } from '../reservations/moves.ts'
import { type TestBook, openBook, staff } from '../reservations/test/book.ts'
import { notedChanges } from '../../test/every-door/noted-changes.ts'
import { type TestService, startService } from '../../test/service.ts'
import { joinWaitlist, moveEntry } from './actions.ts'
import { expireWaitlist } from './jobs.ts'
import { bookFromWaitlist, recallParty, seatFromWaitlist } from './seat-party.ts'
import type { PlainWaitlistMove } from './states.ts'

describe('changes of waitlist entries', () => {
  let service: TestService
  let book: TestBook
  let id: number
  const host = staff('host')
  const at = (time: string) => service.setClock(`2026-10-06T${time}:00Z`)
  const changes = () => notedChanges(book, 'waitlist_entry')
  const move = (name: PlainWaitlistMove) => book.act((work) => moveEntry(work, host, { id, move: name }))
  const bookForLater = () =>
    book.act((work) => bookFromWaitlist(work, host, { id, when: book.when('2026-10-06', '21:00') }))
  const reservation = async () =>
    Number((await book.query('select id from reservation where venue_id = $1', [book.venue.id]))[0]?.['id'])

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  const fresh = async () => {
    at('22:00')
    book = await openBook(service)
    const party = { guestName: 'Maya', partySize: 2, email: null, phone: null, notes: null }
    const made = await book.act((work) =>
      joinWaitlist(work, host, { ...party, windowStart: null, windowEnd: null }),
    )
    assert.equal(made.revision, 1)
    id = made.id
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 22:00' })
  }

  it('are noted when a party is quoted, paged, leaves, comes back and expires', async () => {
    await fresh()
    at('22:10')
    const moves: PlainWaitlistMove[] = ['quote', 'page', 'page', 'notYet', 'leave', 'rejoin', 'page']
    for (const [i, name] of moves.entries()) {
      assert.equal((await move(name)).kind, 'done', name)
      assert.deepEqual(await changes(), { [id]: `upsert ${i + 2} at 22:10` }, name)
    }
    at('22:30')
    await expireWaitlist(service.context)
    assert.deepEqual(await changes(), { [id]: 'upsert 9 at 22:30' })
    at('22:40')
    await expireWaitlist(service.context)
    await move('leave')
    assert.deepEqual(await changes(), { [id]: 'upsert 9 at 22:30' }, 'it was in line no longer')
  })

  it('are noted when a party is seated and recalled', async () => {
    await fresh()
    at('22:10')
    await book.act((work) => seatFromWaitlist(work, host, { id }))
    assert.deepEqual(await changes(), { [id]: 'upsert 2 at 22:10' })
    const told = (await book.told()).find(({ name }) => name === 'waitlist.seated')
    assert.equal(told?.data['revision'], 2)
    at('22:20')
    const recalled = await book.act((work) => recallParty(work, host, { id }))
    assert.equal(recalled.kind, 'done')
    assert.deepEqual(
      await changes(),
      { [id]: 'upsert 4 at 22:20' },
      'let go by the booking, and back in line',
    )
  })

  it('are noted when a table for later is taken, left again, and its booking deleted', async () => {
    await fresh()
    at('22:10')
    await bookForLater()
    assert.deepEqual(await changes(), { [id]: 'upsert 2 at 22:10' })
    const linked = await reservation()
    at('23:00')
    await book.act((work) => moveReservation(work, host, { id: linked, move: 'arrive' }))
    assert.deepEqual(await changes(), { [id]: 'upsert 2 at 22:10' }, 'an arrival is not the party’s seating')
    await book.act((work) => moveReservation(work, host, { id: linked, move: 'seat' }))
    assert.deepEqual(await changes(), { [id]: 'upsert 3 at 23:00' })
    at('23:10')
    await book.act((work) => moveReservation(work, host, { id: linked, move: 'undoSeat' }))
    assert.deepEqual(await changes(), { [id]: 'upsert 4 at 23:10' })
    at('23:20')
    await book.act((work) => deleteReservation(work, staff('manager'), linked))
    assert.deepEqual(await changes(), { [id]: 'upsert 5 at 23:20' })
  })
})
