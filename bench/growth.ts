import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { createKey } from '../server/integrations/access/keys.ts'
import { fillFeed } from '../server/integrations/changes/fill.ts'
import { readListAsked } from '../server/platform/http/lists/list-asked.ts'
import { writeCursor } from '../server/platform/http/lists/list-cursor.ts'
import type { VenueId } from '../server/core/venue/venue.ts'
import { fillBookings, fillReservations, makeVenue } from './ground.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import { get, send } from './requests.ts'
import { type Figure, median } from './report.ts'
import { inTurns, openSide, startFloor, startLoad } from './sides.ts'

/*
 * Features added after version 1, each on a venue with the requested number of reservations and an evening's worth of
 * them on each coming day: the change feed, lists beyond their first page, single records, availability, changes by
 * key.
 */

type How = { readonly rounds: number; readonly seconds: number; readonly rows: number }

const keysOfVenue = 4
const waiters = 1_000
const connections = 32
const days = 14
const bookingsOfDay = 300

export const measureGrowth = async (
  settings: Record<string, string>,
  root: string,
  { rounds, seconds, rows }: How,
): Promise<Figure[]> => {
  const endings: (() => Promise<void>)[] = []
  try {
    const service = await openSide(settings, root, endings)
    const { context } = service
    const { db } = context
    const load = await startLoad()
    endings.push(load.stop)
    const floor = await startFloor(settings)
    endings.push(floor.stop)
    const figures: Figure[] = []

    const venue = await makeVenue(context, 'grown', keysOfVenue)
    const [key = ''] = venue.keys
    const firstDay = context.clock().toZonedDateTimeISO('UTC').toPlainDate().add({ days: 30 }).toString()
    await fillReservations(db, venue.id, rows)
    await fillBookings(db, venue.id, { from: firstDay, days, each: bookingsOfDay })
    const id = venue.id as VenueId
    const filling = performance.now()
    const records = await fillFeed(db.within(id), id, context.clock)
    figures.push({
      name: 'records of an existing venue put into its feed, per second',
      service: records / ((performance.now() - filling) / 1000),
      goal: { least: 50_000 },
    })

    const fetched = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
        headers: { 'x-service-key': key },
      })
      return { answer, body: (await answer.json()) as { next: string; more: boolean } }
    }
    const memory = await service.memory()
    const copying = performance.now()
    const cursors: string[] = []
    let next = ''
    for (let more = true, page = 0; more; page++) {
      const { body } = await fetched(`/api/v1/changes?limit=1000${next && `&after=${next}`}`)
      ;({ next, more } = body)
      if (page % 50 === 0) cursors.push(next)
    }
    figures.push(
      {
        name: `a first copy of ${records} records, 1,000 at a time, nothing numbered before, in s for a million`,
        service: ((performance.now() - copying) / 1000 / records) * 1_000_000,
        goal: { most: 150 },
      },
      {
        name: 'the same, resident memory of the service more than before, MB',
        service: ((await service.memory()) - memory) / 2 ** 20,
        goal: { most: 30 },
      },
      {
        name: 'the same, bytes of the feed for a record, indexes included',
        service: await bytesOfFeed(db),
        goal: { most: 500 },
      },
    )

    const { port } = await floor.ask({ kind: 'serve', venue: venue.id, keys: venue.keys })
    const run = { connections, seconds, fillings: [] as LoadOrder['fillings'] }
    const ask = (requests: readonly string[], more: Partial<LoadOrder> = {}) =>
      load.ask({ ...run, port: service.port, requests, ...more })
    const askFloor = (requests: readonly string[]) => load.ask({ ...run, port, requests })
    /** The requested number of times, with the latencies of all rounds. */
    const paced = async (requests: readonly string[], perSecond: number, more: Partial<LoadOrder> = {}) => {
      const seen = await inTurns(rounds, {
        service: () => ask(requests, { perSecond, connections: 8, ...more }),
      })
      return seen.service
    }
    const all = (path: string, headers = '') => venue.keys.map((one) => get(path, one, headers))

    const pages = cursors.map((cursor) => `/changes?limit=100&after=${cursor}`)
    const feed = await inTurns(rounds, {
      floor: () => askFloor(pages.map((path) => get(path))),
      service: () => ask(pages.map((path, n) => get(`/api/v1${path}`, venue.keys[n % keysOfVenue]))),
    })
    figures.push({
      name: '`GET /changes?limit=100`, requests per second',
      floor: rate(feed.floor),
      service: rate(feed.service),
      goal: { least: 0.6 },
    })
    const half = Math.round(rate(feed.floor) / 2)
    const pageTimes = await paced(
      pages.map((path) => get(`/api/v1${path}`, key)),
      half,
      { connections },
    )
    figures.push(
      {
        name: `the same at ${half} requests per second (half of the floor), p50 in ms`,
        service: middle(pageTimes, 'p50'),
        goal: { most: 6 },
      },
      { name: 'the same, p99 in ms', service: middle(pageTimes, 'p99'), goal: { most: 25 } },
      {
        name: '`GET /changes` with nothing new, at 200 requests per second, p99 in ms',
        service: middle(await paced(all(`/api/v1/changes?after=${next}`), 200), 'p99'),
        goal: { most: 5 },
      },
    )

    figures.push(...(await measureWaiting(service, { venue: venue.id, after: next, key })))

    const single = await inTurns(rounds, {
      floor: () => askFloor([get('/reservation/500')]),
      service: () => ask(all('/api/v1/reservations/500')),
      unchanged: () => ask(all('/api/v1/reservations/500', 'if-none-match: *\r\n')),
    })
    figures.push(
      {
        name: '`GET /reservations/{id}`, requests per second',
        floor: rate(single.floor),
        service: rate(single.service),
        goal: { least: 0.8 },
      },
      {
        name: 'the same answered 304, against 200',
        floor: rate(single.service),
        service: rate(single.unchanged),
        goal: { least: 1.1 },
      },
    )

    const listPath = '/api/v1/reservations?limit=25'
    const { about } = readListAsked(endpoints.listReservations, { query: { limit: '25' }, venue: venue.id })
    const depth = Math.floor(rows * 0.999)
    const deepPlace = writeCursor(about, [momentOfRow(rows - depth), rows - depth])
    const lists = await inTurns(rounds, {
      first: () => ask(all(listPath)),
      deep: () => ask(all(`${listPath}&after=${deepPlace}`)),
    })
    figures.push(
      {
        name: `a page ${depth} records deep against the first page, requests per second`,
        floor: rate(lists.first),
        service: rate(lists.deep),
        goal: { least: 0.95 },
      },
      {
        name: 'the same, p99',
        floor: middle(lists.first, 'p99'),
        service: middle(lists.deep, 'p99'),
        goal: { most: 1.3 },
      },
    )
    const filters = [
      'status=Cancelled',
      'status=Completed',
      'source=staff',
      `dateFrom=${firstDay}&dateTo=${firstDay}`,
      'sort=date&dateFrom=2025-06-01',
      'sort=changed',
      'updatedSince=2025-06-01T00:00:00Z',
      'until=2025-01-02T00:00:00Z',
      'email=guest77@example.com',
      'phone=2120000077',
      'guest=77',
    ]
    const times: { filter: string; p99: number }[] = []
    for (const filter of filters) {
      times.push({ filter, p99: middle(await paced(all(`${listPath}&${filter}`), 20), 'p99') })
    }
    const slowest = times.reduce((one, other) => (other.p99 > one.p99 ? other : one))
    figures.push({
      name: `the slowest of ${filters.length} filters and sorts of a list, \`${slowest.filter}\`: p99 in ms at 20 requests per second`,
      service: slowest.p99,
      goal: { most: 30 },
    })
    for (const filter of ['', '&status=Cancelled']) {
      figures.push({
        name: `\`count=true${filter}\`, p50 in ms at 5 requests per second`,
        service: middle(await paced(all(`${listPath}&count=true${filter}`), 5), 'p50'),
        goal: { most: 8 },
      })
    }

    const openTimes = `/api/v1/availability?date=${firstDay}&partySize=4`
    const open = await inTurns(rounds, { service: () => ask(all(openTimes)) })
    const oneDay = await paced(all(openTimes), 100)
    const allDays = await paced(all(`${openTimes}&days=${days}`), 10)
    figures.push(
      {
        name: 'availability of a day, requests per second',
        service: rate(open.service),
        goal: { least: 500 },
      },
      {
        name: 'the same at 100 requests per second, p99 in ms',
        service: middle(oneDay, 'p99'),
        goal: { most: 15 },
      },
      {
        name: `availability of ${days} days at 10 requests per second, p95 in ms`,
        service: middle(allDays, 'p95'),
        goal: { most: 30 },
      },
    )

    // Newest first, each only once: they are the bookings to come.
    const ids = (
      await db.session((client) =>
        client.query({
          text: `select id from reservation where venue_id = ${venue.id} and status = 'Requested' order by id desc`,
          rowMode: 'array',
        }),
      )
    ).rows.map(([id]) => String(id))
    const turns = rounds + 1
    const share = Math.floor(ids.length / 2 / turns)
    const someIds = (half: number, round: number) => {
      const from = half * share * turns + round * share
      return [{ marker: '{id}', values: ids.slice(from, from + share) }]
    }
    const writes = async (half: number, request: string) => {
      let round = 0
      return (
        await inTurns(rounds, {
          service: () =>
            ask([request], {
              perSecond: Math.floor(share / seconds / 1.5),
              connections: 8,
              fillings: someIds(half, round++),
            }),
        })
      ).service
    }
    const moved = await writes(
      0,
      send('PATCH', '/api/v1/reservations/{id}', key, '{"time":"14:45"}', 'if-match: *\r\n'),
    )
    const cancelled = await writes(1, send('POST', '/api/v1/reservations/{id}/cancel', key, '{}'))
    for (const [name, seen, goal] of [
      ['`PATCH /reservations/{id}` with another time', moved, undefined],
      ['`POST /reservations/{id}/cancel`', cancelled, { most: 20 }],
    ] as const) {
      figures.push({
        name: `${name}, one after another on 8 connections: p99 in ms`,
        service: middle(seen, 'p99'),
        ...(goal && { goal }),
      })
    }

    const wrong = '{"guestName":"Maya","partySize":0}'
    const errors = await inTurns(rounds, {
      plain: () => ask(venue.keys.map((one) => send('POST', '/api/v1/reservations', one, wrong))),
      problem: () =>
        ask(
          venue.keys.map((one) =>
            send('POST', '/api/v1/reservations', one, wrong, 'accept: application/problem+json\r\n'),
          ),
        ),
    })
    figures.push({
      name: 'a 400 as problem+json against the plain one, requests per second',
      floor: rate(errors.plain),
      service: rate(errors.problem),
      goal: { least: 0.9 },
    })
    return figures
  } finally {
    for (const end of endings.toReversed()) await end()
  }
}

