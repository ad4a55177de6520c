import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeDemo } from '../../demo/make-demo.ts'
import { type Random, randomFrom } from '../../demo/random.ts'
import { moveReservation } from '../reservations/moves.ts'
import type { ReservationMoveName } from '../reservations/states.ts'
import { staff } from '../reservations/test/book.ts'
import { actAt } from '../../test/act.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, startService } from '../../test/service.ts'
import type { VenueRow } from '../../core/venue/venues.ts'
import { type Worker, startWorker } from '../../worker/worker.ts'

/** Saturday 10 October 2026 in New York: the demo's fullest evening. */
const saturday = '2026-10-10'
const presses = 100
/** How long after a press it is undone. */
const delays = [200, 5_000, 40_000]

type Row = { id: number; status: string; tables: string | null; starts_at: string; party_size: number }

describe('the undo of a press', () => {
  let service: TestService
  let venue: VenueRow
  let worker: Worker
  let now = Temporal.Instant.from('2026-10-10T21:00:00Z')
  const setClock = (moment: Temporal.Instant) => {
    now = moment
    service.setClock(moment.toString())
  }
  const host = staff('manager')
  const act = <T>(work: Parameters<typeof actAt<T>>[2]) => actAt(service, venue as never, work)

  before(async () => {
    service = await startService()
    setClock(now)
    venue = (await makeDemo(service.context)).venue
    worker = startWorker(service.context)
  })
  after(async () => {
    await worker?.stop()
    await service.stop()
  })

  /** Who holds which tables, pins included, and everything else that says where people are. */
  const evening = async (): Promise<Row[]> =>
    rowsOf<Row>(
      service,
      `select r.id::int, r.status, r.starts_at, r.party_size, r.seated_at, r.checked_in_at, r.no_show_at, r.floor_stage,
              (select string_agg(t.table_id || case when t.pinned then '!' else '' end, '+' order by t.table_id)
                 from reservation_table t where t.venue_id = r.venue_id and t.reservation_id = r.id) as tables
         from reservation r where r.venue_id = $1 and r.service_date = $2 order by r.id`,
      [venue.id, saturday],
    )
  const move = (id: number, name: ReservationMoveName, more: object = {}) =>
    act((work) => moveReservation(work, host, { id, move: name, decidedBy: 'guest', ...more }))

  /** A press that changes something for somebody, on this evening as it is; undefined where it was refused. */
  type Pressing = (
    random: Random,
    rows: readonly Row[],
  ) => Promise<{ id: number; press: readonly number[] } | undefined>
  const pressed = async (made: ReturnType<typeof move>, id: number) => {
    const outcome = await made
    return outcome.kind === 'done' ? { id, press: outcome.press ?? [] } : undefined
  }
  const started = ({ starts_at }: Row) => Temporal.Instant.compare(starts_at, now) <= 0
  const one = (random: Random, rows: readonly Row[]) => (rows.length === 0 ? undefined : random.pick(rows))
  const kinds: Record<string, { undo: ReservationMoveName; press: Pressing }> = {
    cancel: {
      undo: 'undoCancel',
      press: async (random, rows) => {
        const row = one(
          random,
          rows.filter((row) => row.status === 'Confirmed' && row.tables && !started(row)),
        )
        return row && pressed(move(row.id, 'cancel'), row.id)
      },
    },
    'no-show': {
      undo: 'undoNoShow',
      press: async (random, rows) => {
        const row = one(
          random,
          rows.filter((row) => row.status === 'Confirmed' && row.tables && started(row)),
        )
        return row && pressed(move(row.id, 'markNoShow'), row.id)
      },
    },
    seat: {
      undo: 'undoSeat',
      press: async (random, rows) => {
        const held = rows.filter((row) => row.status === 'Confirmed' && row.tables)
        const [row, other] = [one(random, held), one(random, held)]
        if (!row || !other || row.id === other.id) return undefined
        const tables = (other.tables ?? '').replaceAll('!', '').split('+').map(Number)
        const confirmed = ['table-kept', 'tables-full', 'another-day'] as const
        return pressed(move(row.id, 'seat', { tables, confirmed }), row.id)
      },
    },
    'seated late': {
      undo: 'undoSeat',
      press: async (random, rows) => {
        const row = one(
          random,
          rows.filter(({ status }) => status === 'No-show'),
        )
        const confirmed = ['pacing-covers-full', 'pacing-parties-full', 'tables-full'] as const
        return row && pressed(move(row.id, 'seatLate', { confirmed }), row.id)
      },
    },
    done: {
      undo: 'undoComplete',
      press: async (random, rows) => {
        const row = one(
          random,
          rows.filter(({ status }) => status === 'Seated'),
        )
        return row && pressed(move(row.id, 'complete'), row.id)
      },
    },
  }

  for (const [name, { undo, press }] of Object.entries(kinds)) {
    it(`${name}: ${presses} times on a full evening, after a moment or after a while, everybody is where they were, pins and all`, async () => {
      const random = randomFrom(7).fork(name)
      await seatSome(random)
      if (name === 'seated late') await missSome(random)
      let [done, moved] = [0, 0]
      for (let tries = 0; done < presses; tries++) {
        assert.ok(tries < presses * 8, `only ${done} of ${tries} presses did anything`)
        await worker.catchUp()
        const rows = await evening()
        const made = await press(random, rows)
        if (!made) continue
        const after = await evening()
        moved += after.filter((row, n) => row.tables !== rows[n]?.tables).length
        setClock(now.add({ milliseconds: delays[done % delays.length] as number }))
        await worker.catchUp()
        const undone = await move(made.id, undo, { press: made.press })
        assert.equal(
          undone.kind,
          'done',
          `${name} of ${made.id} after ${delays[done % delays.length]} ms: ${JSON.stringify(undone)}`,
        )
        assert.deepEqual(
          await evening(),
          rows,
          `${name} of ${made.id} after ${delays[done % delays.length]} ms`,
        )
        done++
      }
      if (name === 'seat') assert.ok(moved > presses, `${moved} moved by ${presses} presses`)
    })
  }

  /** Some of those who are due sit at their tables, as on any evening. */
  const seatSome = async (random: Random) => {
    const due = (await evening()).filter((row) => row.status === 'Confirmed' && row.tables && started(row))
    for (const { id } of random.shuffled(due).slice(0, Math.ceil(due.length / 2))) await move(id, 'seat')
  }

  /** Others did not come. */
  const missSome = async (random: Random) => {
    const due = (await evening()).filter((row) => row.status === 'Confirmed' && row.tables && started(row))
    for (const { id } of random.shuffled(due).slice(0, 8)) await move(id, 'markNoShow')
  }
})
