import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { randomFrom } from '../../demo/random.ts'
import { moveReservation } from '../reservations/moves.ts'
import { markFreed } from '../day/freed-places.ts'
import { lookAtFreed } from '../waitlist/freed-job.ts'
import { chooseTables, setPinned } from './choose-tables.ts'
import { host, tableScene, tonight } from './test/scene.ts'

const evenings = 12
const now = Temporal.Instant.from('2026-10-06T23:10:00Z') // 19:10 in New York
const times = ['18:00', '18:30', '18:45', '19:00', '19:00', '19:15', '19:30', '20:00', '20:30', '21:00']

type Row = {
  id: number
  status: string
  size: number
  from: number
  until: number
  tables: number[]
  noTable: boolean
}

describe('an evening on which tables came free, after the job has looked', () => {
  const scene = tableScene()
  const { service, made, move } = scene
  const look = async () => (await lookAtFreed({ ...service.context, db: service.context.workerDb })).tables

  const rows = async (): Promise<Row[]> =>
    (
      await scene.book.query(
        `select r.id, r.status, r.party_size, coalesce(r.seated_at, r.starts_at) as at, r.duration_minutes,
                coalesce(h.no_table, false) as no_table,
                array(select t.table_id from reservation_table t
                       where t.venue_id = r.venue_id and t.reservation_id = r.id order by 1) as tables
           from reservation r
           left join reservation_house h on h.venue_id = r.venue_id and h.id = r.id
          where r.venue_id = $1 and r.status in ('Confirmed', 'Seated') order by r.id`,
        [scene.book.venue.id],
      )
    ).map(({ id, status, party_size, at, duration_minutes, no_table, tables }) => {
      const from = Temporal.Instant.from(String(at)).epochMilliseconds
      return {
        id: Number(id),
        status: String(status),
        size: Number(party_size),
        from,
        until: from + Number(duration_minutes) * 60_000,
        tables: (tables as unknown[]).map(Number),
        noTable: Boolean(no_table),
      }
    })
  /** The places of the floor, alone or joined. */
  const places = async () => {
    const { id } = scene.book.venue
    const alone = await scene.book.query('select id, least, most from dining_table where venue_id = $1', [id])
    const joined = await scene.book.query(
      `select c.least, c.most, array_agg(m.table_id) as tables from table_combination c
         join combination_table m on m.venue_id = c.venue_id and m.combination_id = c.id
        where c.venue_id = $1 group by c.id, c.least, c.most`,
      [id],
    )
    return [...alone.map((one) => ({ ...one, tables: [one['id']] })), ...joined].map((one) => ({
      least: Number((one as Record<string, unknown>)['least']),
      most: Number((one as Record<string, unknown>)['most']),
      tables: (one.tables as unknown[]).map(Number),
    }))
  }
  /** What is written of who holds which tables, down to which transaction wrote it; and what the log says was done. */
  const written = async (): Promise<unknown> => ({
    rows: await scene.book.query(
      `select reservation_id, table_id, pinned, xmin::text from reservation_table where venue_id = $1 order by 1, 2`,
      [scene.book.venue.id],
    ),
    log: await scene.book.query('select count(*) from activity where venue_id = $1', [scene.book.venue.id]),
  })

  it(`nobody without a table could be given a free one, nobody lost theirs, and a second look writes no row: ${evenings} times`, async () => {
    const figures = { given: 0, left: 0 }
    for (let seed = 1; seed <= evenings; seed++) {
      const random = randomFrom(seed)
      const labels = Array.from({ length: random.integer(5, 9) }, (_, n) => String(n + 1))
      await scene.open(
        labels.map((label) => ({ label, least: 1, most: random.pick([2, 2, 4, 4, 6]) })),
        {
          turnMinutes: [
            { upTo: 2, minutes: 75 },
            { upTo: 99, minutes: 105 },
          ],
          floor: {
            turnoverMinutes: random.pick([0, 0, 10]),
            combinations: [{ tables: ['1', '2'], least: 3, most: 8 }],
          },
        },
      )
      service.setClock('2026-10-06T19:00:00Z')
      const confirmed = ['tables-full', 'table-kept'] as const
      const ids: number[] = []
      for (let n = 0; n < labels.length * 4; n++)
        ids.push(await made(random.integer(1, 6), random.pick(times), { confirmed }))
      service.setClock(now.toString())
      const act = <T>(work: Parameters<typeof scene.book.act<T>>[0]) => scene.book.act(work)
      for (const id of random.shuffled(ids).slice(0, labels.length * 2)) {
        const [doing] = random.shuffled([
          'seat',
          'arrive',
          'pin',
          'none',
          'cancel',
          'cancel',
          'cancel',
          'no-show',
        ])
        if (doing === 'seat') await move(id, 'seat')
        if (doing === 'arrive') await move(id, 'arrive')
        if (doing === 'pin') await act((work) => setPinned(work, host, { id, pinned: true }))
        if (doing === 'none') await act((work) => chooseTables(work, host, { id, tables: [] }))
        if (doing === 'cancel')
          await act((work) =>
            moveReservation(work, { kind: 'key', id: 1 }, { id, move: 'cancel', decidedBy: 'staff' }),
          )
        if (doing === 'no-show') await move(id, 'markNoShow')
      }
      // What presses freed is the machines' half a minute later.
      service.setClock(now.add({ seconds: 31 }).toString())
      const before = await rows()
      figures.given += await look()
      const after = await rows()
      for (const { id, tables } of before) {
        const is = after.find((one) => one.id === id)
        if (tables.length > 0)
          assert.ok((is?.tables.length ?? 0) > 0, `evening ${seed}: ${id} lost its table`)
      }
      const at = now.add({ seconds: 31 }).epochMilliseconds
      const [floor] = await scene.book.query(
        'select turnover_minutes from booking_settings where venue_id = $1',
        [scene.book.venue.id],
      )
      const rest = Number(floor?.['turnover_minutes']) * 60_000
      const all = await places()
      const waiting = after.filter(
        (one) =>
          one.status === 'Confirmed' && one.tables.length === 0 && !one.noTable && one.until + rest > at,
      )
      figures.left += waiting.length
      for (const party of waiting) {
        const from = Math.max(party.from, at)
        const isFree = (table: number): boolean =>
          !after.some(
            (one) =>
              one.tables.includes(table) &&
              from < Math.max(one.until, one.status === 'Seated' ? at + 60_000 : 0) + rest &&
              one.from < party.until + rest,
          )
        const free = all.filter(
          ({ least, most, tables }) => least <= party.size && party.size <= most && tables.every(isFree),
        )
        assert.deepEqual(free, [], `evening ${seed}: ${party.id}, ${party.size}, waits next to a free table`)
      }
      const kept = await written()
      await act(({ db }) => markFreed(db, scene.book.venue.id, tonight))
      assert.equal(await look(), 0)
      assert.deepEqual(await written(), kept, `evening ${seed}`)
      assert.deepEqual(await scene.clashes(), [], `evening ${seed}`)
    }
    assert.ok(figures.given > evenings && figures.left > evenings, JSON.stringify(figures))
  })
})