const rate = (seen: readonly LoadResult[]): number => median(seen.map(({ perSecond }) => perSecond))
const middle = (seen: readonly LoadResult[], what: 'p50' | 'p95' | 'p99'): number =>
  median(seen.map((one) => one[what]))

/** When the n-th of the filled reservations was created. */
const momentOfRow = (n: number): string =>
  Temporal.Instant.from('2025-01-01T00:00:00Z').add({ seconds: n }).toString({ smallestUnit: 'millisecond' })

type Side = Awaited<ReturnType<typeof openSide>>

const bytesOfFeed = async (db: Side['context']['db']): Promise<number> =>
  db.session(async (client) => {
    await client.query('vacuum analyze record_change')
    const { rows } = await client.query(
      "select pg_total_relation_size('record_change')::float8 / (select count(*) from record_change) as bytes",
    )
    return Number(rows[0]?.['bytes'])
  })

/** The cost of waiting calls while nothing happens, and how soon they get a change. */
const measureWaiting = async (
  service: Side,
  { venue, after, key }: { venue: number; after: string; key: string },
): Promise<Figure[]> => {
  const { context } = service
  /** The service's share of a core while nothing happens. */
  const shareOfCore = async (): Promise<number> => {
    await pause(2_000)
    const from = await service.cpu()
    const seconds = 10
    await pause(seconds * 1000)
    return ((await service.cpu()).service - from.service) / seconds
  }
  const atRest = await shareOfCore()
  const sockets: ReturnType<typeof connect>[] = []
  // Two calls of a key may wait.
  for (let made = 0; made < waiters; made += 2) {
    const { key: own } = await createKey(context, context.db, venue as never, {
      ...{ kind: 'api', scope: 'read', name: `waits ${made}`, createdBy: 'bench' },
    })
    for (let n = 0; n < 2; n++) {
      const socket = connect({ host: '127.0.0.1', port: service.port, noDelay: true })
      socket.write(get(`/api/v1/changes?wait=25&after=${after}`, own))
      sockets.push(socket)
    }
  }
  const waiting = await shareOfCore()
  const heard = Promise.all(sockets.map((socket) => once(socket, 'data').then(() => performance.now())))
  const answered = await fetch(`http://127.0.0.1:${service.port}/api/v1/guests`, {
    method: 'POST',
    headers: { 'x-service-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Maya Okafor', email: 'maya@example.com' }),
  })
  const written = performance.now()
  if (answered.status !== 201) throw new Error(`the guest was answered ${answered.status}`)
  const delays = (await heard).map((at) => at - written).toSorted((a, b) => a - b)
  for (const socket of sockets) socket.destroy()
  return [
    { name: 'the service at rest, share of one core in %', service: atRest * 100 },
    {
      name: `${waiters} calls that wait while nothing comes, what they take more, in %`,
      service: (waiting - atRest) * 100,
      goal: { most: 2 },
    },
    {
      name: 'from the answer to a write until half of them have heard, ms',
      service: delays[Math.floor(delays.length / 2)] ?? Number.NaN,
    },
    {
      name: 'the same, until the first has',
      service: delays[0] ?? Number.NaN,
      goal: { most: 60 },
    },
  ]
}
