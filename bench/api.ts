import type { Context } from '../server/context.ts'
import { phoneKey } from '../server/platform/kernel/phone/phone.ts'
import { measureBatches, measureDryRuns } from './bulk.ts'
import { findInDatabase } from './find-in-database.ts'
import { type BenchVenue, fillGuests, fillReservations, makeVenue } from './ground.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import { type Figure, median } from './report.ts'
import { get, send } from './requests.ts'
import { type CpuSeconds, type Service, inTurns, startFloor, startLoad } from './sides.ts'

/** A service with its database, ready for a venue. */
export type Beside = Service & { readonly context: Context }

type Sides = {
  readonly service: Beside
  /** From another checkout. */
  readonly before: Beside | undefined
  /** The service's port; the floors share its database. */
  readonly settings: Record<string, string>
}

type How = {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  /** Of the big venue. */
  readonly rows: number
  readonly wanted: (name: string) => boolean
}

type Fillings = LoadOrder['fillings']

const keysOfVenue = 4
const writeVenues = 8
const listPath = '/api/v1/reservations?limit=25'

const post = (path: string, key: string, idempotencyKey: string, body: string): string =>
  send('POST', path, key, body, `idempotency-key: ${idempotencyKey}\r\n`)

const listsOf = ({ keys }: BenchVenue): string[] => keys.map((key) => get(listPath, key))

const rate = (results: readonly { perSecond: number }[]): number =>
  median(results.map(({ perSecond }) => perSecond))
const p99 = (results: readonly { p99: number }[]): number => median(results.map((one) => one.p99))
const refused = (results: readonly LoadResult[]): void => {
  const seen = results.filter((one) => Object.keys(one.refused).length > 0)
  if (seen.length > 0) console.error(`Refused answers: ${JSON.stringify(seen.map((one) => one.refused))}`)
}

