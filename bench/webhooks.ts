import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../server/config.ts'
import type { Context } from '../server/context.ts'
import { seal } from '../server/platform/kernel/secrets.ts'
import { openLog, openProgram } from '../server/program.ts'
import { makeAuthority } from '../server/integrations/webhooks/test/certificate.ts'
import type { Figure } from './report.ts'
import { type Side, asking, cpuOfDatabase } from './sides.ts'
import type { ReceiverOrder, ReceiverReport } from './webhooks/receiver.ts'
import type { SideOrder, SideResult } from './webhooks/sender-side.ts'
import { scriptWords } from '../server/platform/kernel/script-words.ts'

/*
 * The cost of deliveries and how soon they arrive. The engine, the receiver and PostgreSQL (embedded, durable commits)
 * each run in their own process on one machine. The floor is a bare loop that sends as many signed requests with the
 * same client to the same receiver. To run it alone: `node bench/webhooks.ts [--only drain,live] [--rows 1000000]`.
 */

/** A reservation as an event carries it. */
const data = JSON.stringify({
  id: 4711,
  guestName: 'Maya Okafor',
  email: 'maya@example.com',
  phone: '(212) 555-0147',
  partySize: 4,
  date: '2026-10-09',
  time: '19:30',
  durationMinutes: 120,
  status: 'Requested',
  source: 'automation',
  bookingType: 'Dinner',
  notes: 'A booth, please – and a high chair.',
  floorStage: null,
  createdAt: '2026-10-06T19:00:00.000Z',
  checkedInAt: null,
  cancelledAt: null,
  cancelledBy: null,
  updatedAt: '2026-10-06T19:00:00.000Z',
})

