import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { notedChanges } from '../../../test/every-door/noted-changes.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { changeVenue } from '../../../core/venue/actions.ts'
import { bookByStaff } from '../bookings.ts'
import { deleteReservation } from '../delete-reservation.ts'
import { editReservation } from '../edits/edits.ts'
import type { ReservationChanges } from '../edits/held-edit.ts'
import { importReservations, reservationOfRow } from '../import-reservation.ts'
import { completeEndedServices } from '../jobs.ts'
import { moveReservation } from '../moves.ts'
import { type ReservationMove, type ReservationMoveName, reservationMoves } from '../states.ts'
import { type TestBook, openBook, staff } from '../test/book.ts'
import { followZone } from '../zone-change.ts'

describe('changes of reservations', () => {
  let service: TestService
  let book: TestBook
  const manager = staff('manager')
  const at = (time: string) => service.setClock(`2026-10-06T${time}:00Z`)
  const changes = () => notedChanges(book, 'reservation')
  const move = (id: number, name: ReservationMoveName) =>
    book.act((work) => moveReservation(work, manager, { id, move: name, decidedBy: 'guest', stage: 'Mains' }))
  const edit = async (id: number, more: ReservationChanges) => {
    const { version } = await book.row(id)
    return book.act((work) => editReservation(work, manager, { id, seenVersion: version, changes: more }))
  }

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  const fresh = async () => {
    at('10:00')
    book = await openBook(service)
  }

  it('are noted of a request by the API, which returns its revision; a refused one leaves nothing', async () => {
    await fresh()
    const request = (time: string) =>
      service.call('POST', '/api/v1/reservations', {
        key: book.venue.key,
        body: { guestName: 'Maya', email: 'maya@example.com', partySize: 2, date: '2026-10-08', time },
      })
    const { body } = await request('19:00')
    assert.equal(body.reservation.revision, 1)
    assert.deepEqual(await changes(), { [body.reservation.id]: 'upsert 1 at 10:00' })
    assert.equal((await request('11:00')).status, 409)
    assert.equal(Object.keys(await changes()).length, 1)
  })

  for (const name of Object.keys(reservationMoves) as ReservationMoveName[]) {
    it(`are noted of the move ${name}, once`, async () => {
      await fresh()
      const { from, conditions }: ReservationMove = reservationMoves[name]
      const id = await book.booking(from[0] as (typeof from)[number])
      if (name === 'undoArrive' || name === 'setFloorStage') {
        await book.query('update reservation set checked_in_at = created_at where venue_id = $1', [
          book.venue.id,
        ])
      }
      const moment = conditions.includes('started') ? '23:30' : '22:00'
      at(moment)
      assert.equal((await move(id, name)).kind, 'done')
      assert.deepEqual(await changes(), { [id]: `upsert 2 at ${moment}` })
      for (const { data } of await book.told()) assert.equal(data['revision'], 2)
      at('23:45')
      assert.notEqual((await move(id, name)).kind, 'done')
      assert.deepEqual(await changes(), { [id]: `upsert 2 at ${moment}` })
    })
  }

  it('are noted of a booking by staff, of its edits and of its deletion for good', async () => {
    await fresh()
    const asked = { guestName: 'Maya', partySize: 2, email: null, phone: null, notes: null }
    const made = await book.act((work) =>
      bookByStaff(work, manager, { ...asked, ...book.when('2026-10-06', '19:00') }),
    )
    assert.equal(made.kind, 'done')
    const [id = 0] = Object.keys(await changes()).map(Number)
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
    const edits: ReservationChanges[] = [
      { guestName: 'Maya Okafor' },
      { email: 'maya@example.com' },
      { phone: '212 555 0100' },
      { notes: 'By the window' },
      { partySize: 3 },
      { when: book.when('2026-10-07', '20:00') },
    ]
    at('11:00')
    for (const [i, more] of edits.entries()) {
      assert.equal((await edit(id, more)).kind, 'done')
      assert.deepEqual(await changes(), { [id]: `upsert ${i + 2} at 11:00` }, JSON.stringify(more))
    }
    at('12:00')
    for (const more of edits) await edit(id, more)
    assert.deepEqual(await changes(), { [id]: 'upsert 7 at 11:00' }, 'saved as it was')
    at('13:00')
    await book.act((work) => deleteReservation(work, manager, id))
    assert.deepEqual(await changes(), { [id]: 'deleted 8 at 13:00, gone' })
  })

  it('are noted of a party that the clock completes', async () => {
    await fresh()
    const id = await book.booking('Seated')
    service.setClock('2026-10-07T06:00:00Z')
    await completeEndedServices(service.context)
    assert.deepEqual(await changes(), { [id]: 'upsert 2 at 06:00' })
  })

  it('are noted of an imported booking when it comes, however old it is, and once', async () => {
    await fresh()
    const row = reservationOfRow(
      {
        ...{ reference: '17', cancelledBy: '', cancelledAt: null, bookingType: null, durationMinutes: null },
        ...{ guestName: 'Maya', email: null, phone: null, partySize: 2, notes: null, status: 'Seated' },
        ...{ date: '2024-05-01', time: '19:00', createdAt: null },
      },
      book.venue.timezone,
      service.context.clock(),
    )
    const bring = async () =>
      (await book.act((work) => importReservations(work, [{ ...row, key: 'file 17' }]))).map(
        ({ outcome }) => outcome,
      )
    assert.deepEqual(await bring(), ['made'])
    assert.deepEqual(Object.values(await changes()), ['upsert 1 at 10:00'])
    at('11:00')
    assert.deepEqual(await bring(), ['known'])
    assert.deepEqual(Object.values(await changes()), ['upsert 1 at 10:00'])
  })

  it('are not noted of what no record shows: its moment after another time zone', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    await changeVenue(service.db, book.venue.slug, { timezone: 'America/Chicago' })
    assert.equal(await followZone(service.context, book.venue.id, async () => undefined), 1)
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
  })
})
