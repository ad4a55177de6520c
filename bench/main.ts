import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../server/config.ts'
import type { Context } from '../server/context.ts'
import { phoneKey } from '../server/kernel/phone.ts'
import { openLog, openProgram } from '../server/program.ts'
import { type BenchVenue, fillGuests, fillReservations, makeVenue } from './ground.ts'
import { findInDatabase } from './find-in-database.ts'
import type { LoadResult } from './load.ts'
import { type Service, startFloor, startLoad, startService } from './sides.ts'
import { measureOffice } from './office.ts'
import {
  type Figure,
  aboutCampaigns,
  aboutDeliveries,
  aboutTheApi,
  aboutTheOffice,
  median,
  tables,
} from './report.ts'
import { measureCompose } from './compose.ts'
import { measureMail } from './mail.ts'
import { measurePages } from './pages.ts'
import { measureWebhooks } from './webhooks.ts'

/*
 * `npm run bench`: each figure side by side with its floor, in one run. Service, floors and load generator are
 * processes of their own on one machine, with the embedded database. Sides take turns in short rounds, the
 * order turned round each time; a figure is the median of its rounds. `--only` picks cases by name: list, me, book,
 * million, find, office, pages, webhooks, mail, lists. `--write` puts the tables into docs/bench.md.
 */

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    rows: { type: 'string', default: '1000000' },
    write: { type: 'boolean', default: false },
  },
})
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
/** Twice the pool: both sides have as much to do as they can. */
const connections = 32
const keysOfVenue = 4
const writeVenues = 8
/** All of them; `history` takes minutes to fill its tables. */
const deliveryCases = ['drain', 'tls', 'live', 'dump', 'silent', 'history']

const wanted = (name: string): boolean => options.only === '' || options.only.split(',').includes(name)

