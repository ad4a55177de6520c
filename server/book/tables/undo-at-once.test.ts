import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openSession } from '../../core/staff/sessions.ts'
import { makeDemo } from '../../demo/make-demo.ts'
import { type Random, randomFrom } from '../../demo/random.ts'
import { staffOf, visitOffice } from '../../test/office.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, startService } from '../../test/service.ts'
import type { VenueRow } from '../../core/venue/venues.ts'
import { type Worker, startWorker } from '../../worker/worker.ts'

/** Saturday 10 October 2026, 19:30 in New York: the demo's fullest evening. */
const saturday = '2026-10-10'
const now = '2026-10-10T23:30:00Z'
const hosts = 32
const waves = 8
/** So few that everybody presses for what somebody else has in hand. */
const parties = 40

type Row = {
  id: number
  version: number
  status: string
  tables: string | null
  from: string
  until: string
}
type Host = { readonly staff: number; readonly cookie: string }

describe('hosts who press and undo at once', () => {
  let service: TestService
  let venue: VenueRow
  let worker: Worker
  const all: Host[] = []
  before(async () => {
    service = await startService()
    service.setClock(now)
    venue = (await makeDemo(service.context)).venue
    for (let n = 0; n < hosts; n++) {
      const { id: staff } = await staffOf(service, venue, 'manager', `host${n}@example.com`)
      const session = await openSession(service.db, staff, service.context)
      all.push({ staff, cookie: `session=${session}` })
    }
    worker = startWorker(service.context)
  })
  after(async () => {
    await worker?.stop()
    await service.stop()
  })

  /** Who is in the book, where, and for how long. */
  const evening = (): Promise<Row[]> =>
    rowsOf<Row>(
      service,
      `select r.id::int, r.version, r.status, coalesce(r.seated_at, r.starts_at) as from,
              coalesce(r.seated_at, r.starts_at) + make_interval(mins => coalesce(r.duration_minutes, 120)) as until,
              (select string_agg(t.table_id::text, ' ' order by t.table_id) from reservation_table t
                where t.venue_id = r.venue_id and t.reservation_id = r.id) as tables
         from reservation r where r.venue_id = $1 and r.service_date = $2 and r.starts_at is not null order by r.starts_at, r.id`,
      [venue.id, saturday],
    )
  const meets = (one: Row, other: Row): boolean =>
    Temporal.Instant.compare(one.from, other.until) < 0 && Temporal.Instant.compare(other.from, one.until) < 0
  /** Two parties of the book at one table at one time. */
  const clashes = async (): Promise<string[]> => {
    const held = (await evening()).filter(({ status }) => status === 'Confirmed' || status === 'Seated')
    return held.flatMap((one, n) =>
      held
        .slice(n + 1)
        .filter((other) => meets(one, other))
        .flatMap((other) =>
          (one.tables ?? '')
            .split(' ')
            .filter((table) => table !== '' && (other.tables ?? '').split(' ').includes(table))
            .map((table) => `${one.id} ${other.id} ${table}`),
        ),
    )
  }

  const back = '/office/leads'
  /** The statuses of the answers, for what no user is to see. */
  const answers = new Map<number, number>()
  const send = async ({ cookie }: Host, path: string, fields: Record<string, string>) => {
    const { status, words } = await visitOffice(service).post(path, { back, ...fields }, { cookie })
    answers.set(status, (answers.get(status) ?? 0) + 1)
    assert.ok(status === 303 || status === 409, `${path} ${JSON.stringify(fields)}: ${status} ${words}`)
  }
  const confirmed = 'table-kept table-off tables-full another-day pacing-covers-full pacing-parties-full'

  type Pressed = { readonly host: Host; readonly row: number; readonly press: number; readonly undo: Undoing }
  type Undoing = readonly [path: string, fields: Record<string, string>]

  /** One press of a host, at a table that others are after; undefined where it did nothing. */
  const pressOne = async (
    host: Host,
    random: Random,
    rows: readonly Row[],
    wanted: readonly Row[],
  ): Promise<Pressed | undefined> => {
    const row = random.pick(rows)
    const other = random.pick(wanted.filter(({ id }) => id !== row.id))
    const started = Temporal.Instant.compare(row.from, now) <= 0
    const seen = { version: String(row.version), status: row.status, confirmed }
    const move = `/office/bookings/${row.id}/moves`
    const table = `/office/bookings/${row.id}/table`
    const tables = other.tables ?? ''
    const [path, fields, undo] = random.pick<readonly [...Undoing, Undoing]>([
      [move, { ...seen, move: 'seat', tables }, [move, { move: 'undoSeat' }]],
      [table, { ...seen, do: `assign ${tables}` }, [table, { do: 'undo' }]],
      [table, { ...seen, do: `swap ${other.id}` }, [table, { do: 'undo' }]],
      started
        ? [move, { ...seen, move: 'markNoShow' }, [move, { move: 'undoNoShow' }]]
        : [move, { ...seen, move: 'cancel:guest' }, [move, { move: 'undoCancel' }]],
    ])
    const before = await lastPress(host)
    await send(host, path, fields)
    const press = await lastPress(host)
    return press === before ? undefined : { host, row: row.id, press, undo }
  }
  const lastPress = async ({ staff }: Host): Promise<number> => {
    const [made] = await rowsOf<{ id: number | null }>(
      service,
      `select max(id)::int as id from activity where venue_id = $1 and actor_id = $2 and actor_kind = 'staff'`,
      [venue.id, staff],
    )
    return made?.id ?? 0
  }
  const undo = async ({ host, row, press, undo: [path, fields] }: Pressed): Promise<void> => {
    const [is] = await rowsOf<{ version: number; status: string }>(
      service,
      'select version, status from reservation where venue_id = $1 and id = $2',
      [venue.id, row],
    )
    const seen = { version: String(is?.version), status: is?.status ?? '', press: String(press), confirmed }
    await send(host, path, { ...seen, ...fields })
  }

  it(`${hosts} hosts, ${waves} times: no table twice, and nobody reads of a lock`, async () => {
    assert.deepEqual(await clashes(), [])
    const random = randomFrom(32)
    const forks = all.map((host, n) => ({ host, random: random.fork(String(n)) }))
    let pressed = 0
    for (let wave = 0; wave < waves; wave++) {
      const rows = (await evening())
        .filter(({ status, tables }) => status === 'Confirmed' && tables !== null)
        .slice(0, parties)
      const wanted = random.shuffled(rows).slice(0, 4)
      const made = await Promise.all(forks.map((one) => pressOne(one.host, one.random, rows, wanted)))
      assert.deepEqual(await clashes(), [], `after the presses of wave ${wave}`)
      const done = made.filter((one) => one !== undefined)
      pressed += done.length
      await Promise.all(done.map(undo))
      assert.deepEqual(await clashes(), [], `after the undos of wave ${wave}`)
    }
    assert.ok(
      pressed > (hosts * waves) / 4,
      `${pressed} presses did something: ${JSON.stringify([...answers])}`,
    )
    // What nobody can undo any longer is the worker's: it seats nobody where somebody is.
    service.setClock(Temporal.Instant.from(now).add({ seconds: 40 }).toString())
    await worker.catchUp()
    assert.deepEqual(await clashes(), [])
  })
})
