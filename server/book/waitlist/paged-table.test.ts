import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { erasePerson } from '../../data/erasure/erase.ts'
import { tileOf } from '../../doors/office/floor/floor-list.ts'
import { bookByStaff, walkIn } from '../reservations/bookings.ts'
import { keyAsHolder, newHoldId, placeHold } from '../reservations/holds/holds.ts'
import { type TestBook, dinner, openBook, staff } from '../reservations/test/book.ts'
import { eveningFloor } from '../tables/reads.ts'
import { tablesAtDoor } from '../tables/offered/at-door.ts'
import { heldTables, tablesOf, turnTablesOn } from '../tables/test/floor.ts'
import { type TestService, startService } from '../../test/service.ts'
import { joinWaitlist, moveEntry } from './actions.ts'
import { expireWaitlist } from './jobs.ts'
import { bookFromWaitlist, recallParty, seatFromWaitlist } from './seat-party.ts'
import type { PlainWaitlistMove } from './states.ts'
import { textOf } from '../../platform/html/html.ts'

const host = staff('host')
const tonight = '2026-10-06'
/** 19:00 in New York, on Tuesday 6 October 2026. */
const evening = '2026-10-06T23:00:00Z'

describe('the table of a party that was paged', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const open = async (labels: readonly string[], mode: 'on' | 'off' = 'on', rules: object = {}) => {
    service.setClock(evening)
    book = await openBook(
      service,
      dinner({ ...tablesOf(labels.map((label) => ({ label, most: 4 }))), ...rules }),
    )
    if (mode === 'on') await turnTablesOn(service, book.venue)
  }
  const waits = async (guestName: string, more: { date?: string; email?: string } = {}): Promise<number> => {
    const party = { partySize: 4, email: null, phone: null, notes: null, windowStart: null, windowEnd: null }
    return (await book.act((work) => joinWaitlist(work, host, { ...party, guestName, ...more }))).id
  }
  const move = (id: number, name: PlainWaitlistMove) =>
    book.act((work) => moveEntry(work, name === 'expire' ? { kind: 'service' } : host, { id, move: name }))
  const page = async (id: number): Promise<void> => assert.equal((await move(id, 'page')).kind, 'done')
  const atDoor = async (): Promise<string[]> => {
    const found = await book.act((work) => tablesAtDoor(work, 4))
    return (found ?? []).map(({ tables }) => tables.map(({ label }) => label).join('+'))
  }
  const holds = async (): Promise<number> =>
    (await book.query('select from table_hold where venue_id = $1', [book.venue.id])).length
  const walksIn = () =>
    book.act((work) =>
      walkIn(work, host, { guestName: null, email: null, phone: null, partySize: 4, notes: null }),
    )
  const seated = async (id: number): Promise<string | undefined> => {
    const outcome = await book.act((work) => seatFromWaitlist(work, host, { id }))
    assert.equal(outcome.kind, 'done')
    return Object.values(await heldTables(service, book.venue)).at(-1)
  }

  it('is offered to nobody else: no walk-in, no booking by staff, no hold and no request by API', async () => {
    await open(['1'])
    assert.deepEqual(await atDoor(), ['1'])
    const first = await waits('Ana')
    await page(first)
    assert.deepEqual(await atDoor(), [])
    const refused = await walksIn()
    assert.ok(refused.kind === 'needs override', refused.kind)
    assert.deepEqual(
      refused.reasons.map(({ reason }) => reason),
      ['tables-full'],
    )
    const party = { guestName: 'Okafor', email: null, phone: null, notes: null, partySize: 4 }
    const booked = await book.act((work) =>
      bookByStaff(work, host, { ...party, ...book.when(tonight, '19:30') }),
    )
    assert.ok(booked.kind === 'needs override')
    const hold = await book.act((work) =>
      placeHold(work, {
        id: newHoldId(randomBytes),
        partySize: 4,
        by: { holder: keyAsHolder(1) },
        ...book.when(tonight, '19:30'),
      }),
    )
    assert.ok(hold.kind === 'refused' && hold.refusal.reason === 'tables-full', JSON.stringify(hold))
    const { status, body } = await service.call('POST', '/api/v1/reservations', {
      key: book.venue.key,
      body: { guestName: 'Ben', date: tonight, time: '19:30', partySize: 4 },
    })
    assert.deepEqual([status, body.reason], [409, 'tables-full'])
  })

  it('is free again the moment the offer ends, with no worker running', async () => {
    await open(['1'])
    await page(await waits('Ana'))
    service.setClock('2026-10-06T23:14:59.999Z')
    assert.deepEqual(await atDoor(), [])
    service.setClock('2026-10-06T23:15:00Z')
    assert.deepEqual(await atDoor(), ['1'])
    assert.equal((await walksIn()).kind, 'done')
    assert.deepEqual(Object.values(await heldTables(service, book.venue)), ['1'])
  })

  it('is free again when they leave, wait on or are forgotten, and nothing of it is left', async () => {
    for (const name of ['leave', 'notYet', 'expire'] as const) {
      await open(['1'])
      const first = await waits('Ana')
      await page(first)
      assert.equal(await holds(), 1)
      if (name === 'expire') {
        service.setClock('2026-10-06T23:15:00Z')
        await expireWaitlist(service.context)
      } else assert.equal((await move(first, name)).kind, 'done')
      assert.deepEqual([await atDoor(), await holds()], [['1'], 0], name)
    }
    await open(['1'])
    const first = await waits('Ana', { email: 'ana@example.com' })
    await page(first)
    const person = { guestId: null, email: 'ana@example.com', phone: null, name: 'Ana' }
    await book.act((work) => erasePerson(work, staff('owner'), person))
    await book.query('delete from waitlist_entry where venue_id = $1 and id = $2', [book.venue.id, first])
    assert.deepEqual([await atDoor(), await holds()], [['1'], 0])
  })

  it('is theirs when they are seated, though a better one has come free; a booking for later leaves it', async () => {
    await open(['1', '2'])
    const first = await walksIn()
    assert.ok(first.kind === 'done')
    const paged = await waits('Ana')
    await page(paged)
    const [label] = Object.values(await heldTables(service, book.venue))
    await book.query('delete from reservation_table where venue_id = $1', [book.venue.id])
    assert.deepEqual(await atDoor(), [label])
    assert.equal(await seated(paged), label === '1' ? '2' : '1')
    assert.equal(await holds(), 0)

    await open(['1'])
    const later = await waits('Ben')
    await page(later)
    const booked = await book.act((work) =>
      bookFromWaitlist(work, host, { id: later, when: book.when(tonight, '21:00') }),
    )
    assert.equal(booked.kind, 'done')
    assert.deepEqual([await atDoor(), await holds()], [['1'], 0])
  })

  it('stays theirs when they are paged again, and is held from then on; a new quote changes nothing', async () => {
    await open(['1', '2'])
    const first = await waits('Ana')
    await page(first)
    const [free] = await atDoor()
    service.setClock('2026-10-06T23:10:00Z')
    assert.equal((await move(first, 'quote')).kind, 'done')
    await page(first)
    assert.deepEqual([await atDoor(), await holds()], [[free], 1])
    service.setClock('2026-10-06T23:24:59Z')
    assert.deepEqual(await atDoor(), [free])
    service.setClock('2026-10-06T23:25:00Z')
    assert.equal((await atDoor()).length, 2)
  })

  it('of parties paged at once for the last table, one holds it; the others are still paged', async () => {
    await open(['1'])
    const entries = [await waits('Ana'), await waits('Ben'), await waits('Cleo')]
    await Promise.all(entries.map(page))
    assert.equal(await holds(), 1)
  })

  it('and its page are undone together, without a trace; the page of who needs longer is kept', async () => {
    await open(['1'])
    const first = await waits('Ada')
    await page(first)
    await book.act((work) => moveEntry(work, host, { id: first, move: 'notYet', isUndo: true }))
    const [undone] = await book.query('select status, paged_at from waitlist_entry where id = $1', [first])
    assert.deepEqual({ ...undone }, { status: 'waiting', paged_at: null })
    await page(first)
    await move(first, 'notYet')
    const [returned] = await book.query('select paged_at from waitlist_entry where id = $1', [first])
    assert.notEqual(returned?.['paged_at'], null, 'who said that they need longer was paged')
  })

  it('is held again when a press that took them out of the line is undone: they are paged as before, until the same moment', async () => {
    for (const press of ['seatNow', 'bookForLater', 'leave'] as const) {
      await open(['1'])
      const first = await waits('Ana', { email: 'ana@example.com' })
      await page(first)
      const rows = () => book.query('select * from table_hold where venue_id = $1', [book.venue.id])
      const entry = () =>
        book.query(
          'select status, paged_at, offered_until, seated_at, left_at, reservation_id, booked_as from waitlist_entry where id = $1',
          [first],
        )
      const [held, paged] = [await rows(), await entry()]
      assert.equal(held.length, 1)
      service.setClock('2026-10-06T23:04:00Z')
      const pressed = await book.act((work) =>
        press === 'seatNow'
          ? seatFromWaitlist(work, host, { id: first })
          : press === 'leave'
            ? moveEntry(work, host, { id: first, move: 'leave' })
            : bookFromWaitlist(work, host, { id: first, when: book.when(tonight, '21:00') }),
      )
      assert.equal(pressed.kind, 'done', press)
      service.setClock('2026-10-06T23:04:08Z')
      await book.toldAll()
      const undone = await book.act((work) =>
        press === 'leave'
          ? moveEntry(work, host, { id: first, move: 'rejoin', isUndo: true })
          : recallParty(work, host, { id: first, isUndo: true }),
      )
      assert.equal(undone.kind, 'done', press)
      assert.deepEqual([await rows(), await entry()], [held, paged], press)
      const told = await book.toldAll()
      assert.deepEqual(
        told.filter(({ name }) => name === 'waitlist.returned').map(({ data }) => data.status),
        ['offered'],
        press,
      )
      const mails = await book.query(
        `select kind from guest_mail where venue_id = $1 and kind = 'lineJoined' and made_at >= '2026-10-06T23:04:00Z'`,
        [book.venue.id],
      )
      assert.deepEqual(mails, [], 'what they were told still holds')
      assert.deepEqual(await atDoor(), [])
    }
  })

  it('is made free by moving others, who are back where they were when the page is taken back at once, and else stay', async () => {
    for (const isUndo of [true, false]) {
      await open([], 'on', {
        ...tablesOf([
          { label: 'small', most: 2 },
          { label: 'big', most: 4 },
        ]),
        turnMinutes: [{ upTo: 99, minutes: 90 }],
      })
      const le = await book.booking('Confirmed', { guestName: 'Le', partySize: 2, time: '20:00' })
      await book.query(
        `update reservation_table set table_id = (select id from dining_table where venue_id = $1 and label = 'big')
          where reservation_id = $2`,
        [book.venue.id, le],
      )
      service.setClock(evening)
      const before = await heldTables(service, book.venue)
      assert.deepEqual(before, { [le]: 'big' })
      const ana = await waits('Ana')
      await page(ana)
      assert.deepEqual(await heldTables(service, book.venue), { [le]: 'small' })
      await book.toldAll()
      const back = await book.act((work) => moveEntry(work, host, { id: ana, move: 'notYet', isUndo }))
      assert.equal(back.kind, 'done')
      assert.deepEqual(
        [await heldTables(service, book.venue), await holds()],
        [isUndo ? before : { [le]: 'small' }, 0],
      )
      assert.deepEqual(
        (await book.toldAll()).map(({ name }) => name),
        ['waitlist.returned'],
      )
    }
  })

  it('is not held again where somebody has it by then, nor once the time they were given is over', async () => {
    await open(['1'])
    const first = await waits('Ana')
    await page(first)
    const leaves = async () => assert.equal((await move(first, 'leave')).kind, 'done')
    const back = () => book.act((work) => moveEntry(work, host, { id: first, move: 'rejoin', isUndo: true }))
    const status = async () =>
      (await book.query('select status from waitlist_entry where id = $1', [first]))[0]?.['status']
    await leaves()
    assert.equal((await walksIn()).kind, 'done')
    assert.equal((await back()).kind, 'done')
    assert.deepEqual([await status(), await holds()], ['offered', 0])
    await leaves()
    service.setClock('2026-10-06T23:15:00Z')
    assert.equal((await back()).kind, 'done')
    assert.equal(await status(), 'waiting')
  })

  it('is held neither with tables off nor for another evening', async () => {
    await open(['1'], 'off')
    await page(await waits('Ana'))
    assert.equal(await holds(), 0)
    await open(['1'])
    await page(await waits('Ben', { date: '2026-10-07' }))
    assert.equal(await holds(), 0)
  })

  it('sends no event of its own: one event for the page, and no booking', async () => {
    await open(['1'])
    const first = await waits('Ana')
    await book.toldAll()
    await page(first)
    assert.deepEqual(
      (await book.toldAll()).map(({ names }) => names[0]),
      ['waitlist.offered'],
    )
    assert.deepEqual(await heldTables(service, book.venue), {})
  })

  it('says on the floor for whom it is held and until when', async () => {
    await open(['1', '2'])
    await page(await waits('Maya Lee'))
    const words = async (): Promise<string[]> => {
      const { tables } = await book.act((work) => eveningFloor(work, tonight))
      const place = { now: service.context.clock(), timezone: 'America/New_York' }
      return tables.map((table) => {
        const { words, after } = tileOf(table, place)
        return after === undefined ? textOf(words) : `${textOf(words)} ${textOf(after)}`
      })
    }
    assert.deepEqual((await words()).toSorted(), ['Free tonight', 'Held to 19:15 for Lee 4'])
    service.setClock('2026-10-06T23:15:00Z')
    assert.deepEqual(await words(), ['Free tonight', 'Free tonight'])
  })
})
