import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Work } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import { walkIn } from '../reservations/bookings.ts'
import { deleteReservation } from '../reservations/delete-reservation.ts'
import { editReservation } from '../reservations/edits/edits.ts'
import { keyAsHolder, newHoldId, placeHold } from '../reservations/holds/holds.ts'
import { moveReservation } from '../reservations/moves.ts'
import { dinner } from '../reservations/test/book.ts'
import { holdDays } from '../day/open-day.ts'
import { joinWaitlist } from '../waitlist/actions.ts'
import { lookAtFreed, lookByTheMinute } from '../waitlist/freed-job.ts'
import { bookFromWaitlist, recallParty } from '../waitlist/seat-party.ts'
import { replaceFloor } from '../rules/floor/floor-store.ts'
import { readRulesDocument } from '../rules/rules-document.ts'
import { takeOutTonight, useAgainTonight } from '../rules/floor/out-tonight.ts'
import { chooseTables, setPinned } from './choose-tables.ts'
import { tablesOf } from './test/floor.ts'
import { four, host, tableScene, tonight } from './test/scene.ts'

const ninety = { turnMinutes: [{ upTo: 99, minutes: 90 }] }

describe('a booking that has no table', () => {
  const scene = tableScene()
  const { service, open, held, move, made, taken, reasonsOf } = scene
  const job = () => ({ ...service.context, db: service.context.workerDb })
  const look = async (): Promise<number> => (await lookAtFreed(job())).tables
  /** Booked although there was no table; nobody said that it is to be without one. */
  const without = (size: number, time: string) => made(size, time, { confirmed: ['tables-full'] })
  /** By connected software, which has no Undo. */
  const cancelByKey = (id: number) =>
    scene.book.act((work) =>
      moveReservation(work, { kind: 'key', id: 1 }, { id, move: 'cancel', decidedBy: 'staff' }),
    )
  const arrive = (id: number) => move(id, 'arrive')
  const tableless = async (id: number) => assert.equal((await held())[id], undefined)

  for (const [what, time, here] of [
    ['late', '18:50', false],
    ['here before its time', '20:00', true],
    ['due in ten minutes', '19:20', false],
  ] as const) {
    it(`that is ${what} is given the table that comes free, by the job that reads the mark`, async () => {
      await open(four, ninety)
      const first = await made(4, '19:00')
      const second = await without(4, time)
      service.setClock('2026-10-06T23:10:00Z')
      if (here) await arrive(second)
      assert.equal(await look(), 0)
      await tableless(second)
      assert.equal((await cancelByKey(first)).kind, 'done')
      assert.equal(await look(), 1)
      assert.equal((await held())[second], '1')
      assert.equal(await look(), 0, 'a second look writes nothing')
    })
  }

  it('and is here gets what comes free before one that is late, whoever booked for the earlier time', async () => {
    await open(four, ninety)
    const first = await made(4, '19:00')
    const [late, here] = [await without(4, '18:50'), await without(4, '19:10')]
    service.setClock('2026-10-06T23:15:00Z')
    await arrive(here)
    assert.equal((await cancelByKey(first)).kind, 'done')
    assert.equal(await look(), 1)
    assert.equal((await held())[here], '1')
    await tableless(late)
  })

  it('and is late is not given what a party could have that is here while others sit at its table; then it is', async () => {
    await open([...four, { label: '2', most: 4 }], ninety)
    const at = await scene.ids()
    const over = await made(4, '17:00', { tables: [at['1'] as number] })
    service.setClock('2026-10-06T21:00:00Z')
    assert.equal((await move(over, 'seat')).kind, 'done')
    const here = await made(4, '19:00', { tables: [at['1'] as number] })
    const first = await made(4, '19:00')
    const late = await without(4, '18:50')
    service.setClock('2026-10-06T23:15:00Z')
    await arrive(here)
    assert.equal((await cancelByKey(first)).kind, 'done')
    assert.equal(await look(), 0)
    await tableless(late)
    assert.equal((await move(over, 'complete')).kind, 'done')
    service.setClock('2026-10-06T23:16:00Z')
    assert.equal(await look(), 1)
    assert.deepEqual([(await held())[here], (await held())[late]], ['1!', '2'])
  })

  it('and is late is not given what a party could have that is here while its table is out of use', async () => {
    const out = { table: '1', fromDate: tonight, fromTime: '18:30', untilDate: tonight, untilTime: '23:00' }
    await open([...four, { label: '2', most: 4 }], {
      ...{ ...ninety, floor: { outOfOrder: [{ ...out, why: 'a wobbly leg' }] } },
    })
    const at = await scene.ids()
    const first = await made(4, '19:00', { tables: [at['2'] as number] })
    const here = await made(4, '19:00', { tables: [at['1'] as number], confirmed: ['table-off'] })
    const late = await without(4, '18:50')
    service.setClock('2026-10-06T23:15:00Z')
    await arrive(here)
    assert.equal((await cancelByKey(first)).kind, 'done')
    assert.equal(await look(), 0)
    await tableless(late)
  })

  it('and is late is not given what a party that is here could have for a while; once that one is gone, it is', async () => {
    await open(four, ninety)
    const [first, next] = [await made(4, '19:00'), await made(4, '20:30')]
    const late = await without(3, '18:50')
    service.setClock('2026-10-06T23:15:00Z')
    const here = await without(4, '19:15')
    await arrive(here)
    assert.equal((await cancelByKey(first)).kind, 'done')
    assert.equal(await look(), 0)
    await tableless(late)
    await tableless(here)
    assert.equal((await held())[next], '1')
    assert.equal((await cancelByKey(here)).kind, 'done')
    await lookByTheMinute(job())()
    assert.equal((await held())[late], '1')
  })

  it('gets what a press of staff freed once the press can no longer be undone; people have it at once', async () => {
    await open([...four, { label: '2', most: 2 }], ninety)
    const [first, second] = [await made(4, '19:00'), await without(3, '19:15')]
    service.setClock('2026-10-06T22:55:00Z')
    assert.equal((await move(first, 'cancel')).kind, 'done')
    service.setClock('2026-10-06T22:55:29Z')
    assert.equal(await look(), 0)
    // Something else is freed meanwhile: what may be undone stays kept.
    const other = await made(2, '19:15')
    assert.equal((await held())[other], '2')
    assert.equal((await cancelByKey(other)).kind, 'done')
    assert.equal(await look(), 0)
    await tableless(second)
    // A colleague seats somebody else there.
    const at = await scene.ids()
    await scene.book.act((work) =>
      walkIn(work, host, {
        ...{ guestName: 'Zhao', email: null, phone: null, notes: null, partySize: 2 },
        tables: [at['2'] as number],
      }),
    )
    await tableless(second)
    service.setClock('2026-10-06T22:55:31Z')
    assert.equal(await look(), 1)
    assert.equal((await held())[second], '1')
  })

  it('that was booked online gets a table that staff keep only once it is here', async () => {
    await open([...four, { label: 'B1', most: 4, online: false }], ninety)
    const first = await made(4, '19:00', { tables: [(await scene.ids())['B1'] as number] })
    const second = await made(4, '19:00')
    const third = await without(4, '19:00')
    await scene.book.query(`update reservation set source = 'public' where id = $1`, [third])
    service.setClock('2026-10-06T23:10:00Z')
    assert.equal((await cancelByKey(first)).kind, 'done')
    assert.equal(await look(), 0)
    await tableless(third)
    await arrive(third)
    await lookByTheMinute(job())()
    assert.deepEqual([(await held())[second], (await held())[third]], ['1', 'B1'])
  })

  it('gets at once what a press of staff freed that offers no Undo', async () => {
    await open([...four, { label: '2', most: 4 }], ninety)
    const party = { guestName: 'Maya', partySize: 4, email: null, phone: null, notes: null }
    const { id: entry } = await scene.book.act((work) =>
      joinWaitlist(work, host, { ...party, windowStart: null, windowEnd: null }),
    )
    const first = await made(4, '19:00')
    await scene.book.act((work) =>
      bookFromWaitlist(work, host, { id: entry, when: scene.book.when(tonight, '19:00') }),
    )
    const [third, fourth] = [await without(4, '19:00'), await without(4, '19:00')]
    service.setClock('2026-10-06T23:05:00Z')
    // Back in line: the table they were given for later is let go of.
    assert.equal((await scene.book.act((work) => recallParty(work, host, { id: entry }))).kind, 'done')
    assert.equal(await look(), 1)
    assert.equal((await held())[third], '2')
    // A cancellation is taken back all evening, after the booked time, too.
    assert.equal((await move(first, 'cancel')).kind, 'done')
    assert.equal(await look(), 0)
    service.setClock('2026-10-06T23:05:31Z')
    assert.equal(await look(), 1)
    assert.equal((await held())[fourth], '1')
  })

  it('gets one in the transaction that holds the lock of its day', async () => {
    await open([...four, { label: '2', most: 4 }], ninety)
    const [first, second] = [await made(4, '19:00'), await made(4, '19:00')]
    const third = await without(4, '19:45')
    service.setClock('2026-10-06T22:00:00Z')
    // It comes earlier than its table was kept for, and leaves it earlier.
    assert.equal((await move(first, 'seat')).kind, 'done')
    await tableless(third)
    service.setClock('2026-10-06T22:01:00Z')
    assert.equal((await move(second, 'seat')).kind, 'done')
    assert.ok((await held())[third], 'what the first press freed a minute ago')
    const trail = await scene.book.query(
      `select actor_kind, after from activity where venue_id = $1 and action = 'giveTable' and record_id = $2`,
      [scene.book.venue.id, third],
    )
    assert.deepEqual(
      trail.map(({ actor_kind }) => actor_kind),
      ['service'],
    )
  })

  describe('gets what a press of staff freed before in the transaction of', () => {
    /** Tables 1 and 2 were taken, 1 was freed by a press that can no longer be undone; answers who waits, and who has table 2. */
    const oneFreed = async () => {
      await open([...four, { label: '2', most: 4 }], ninety)
      const [first, other] = [await made(4, '19:00'), await made(4, '19:00')]
      const waiting = await without(4, '19:00')
      assert.equal((await move(first, 'cancel')).kind, 'done')
      service.setClock(service.context.clock().add({ seconds: 31 }).toString())
      await tableless(waiting)
      return { waiting, other, at: await scene.ids() }
    }

    it('a booking that is moved to another time', async () => {
      const { waiting, other } = await oneFreed()
      const { version } = await scene.book.row(other)
      const changes = { when: scene.book.when(tonight, '21:00') }
      await scene.book.act((work) =>
        editReservation(work, host, { id: other, seenVersion: version, changes }),
      )
      assert.ok((await held())[waiting])
    })

    it('a table that is chosen', async () => {
      const { waiting, other, at } = await oneFreed()
      await scene.book.act((work) => chooseTables(work, host, { id: other, tables: [at['2'] as number] }))
      assert.equal((await held())[waiting], '1')
    })

    it('a party that may be moved again', async () => {
      await open(
        [
          { label: '1', most: 2 },
          { label: '2', most: 4 },
        ],
        ninety,
      )
      const { '2': large } = await scene.ids()
      const two = await made(2, '19:00', { tables: [large as number] })
      const waiting = await without(4, '19:00')
      await tableless(waiting)
      await scene.book.act((work) => setPinned(work, host, { id: two, pinned: false }))
      assert.deepEqual(await held(), { [two]: '1', [waiting]: '2' })
    })
  })

  it('gets a table also where it stays past midnight, into the next day of service', async () => {
    await open(four, {
      turnMinutes: [{ upTo: 99, minutes: 120 }],
      periods: [
        { weekday: 2, name: 'Night', opens: '18:00', closes: '23:45' },
        { weekday: 3, name: 'Late', opens: '00:00', closes: '03:00' },
      ],
    })
    const first = await made(4, '23:30')
    const second = await without(4, '23:30')
    assert.equal((await cancelByKey(first)).kind, 'done')
    assert.equal(await look(), 1)
    assert.equal((await held())[second], '1')
  })

  it('gets one that may be used again tonight', async () => {
    await open(four, ninety)
    const { '1': id } = await scene.ids()
    const out = { table: { id: id as number, label: '1' }, date: tonight, endMinute: 24 * 60 }
    await scene.book.act((work) => takeOutTonight(work, host, out))
    const one = await made(4, '19:00', { confirmed: ['tables-full'] })
    assert.equal(await look(), 0)
    await tableless(one)
    await scene.book.act((work) => useAgainTonight(work, host, out))
    assert.equal(await look(), 1)
    assert.equal((await held())[one], '1')
  })

  it('gets one of a floor that was changed', async () => {
    await open([{ label: '1', most: 2 }], ninety)
    const one = await made(4, '19:00', { confirmed: ['tables-full'] })
    assert.equal(await look(), 0)
    await tableless(one)
    const read = readRulesDocument(dinner(tablesOf(four)))
    assert.ok(read.ok && read.rules.tables)
    const { tables } = read.rules
    await scene.book.act(({ db, venue, now }) => replaceFloor(db, venue.id, tables, now()))
    assert.equal(await look(), 1)
    assert.equal((await held())[one], '1')
  })

  it('that staff want without one stays so, blocks nobody, and waits in the queue; another time ends that', async () => {
    await open(four, ninety)
    const one = await made(4, '19:00')
    await scene.book.act((work) => chooseTables(work, host, { id: one, tables: [] }))
    service.setClock('2026-10-06T19:10:00Z')
    assert.equal(await look(), 0)
    await tableless(one)
    const other = await made(4, '19:00')
    assert.equal((await held())[other], '1')
    assert.equal((await cancelByKey(other)).kind, 'done')
    assert.equal(await look(), 0)
    await tableless(one)
    const { version } = await scene.book.row(one)
    const changes = { when: scene.book.when(tonight, '20:00') }
    await scene.book.act((work) => editReservation(work, host, { id: one, seenVersion: version, changes }))
    assert.equal((await held())[one], '1')
  })

  it('does not keep a seat, an undo or a chosen table from another, and neither does a request', async () => {
    await open([...four, { label: '2', most: 4 }], ninety)
    const [first, second] = [await made(4, '19:00'), await made(4, '19:00')]
    await without(4, '19:00')
    await taken(4, '20:30')
    await taken(4, '20:30')
    const before = await held()
    service.setClock('2026-10-06T23:10:00Z')
    assert.equal((await move(first, 'seat')).kind, 'done')
    assert.equal((await move(first, 'undoSeat')).kind, 'done')
    assert.deepEqual(await held(), before)
    assert.equal((await move(second, 'markNoShow')).kind, 'done')
    assert.equal((await move(second, 'undoNoShow')).kind, 'done')
    assert.deepEqual(await held(), before)
  })

  it('counts against new bookings, as requests, holds and pending changes do', async () => {
    await open([...four, { label: '2', most: 4 }], ninety)
    await taken(4, '19:00')
    await scene.book.act((work) =>
      placeHold(work, {
        ...scene.book.when(tonight, '19:00'),
        id: newHoldId((size) => Buffer.alloc(size, 1)),
        partySize: 4,
        by: { holder: keyAsHolder(1) },
      }),
    )
    await scene.refusedWith('tables-full', 4, '19:00')
    assert.deepEqual(reasonsOf(await scene.booked(4, '19:00')), ['tables-full'])
  })

  it('is restored as a request without a question about tables', async () => {
    await open(four, ninety)
    const request = await taken(4, '19:00')
    service.setClock('2026-10-06T19:10:00Z')
    assert.equal((await move(request, 'cancel')).kind, 'done')
    await made(4, '19:00')
    assert.equal((await move(request, 'undoCancel')).kind, 'done')
    assert.equal((await scene.book.row(request)).status, 'Requested')
  })

  it('is looked at once a minute for what time alone frees: a hold that is over, an outage that ended', async () => {
    await open(four, {
      ...ninety,
      floor: {
        outOfOrder: [
          {
            ...{ table: '1', fromDate: tonight, fromTime: '12:00', untilDate: tonight, untilTime: '19:05' },
            why: 'a wobbly leg',
          },
        ],
      },
    })
    const one = await without(4, '19:00')
    await tableless(one)
    service.setClock('2026-10-06T23:04:00Z')
    const minute = lookByTheMinute(job())
    assert.equal(await minute(), 0)
    service.setClock('2026-10-06T23:04:59Z')
    assert.equal(await minute(), 0)
    service.setClock('2026-10-06T23:06:01Z')
    assert.equal(await minute(), 1)
    assert.equal((await held())[one], '1')
  })

  it('canceling, marking a no-show, seeing a party off and deleting take no lock of a day: counted', async () => {
    await open([...four, { label: '2', most: 4 }, { label: '3', most: 4 }, { label: '4', most: 4 }], ninety)
    const ids = [
      await made(4, '19:00'),
      await made(4, '19:00'),
      await made(4, '19:00'),
      await made(4, '19:00'),
    ]
    const [one, two, three, four_] = ids as [number, number, number, number]
    service.setClock('2026-10-06T23:10:00Z')
    /** The locks of days that a press holds before it commits. */
    const locksOf = (press: (work: Work) => Promise<unknown>): Promise<number> =>
      scene.book.act(async (work) => {
        await press(work)
        const { count } = await work.db.one(sql({ count: 'int4' })`
          select count(*)::int as count from pg_locks
           where pid = pg_backend_pid() and relation = 'booking_day'::regclass
             and mode in ('RowShareLock', 'RowExclusiveLock')`)
        return count
      })
    const moving = (id: number, name: 'seat' | 'cancel' | 'markNoShow' | 'complete') =>
      locksOf((work) => moveReservation(work, host, { id, move: name, decidedBy: 'guest' }))
    assert.equal(await moving(three, 'seat'), 1, 'a press that takes a table does')
    assert.equal(await moving(one, 'cancel'), 0)
    assert.equal(await moving(two, 'markNoShow'), 0)
    assert.equal(await moving(three, 'complete'), 0)
    assert.equal(await locksOf((work) => deleteReservation(work, host, four_)), 0)
    // And none of them waits for the holder of the lock.
    const later = await made(2, '21:00')
    await scene.book.act(async (work) => {
      await holdDays(work, undefined, [tonight])
      assert.equal((await move(later, 'cancel')).kind, 'done')
    })
  })
})
