import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { erasePerson } from '../../data/erasure/erase.ts'
import { mergeGuests } from '../../crm/guests/merge.ts'
import { walkIn } from '../reservations/bookings.ts'
import { deleteReservation } from '../reservations/delete-reservation.ts'
import { keyAsHolder, newHoldId, placeHold } from '../reservations/holds/holds.ts'
import { moveReservation } from '../reservations/moves.ts'
import type { ConfirmedReason } from '../reservations/staff-reasons.ts'
import { staff } from '../reservations/test/book.ts'
import { joinWaitlist } from '../waitlist/actions.ts'
import { recallParty, seatFromWaitlist } from '../waitlist/seat-party.ts'
import { chooseTables, setPinned, swapTables } from './choose-tables.ts'
import { eveningFloor } from './reads.ts'
import { tablesAtDoor } from './offered/at-door.ts'
import { four, host, tableScene, tonight } from './test/scene.ts'

describe('tables that staff give and move', () => {
  const scene = tableScene()
  const { service, open, taken, refusedWith, held, ids, move, booked, made, reasonsOf, clashes } = scene

  it('undoing an early seating is judged at the booked time: a party that has the table by then moves, or it asks', async () => {
    await open([...four, { label: '2', most: 4 }], { turnMinutes: [{ upTo: 99, minutes: 90 }] })
    const early = await made(4, '19:30')
    assert.deepEqual(await held(), { [early]: '1' })
    service.setClock('2026-10-06T22:00:00Z')
    assert.equal((await move(early, 'seat')).kind, 'done')
    // They sit from 18:00, so that the table is free from 19:30 on.
    const next = await made(4, '19:45')
    const third = await made(4, '19:45')
    assert.deepEqual(Object.values(await held()).toSorted(), ['1', '1', '2'])
    assert.deepEqual(reasonsOf(await move(early, 'undoSeat')), ['tables-full'])
    assert.equal((await move(third, 'cancel')).kind, 'done')
    assert.equal((await move(early, 'undoSeat')).kind, 'done')
    const { [early]: one, [next]: other } = await held()
    assert.ok(one && other && one !== other, JSON.stringify(await held()))
  })

  it('an undone seating takes its own table back, even if others are without one', async () => {
    await open([...four, { label: '2', most: 4 }], { turnMinutes: [{ upTo: 99, minutes: 90 }] })
    const [one, other, without] = [await made(4, '19:30'), await made(4, '19:30'), await made(4, '21:30')]
    await scene.book.act((work) => chooseTables(work, host, { id: without, tables: [] }))
    await scene.book.query(
      `update reservation set time = '19:45', service_minute = 1185, starts_at = '2026-10-06T23:45:00Z'
        where venue_id = $1 and id = $2`,
      [scene.book.venue.id, without],
    )
    const before = await held()
    assert.deepEqual(Object.keys(before).map(Number), [one, other])
    service.setClock('2026-10-06T23:32:00Z')
    assert.equal((await move(one, 'seat')).kind, 'done')
    assert.deepEqual(await held(), before)
    assert.equal((await move(one, 'undoSeat')).kind, 'done')
    assert.deepEqual(await held(), before)
  })

  it('a party sits down at a free table, even if others are without one; not at one that somebody has', async () => {
    await open([...four, { label: '2', most: 4 }], { turnMinutes: [{ upTo: 99, minutes: 90 }] })
    const [one, other, third] = [await made(4, '19:30'), await made(4, '19:30'), await made(4, '21:30')]
    const without = async (...bookings: number[]) => {
      for (const id of bookings) {
        await scene.book.act((work) => chooseTables(work, host, { id, tables: [] }))
      }
    }
    await without(third)
    await scene.book.query(
      `update reservation set time = '19:45', service_minute = 1185, starts_at = '2026-10-06T23:45:00Z'
        where venue_id = $1 and id = $2`,
      [scene.book.venue.id, third],
    )
    service.setClock('2026-10-06T23:32:00Z')
    await without(one, other)
    assert.deepEqual(await held(), {})
    // Two tables, three parties: the first two to sit down have them, the third is asked about.
    assert.equal((await move(third, 'seat')).kind, 'done')
    assert.equal((await move(other, 'seat')).kind, 'done')
    assert.deepEqual(reasonsOf(await move(one, 'seat')), ['tables-full'])
    assert.deepEqual(Object.values(await held()).toSorted(), ['1', '2'])
  })

  it('a party of the waitlist sits down at a free table, even if bookings are without one', async () => {
    await open(four, { turnMinutes: [{ upTo: 99, minutes: 90 }] })
    const booked = await made(4, '20:00')
    await scene.book.act((work) => chooseTables(work, host, { id: booked, tables: [] }))
    service.setClock('2026-10-06T23:45:00Z')
    const party = { guestName: 'Maya', partySize: 4, email: null, phone: null, notes: null }
    const { id } = await scene.book.act((work) =>
      joinWaitlist(work, host, { ...party, windowStart: null, windowEnd: null }),
    )
    assert.equal((await scene.book.act((work) => seatFromWaitlist(work, host, { id }))).kind, 'done')
    assert.deepEqual(Object.values(await held()), ['1'])
  })

  it('a table that is out of order takes nobody without a question: seats, swaps, walk-ins and bookings', async () => {
    const broken = { table: '2', fromDate: tonight, untilDate: tonight, untilTime: '22:00', why: 'wobbly' }
    await open([...four, { label: '2', most: 4 }], {
      floor: { outOfOrder: [{ ...broken, fromTime: '18:00' }] },
      turnMinutes: [{ upTo: 99, minutes: 90 }],
    })
    const two = (await ids())['2'] as number
    const id = await made(4, '19:30')
    assert.deepEqual(await held(), { [id]: '1' })
    service.setClock('2026-10-06T23:32:00Z')
    const sentence = 'Table 2 is out of order until 22:00.'
    const asked = (outcome: Awaited<ReturnType<typeof move>> | Awaited<ReturnType<typeof booked>>) => {
      assert.ok(outcome.kind === 'needs override', JSON.stringify(outcome))
      assert.deepEqual(outcome.reasons, [{ reason: 'table-off', sentence, figure: null }])
    }
    const assigned = await scene.book.act((work) => chooseTables(work, host, { id, tables: [two] }))
    assert.ok(assigned.kind === 'refused')
    assert.equal(assigned.sentence, sentence)
    const seat = (confirmed?: readonly ConfirmedReason[]) =>
      scene.book.act((work) =>
        moveReservation(work, host, { id, move: 'seat', tables: [two], ...(confirmed && { confirmed }) }),
      )
    asked(await seat())
    assert.deepEqual(await held(), { [id]: '1' })
    const nobody = { guestName: null, email: null, phone: null, notes: null, partySize: 2 }
    const walked = await scene.book.act((work) => walkIn(work, host, { ...nobody, tables: [two] }))
    assert.ok(walked.kind === 'needs override')
    assert.deepEqual(
      walked.reasons.map((one) => one.sentence),
      [sentence],
    )
    const later = await booked(2, '20:30', { tables: [two] })
    asked(later)
    assert.equal((await seat(['table-off'])).kind, 'done')
    assert.deepEqual(await held(), { [id]: '2!' })
  })

  it('a walk-in learns until when a table is free that is out of order later, without the rest before it', async () => {
    await open(four, {
      floor: {
        turnoverMinutes: 15,
        outOfOrder: [
          {
            table: '1',
            fromDate: tonight,
            fromTime: '19:00',
            untilDate: tonight,
            untilTime: '23:00',
            why: 'wobbly',
          },
        ],
      },
      turnMinutes: [{ upTo: 99, minutes: 60 }],
    })
    service.setClock('2026-10-06T21:30:00Z')
    const [free] = (await scene.book.act((work) => tablesAtDoor(work, 2))) ?? []
    assert.equal(free?.until?.toString(), '2026-10-06T23:00:00Z')
  })

  it('a no-show that is undone asks once its table is sold, and gets its old one where it is free', async () => {
    await open([...four, { label: '2', most: 4 }])
    const [first, other] = [await made(4), await made(4)]
    assert.deepEqual(await held(), { [first]: '1', [other]: '2' })
    service.setClock('2026-10-06T23:20:00Z')
    for (const id of [first, other]) assert.equal((await move(id, 'markNoShow')).kind, 'done')
    assert.equal((await move(other, 'undoNoShow')).kind, 'done')
    assert.equal((await held())[other], '2', 'the old one, though the first is free')
    const walked = await scene.book.act((work) =>
      walkIn(work, host, { guestName: null, email: null, phone: null, notes: null, partySize: 3 }),
    )
    assert.equal(walked.kind, 'done')
    assert.deepEqual(reasonsOf(await move(first, 'undoNoShow')), ['tables-full'])
    assert.deepEqual(reasonsOf(await move(first, 'seatLate')), ['tables-full'])
    assert.equal((await move(first, 'seatLate', ['tables-full'])).kind, 'done')
  })

  it('a pin stays through 100 bookings; those a machine gave move, and nobody loses a table', async () => {
    const sizes = [2, 2, 2, 4, 4, 4, 6, 8]
    await open(
      sizes.map((most, n) => ({ label: String(n + 1), most })),
      { floor: { combinations: [{ tables: ['4', '5'], least: 5, most: 8 }] } },
    )
    const known = await ids()
    const pinned = await made(2, '19:00', { tables: [known['8'] as number] })
    const withTable = new Set<number>([pinned])
    let moved = 0
    let [refused, seed] = [0, 7]
    const random = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most
    for (let n = 0; n < 100; n++) {
      const before = await held()
      const time = `${17 + random(6)}:${['00', '15', '30', '45'][random(4)]}`
      const outcome = await booked(1 + random(7), time)
      if (outcome.kind !== 'done') refused++
      else withTable.add(outcome.record.id)
      const now = await held()
      assert.equal(now[pinned], '8!')
      for (const id of withTable) assert.ok(now[id], `${id} has a table`)
      moved += Object.keys(before).filter((id) => before[Number(id)] !== now[Number(id)]).length
      assert.deepEqual(await clashes(), [])
    }
    assert.ok(moved > 0 && refused > 0 && withTable.size > 15, `${moved} ${refused} ${withTable.size}`)
  })

  it('confirming without a table left asks, and then it is without a table', async () => {
    await open(four)
    const [first] = [await taken(4)]
    const other = await made(4, '19:00', { confirmed: ['tables-full'] })
    assert.deepEqual(await held(), {})
    const third = await made(4, '19:30', { tables: [(await ids())['1'] as number] })
    assert.deepEqual(reasonsOf(await move(first, 'confirm')), ['tables-full'])
    assert.equal((await move(first, 'confirm', ['tables-full'])).kind, 'done')
    assert.deepEqual(await held(), { [third]: '1!' })
    assert.equal((await scene.book.row(first)).status, 'Confirmed')
    assert.ok(other)
  })

  it('confirming gives a table', async () => {
    await open(four)
    const id = await taken(4)
    assert.equal((await move(id, 'confirm')).kind, 'done')
    assert.deepEqual(await held(), { [id]: '1' })
  })

  it('of two hosts who want one table the second learns who is there, 100 times', async () => {
    await open([
      { label: '1', most: 4 },
      { label: '2', most: 4 },
      { label: '3', most: 4 },
    ])
    const [one, other] = [await made(2), await made(2)]
    const known = await ids()
    for (let round = 0; round < 100; round++) {
      const table = known['3'] as number
      await scene.book.query('delete from reservation_table where venue_id = $1', [scene.book.venue.id])
      const outcomes = await Promise.all(
        [one, other].map((id) => scene.book.act((work) => chooseTables(work, host, { id, tables: [table] }))),
      )
      assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['done', 'refused'])
      const late = outcomes.find((outcome) => outcome.kind === 'refused')
      assert.ok(late?.kind === 'refused')
      assert.equal(late.sentence, 'Table 3 is taken by Okafor, 2 guests, from 19:00 to 21:00.')
    }
  })

  it('a table for staff only is theirs to give, and no request gets it', async () => {
    await open([{ label: '1', most: 4, online: false }])
    await refusedWith('tables-full', 2)
    const id = await made(2)
    assert.deepEqual(await held(), { [id]: '1' })
    const hold = await scene.book.act((work) =>
      placeHold(work, {
        ...scene.book.when(tonight, '22:00'),
        id: newHoldId(randomBytes),
        partySize: 2,
        by: { holder: keyAsHolder(1) },
      }),
    )
    assert.equal(hold.kind, 'refused')
  })

  it('recalling and deleting take the rows along, merging and erasing leave them with the booking', async () => {
    await open([...four, { label: '2', most: 4 }, { label: '3', most: 4 }])
    const orphans = () =>
      scene.book.query(
        `select from reservation_table t where venue_id = $1 and not exists (
           select from reservation r where r.venue_id = t.venue_id and r.id = t.reservation_id)`,
        [scene.book.venue.id],
      )
    const guests: { id: number; seenVersion: number }[] = []
    const bookings: number[] = []
    for (const email of ['a@example.com', 'b@example.com']) {
      const id = await taken(2, '19:00', { email })
      await move(id, 'confirm')
      bookings.push(id)
      const guest = (await scene.book.row(id)).guest_id as number
      const [row] = await scene.book.query('select version from guest where venue_id = $1 and id = $2', [
        scene.book.venue.id,
        guest,
      ])
      guests.push({ id: guest, seenVersion: Number(row?.['version']) })
    }
    const before = await held()
    assert.equal(Object.keys(before).length, 2)
    const [one, other] = guests
    assert.ok(one && other)
    await scene.book.act((work) => mergeGuests(work, staff('manager'), one, other))
    assert.deepEqual(await held(), before)
    const person = { guestId: null, email: 'a@example.com', phone: null, name: 'Ada' }
    await scene.book.act((work) => erasePerson(work, staff('owner'), person))
    assert.deepEqual(await held(), before)

    service.setClock('2026-10-06T23:00:00Z')
    const party = { guestName: 'Maya', partySize: 2, email: null, phone: null, notes: null }
    const { id: entry } = await scene.book.act((work) =>
      joinWaitlist(work, host, { ...party, windowStart: null, windowEnd: null }),
    )
    const seated = await scene.book.act((work) => seatFromWaitlist(work, host, { id: entry }))
    assert.equal(seated.kind, 'done')
    assert.equal(Object.keys(await held()).length, 3)
    assert.equal((await scene.book.act((work) => recallParty(work, host, { id: entry }))).kind, 'done')
    assert.deepEqual(await held(), before)
    assert.deepEqual(await orphans(), [])

    const [first = 0, second = 0] = bookings
    await scene.book.act((work) => deleteReservation(work, staff('manager'), first))
    assert.deepEqual(Object.keys(await held()), [String(second)])
    assert.deepEqual(await orphans(), [])
  })

  it('from the waitlist a party gets the table staff choose, or the page asks if no table is free', async () => {
    await open([
      { label: '1', most: 4 },
      { label: '2', most: 4 },
    ])
    service.setClock('2026-10-06T23:00:00Z')
    const known = await ids()
    const party = { partySize: 4, email: null, phone: null, notes: null, windowStart: null, windowEnd: null }
    const waits = async (guestName: string) =>
      (await scene.book.act((work) => joinWaitlist(work, host, { ...party, guestName }))).id
    const [first, second, third] = [await waits('Ana'), await waits('Ben'), await waits('Cleo')]
    const seat = (
      id: number,
      more: { tables?: readonly number[]; confirmed?: readonly ConfirmedReason[] } = {},
    ) => scene.book.act((work) => seatFromWaitlist(work, host, { id, ...more }))
    assert.equal((await seat(first, { tables: [known['2'] as number] })).kind, 'done')
    assert.equal((await seat(second)).kind, 'done')
    assert.deepEqual(Object.values(await held()), ['2!', '1'])
    const asked = await seat(third)
    assert.ok(asked.kind === 'needs override')
    assert.deepEqual(
      asked.reasons.map(({ reason, sentence }) => [reason, sentence]),
      [['tables-full', 'There is no table for 4 at 19:00.']],
    )
    assert.equal((await seat(third, { confirmed: ['tables-full'] })).kind, 'done')
    assert.deepEqual(Object.values(await held()), ['2!', '1'], 'without a table')
    const fourth = await waits('Dora')
    await assert.rejects(seat(fourth, { tables: [known['2'] as number] }), /Table 2 is taken by Ana/)
  })

  it('staff moving a booking to another table records no event and keeps its revision', async () => {
    await open([...four, { label: '2', most: 4 }])
    const id = await made(2)
    await scene.book.toldAll()
    const before = await service.call('GET', `/api/v1/reservations/${id}`, { key: scene.book.venue.key })
    const known = await ids()
    const outcome = await scene.book.act((work) =>
      chooseTables(work, host, { id, tables: [known['2'] as number], seen: [known['1'] as number] }),
    )
    assert.equal(outcome.kind, 'done')
    assert.deepEqual(await held(), { [id]: '2!' })
    const after = await service.call('GET', `/api/v1/reservations/${id}`, { key: scene.book.venue.key })
    assert.deepEqual([after.text, after.headers.get('etag')], [before.text, before.headers.get('etag')])
    assert.deepEqual(await scene.book.toldAll(), [])
    const [row] = await scene.book.query(
      `select action, before, after from activity where venue_id = $1 order by id desc limit 1`,
      [scene.book.venue.id],
    )
    assert.deepEqual(row, { action: 'chooseTables', before: { tables: '1' }, after: { tables: '2' } })
  })

  it('two parties trade tables, join and split them, and are let go of', async () => {
    await open([...four, { label: '2', most: 2 }, { label: '3', most: 2 }])
    const known = await ids()
    const table = (label: string) => known[label] as number
    const [large, small] = [await made(4), await made(2)]
    assert.deepEqual(await held(), { [large]: '1', [small]: '2' })
    const swapped = await scene.book.act((work) => swapTables(work, host, { ids: [large, small] }))
    assert.equal(swapped.kind, 'done')
    assert.deepEqual(await held(), { [large]: '2!', [small]: '1!' })
    const joined = [table('2'), table('3')]
    assert.equal(
      (await scene.book.act((work) => chooseTables(work, host, { id: large, tables: joined }))).kind,
      'done',
    )
    assert.deepEqual(await held(), { [large]: '2!+3!', [small]: '1!' })
    const late = await scene.book.act((work) =>
      chooseTables(work, host, { id: large, tables: [table('2')], seen: [table('1')] }),
    )
    assert.ok(late.kind === 'refused')
    assert.equal(late.sentence, 'Somebody else just put this party at table 2+3.')
    const unpinned = await scene.book.act((work) => setPinned(work, host, { id: large, pinned: false }))
    assert.equal(unpinned.kind, 'done')
    assert.equal(
      (await scene.book.act((work) => chooseTables(work, host, { id: large, tables: [] }))).kind,
      'done',
    )
    assert.deepEqual(await held(), { [small]: '1!' })
    assert.deepEqual(await scene.book.toldAll().then((told) => told.map(({ names }) => names.join())), [
      'reservation.created',
      'reservation.created',
    ])
  })

  it('a walk-in is shown the best table and until when, and gets the one staff choose', async () => {
    await open([...four, { label: '2', most: 2 }])
    const known = await ids()
    await made(2, '19:30', { tables: [known['2'] as number] })
    service.setClock('2026-10-06T21:00:00Z')
    const offered = async () =>
      (await scene.book.act((work) => tablesAtDoor(work, 2)))?.map(({ tables, until }) => [
        tables.map(({ label }) => label).join('+'),
        until?.toString() ?? null,
      ])
    assert.deepEqual(await offered(), [
      ['2', '2026-10-06T23:30:00Z'],
      ['1', null],
    ])
    const seated = await scene.book.act((work) =>
      walkIn(work, host, {
        guestName: null,
        email: null,
        phone: null,
        notes: null,
        partySize: 2,
        tables: [known['1'] as number],
      }),
    )
    assert.ok(seated.kind === 'done')
    assert.equal((await held())[seated.record.id], '1!')
    const floor = await scene.book.act((work) => eveningFloor(work, tonight))
    assert.deepEqual(
      floor.tables.map(({ label, now, next }) => [label, now.length, next?.partySize ?? null]),
      [
        ['1', 1, null],
        ['2', 0, 2],
      ],
    )
    await assert.rejects(
      scene.book.act((work) =>
        walkIn(work, host, {
          guestName: null,
          email: null,
          phone: null,
          notes: null,
          partySize: 2,
          tables: [known['1'] as number],
        }),
      ),
      { message: 'Table 1 is taken by a party with no name, 2 guests, from 17:00 to 19:00.' },
    )
  })
})
