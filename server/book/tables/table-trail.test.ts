import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { randomFrom } from '../../demo/random.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { judgeRequest, makeRequest } from '../reservations/request-reservation.ts'
import { walkIn } from '../reservations/bookings.ts'
import { editReservation } from '../reservations/edits/edits.ts'
import { moveReservation } from '../reservations/moves.ts'
import { joinWaitlist, moveEntry } from '../waitlist/actions.ts'
import { chooseTables, setPinned, swapTables } from './choose-tables.ts'
import { type Held, type TableChange, holdsNone } from '../../core/activity/table-change.ts'
import { host, tableScene, tonight } from './test/scene.ts'

const quarterHours = ['18:00', '18:15', '18:30', '19:00', '19:30', '20:00', '20:15', '20:30', '21:00']
const presses = 250

describe('the activity log', () => {
  const scene = tableScene()

  it('has every change of who holds which tables, by any cause: replayed from the first it gives who holds them now', async () => {
    const floor = [2, 2, 2, 4, 4, 4, 6, 6].map((most, at) => ({ label: String(at + 1), least: 1, most }))
    await scene.open(floor, { turnMinutes: [{ upTo: 99, minutes: 90 }] })
    scene.service.setClock('2026-10-06T21:20:00Z')
    const { book } = scene
    const random = randomFrom(5)
    const { pick: one } = random
    const tables = Object.values(await scene.ids())
    const bookings: number[] = []
    const fromOutside = new Set<number>()
    const party = () => ({
      guestName: 'Maya',
      email: null,
      phone: null,
      notes: null,
      partySize: random.integer(1, 6),
    })
    const confirmed = ['tables-full', 'table-kept', 'table-off', 'hours'] as never
    /** The change of somebody who is not at the venue: booked at once, as the guest pages do. */
    const online = async () =>
      book.act(async (work) => {
        const asked = {
          ...party(),
          ...book.when(tonight, one(quarterHours)),
          guestName: 'Ada',
          externalId: null,
        }
        const [passed] = await judgeRequest(work, asked, { source: 'public' })
        return makeRequest(work, passed, 'Confirmed')
      })
    const doings: Record<string, (id: number) => Promise<unknown>> = {
      book: async () =>
        bookings.push(await scene.made(random.integer(1, 6), one(quarterHours), { confirmed })),
      online: async () => {
        const { id } = await online()
        bookings.push(id)
        fromOutside.add(id)
      },
      walkIn: async () => {
        const made = await book.act((work) => walkIn(work, host, { ...party(), confirmed }))
        if (made.kind === 'done') bookings.push(made.record.id)
      },
      choose: (id) =>
        book.act((work) => chooseTables(work, host, { id, tables: random.chance(0.2) ? [] : [one(tables)] })),
      swap: (id) => book.act((work) => swapTables(work, host, { ids: [id, one(bookings)] })),
      pin: (id) => book.act((work) => setPinned(work, host, { id, pinned: random.chance(0.5) })),
      seat: (id) =>
        book.act((work) =>
          moveReservation(work, host, { id, move: 'seat', tables: [one(tables)], confirmed }),
        ),
      undoSeat: (id) => scene.move(id, 'undoSeat', confirmed),
      complete: (id) => scene.move(id, 'complete'),
      cancel: (id) => scene.move(id, 'cancel'),
      undoCancel: (id) => scene.move(id, 'undoCancel', confirmed),
      edit: async (id) => {
        const { version: seenVersion } = await book.row(id)
        const changes = { when: book.when(tonight, one(quarterHours)), partySize: random.integer(1, 6) }
        return book.act((work) => editReservation(work, host, { id, seenVersion, changes, confirmed }))
      },
      page: async () => {
        const joining = { ...party(), windowStart: null, windowEnd: null }
        const { id } = await book.act((work) => joinWaitlist(work, host, joining))
        return book.act((work) => moveEntry(work, host, { id, move: 'page' }))
      },
    }
    await doings.book?.(0)
    for (let n = 0; n < presses; n++) {
      const doing = doings[one(Object.keys(doings))] as (id: number) => Promise<unknown>
      // What is refused changes nothing, and is as good a press as any.
      await doing(one(bookings)).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
      })
    }

    const rows = await book.query(
      `select action, tables from activity where venue_id = $1 and tables is not null order by id`,
      [book.venue.id],
    )
    const replayed = new Map<number, Held>()
    const seen = new Set<string>()
    for (const { action, tables } of rows as { action: string; tables: TableChange[] }[]) {
      seen.add(action)
      for (const { reservation, before, after } of tables) {
        // Who booked online got its first table without anybody's press.
        const known = replayed.get(reservation) ?? (fromOutside.has(reservation) ? before : holdsNone)
        assert.deepEqual(before, known, `${action} of ${reservation}`)
        replayed.set(reservation, after)
      }
    }
    const now = await book.query(
      `select reservation_id::int, array_agg(table_id::int order by table_id) as tables, bool_or(pinned) as pinned
         from reservation_table where venue_id = $1 group by reservation_id`,
      [book.venue.id],
    )
    for (const { reservation_id, tables, pinned } of now) {
      const known = replayed.get(Number(reservation_id))
      if (known) assert.deepEqual({ tables, pinned }, known, String(reservation_id))
    }
    for (const [reservation, { tables }] of replayed) {
      const isHeld = now.some(({ reservation_id }) => reservation_id === reservation)
      assert.equal(isHeld, tables.length > 0, String(reservation))
    }
    for (const action of ['book', 'makeRoom', 'walkIn', 'chooseTables', 'swapTables', 'seat', 'edit'])
      assert.ok(seen.has(action), `${action} moved nobody: ${[...seen].join()}`)
  })

  it('has who moves to another table for a party that is paged', async () => {
    await scene.open([
      { label: '1', most: 4 },
      { label: '2', most: 2 },
    ])
    scene.service.setClock('2026-10-06T21:20:00Z')
    const { book } = scene
    const [first, other] = [await scene.made(2), await scene.made(2)]
    assert.deepEqual(await scene.held(), { [first]: '2', [other]: '1' })
    await scene.move(first, 'cancel')
    const joining = { guestName: 'Maya', email: null, phone: null, notes: null, partySize: 4 }
    const { id } = await book.act((work) =>
      joinWaitlist(work, host, { ...joining, windowStart: null, windowEnd: null }),
    )
    await book.act((work) => moveEntry(work, host, { id, move: 'page' }))
    assert.deepEqual(await scene.held(), { [first]: '2', [other]: '2' })
    const [row] = await book.query(`select tables from activity where venue_id = $1 and action = 'page'`, [
      book.venue.id,
    ])
    const { '1': one, '2': two } = await scene.ids()
    const held = (table: number | undefined) => ({ tables: [table], pinned: false })
    assert.deepEqual(row?.tables, [{ reservation: other, before: held(one), after: held(two) }])
  })
})
