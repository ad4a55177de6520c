import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Work } from '../../context.ts'
import { aTuesdayAfternoon } from '../../test/service.ts'
import { randomFrom } from '../../demo/random.ts'
import { sql } from '../../platform/db/sql.ts'
import { type BookRow, bookedReservation } from '../day/book-row.ts'
import { moveReservation } from '../reservations/moves.ts'
import { joinWaitlist, moveEntry } from '../waitlist/actions.ts'
import { byMoving } from './arrange.ts'
import { chooseTables } from './choose-tables.ts'
import { floorNow } from './offered/at-door.ts'
import { tablesForBooking } from './offered/for-party.ts'
import { host, tableScene } from './test/scene.ts'

const evenings = 5
/** Evenings with chains of moves, which the search and a press find differently. */
const dense = [3, 13, 14, 15]
const times = ['17:30', '18:00', '18:30', '19:00', '19:30', '20:00', '20:30', '21:00']

/** 18:00 in New York, on Tuesday 6 October 2026. */
const six = '2026-10-06T22:00:00Z'

/** What is tried and taken back. */
const triedOnly = new Error('tried only')

describe('a table that is free once others moved', () => {
  const scene = tableScene()
  const { service, made } = scene

  const fill = async (
    seed: number,
    { least, most, parties } = { least: 4, most: 7, parties: 12 },
  ): Promise<number[]> => {
    const random = randomFrom(seed)
    service.setClock(aTuesdayAfternoon)
    await scene.open(
      Array.from({ length: random.integer(least, most) }, (_, n) => ({
        ...{ label: String(n + 1), least: 1, most: random.pick([2, 4, 4, 6]) },
      })),
      {
        turnMinutes: [{ upTo: 99, minutes: 75 }],
        floor: {
          turnoverMinutes: random.pick([0, 15]),
          combinations: [{ tables: ['1', '2'], least: 5, most: 8 }],
        },
      },
    )
    const bookings: number[] = []
    for (let n = 0; n < parties; n++)
      bookings.push(await made(random.integer(1, 4), random.pick(times), { confirmed: ['tables-full'] }))
    const [off] = random.shuffled(bookings)
    await scene.book.act((work) => chooseTables(work, host, { id: off as number, tables: [] }))
    return bookings
  }

  const heldIn = async ({ db, venue }: Work): Promise<Record<number, string>> => {
    const rows = await db.many(sql({ reservation_id: 'int8', tables: 'text[]' })`
      select reservation_id, array_agg(table_id::text order by table_id) as tables from reservation_table
       where venue_id = ${venue.id} group by reservation_id order by reservation_id`)
    return Object.fromEntries(rows.map(({ reservation_id, tables }) => [reservation_id, tables.join()]))
  }

  /** Presses a table for a booking, and takes it back; answers with who had what before and after. */
  const pressed = async (row: BookRow, tables: readonly number[], isTime: boolean) => {
    const seen: Record<number, string>[] = []
    const press = async (work: Work): Promise<void> => {
      seen.push(await heldIn(work))
      const { id } = row
      const outcome = isTime
        ? await moveReservation(work, host, { id, move: 'seat', tables })
        : await chooseTables(work, host, { id, tables })
      assert.equal(outcome.kind, 'done', JSON.stringify(outcome))
      seen.push(await heldIn(work))
      throw triedOnly
    }
    await assert.rejects(scene.book.act(press), triedOnly)
    return seen as [Record<number, string>, Record<number, string>]
  }

  it('is given by a press that asks nothing and moves exactly those who were named, to where was said', async () => {
    const counts = { now: 0, later: 0, chains: 0 }
    for (let seed = 1; seed <= evenings; seed++) {
      const bookings = await fill(seed)
      service.setClock(six)
      for (const id of bookings) {
        const [row, found] = await scene.book.act(async (work) => {
          const seen = await bookedReservation(work.db, work.venue.id, id)
          return [seen as BookRow, await tablesForBooking(work, seen as BookRow)] as const
        })
        for (const { tables, moves } of found?.moving ?? []) {
          const ids = tables.map((one) => one.id)
          const [before, after] = await pressed(row, ids, found?.isTime ?? false)
          const said = [...moves].map(([who, to]): [number, string] => [who, to.map((one) => one.id).join()])
          assert.ok(said.length > 0)
          // Who waits for a table may get the one that came free with it.
          const had = Object.entries(after).filter(([who]) => who in before || Number(who) === id)
          const expected = { ...before, ...Object.fromEntries(said), [id]: ids.join() }
          assert.deepEqual(Object.fromEntries(had), expected)
          counts[found?.isTime ? 'now' : 'later']++
          if (said.length > 1) counts.chains++
        }
      }
    }
    assert.ok(counts.now > 5 && counts.later > 20 && counts.chains > 2, JSON.stringify(counts))
  })

  it('is held for a party in line that is paged, and moves exactly those who were named, too', async () => {
    const counts = { paged: 0, chains: 0 }
    for (const seed of dense) {
      await fill(seed, { least: 8, most: 10, parties: 19 })
      for (const minutes of [0, 20, 40, 60, 80, 100, 120, 140]) {
        service.setClock(Temporal.Instant.from(six).add({ minutes }).toString())
        for (const partySize of [1, 2, 3, 4, 5, 6]) {
          const page = async (work: Work): Promise<void> => {
            const party = { email: null, phone: null, notes: null, windowStart: null, windowEnd: null }
            const { id } = await joinWaitlist(work, host, { ...party, guestName: 'Ada', partySize })
            const { floor, when } = await floorNow(work)
            const said = floor && byMoving(floor, { ...when, partySize, door: 'staff' })
            const before = await heldIn(work)
            const outcome = await moveEntry(work, host, { id, move: 'page' })
            assert.equal(outcome.kind, 'done', JSON.stringify(outcome))
            const moves = [...(said?.moves ?? [])]
            const named = moves.map(([who, to]): [number, string] => [who, to.map((one) => one.id).join()])
            if (said)
              assert.deepEqual(
                Object.entries(await heldIn(work)).filter(([who]) => who in before),
                Object.entries({ ...before, ...Object.fromEntries(named) }),
                `evening ${seed}`,
              )
            if (named.length > 0) counts.paged++
            if (named.length > 1) counts.chains++
            throw triedOnly
          }
          await assert.rejects(scene.book.act(page), triedOnly)
        }
      }
    }
    assert.ok(counts.paged > 5 && counts.chains > 2, JSON.stringify(counts))
  })
})