/** Measures the API: each case over the service, its floor and, where it takes part, the other checkout's service. */
export const measureApi = async (
  { service, before, settings }: Sides,
  { rounds, seconds, connections, rows, wanted }: How,
  endings: (() => Promise<void>)[],
): Promise<Figure[]> => {
  const figures: Figure[] = []
  const load = await startLoad()
  endings.push(load.stop)
  const floor = await startFloor(settings)
  endings.push(floor.stop)
  const run = { connections, seconds, fillings: [] as Fillings }
  const both = <T>(make: (side: Beside) => Promise<T>) =>
    Promise.all([make(service), before === undefined ? undefined : make(before)])

  // As any database that has run for a while: one without statistics plans for ten pages of rows.
  const analyze = () => both(({ context }) => context.db.session((client) => client.query('analyze')))

  const [venue, venueBefore] = await both(async ({ context }) => {
    const made = await makeVenue(context, 'thousand', keysOfVenue)
    await fillReservations(context.db, made.id, 1_000)
    return made
  })
  const { port } = await floor.ask({ kind: 'serve', venue: venue.id, keys: venue.keys })

  if (wanted('list')) {
    const lists = (side: Beside, of: BenchVenue, more: Partial<LoadOrder>) => () =>
      measured(side, () => load.ask({ ...run, port: side.port, requests: listsOf(of), ...more }))
    const loads = (more: Partial<LoadOrder>) =>
      inTurns<'floor' | 'service' | 'before', LoadResult & Measured>(rounds, {
        floor: async () => ({
          ...(await load.ask({ ...run, port, requests: [get('/reservations?limit=25')], ...more })),
          ...uncounted,
        }),
        service: lists(service, venue, more),
        ...(before && venueBefore && { before: lists(before, venueBefore, more) }),
      })
    const full = await loads({})
    refused(full.service)
    figures.push({
      name: '`GET /reservations?limit=25`, requests per second',
      floor: rate(full.floor),
      service: rate(full.service),
      ...(before && { before: rate(full.before) }),
      goal: { least: 0.85 },
    })
    figures.push(cpuOf('a list', full.service, { before: before && full.before, most: 0.8 }))
    const perSecond = Math.round(rate(full.service) * 0.5)
    const paced = await loads({ perSecond })
    figures.push({
      name: `the same, p99 in ms with both at ${perSecond} requests per second (half of what the service can)`,
      floor: p99(paced.floor),
      service: p99(paced.service),
      ...(before && { before: p99(paced.before) }),
      goal: { most: 1.5 },
    })
    figures.push({
      name: `the same, p99 in ms with ${connections} connections that never pause`,
      floor: p99(full.floor),
      service: p99(full.service),
      ...(before && { before: p99(full.before) }),
    })
  }

  if (wanted('me')) {
    const seen = await inTurns(rounds, {
      floor: () => load.ask({ ...run, port, requests: venue.keys.map((_, n) => get(`/me/${n}`)) }),
      service: () =>
        load.ask({ ...run, port: service.port, requests: venue.keys.map((key) => get('/api/v1/me', key)) }),
    })
    refused(seen.service)
    figures.push({
      name: '`GET /me`, requests per second',
      floor: rate(seen.floor),
      service: rate(seen.service),
      goal: { least: 0.8 },
    })
  }

  if (wanted('book')) {
    const [venues, venuesBefore] = await both(async ({ context }) => {
      const made: BenchVenue[] = []
      for (let n = 0; n < writeVenues; n++) made.push(await makeVenue(context, `writes-${n}`, 1))
      return made
    })
    const books = bookings(service.context, seconds)
    const write = (side: Beside, of: readonly BenchVenue[], at: number) => () =>
      measured(side, async () => {
        const { number, fillings } = books.next()
        const result = await load.ask({
          ...run,
          connections: at,
          port: side.port,
          fillings,
          requests: of.map(({ keys }) =>
            post('/api/v1/reservations', keys[0] as string, number, books.bodyOf(number)),
          ),
        })
        refused([result])
        return result
      })
    for (const { of, ofBefore, at, floorKind, name, least } of [
      {
        of: venues.slice(0, 1),
        ofBefore: venuesBefore?.slice(0, 1),
        at: 16,
        floorKind: 'locks',
        name: 'one venue, 16 connections, against a transaction that takes both of its locks, inserts a row and commits',
        least: 0.6,
      },
      {
        of: venues,
        ofBefore: venuesBefore,
        at: connections,
        floorKind: 'write',
        name: `${writeVenues} venues, ${connections} connections, against its SQL alone`,
        least: 0.5,
      },
    ] as const) {
      const sides = {
        floor: async () => {
          const { number, fillings } = books.next()
          const samples = of.map(({ keys }) => ({
            key: keys[0] as string,
            body: books.bodyOf(number),
            idempotencyKey: number,
          }))
          const { perSecond } = await floor.ask({
            kind: floorKind,
            samples,
            fillings,
            concurrency: at,
            seconds,
          })
          return { perSecond, p99: Number.NaN, ...uncounted }
        },
        service: write(service, of, at),
        ...(before && ofBefore && { before: write(before, ofBefore, at) }),
      }
      const seen = await inTurns<'floor' | 'service' | 'before', Measured>(rounds, sides, analyze)
      figures.push({
        name: `\`POST /reservations\` with Idempotency-Key, ${name}: requests per second`,
        floor: rate(seen.floor),
        service: rate(seen.service),
        ...(before && { before: rate(seen.before) }),
        goal: { least },
      })
      if (before) figures.push(besideBefore(seen))
      figures.push({
        name: `the same, p99 in ms`,
        service: p99(seen.service),
        ...(before && { before: p99(seen.before) }),
        ...(of.length > 1 && { goal: { most: 130 } }),
      })
      figures.push(cpuOf('a booking', seen.service, { before: before && seen.before, most: 0.68 }))
    }
  }

  if (wanted('guest')) {
    const [guests, guestsBefore] = await both(({ context }) => makeVenue(context, 'new-guests', keysOfVenue))
    const books = bookings(service.context, seconds)
    const write =
      (side: Beside, { keys }: BenchVenue) =>
      () =>
        measured(side, async () => {
          const { number, fillings } = books.next()
          const body = JSON.stringify({ name: 'Maya Okafor', email: `maya.${number}@example.com` })
          const result = await load.ask({
            ...run,
            port: side.port,
            fillings,
            requests: keys.map((key) => post('/api/v1/guests', key, number, body)),
          })
          refused([result])
          return result
        })
    const sides = {
      service: write(service, guests),
      ...(before && guestsBefore && { before: write(before, guestsBefore) }),
    }
    const seen = await inTurns<'service' | 'before', Measured>(rounds, sides, analyze)
    figures.push({
      name: '`POST /guests` with Idempotency-Key, one venue, requests per second',
      service: rate(seen.service),
      ...(before && { before: rate(seen.before) }),
    })
    if (before) figures.push(besideBefore(seen))
    figures.push(cpuOf('a guest', seen.service, { before: before && seen.before, most: 0.72 }))
  }

  if (wanted('batch')) {
    const books = bookings(service.context, seconds)
    const evening = ({ keys }: BenchVenue) => {
      const { number, fillings } = books.next()
      const request = post('/api/v1/reservations', keys[0] as string, number, books.bodyOf(number))
      const paced = { connections: 4, seconds: 2 * seconds, perSecond: 20 }
      return load.ask({ ...paced, port: service.port, fillings, requests: [request] })
    }
    figures.push(...(await measureBatches(service, evening)))
  }

  if (wanted('dry-run')) figures.push(...(await measureDryRuns(service)))

  if (wanted('million')) {
    const million = await makeVenue(service.context, 'million', keysOfVenue)
    await fillReservations(service.context.db, million.id, rows)
    const seen = await inTurns(rounds, {
      thousand: () => load.ask({ ...run, port: service.port, requests: listsOf(venue) }),
      million: () => load.ask({ ...run, port: service.port, requests: listsOf(million) }),
    })
    figures.push({
      name: '`GET /reservations?limit=25`, venue with 1,000,000 reservations against one with 1,000, requests per second',
      floor: rate(seen.thousand),
      service: rate(seen.million),
      goal: { least: 0.9 },
    })
  }

  if (wanted('find')) {
    const guests = await makeVenue(service.context, 'guests', 1)
    await fillGuests(service.context.db, guests.id, rows)
    const found = await findInDatabase(service.context.db, guests.id, phoneKey('(212) 0543210') as never)
    figures.push({
      name: `\`guests/find?phone=\` among 1,000,000 guests, ms in the database, ${found.scans}`,
      service: found.ms,
      goal: { most: 2 },
    })
  }
  return figures
}

