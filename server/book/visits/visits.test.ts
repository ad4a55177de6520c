import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mergeGuests, undoMerge } from '../../crm/guests/merge.ts'
import { partBooking } from '../../crm/guests/part-booking.ts'
import { staffGuest } from '../../crm/guests/staff-reads.ts'
import { erasePerson } from '../../data/erasure/erase.ts'
import { walkChanges } from '../../integrations/changes/test/follow.ts'
import { bookedReservationForUpdate } from '../day/book-row.ts'
import { walkIn } from '../reservations/bookings.ts'
import { deleteReservation } from '../reservations/delete-reservation.ts'
import { editReservation } from '../reservations/edits/edits.ts'
import { staff } from '../reservations/test/book.ts'
import { chooseTables, setPinned, swapTables } from '../tables/choose-tables.ts'
import { four, host, tableScene, tonight } from '../tables/test/scene.ts'
import { joinWaitlist } from '../waitlist/actions.ts'
import { recallParty, seatFromWaitlist } from '../waitlist/seat-party.ts'

const party = { guestName: 'Maya', partySize: 2, email: null, phone: null, notes: null }
const manager = staff('manager')

describe('visits', () => {
  const scene = tableScene()
  const { service, open, taken, ids, move, made } = scene
  let key: string
  const openAs = async (...asked: Parameters<typeof open>): Promise<Record<string, number>> => {
    await open(...asked)
    const scopes = ['visits:read', 'reservations:read', 'guests:read'] as const
    key = (await scene.book.venue.makeKey('read', 'api', { scopes })).key
    return ids()
  }
  const ask = (path: string) => service.call('GET', `/api/v1/${path}`, { key })
  const got = async (path: string) => {
    const { status, body, text } = await ask(path)
    assert.equal(status, 200, text)
    return body
  }
  const visit = (id: number) => got(`visits/${id}`)
  /** What an act does to the revisions of a booking and of its visit, and what of it the feed has. */
  const changed = async (id: number, doing: () => Promise<unknown>) => {
    const ofFeed = (query: string) => ask(`changes?kinds=visit&${query}`)
    const before = [await visit(id), await got(`reservations/${id}`)]
    const { next } = await walkChanges(ofFeed)
    await doing()
    const after = [await visit(id), await got(`reservations/${id}`)]
    const { items } = await walkChanges(ofFeed, next)
    const item = items.find((one) => one.id === id)
    if (item) assert.deepEqual(item.data, after[0])
    assert.equal(item !== undefined, after[0].revision > before[0].revision)
    return {
      visit: after[0].revision - before[0].revision,
      reservation: after[1].revision - before[1].revision,
      is: after[0],
    }
  }
  const guestOf = async (id: number): Promise<number> => (await scene.book.row(id)).guest_id as number
  const seen = async (id: number) => {
    const row = await staffGuest(service.db, scene.book.venue.id, id)
    assert.ok(row)
    return { id, seenVersion: row.version }
  }

  it('a booking’s visit says whose it is, at which tables, and how long they stayed', async () => {
    const tables = await openAs([...four, { label: '2', most: 4 }], {
      floor: { combinations: [{ tables: ['1', '2'], least: 5, most: 8 }] },
    })
    const id = await taken(7, '19:00', { email: 'ada@example.com' })
    assert.deepEqual(await visit(id), {
      id,
      guestId: await guestOf(id),
      waitlistEntryId: null,
      partySize: 7,
      date: tonight,
      time: '19:00',
      durationMinutes: (await got(`reservations/${id}`)).durationMinutes,
      status: 'Requested',
      tableIds: [],
      seatedAt: null,
      leftAt: null,
      stayMinutes: null,
      revision: 1,
      createdAt: '2026-10-06T19:00:00.000Z',
      updatedAt: '2026-10-06T19:00:00.000Z',
    })
    await move(id, 'confirm')
    assert.deepEqual((await visit(id)).tableIds, [tables['1'], tables['2']])
    service.setClock('2026-10-06T23:05:10Z')
    await move(id, 'seat')
    assert.equal((await visit(id)).seatedAt, '2026-10-06T23:05:10.000Z')
    service.setClock('2026-10-07T00:20:00Z')
    await move(id, 'complete')
    const over = await visit(id)
    assert.deepEqual(
      [over.status, over.leftAt, over.stayMinutes, over.updatedAt, over.tableIds],
      ['Completed', '2026-10-07T00:20:00.000Z', 74, '2026-10-07T00:20:00.000Z', [tables['1'], tables['2']]],
    )
    await move(id, 'undoComplete')
    assert.deepEqual([(await visit(id)).leftAt, (await visit(id)).stayMinutes], [null, null])
  })

  it('a walk-in has a visit without a guest, a party from the waitlist one that names its entry', async () => {
    const tables = await openAs([...four, { label: '2', most: 4 }])
    service.setClock('2026-10-06T23:00:00Z')
    const walked = await scene.book.act((work) => walkIn(work, host, party))
    assert.ok(walked.kind === 'done')
    const one = await visit(walked.record.id)
    assert.deepEqual([one.guestId, one.waitlistEntryId, one.status], [null, null, 'Seated'])
    const { id: entry } = await scene.book.act((work) =>
      joinWaitlist(work, host, { ...party, windowStart: null, windowEnd: null }),
    )
    await scene.book.act((work) => seatFromWaitlist(work, host, { id: entry }))
    const [other] = await got('visits?limit=1')
    assert.equal(other.waitlistEntryId, entry)
    assert.deepEqual(new Set([...one.tableIds, ...other.tableIds]), new Set(Object.values(tables)))
    await scene.book.act((work) => recallParty(work, host, { id: entry }))
    const { status, body } = await ask(`visits/${other.id}`)
    // Back in line: the booking stays in the book as cancelled, or is gone.
    assert.ok(status === 410 || body.status === 'Cancelled', JSON.stringify(body))
  })

  it('a party that comes back in line after its booking was cancelled is no longer named by the visit', async () => {
    await openAs([...four, { label: '2', most: 4 }])
    service.setClock('2026-10-06T23:00:00Z')
    const { id: entry } = await scene.book.act((work) =>
      joinWaitlist(work, host, { ...party, windowStart: null, windowEnd: null }),
    )
    await scene.book.act((work) => seatFromWaitlist(work, host, { id: entry }))
    const [{ id }] = await got('visits?limit=1')
    await scene.book.query(
      `update reservation set status = 'Cancelled', cancelled_from = 'Confirmed', seated_at = null where id = $1`,
      [id],
    )
    const recalled = await changed(id, () => scene.book.act((work) => recallParty(work, host, { id: entry })))
    assert.deepEqual([recalled.visit, recalled.reservation, recalled.is.waitlistEntryId], [1, 0, null])
  })

  it('another table moves the visit and not the reservation, no matter who moved the party', async () => {
    const tables = await openAs([
      { label: '1', most: 2 },
      { label: '2', most: 4 },
      { label: '3', most: 4 },
    ])
    const [id, other] = [await made(2), await made(4)]
    const { [id]: was } = await scene.held()
    assert.equal(was, '1')
    const moved = await changed(id, () =>
      scene.book.act((work) =>
        chooseTables(work, host, { id, tables: [tables['3'] as number], pinned: false }),
      ),
    )
    assert.deepEqual([moved.visit, moved.reservation, moved.is.tableIds], [1, 0, [tables['3']]])
    const pinned = await changed(id, () =>
      scene.book.act((work) => setPinned(work, host, { id, pinned: true })),
    )
    assert.deepEqual([pinned.visit, pinned.reservation], [0, 0])
    await scene.book.act((work) => setPinned(work, host, { id, pinned: false }))
    const swapped = await changed(other, () =>
      scene.book.act((work) => swapTables(work, host, { ids: [id, other] })),
    )
    assert.deepEqual([swapped.visit, swapped.reservation, swapped.is.tableIds], [1, 0, [tables['3']]])
  })

  it('a party that a machine moves for another has a changed visit, and the same reservation', async () => {
    await openAs([
      { label: '1', most: 2 },
      { label: '2', most: 4 },
    ])
    const small = await made(2)
    await scene.book.act(async (work) => {
      const { 2: second } = await ids()
      return chooseTables(work, host, { id: small, tables: [second as number], pinned: false })
    })
    let large = 0
    const moved = await changed(small, async () => (large = await made(4)))
    const tables = await ids()
    assert.deepEqual([moved.visit, moved.reservation, moved.is.tableIds], [1, 0, [tables['1']]])
    assert.deepEqual((await visit(large)).tableIds, [tables['2']])
  })

  it('a merge, its undo, and a booking given to another guest move the visit and not the reservation', async () => {
    await openAs(four)
    const low = await guestOf(await taken(2, '18:00', { email: 'a@example.com' }))
    const id = await taken(2, '20:00', { email: 'b@example.com' })
    const high = await guestOf(id)
    let merge = 0
    const merged = await changed(id, async () => {
      const [one, other] = [await seen(low), await seen(high)]
      ;({ merge } = await scene.book.act((work) => mergeGuests(work, manager, one, other)))
    })
    assert.deepEqual([merged.visit, merged.reservation, merged.is.guestId], [1, 0, low])
    const undone = await changed(id, () => scene.book.act((work) => undoMerge(work, manager, merge)))
    assert.deepEqual([undone.visit, undone.reservation, undone.is.guestId], [1, 0, high])
    const parted = await changed(id, () =>
      scene.book.act((work) => partBooking(work, manager, { id, to: low }, bookedReservationForUpdate)),
    )
    assert.deepEqual([parted.visit, parted.reservation, parted.is.guestId], [1, 0, low])
  })

  it('what changes a booking changes its visit once, however much of it changes', async () => {
    await openAs(four)
    const id = await made(2)
    const { version } = await scene.book.row(id)
    const edited = await changed(id, () =>
      scene.book.act((work) =>
        editReservation(work, manager, {
          id,
          seenVersion: version,
          changes: { when: scene.book.when(tonight, '20:30'), partySize: 3 },
        }),
      ),
    )
    assert.deepEqual(
      [edited.visit, edited.reservation, edited.is.partySize, edited.is.time],
      [1, 1, 3, '20:30'],
    )
  })

  it('an erased person leaves a visit without a guest, a deleted booking none', async () => {
    await openAs([...four, { label: '2', most: 4 }])
    const [id, other] = [
      await taken(2, '19:00', { email: 'ada@example.com' }),
      await taken(2, '21:00', { guestName: 'Olga' }),
    ]
    const ofFeed = (query: string) => ask(`changes?kinds=visit&${query}`)
    const { next } = await walkChanges(ofFeed)
    const person = { guestId: null, email: 'ada@example.com', phone: null, name: 'Ada' }
    await scene.book.act((work) => erasePerson(work, staff('owner'), person))
    await scene.book.act((work) => deleteReservation(work, manager, other))
    const { items, next: after } = await walkChanges(ofFeed, next)
    assert.deepEqual(
      items.map(({ id: one, change, revision, data }) => [one, change, revision, data && data['guestId']]),
      [
        [id, 'erased', 2, null],
        [other, 'deleted', 2, null],
      ],
    )
    assert.equal((await visit(id)).guestId, null)
    assert.deepEqual(await got(`visits?guest=${await guestOf(id)}`), [])
    // It stays erased, whatever else happens to it.
    await move(id, 'confirm')
    const [later] = (await walkChanges(ofFeed, after)).items
    assert.deepEqual([later?.change, later?.revision, later?.data?.['guestId']], ['erased', 3, null])
    const gone = await ask(`visits/${other}`)
    assert.deepEqual([gone.status, gone.body.reason], [410, 'deleted'])
  })

  it('a renamed table moves no visit, and is named by its room; one removed stays named by its visits', async () => {
    const tables = await openAs([...four, { label: '2', most: 4 }])
    const id = await made(2, '19:00')
    const cancelled = await made(2, '19:00')
    await move(cancelled, 'cancel')
    const renamed = await changed(id, () =>
      scene.book.query(`update dining_table set label = 'A1' where venue_id = $1 and label = '1'`, [
        scene.book.venue.id,
      ]),
    )
    assert.deepEqual([renamed.visit, renamed.reservation], [0, 0])
    await scene.book.query(`update dining_table set removed_at = now() where venue_id = $1 and label = '2'`, [
      scene.book.venue.id,
    ])
    await scene.book.query(
      `insert into table_outage (venue_id, table_id, from_date, from_minute, until_date, until_minute)
       select venue_id, id, '2026-10-05', 0, '2026-10-06', 1200 from dining_table where venue_id = $1 and label = 'A1'`,
      [scene.book.venue.id],
    )
    const [room, ...others] = await got('rooms')
    assert.deepEqual([room.name, others], ['Dining room', []])
    const held = (await visit(cancelled)).tableIds
    assert.deepEqual(room.tables, [
      {
        ...{ id: tables['1'], label: 'A1', seatsFrom: 1, seatsTo: 4, removed: false },
        outOfOrderUntil: '2026-10-07T00:00:00.000Z',
      },
      ...(held.includes(tables['2'])
        ? [{ id: tables['2'], label: '2', seatsFrom: 1, seatsTo: 4, removed: true, outOfOrderUntil: null }]
        : []),
    ])
  })

  it('the list finds visits by guest, table, status, date and change, as that of reservations does', async () => {
    const tables = await openAs([...four, { label: '2', most: 4 }])
    const one = await taken(2, '18:00', { email: 'ada@example.com' })
    const [two, three] = [await made(2, '19:00'), await made(2, '20:00', { date: '2026-10-07' })]
    const found = async (query: string) => (await got(`visits?${query}`)).map(({ id }: { id: number }) => id)
    assert.deepEqual(await found(''), [three, two, one])
    assert.deepEqual(await found('sort=date'), [one, two, three])
    assert.deepEqual(await found(`guest=${await guestOf(one)}`), [one])
    assert.deepEqual(await found('status=confirmed'), [three, two])
    assert.deepEqual(await found('dateTo=2026-10-06&sort=createdAt'), [one, two])
    const held = await scene.held()
    assert.deepEqual(
      await found(`table=${tables[held[two] as string]}`),
      [three, two].filter((id) => held[id] === held[two]),
    )
    assert.equal((await ask('visits?table=x')).status, 400)
    service.setClock('2026-10-06T19:30:00Z')
    await scene.book.act((work) => chooseTables(work, host, { id: two, tables: [] }))
    assert.deepEqual(await found('updatedSince=2026-10-06T19:15:00Z'), [two])
    const { next } = await walkChanges((query) => ask(`changes?kinds=visit&${query}`))
    assert.ok(next)
    const { headers } = await ask(`visits/${two}`)
    const again = await service.call('GET', `/api/v1/visits/${two}`, {
      key,
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    })
    assert.equal(again.status, 304)
  })
})