const startSide = async <Order, Result>(
  file: string,
  settings: Record<string, string>,
): Promise<Side<Order, Result>> => {
  const child: ChildProcess = fork(join(import.meta.dirname, 'webhooks', file), {
    env: { ...process.env, ...settings },
    // PROFILE names a folder for a CPU profile of the side under test.
    ...(process.env['PROFILE'] !== undefined &&
      settings['DATA_DIR'] !== undefined && {
        execArgv: ['--cpu-prof', '--cpu-prof-dir', process.env['PROFILE']],
      }),
  })
  await once(child, 'message')
  return asking(child)
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN

/** Venues with one endpoint each; ids start at 1. Replaces everything. */
const makeVenues = async (context: Context, count: number, urlOf: (n: number) => string): Promise<void> => {
  await context.db.session(async (client) => {
    await client.query('truncate delivery, attempt, event, lane, delivery_turn, webhook_endpoint')
    await client.query(`
      insert into venue (slug, name, timezone, plan, created_at)
      select 'venue-' || n, 'The Blue Door', 'America/New_York', 'pro', now()
        from generate_series((select count(*) from venue) + 1, ${count}) as n`)
    // As after a venue's first turn.
    await client.query(
      `insert into delivery_turn (venue_id, number) select n, 0 from generate_series(1, ${count}) as n`,
    )
  })
  await addEndpoints(
    context,
    Array.from({ length: count }, (_, n) => ({ venue: n + 1, url: urlOf(n + 1) })),
  )
}

const addEndpoints = async (
  context: Context,
  endpoints: readonly { readonly venue: number; readonly url: string }[],
): Promise<void> => {
  const made = endpoints.map(({ venue, url }) => {
    const id = crypto.randomUUID()
    const secret = `whsec_${randomBytes(32).toString('base64url')}`
    return { venue, id, url, sealed: seal(context.secrets, secret, id, randomBytes(12)) }
  })
  await context.db.session((client) =>
    client.query(
      `insert into webhook_endpoint (venue_id, id, kind, url, address, events, secret_sealed, status, key_id, created_at)
       select n, id, 'webhook', url, url, '{reservation.created}', sealed, 'active', 0, now()
         from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[]) as e (n, id, url, sealed)`,
      [
        made.map(({ venue }) => venue),
        made.map(({ id }) => id),
        made.map(({ url }) => url),
        made.map(({ sealed }) => sealed),
      ],
    ),
  )
}

/** Pending events, oldest first, alternating over the venues, with `each` per venue. */
const makeWaiting = (context: Context, venues: number, each: number): Promise<unknown> =>
  context.db.session(async (client) => {
    await client.query(`
      insert into event (venue_id, name, data, occurred_at)
      select v, 'reservation.created', '${data.slice(0, -1)},"n":' || (k * ${venues} + v) || '}', now() - interval '1 min'
        from generate_series(1, ${each}) as k, generate_series(1, ${venues}) as v`)
    await client.query(`
      insert into delivery (venue_id, id, event_id, endpoint_id, occurred_at, due_at)
      select v.venue_id, gen_random_uuid(), v.id, e.id, v.occurred_at, v.occurred_at
        from event v join webhook_endpoint e on e.venue_id = v.venue_id where v.left_at is null`)
    await client.query(`
      insert into lane (venue_id, due_at) select v, now() - interval '1 min' from generate_series(1, ${venues}) as v
      on conflict (venue_id) do update set due_at = excluded.due_at`)
    await client.query('analyze')
  })

/** Deliveries that ended in the past thirty days, with their events and log. */
const makeHistory = (context: Context, venues: number, rows: number): Promise<unknown> =>
  context.db.session(async (client) => {
    await client.query(`
      insert into event (venue_id, name, data, occurred_at, left_at)
      select 1 + n % ${venues}, 'reservation.created', '${data}', at, at
        from (select n, now() - interval '1 day' - n * interval '2 seconds' as at from generate_series(1, ${rows}) as n) as g`)
    await client.query(`
      insert into delivery (venue_id, id, event_id, endpoint_id, occurred_at, due_at, tries, done_at, outcome)
      select v.venue_id, gen_random_uuid(), v.id, e.id, v.occurred_at, v.occurred_at, 1, v.occurred_at, 'delivered'
        from event v join webhook_endpoint e on e.venue_id = v.venue_id where v.left_at < now() - interval '12 hours'`)
    await client.query(`
      insert into attempt (venue_id, delivery_id, token, endpoint_id, started_at, duration_ms, status_code, result)
      select venue_id, id, gen_random_uuid(), endpoint_id, done_at, 12, 204, 'ok 204' from delivery where done_at is not null`)
    await client.query('vacuum analyze event, delivery, attempt')
  })

type Ground = {
  readonly context: Context
  readonly receiver: Side<ReceiverOrder, ReceiverReport & { port: number }>
  readonly side: Side<SideOrder, SideResult>
  readonly port: number
  readonly dataDir: string
}

const note = (line: string): void => console.error(line)

/** Deliveries per CPU-second of the worker, next to the floor's, and the processor time of both it and the database for one. */
const drain = async (
  { context, side, port, receiver, dataDir }: Ground,
  venues: number,
  each: number,
): Promise<{ floor: number; service: number; micros: number }> => {
  const urlOf = (n: number) => `http://127.0.0.1:${port}/${n}`
  const deliveries = venues * each
  await makeVenues(context, venues, urlOf)
  const urls = Array.from({ length: Math.min(venues, 200) }, (_, n) => urlOf(n))
  await side.ask({ kind: 'floor', urls, deliveries: 2_000, data })
  const floor = await side.ask({ kind: 'floor', urls, deliveries, data })
  await makeWaiting(context, venues, each)
  const before = await cpuOfDatabase(dataDir)
  const seen = await side.ask({ kind: 'drain', deliveries })
  const database = (await cpuOfDatabase(dataDir)) - before
  const micros = ((seen.cpuSeconds + database) / deliveries) * 1e6
  await receiver.ask({ kind: 'report' })
  const rate = ({ deliveries, cpuSeconds }: SideResult) => deliveries / cpuSeconds
  note(
    `drain ${venues}×${each}: floor ${Math.round(rate(floor))}/cpu-s (${Math.round(floor.deliveries / floor.seconds)}/s), engine ${Math.round(rate(seen))}/cpu-s (${Math.round(deliveries / seen.seconds)}/s), ${Math.round(micros)} µs with the database (${Math.round((database / deliveries) * 1e6)} of it)`,
  )
  return { floor: rate(floor), service: rate(seen), micros }
}

/** From commit to receiver, in milliseconds. */
const live = async (
  { context, side, port, receiver }: Ground,
  {
    venues,
    perSecond,
    seconds,
    history = 0,
    silent = 0,
    dump,
  }: { venues: number; perSecond: number; seconds: number; history?: number; silent?: number; dump?: number },
): Promise<{ p50: number; p95: number; p99: number; dumped: number; missing: number }> => {
  await makeVenues(
    context,
    venues,
    (n) => `http://127.0.0.1:${port}/${n % 100 < silent * 100 ? 'silent' : n}`,
  )
  if (history > 0) await makeHistory(context, venues, history)
  const all = Array.from({ length: venues }, (_, n) => n + 1)
  const used = dump === undefined ? all : all.slice(1)
  const seen = await side.ask({
    kind: 'live',
    venues: used,
    perSecond,
    seconds,
    data,
    ...(dump !== undefined && { dump: { venue: 1, events: dump } }),
  })
  const arrivals = new Map((await receiver.ask({ kind: 'report' })).arrivals)
  const numbersOf = async (condition: string) => {
    const rows = await context.db.session((client) =>
      client.query(
        `select (data::jsonb ->> 'n')::int as n from event where data like '%"n":%' and ${condition}`,
      ),
    )
    return new Set<number>(rows.rows.map(({ n }) => n))
  }
  const apart = await numbersOf(dump === undefined ? 'venue_id % 100 < ' + silent * 100 : 'venue_id = 1')
  const took: number[] = []
  let missing = 0
  for (const [n, at] of seen.commits) {
    if (apart.has(n)) continue
    const arrived = arrivals.get(n)
    if (arrived === undefined) missing++
    else took.push(Math.max(0, arrived - at))
  }
  const dumped = dump === undefined ? 0 : [...apart].filter((n) => arrivals.has(n)).length
  const result = {
    p50: percentile(took, 0.5),
    p95: percentile(took, 0.95),
    p99: percentile(took, 0.99),
    dumped,
    missing,
  }
  note(
    `live ${perSecond}/s over ${venues} venues, history ${history}, silent ${silent}, dump ${dump ?? 0}: p50 ${result.p50.toFixed(1)} p95 ${result.p95.toFixed(1)} p99 ${result.p99.toFixed(1)} ms, dumped ${dumped}, missing ${missing} of ${seen.commits.length}; ${(seen.cpuSeconds / seen.seconds).toFixed(2)} cpu`,
  )
  return result
}

/** From commit to the one hook of a venue that answers, next to 98 that stopped and have 3,724 tries due: p95 in milliseconds. */
const nextToBacklog = async ({ context, side, port, receiver }: Ground, seconds: number): Promise<number> => {
  const silent = (n: number) => `http://127.0.0.1:${port}/silent/${n}`
  await makeVenues(context, 1, silent)
  await addEndpoints(
    context,
    Array.from({ length: 97 }, (_, n) => ({ venue: 1, url: silent(n + 2) })),
  )
  await makeWaiting(context, 1, 38)
  await context.db.session(async (client) => {
    await client.query('update delivery set tries = 1')
    await client.query('update webhook_endpoint set unanswered_count = 1')
  })
  await addEndpoints(context, [{ venue: 1, url: `http://127.0.0.1:${port}/live` }])
  const { commits } = await side.ask({ kind: 'live', venues: [1], perSecond: 1, seconds, data })
  const arrivals = new Map((await receiver.ask({ kind: 'report' })).arrivals)
  // What has not come is later than anything that has.
  const took = commits.map(([n, at]) => (arrivals.get(n) ?? Infinity) - at)
  note(
    `next to a backlog: p50 ${percentile(took, 0.5).toFixed(1)} p95 ${percentile(took, 0.95).toFixed(1)} ms`,
  )
  return percentile(took, 0.95)
}

/** With TLS, on kept or new connections. */
const drainByTls = async (
  { context, side, receiver }: Ground,
  { keeps, venues, each }: { keeps: boolean; venues: number; each: number },
): Promise<{ floor: number; service: number }> => {
  const authority = makeAuthority()
  const { port } = await receiver.ask({
    kind: 'listen',
    certificate: authority.sign(['localhost']),
    closes: !keeps,
  })
  const url = `https://localhost:${port}/`
  const tls = { ca: authority.cert, keeps }
  const deliveries = venues * each
  await makeVenues(context, venues, () => url)
  await side.ask({ kind: 'floor', urls: [url], deliveries: 200, data, tls })
  const floor = await side.ask({ kind: 'floor', urls: [url], deliveries, data, tls })
  await makeWaiting(context, venues, each)
  const seen = await side.ask({ kind: 'drain', deliveries, tls })
  await receiver.ask({ kind: 'report' })
  const rate = (one: SideResult) => one.deliveries / one.cpuSeconds
  note(
    `drain, TLS ${keeps ? 'kept' : 'new'}: floor ${Math.round(rate(floor))}/cpu-s, engine ${Math.round(rate(seen))}/cpu-s`,
  )
  return { floor: rate(floor), service: rate(seen) }
}

/** Measures deliveries; `only` picks cases. */
export const measureWebhooks = async ({
  only = [],
  rows = 1_000_000,
  seconds = 10,
}: { only?: readonly string[]; rows?: number; seconds?: number } = {}): Promise<Figure[]> => {
  const wanted = (name: string): boolean => only.length === 0 || only.includes(name)
  const dataDir = await mkdtemp(join(tmpdir(), 'venue-data-bench-webhooks-'))
  const settings = { DATA_DIR: dataDir, DEMO: 'off', PRACTICE: 'on' }
  const figures: Figure[] = []
  const endings: (() => Promise<void>)[] = [
    () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }),
  ]
  try {
    const program = await openProgram(readConfig(settings), 'command', openLog('warn', 'stderr'))
    endings.push(program.close)
    const receiver = await startSide<ReceiverOrder, ReceiverReport & { port: number }>('receiver.ts', {})
    endings.push(receiver.stop)
    const side = await startSide<SideOrder, SideResult>('sender-side.ts', settings)
    endings.push(side.stop)
    const { port } = await receiver.ask({ kind: 'listen' })
    const ground: Ground = { context: program.context, receiver, side, port, dataDir }

    if (wanted('drain')) {
      for (const [venues, each, most] of [
        [2_000, 10, 270],
        [200, 60, 310],
        [10, 60, 450],
      ] as const) {
        const { floor, service, micros } = await drain(ground, venues, each)
        figures.push({
          name: `deliveries per CPU-second of the worker, warm connections, ${venues} venues with ${each} events waiting`,
          floor,
          service,
          ...(venues === 2_000 && { goalOf: 'figure', goal: { least: 8_000 } }),
        })
        figures.push({
          name: 'the same, processor time of the worker and the database for a delivery, in µs',
          service: micros,
          goal: { most },
        })
      }
    }
    if (wanted('tls')) {
      figures.push({
        name: 'deliveries per CPU-second of the worker, warm connections (TLS), 2000 venues with 10 events waiting',
        ...(await drainByTls(ground, { keeps: true, venues: 2_000, each: 10 })),
        goalOf: 'figure',
        goal: { least: 4_000 },
      })
      figures.push({
        name: 'deliveries per CPU-second of the worker, every connection new (TLS)',
        ...(await drainByTls(ground, { keeps: false, venues: 100, each: 30 })),
        goalOf: 'figure',
        goal: { least: 600 },
      })
    }
    const show = (
      name: string,
      { p50, p95, p99 }: { p50: number; p95: number; p99: number },
      p50Most: number | undefined,
      p99Most: number,
    ): void => {
      figures.push({
        name: `commit to receiver, ${name}: p50 in ms`,
        service: p50,
        ...(p50Most !== undefined && { goal: { most: p50Most } }),
      })
      figures.push({ name: `commit to receiver, ${name}: p95 in ms`, service: p95 })
      figures.push({ name: `commit to receiver, ${name}: p99 in ms`, service: p99, goal: { most: p99Most } })
    }
    if (wanted('live')) {
      show('200 events/s, 400 venues', await live(ground, { venues: 400, perSecond: 200, seconds }), 3, 75)
      show(
        '1,000 events/s, 2,000 venues',
        await live(ground, { venues: 2_000, perSecond: 1_000, seconds }),
        undefined,
        250,
      )
    }
    if (wanted('dump')) {
      const seen = await live(ground, { venues: 400, perSecond: 100, seconds, dump: 5_000 })
      show('100 events/s while one venue dumps 5,000', seen, undefined, 100)
      figures.push({
        name: 'of the 5,000 in the first minute',
        service: seen.dumped,
        goal: { least: 60, most: 60 },
      })
    }
    if (wanted('silent')) {
      show(
        '200 events/s, 10 % of the endpoints never answer',
        await live(ground, { venues: 400, perSecond: 200, seconds: Math.max(seconds, 20), silent: 0.1 }),
        undefined,
        150,
      )
    }
    if (wanted('backlog')) {
      figures.push({
        name: 'commit to receiver, a hook next to 98 of its venue that stopped answering, 3,724 tries due: p95 in ms',
        service: await nextToBacklog(ground, Math.max(seconds, 20)),
        goal: { most: 1_000 },
      })
    }
    if (wanted('history')) {
      for (const venues of [10, 2_000]) {
        for (const history of [1_000, rows]) {
          const perSecond = venues === 10 ? 8 : 200
          show(
            `${perSecond} events/s, ${venues} venues, ${history} deliveries of history`,
            await live(ground, { venues, perSecond, seconds, history }),
            5,
            75,
          )
        }
      }
    }
  } finally {
    for (const end of endings.toReversed()) await end()
  }
  return figures
}

if (import.meta.main) {
  const { values } = scriptWords('node bench/webhooks.ts [--only NAMES --rows 1000000 --seconds 10]', {
    options: {
      only: { type: 'string', default: '' },
      rows: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '10' },
    },
  })
  const figures = await measureWebhooks({
    only: values.only === '' ? [] : values.only.split(','),
    rows: Number(values.rows),
    seconds: Number(values.seconds),
  })
  for (const { name, floor, service } of figures)
    console.log(
      `${name}: ${service.toFixed(1)}${floor === undefined ? '' : ` (floor ${floor.toFixed(0)}, ratio ${(service / floor).toFixed(2)})`}`,
    )
}
