import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Work } from '../../context.ts'
import { randomFrom } from '../../demo/random.ts'
import { bookedReservation } from '../day/book-row.ts'
import { tablesHeld } from '../day/tables-of-booking-reads.ts'
import { walkIn } from '../reservations/bookings.ts'
import { moveReservation } from '../reservations/moves.ts'
import { type TestBook, dinner, openBook, staff } from '../reservations/test/book.ts'
import { tablesAtDoor } from '../tables/offered/at-door.ts'
import { tablesOf, turnTablesOn } from '../tables/test/floor.ts'
import { type TestService, startService } from '../../test/service.ts'
import { joinWaitlist, moveEntry } from './actions.ts'
import { quoteFor } from './quote.ts'

const host = staff('host')
/** What is tried and taken back. */
const triedOnly = new Error('tried only')
const tonight = '2026-10-06'
/** New York time on Tuesday 6 October 2026. */
const at = (time: string): string => `2026-10-06T${time}:00-04:00`

describe('the wait a party is quoted, with tables', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const open = async (tables: Record<string, number>, mode: 'on' | 'off' = 'on', rules: object = {}) => {
    service.setClock(at('19:00'))
    const rows = Object.entries(tables).map(([label, most]) => ({ label, most }))
    book = await openBook(service, dinner({ ...tablesOf(rows), ...rules }))
    if (mode === 'on') await turnTablesOn(service, book.venue)
  }
  /** Sixty past evenings with two parties of four each, who stayed so long: the first from 18:00, the second from 20:00. */
  const stayed = (minutes: number, more: { closedAt?: string } = {}) =>
    book.query(
      `insert into reservation (venue_id, guest_name, party_size, date, time, service_date, service_minute, starts_at,
                                duration_minutes, status, source, created_at, seated_at, completed_at, updated_at)
       select $1, 'Then', 4, day, time, day, 60 * hour, at, 120, 'Completed', 'staff', at, at,
              coalesce((day + $3::time) at time zone 'America/New_York', at + make_interval(mins => $2)), at
         from generate_series(1, 60) as n, unnest(array[18, 20]) as hour,
              lateral (select $4::date - n as day, make_time(hour, 0, 0) as time) as one,
              lateral (select (day + time) at time zone 'America/New_York' as at) as moment`,
      [book.venue.id, minutes, more.closedAt ?? null, tonight],
    )
  const sits = async (partySize: number, since: string): Promise<void> => {
    service.setClock(at(since))
    const party = { guestName: null, email: null, phone: null, partySize, notes: null }
    assert.equal((await book.act((work) => walkIn(work, host, party))).kind, 'done')
  }
  const waits = async (partySize: number, quotedMinutes?: number | 'estimated'): Promise<number> => {
    const contact = { guestName: 'Ana', email: null, phone: null, notes: null }
    const joining = { ...contact, partySize, windowStart: null, windowEnd: null }
    const entry = await book.act((work) =>
      joinWaitlist(work, host, { ...joining, ...(quotedMinutes !== undefined && { quotedMinutes }) }),
    )
    return entry.id
  }
  const quote = async (partySize: number, time = '19:00', entry?: number) => {
    service.setClock(at(time))
    const asked = { serviceDate: tonight, partySize, ...(entry !== undefined && { entry }) }
    const { minutes, table } = await book.act((work) => quoteFor(work, asked))
    return table ? `${minutes}, ${table.tables.map(({ label }) => label).join('+')}` : `${minutes}`
  }

  it('is until a table of that size comes free, by how long such parties stayed on past evenings', async () => {
    await open({ A: 4, B: 4, C: 2 })
    await stayed(60)
    await sits(4, '18:20')
    await sits(4, '18:40')
    assert.equal(await quote(4), '25, A', 'from 18:20, an hour and a little for the turn time')
    assert.equal(await quote(2), '5, C')
    await sits(2, '19:00')
    const [row] = await book.query(
      `select reservation_id as id from reservation_table t join dining_table d
          on d.venue_id = t.venue_id and d.id = t.table_id where t.venue_id = $1 and d.label = 'A'`,
      [book.venue.id],
    )
    await book.query(`update reservation set status = 'Completed', completed_at = now() where id = $1`, [
      row?.id,
    ])
    assert.equal(await quote(4), '5, A')
  })

  it('with the turn time where too few parties are known, and where they were only cleared at closing', async () => {
    await open({ A: 4 })
    await sits(4, '18:20')
    assert.equal(await quote(4), '80, A', 'two hours from 18:20')
    await open({ A: 4 })
    // Both of an evening are cleared within a minute, and those of the two waitlisted as well.
    await stayed(60, { closedAt: '23:00' })
    await stayed(60, { closedAt: '23:00' })
    await sits(4, '18:20')
    assert.equal(await quote(4), '80, A')
  })

  it('says longer as a party stays longer than most, and never that it is over', async () => {
    await open({ A: 4 })
    await stayed(60)
    await sits(4, '18:20')
    assert.deepEqual(
      [await quote(4, '19:10'), await quote(4, '19:20')],
      ['15, A', '5, A'],
      'at 19:25 both times',
    )
    assert.equal(await quote(4, '19:30'), '50, A', 'nobody known stayed so long')
    assert.equal(await quote(4, '20:40'), '10, A')
  })

  it('parties ahead go first, and booked parties have their tables', async () => {
    await open({ A: 4, B: 4 })
    await stayed(60)
    await sits(4, '18:20')
    await sits(4, '18:40')
    const first = await waits(4)
    assert.equal(await quote(4), '45, B')
    assert.equal(await quote(4, '19:00', first), '25, A', 'the party itself is not ahead of itself')
    await waits(2)
    assert.equal(await quote(4), '90, A', 'after the first, who stay as long as such parties do')
    await book.booking('Confirmed', { date: tonight, time: '19:30', partySize: 4 })
    service.setClock(at('19:00'))
    await book.query(
      `insert into reservation_table (venue_id, reservation_id, table_id)
       select $1, (select max(id) from reservation where venue_id = $1), id from dining_table
        where venue_id = $1 and label = 'A'`,
      [book.venue.id],
    )
    assert.equal(await quote(4, '19:00', first), '45, B')
  })

  it('is until others can make room for the whole stay, as they are moved once it comes to that, and not where staff keep them there', async () => {
    await open({ A: 4, B: 4 })
    await sits(4, '17:30')
    await sits(4, '18:15')
    await book.booking('Confirmed', { date: tonight, time: '21:00', partySize: 4 })
    assert.equal(await quote(4), '30, A', 'at 19:30, and who comes at 21:00 sits at B')
    const first = await waits(4)
    assert.equal(await quote(4), '150, A', 'after the first, as the booking is at B')
    assert.equal(await quote(4, '19:00', first), '30, A')
    await book.query('update reservation_table set pinned = true where venue_id = $1', [book.venue.id])
    assert.equal(await quote(4, '19:00', first), '75, B', 'A is needed at 21:00, B is free from 20:15')
  })

  it('a party with a table held for it is not ahead at the next, and its own table is its own', async () => {
    await open({ A: 4, B: 4 })
    await sits(4, '18:20')
    service.setClock(at('19:00'))
    const first = await waits(4)
    const paged = await book.act((work) => moveEntry(work, host, { id: first, move: 'page' }))
    assert.equal(paged.kind, 'done')
    assert.equal(await quote(4), '80, A')
    assert.equal(await quote(4, '19:00', first), '5, B')
  })

  it('before a service it is until the doors open, and what staff say goes first', async () => {
    await open({ A: 4 })
    assert.equal(await quote(4, '16:30'), '30, A')
    service.setClock(at('16:30'))
    await waits(4, 35)
    assert.equal(await quote(4, '16:30'), '35, A', 'staff said 35 minutes')
  })

  it('goes by the line, as without tables, where no table takes so many and where tables are off', async () => {
    await open({ A: 4 })
    assert.equal(await quote(9), '10')
    await open({ A: 4 }, 'off')
    await stayed(60)
    await sits(4, '18:20')
    assert.equal(await quote(4), '10')
    service.setClock(at('19:00'))
    await waits(4)
    assert.equal(await quote(4), '20')
  })

  it('never falls as parties grow: with full tables, where none takes so many, and after what staff said', async () => {
    const minutes = async (): Promise<number[]> => {
      const found: number[] = []
      for (const size of [1, 2, 3, 4, 5, 6, 8, 9, 14, 25, 400]) found.push(Number.parseInt(await quote(size)))
      return found
    }
    const rises = (quotes: readonly number[]): void =>
      assert.deepEqual(
        quotes,
        quotes.toSorted((a, b) => a - b),
      )
    await open({ A: 2, B: 4, C: 8 })
    for (const size of [2, 3, 8]) await sits(size, '18:50')
    const full = await minutes()
    assert.ok((full[0] as number) > 60, `${full.join()}: nothing is free`)
    rises(full)
    service.setClock(at('19:00'))
    await waits(2, 170)
    const said = await minutes()
    assert.ok(said[0] === 170 && said.at(-1) === 170, said.join())
    rises(said)
  })

  it('is no wait where a table is free for the party now, though a smaller one waits, and as short for one as for two', async () => {
    await open(
      {},
      'on',
      tablesOf([
        { label: 'A', most: 2 },
        { label: 'B', least: 3, most: 4 },
        { label: 'C', most: 2, least: 2 },
      ]),
    )
    await sits(2, '18:50')
    await sits(2, '18:50')
    const two = Number.parseInt(await quote(2))
    assert.ok(two > 30, `${two}: no table for two is free`)
    assert.equal(Number.parseInt(await quote(1)), two)
    assert.deepEqual([await quote(3), await quote(4)], ['5, B', '5, B'])
  })

  it('says what it rests on: the own table, that of a smaller size which waits longer, or no table where staff said so', async () => {
    const rests = async (partySize: number) => {
      service.setClock(at('19:00'))
      const asked = { serviceDate: tonight, partySize }
      const { minutes, table, rests } = await book.act((work) => quoteFor(work, asked))
      return [minutes, table?.tables[0]?.label, rests.size, rests.table?.tables[0]?.label]
    }
    const tables = tablesOf([
      { label: 'A', most: 2 },
      { label: 'B', least: 3, most: 4 },
    ])
    await open({}, 'on', { ...tables, turnMinutes: [{ upTo: 99, minutes: 90 }] })
    await sits(2, '18:50')
    await sits(4, '18:20')
    assert.deepEqual(await rests(2), [80, 'A', 2, 'A'])
    assert.deepEqual(await rests(4), [80, 'B', 2, 'A'])
    service.setClock(at('19:00'))
    await waits(4, 60)
    assert.deepEqual(await rests(4), [60, 'B', 4, undefined])
  })

  it('names who keeps the table, all through a replayed evening: they sit there, and once they left it is free for who was quoted', async () => {
    await open({ A: 4, B: 4, C: 2, D: 6, E: 2 })
    const random = randomFrom(9)
    const leaves = new Map<number, number>()
    const counts = { named: 0, free: 0 }
    const leave = (work: Work, id: number) => moveReservation(work, host, { id, move: 'complete' })
    for (let minute = 18 * 60; minute <= 22 * 60; minute += 10) {
      const hour = String(Math.floor(minute / 60))
      service.setClock(at(`${hour}:${String(minute % 60).padStart(2, '0')}`))
      for (const [id, until] of leaves) {
        if (until > minute) continue
        assert.equal((await book.act((work) => leave(work, id))).kind, 'done')
        leaves.delete(id)
      }
      const party = {
        guestName: null,
        email: null,
        phone: null,
        partySize: random.integer(1, 6),
        notes: null,
      }
      const seated = await book.act((work) => walkIn(work, host, party))
      if (seated.kind === 'done') leaves.set(seated.record.id, minute + random.integer(5, 14) * 10)
      for (const partySize of [1, 2, 4, 6]) {
        const { table } = await book.act((work) => quoteFor(work, { serviceDate: tonight, partySize }))
        const { after: who } = table ?? {}
        counts[who === undefined ? 'free' : 'named']++
        if (table === undefined || who === undefined) continue
        const wanted = table.tables.map(({ id }) => id).join()
        const tried = async (work: Work): Promise<void> => {
          const row = await bookedReservation(work.db, work.venue.id, who)
          const { tables } = await tablesHeld(work.db, work.venue.id, who)
          assert.equal(row?.status, 'Seated')
          assert.ok(
            tables.some((id) => wanted.split(',').includes(String(id))),
            'they sit at it',
          )
          assert.equal((await leave(work, who)).kind, 'done')
          const open = (await tablesAtDoor(work, partySize)) ?? []
          assert.ok(
            open.some((one) => one.tables.map(({ id }) => id).join() === wanted),
            `${partySize} at minute ${minute}`,
          )
          throw triedOnly
        }
        await assert.rejects(book.act(tried), triedOnly)
      }
    }
    assert.ok(counts.named > 30 && counts.free > 10, JSON.stringify(counts))
  })
})
