import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { editReservation } from '../../book/reservations/edits/edits.ts'
import { walkIn } from '../../book/reservations/bookings.ts'
import { deleteReservation } from '../../book/reservations/delete-reservation.ts'
import { moveReservation } from '../../book/reservations/moves.ts'
import { type ReservationMoveName, reservationMoves } from '../../book/reservations/states.ts'
import { type TestBook, openBook, staff } from '../../book/reservations/test/book.ts'
import { type TestService, startService } from '../../test/service.ts'

const moveNames = Object.keys(reservationMoves) as ReservationMoveName[]
const addresses = ['maya@example.com', 'ada@example.com', null] as const

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      which: fc.nat(3),
      move: fc.constantFrom(...moveNames),
      by: fc.constantFrom('guest' as const, 'staff' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat(3) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      which: fc.nat(3),
      email: fc.constantFrom(...addresses),
      day: fc.integer({ min: 5, max: 8 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('walkIn' as const), email: fc.constantFrom(...addresses) }),
  },
)

describe('guest counters', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
    service.setClock('2026-10-06T19:00:00Z')
    book = await openBook(service)
  })
  after(() => service.stop())

  const counters = () =>
    book.query(
      `select id, visit_count, no_show_count, cancellation_count, last_visit_date::text from guest
        where venue_id = $1 order by id`,
      [book.venue.id],
    )
  const recount = () =>
    book.query(
      `select g.id,
              g.imported_visit_count + count(*) filter (where r.status in ('Seated', 'Completed'))::int as visit_count,
              g.imported_no_show_count + count(*) filter (where r.status = 'No-show')::int as no_show_count,
              g.imported_cancellation_count
                + count(*) filter (where r.status = 'Cancelled' and r.cancelled_by = 'guest')::int as cancellation_count,
              greatest(
                g.imported_last_visit_date,
                max(r.service_date) filter (where r.status in ('Seated', 'Completed')))::text as last_visit_date
         from guest g left join reservation r on r.venue_id = g.venue_id and r.guest_id = g.id
        where g.venue_id = $1 group by g.venue_id, g.id order by g.id`,
      [book.venue.id],
    )

  it('any sequence of moves, edits, walk-ins and deletions leaves them equal to a recount, imports included', async () => {
    const manager = staff('manager')
    let done = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        service.setClock('2026-10-06T19:00:00Z')
        const ids = []
        for (const email of [...addresses, addresses[0]]) ids.push(await book.booking('Confirmed', { email }))
        await book.query(
          `update guest set imported_visit_count = 3, visit_count = visit_count - imported_visit_count + 3,
                  imported_last_visit_date = '2026-10-05',
                  last_visit_date = greatest(last_visit_date, '2026-10-05')
            where venue_id = $1 and email_key = 'maya@example.com'`,
          [book.venue.id],
        )
        for (const [i, one] of steps.entries()) {
          // Half of the time after the booked hour, so that the moves that require it succeed too.
          service.setClock(i % 2 === 0 ? '2026-10-06T19:30:00Z' : '2026-10-06T23:30:00Z')
          const id = 'which' in one ? ids[one.which % ids.length] : undefined
          const outcome = await book
            .act(async (work) => {
              if (one.do === 'walkIn') {
                const party = { guestName: 'Ada', partySize: 2, email: one.email, phone: null, notes: null }
                return walkIn(work, manager, { ...party, confirmed: ['outside-hours'] })
              }
              if (id === undefined) return undefined
              if (one.do === 'move') {
                return moveReservation(work, manager, {
                  id,
                  move: one.move,
                  decidedBy: one.by,
                  stage: 'Mains',
                  confirmed: ['another-day'],
                })
              }
              if (one.do === 'delete') return deleteReservation(work, manager, id)
              const { version } = await book.row(id)
              const changes = { email: one.email, when: book.when(`2026-10-0${one.day}`, '19:00') }
              const confirmed = ['in-the-past', 'too-short-notice'] as const
              return editReservation(work, manager, { id, seenVersion: version, changes, confirmed })
            })
            .catch((error: unknown) => {
              // A booking deleted earlier.
              const { status, message } = error as { status?: number; message: string }
              if (status !== 404 && message !== 'the booking is gone') throw error
              return undefined
            })
          if (outcome?.kind === 'done') done++
        }
        assert.deepEqual(await counters(), await recount())
      }),
      { numRuns: 12 },
    )
    assert.ok(done > 20, `only ${done} steps did anything`)
  })

  it("concurrent moves on one guest's bookings lose nothing", async () => {
    service.setClock('2026-10-06T19:00:00Z')
    const ids = []
    for (let day = 1; day <= 8; day++) {
      ids.push(await book.booking('Confirmed', { email: 'busy@example.com', date: `2026-10-1${day}` }))
    }
    const confirmed = ['another-day'] as const
    await Promise.all(
      ids.map((id) =>
        book.act((work) => moveReservation(work, staff('host'), { id, move: 'seat', confirmed })),
      ),
    )
    assert.deepEqual(await counters(), await recount())
    await Promise.all(
      ids.map((id, i) =>
        book.act((work) =>
          moveReservation(work, staff('host'), { id, move: i % 2 === 0 ? 'undoSeat' : 'complete' }),
        ),
      ),
    )
    assert.deepEqual(await counters(), await recount())
  })

  it('an undone last visit gives way to the one before it, and an imported one stays', async () => {
    service.setClock('2026-10-06T19:00:00Z')
    const one = await book.booking('Confirmed', { email: 'last@example.com' })
    const two = await book.booking('Confirmed', { email: 'last@example.com', date: '2026-10-07' })
    const act = (id: number, move: ReservationMoveName) =>
      book.act((work) => moveReservation(work, staff('host'), { id, move, confirmed: ['another-day'] }))
    const last = async () => {
      const answer = await service.call('GET', '/api/v1/guests/find?email=last%40example.com', {
        key: book.venue.key,
      })
      const { visitCount, lastVisitDate } = answer.body[0]
      return [visitCount, lastVisitDate]
    }
    await act(one, 'seat')
    await act(two, 'seat')
    assert.deepEqual(await last(), [2, '2026-10-07'])
    await act(two, 'undoSeat')
    assert.deepEqual(await last(), [1, '2026-10-06'])
    await act(one, 'undoSeat')
    assert.deepEqual(await last(), [0, null])
  })
})
