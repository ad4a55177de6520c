import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../server/context.ts'
import { openSession } from '../server/core/staff/sessions.ts'
import { insertStaff } from '../server/core/staff/writes.ts'
import type { VenueId } from '../server/core/venue/venue.ts'
import { misused, scriptWords } from '../server/platform/kernel/script-words.ts'
import type { Kind, PeopleOrder, PeopleReport, PeopleVenue } from './capacity/people.ts'
import { makeVenue } from './ground.ts'
import type { Figure } from './report.ts'
import { type Service, type Side, asking, openSide } from './sides.ts'
import { visit } from './visitor.ts'

/*
 * How many venues a process carries. Simulated venues do what venues do of an evening: screens that renew themselves,
 * pages that somebody opens, bookings and reads of connected software, a follower of the feed and an endpoint. Everything
 * keeps its pace whatever the answers take, over at least one turn of the minute. To run it alone:
 * `node bench/capacity.ts [--venues 64,300] [--seconds 130] [--busier 1]`.
 */

/** What a venue does in an hour. */
const perHour = { bookings: 6, reads: 120, pages: 20 }
const screens = 2

export type CapacityOptions = {
  readonly venues: readonly number[]
  readonly seconds: number
  /** How many times as many bookings, reads and pages there are: so that a short run has some of each. */
  readonly busier?: number
}

export const measureCapacity = async (
  settings: Record<string, string>,
  root: string,
  { venues: sizes, seconds, busier = 1 }: CapacityOptions,
): Promise<Figure[]> => {
  const endings: (() => Promise<void>)[] = []
  try {
    // A practice instance, since others send to no address of this machine.
    const service = await openSide({ ...settings, PRACTICE: 'on' }, root, endings)
    const child = fork(join(import.meta.dirname, 'capacity', 'people.ts'))
    const [{ receiver }] = (await once(child, 'message')) as [{ receiver: string }]
    const people: Side<PeopleOrder, PeopleReport> = asking(child)
    endings.push(people.stop)
    const venues: PeopleVenue[] = []
    const figures: Figure[] = []
    for (const size of sizes.toSorted((a, b) => a - b)) {
      await addVenues(service, venues, { size, receiver })
      figures.push(...(await evening(service, people, venues, { seconds, busier })))
    }
    return figures
  } finally {
    for (const end of endings.toReversed()) await end()
  }
}

/** One run with all venues so far. */
const evening = async (
  service: Service,
  people: Side<PeopleOrder, PeopleReport>,
  venues: readonly PeopleVenue[],
  { seconds, busier }: { seconds: number; busier: number },
): Promise<Figure[]> => {
  const everySeconds = (times: number): number => 3_600 / (times * busier)
  const before = await service.cpu()
  const began = performance.now()
  const { took, refused } = await people.ask({
    port: service.port,
    venues,
    seconds,
    every: {
      booking: everySeconds(perHour.bookings),
      read: everySeconds(perHour.reads),
      page: everySeconds(perHour.pages),
    },
  })
  const wall = (performance.now() - began) / 1000
  const after = await service.cpu()
  for (const what of new Set(refused)) console.error(what)
  const share = (of: 'service' | 'database'): number => (after[of] - before[of]) / wall
  const of = (kind: Kind, percent: number): number => {
    const sorted = took[kind].toSorted((a, b) => a - b)
    return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN
  }
  const row = (name: string, service: number, most?: number): Figure => ({
    name: `${venues.length} venues, ${name}`,
    service,
    ...(most !== undefined && { goal: { most } }),
  })
  return [
    row(`${took.poll.length} looks of their screens: p99 in ms`, of('poll', 99), 50),
    row(`${took.renewal.length} renewals of their screens: p95 in ms`, of('renewal', 95)),
    row(`${took.page.length} pages of the office: p95 in ms`, of('page', 95)),
    row(`${took.read.length} reads by key: p99 in ms`, of('read', 99), 50),
    row(`${took.booking.length} bookings by key: p95 in ms`, of('booking', 95), 80),
    row('from a booking to its follower of the feed: p95 in ms', of('followed', 95)),
    row('from a booking to its endpoint: p95 in ms', of('delivered', 95)),
    row('requests that were not answered as they should be', refused.length, 0),
    row('share of a core that the service takes', share('service'), 0.4),
    row('share of a core that PostgreSQL takes', share('database')),
    row(
      'share of a core for every 100 venues, service alone',
      (share('service') * 100) / venues.length,
      0.12,
    ),
    row('resident memory of the service, MB', (await service.memory()) / 2 ** 20),
  ]
}