const get = (path: string, key?: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: bench\r\n${key ? `x-service-key: ${key}\r\n` : ''}\r\n`

/** Runs the sides in turn and keeps what each saw; the first round only warms up. */
const inTurns = async <Name extends string, Result>(
  sides: Record<Name, () => Promise<Result>>,
): Promise<Record<Name, Result[]>> => {
  const names = Object.keys(sides) as Name[]
  const seen = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const result = await sides[name]()
      if (round > 0) seen[name].push(result)
    }
  }
  return seen
}

const rate = (results: readonly { perSecond: number }[]): number =>
  median(results.map(({ perSecond }) => perSecond))
const p99 = (results: readonly LoadResult[]): number => median(results.map((one) => one.p99))
const refused = (results: readonly LoadResult[]): void => {
  const seen = results.filter((one) => Object.keys(one.refused).length > 0)
  if (seen.length > 0) console.error(`Refused answers: ${JSON.stringify(seen.map((one) => one.refused))}`)
}

const dataDir = await mkdtemp(join(tmpdir(), 'venue-data-bench-'))
const settings = { DATA_DIR: dataDir, DEMO: 'off', RATE_LIMIT_PER_MINUTE: '1000000' }
const figures: Figure[] = []
const officeFigures: Figure[] = []
const endings: (() => Promise<void>)[] = [() => rm(dataDir, { recursive: true, force: true })]

try {
  await (await startService(settings)).stop()
  const beforeStart = performance.now()
  const service = await startService(settings)
  endings.push(service.stop)
  figures.push({
    name: 'second start, seconds until ready',
    service: (performance.now() - beforeStart) / 1000,
    goal: { most: 2 },
  })
  const { context, close } = await openProgram(readConfig(settings), 'command', openLog('warn', 'stderr'))
  endings.push(close)
  const load = await startLoad()
  endings.push(load.stop)
  const floor = await startFloor(settings)
  endings.push(floor.stop)
  await measure(context, service, load, floor)
} finally {
  for (const end of endings.toReversed()) await end()
}

// Each on a database of its own, once the machine has nothing else to do.
if (wanted('pages')) officeFigures.push(...(await measurePages()))
const deliveries = wanted('webhooks') ? await measureWebhooks({ only: deliveryCases }) : []
const campaigns = [
  ...(wanted('mail') ? await measureMail({ list: Number(options.rows) }) : []),
  ...(wanted('lists') ? await measureCompose(Number(options.rows)) : []),
]

const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB of memory, ${process.platform} ${process.arch}, Node ${process.versions.node}, embedded PostgreSQL`
const how = { machine, rounds, seconds, connections }
const text = tables(
  [
    { title: 'The API', figures, about: aboutTheApi(how) },
    { title: 'The office', figures: officeFigures, about: aboutTheOffice },
    { title: 'Deliveries', figures: deliveries, about: aboutDeliveries },
    { title: 'Campaigns', figures: campaigns, about: aboutCampaigns },
  ],
  how,
)
console.log(text)
if (options.write) await writeFile(join(import.meta.dirname, '..', 'docs', 'bench.md'), text)

async function measure(
  context: Context,
  service: Service,
  load: Awaited<ReturnType<typeof startLoad>>,
  floor: Awaited<ReturnType<typeof startFloor>>,
): Promise<void> {
  const venue = await makeVenue(context, 'thousand', keysOfVenue)
  await fillReservations(context.db, venue.id, 1_000)
  const { port } = await floor.ask({ kind: 'serve', venue: venue.id, keys: venue.keys })
  const closed = { connections, seconds, fillings: [] }
  const listOf = ({ keys }: BenchVenue): string[] =>
    keys.map((key) => get('/api/v1/reservations?limit=25', key))

  if (wanted('list')) {
    const sides = {
      floor: { port, requests: [get('/reservations?limit=25')] },
      service: { port: service.port, requests: listOf(venue) },
    }
    const full = await inTurns({
      floor: () => load.ask({ ...closed, ...sides.floor }),
      service: () => load.ask({ ...closed, ...sides.service }),
    })
    refused(full.service)
    figures.push({
      name: '`GET /reservations?limit=25`, requests per second',
      floor: rate(full.floor),
      service: rate(full.service),
      goal: { least: 0.8 },
    })
    const perSecond = Math.round(rate(full.floor) * 0.5)
    const paced = await inTurns({
      floor: () => load.ask({ ...closed, ...sides.floor, perSecond }),
      service: () => load.ask({ ...closed, ...sides.service, perSecond }),
    })
    figures.push({
      name: `the same, p99 in ms with both at ${perSecond} requests per second (half of what the floor can)`,
      floor: p99(paced.floor),
      service: p99(paced.service),
      goal: { most: 1.5 },
    })
    figures.push({
      name: `the same, p99 in ms with ${connections} connections that never pause`,
      floor: p99(full.floor),
      service: p99(full.service),
    })
  }

  if (wanted('me')) {
    const seen = await inTurns({
      floor: () => load.ask({ ...closed, port, requests: venue.keys.map((_, n) => get(`/me/${n}`)) }),
      service: () =>
        load.ask({
          ...closed,
          port: service.port,
          requests: venue.keys.map((key) => get('/api/v1/me', key)),
        }),
    })
    refused(seen.service)
    figures.push({
      name: '`GET /me`, requests per second',
      floor: rate(seen.floor),
      service: rate(seen.service),
      goal: { least: 0.8 },
    })
  }

  if (wanted('book')) await measureBooking(context, service, load, floor)

  if (wanted('million')) {
    const million = await makeVenue(context, 'million', keysOfVenue)
    await fillReservations(context.db, million.id, Number(options.rows))
    const seen = await inTurns({
      thousand: () => load.ask({ ...closed, port: service.port, requests: listOf(venue) }),
      million: () => load.ask({ ...closed, port: service.port, requests: listOf(million) }),
    })
    figures.push({
      name: '`GET /reservations?limit=25`, venue with 1,000,000 reservations against one with 1,000, requests per second',
      floor: rate(seen.thousand),
      service: rate(seen.million),
      goal: { least: 0.9 },
    })
  }

  if (wanted('find')) {
    const guests = await makeVenue(context, 'guests', 1)
    await fillGuests(context.db, guests.id, Number(options.rows))
    const found = await findInDatabase(context.db, guests.id, phoneKey('(212) 0543210') as never)
    figures.push({
      name: `\`guests/find?phone=\` among 1,000,000 guests, ms in the database, ${found.scans}`,
      service: found.ms,
      goal: { most: 2 },
    })
  }
  figures.push({
    name: 'resident memory of the service after that load, MB',
    service: (await service.memory()) / 2 ** 20,
    goal: { most: 200 },
  })
  if (wanted('office')) officeFigures.push(...(await measureOffice(context, service)))
}

async function measureBooking(
  context: Context,
  service: Service,
  load: Awaited<ReturnType<typeof startLoad>>,
  floor: Awaited<ReturnType<typeof startFloor>>,
): Promise<void> {
  const venues: BenchVenue[] = []
  for (let n = 0; n < writeVenues; n++) venues.push(await makeVenue(context, `writes-${n}`, 1))
  const today = context.clock().toZonedDateTimeISO('UTC').toPlainDate()
  const dates = Array.from({ length: 300 }, (_, n) => today.add({ days: 30 + n }).toString())
  const sampleDate = dates[0] as string
  let nextNumber = 1_000_000_000
  const numbers = (count: number): string[] => Array.from({ length: count }, () => String(nextNumber++))
  const bodyOf = (number: string): string =>
    JSON.stringify({
      guestName: `Maya Okafor`,
      partySize: 4,
      email: `maya.${number}@example.com`,
      phone: `(212) ${number}`,
      date: sampleDate,
      time: '12:30',
      notes: 'A quiet table near the window, please.',
    })
  const fillings = (number: string) => [
    { marker: number, values: numbers(seconds * 10_000) },
    { marker: sampleDate, values: dates },
  ]
  const seen = await inTurns<'floor' | 'service', { perSecond: number }>({
    floor: () => {
      const number = numbers(1)[0] as string
      return floor.ask({
        kind: 'write',
        samples: venues.map(({ keys }) => ({
          key: keys[0] as string,
          body: bodyOf(number),
          idempotencyKey: number,
        })),
        fillings: fillings(number),
        concurrency: connections,
        seconds,
      })
    },
    service: async () => {
      const number = numbers(1)[0] as string
      const body = bodyOf(number)
      const result = await load.ask({
        connections,
        seconds,
        port: service.port,
        fillings: fillings(number),
        requests: venues.map(
          ({ keys }) =>
            `POST /api/v1/reservations HTTP/1.1\r\nhost: bench\r\nx-service-key: ${keys[0]}\r\nidempotency-key: ${number}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        ),
      })
      refused([result])
      return result
    },
  })
  figures.push({
    name: '`POST /reservations` with Idempotency-Key against its SQL alone, requests per second',
    floor: rate(seen.floor),
    service: rate(seen.service),
    goal: { least: 0.5 },
  })
}