/** Requests per second of writes against the other checkout's. */
const besideBefore = (seen: Record<'service' | 'before', readonly { perSecond: number }[]>): Figure => ({
  name: 'the same, against the service beside it',
  service: rate(seen.service),
  before: rate(seen.before),
  goalOf: 'before',
  goal: { least: 1.6 },
})

/** A round of requests, and the CPU time of each, in milliseconds. */
type Measured = Pick<LoadResult, 'perSecond' | 'p99'> & {
  readonly serviceMs: number
  readonly databaseMs: number
}

/** Of a side whose processor time nobody asks for. */
const uncounted = { serviceMs: Number.NaN, databaseMs: Number.NaN }

const measured = async <Result extends LoadResult>(
  side: Beside,
  work: () => Promise<Result>,
): Promise<Result & Measured> => {
  const from: CpuSeconds = await side.cpu()
  const result = await work()
  const to = await side.cpu()
  return {
    ...result,
    serviceMs: ((to.service - from.service) * 1000) / result.sent,
    databaseMs: ((to.database - from.database) * 1000) / result.sent,
  }
}

const cpuOf = (
  what: string,
  service: readonly Measured[],
  { before, most }: { readonly before: readonly Measured[] | undefined; readonly most: number },
): Figure => {
  const ms = (all: readonly Measured[]): number =>
    median(all.map(({ serviceMs, databaseMs }) => serviceMs + databaseMs))
  return {
    name: `the same, processor time of the service and the database for ${what}, in ms`,
    service: ms(service),
    ...(before && { before: ms(before), goalOf: 'before' as const, goal: { most } }),
  }
}

/** Bookings that differ in guest and time; markers in the body are replaced by both. */
const bookings = (context: Context, seconds: number) => {
  const today = context.clock().toZonedDateTimeISO('UTC').toPlainDate()
  const dates = Array.from({ length: 300 }, (_, n) => today.add({ days: 30 + n }).toString())
  const sampleDate = dates[0] as string
  let nextNumber = 1_000_000_000 + (context.clock().epochMilliseconds % 1_000_000_000)
  const numbers = (count: number): string[] => Array.from({ length: count }, () => String(nextNumber++))
  return {
    next: (): { number: string; fillings: Fillings } => {
      const number = numbers(1)[0] as string
      return {
        number,
        fillings: [
          { marker: number, values: numbers(seconds * 10_000) },
          { marker: sampleDate, values: dates },
        ],
      }
    },
    bodyOf: (number: string): string =>
      JSON.stringify({
        guestName: `Maya Okafor`,
        partySize: 4,
        email: `maya.${number}@example.com`,
        phone: `(212) ${number}`,
        date: sampleDate,
        time: '12:30',
        notes: 'A quiet table near the window, please.',
      }),
  }
}