/** Adds venues until there are so many, each with bookings before and tonight, two people signed in, a follower and an endpoint. */
const addVenues = async (
  { context, port }: Service & { readonly context: Context },
  venues: PeopleVenue[],
  { size, receiver }: { size: number; receiver: string },
): Promise<void> => {
  const fresh: number[] = []
  const api = visit(port)
  while (venues.length < size) {
    const { id, keys } = await makeVenue(context, `capacity-${venues.length}`, 2)
    const [key = '', followerKey = ''] = keys
    const sessions: string[] = []
    for (let n = 0; n < screens; n++) sessions.push(await signedIn(context, id as VenueId, n))
    const body = JSON.stringify({ url: `${receiver}/${id}`, events: ['reservation.created'] })
    const { status } = await api.send('POST', '/api/v1/webhooks', { 'x-service-key': key }, body)
    if (status !== 201) throw new Error(`an endpoint was answered ${status}`)
    venues.push({ id, key, followerKey, sessions })
    fresh.push(id)
  }
  api.stop()
  await context.db.session(async (client) => {
    await client.query(
      `insert into reservation (venue_id, guest_name, email, email_key, party_size, date, time, service_date,
         service_minute, starts_at, duration_minutes, status, source, created_at, updated_at)
       select v, 'Maya Okafor', 'guest' || n || '@example.com', 'guest' || n || '@example.com', 1 + n % 6, day, '11:00'::time + minutes * interval '1 minute', day,
              660 + minutes, (day + '11:00'::time + minutes * interval '1 minute') at time zone 'America/New_York', 90,
              case when day < current_date then 'Completed' else 'Confirmed' end, 'public', now() - interval '40 days', now()
         from unnest($1::bigint[]) v,
              lateral (select n, current_date + n % 14 - 10 as day, n * 7 % 28 * 15 as minutes from generate_series(1, 420) n) b`,
      [fresh],
    )
    await client.query('vacuum analyze')
  })
}

/** A session as signing in leaves it, without the hashing of a password that nobody types. */
const signedIn = async (context: Context, venue: VenueId, n: number): Promise<string> => {
  const email = `host.${venue}.${n}@example.com`
  const row = await insertStaff(
    context.db,
    venue,
    { email, role: 'manager', passwordHash: 'none' },
    context.clock(),
  )
  const token = row && (await openSession(context.db, row.id, context))
  if (token === undefined) throw new Error(`${email} could not sign in`)
  return token
}

if (import.meta.main) {
  const usage = 'node bench/capacity.ts [--venues 64,300] [--seconds 130] [--busier 1]'
  const { values } = scriptWords(usage, {
    options: {
      venues: { type: 'string', default: '64,300' },
      seconds: { type: 'string', default: '130' },
      busier: { type: 'string', default: '1' },
    },
  })
  const venues = values.venues.split(',').map(Number)
  const [seconds, busier] = [Number(values.seconds), Number(values.busier)]
  if (![...venues, seconds, busier].every((number) => number > 0))
    misused(usage, 'Venues, seconds and how much busier are numbers above 0.')
  const dataDir = await mkdtemp(join(tmpdir(), 'venue-data-bench-'))
  try {
    const settings = { DATA_DIR: dataDir, DEMO: 'off', RATE_LIMIT_PER_MINUTE: '1000000' }
    const figures = await measureCapacity(settings, join(import.meta.dirname, '..'), {
      ...{ venues, seconds, busier },
    })
    for (const { name, service } of figures) console.log(`${name}: ${service.toFixed(2)}`)
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}
