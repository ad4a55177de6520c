import { limits } from '@venue-data/contract/limits.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { type BenchVenue, makeVenue } from './ground.ts'
import type { LoadResult } from './load.ts'
import { type Figure, median } from './report.ts'
import type { Beside } from './api.ts'

/* Batches and dry runs: their speed, and their cost to other writers at the venue. */

/** As many batches as a venue may send in an hour. */
const batches = limits.batchItemsPerHour / limits.batchItems
const dryRunKeys = 10

type Ask = (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>

const asking =
  ({ port }: Beside, key: string): Ask =>
  async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
      method,
      headers: { 'x-service-key': key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }

/**
 * An evening's bookings alongside batches of new guests at the same venue, compared with the same bookings alone.
 * @param evening sends such bookings for some seconds
 */
export const measureBatches = async (
  service: Beside,
  evening: (venue: BenchVenue) => Promise<LoadResult>,
): Promise<Figure[]> => {
  const venue = await makeVenue(service.context, 'batches', 1)
  await evening(venue)
  const alone = await evening(venue)
  const ask = asking(service, venue.keys[0] as string)
  let isOver = false
  const [beside] = await Promise.all([
    evening(venue).finally(() => (isOver = true)),
    (async () => {
      for (let n = 0; n < batches && !isOver; n++) await runOne(ask, n)
    })(),
  ])
  const { rows } = await service.context.db.session((client) =>
    client.query<{ per_second: number }>(
      `select sum(total) / extract(epoch from sum(ended_at - started_at))::float as per_second
         from batch where venue_id = $1`,
      [venue.id],
    ),
  )
  return [
    {
      name: 'a batch of guests during 20 bookings a second at the same venue: items per second',
      service: rows[0]?.per_second ?? Number.NaN,
      goal: { least: 400 },
    },
    {
      name: 'p99 of those bookings in ms, against the same without a batch',
      floor: alone.p99,
      service: beside.p99,
      goal: { most: 1.2 },
    },
  ]
}

const runOne = async (ask: Ask, n: number): Promise<void> => {
  const items = Array.from({ length: limits.batchItems }, (_, i) => ({
    ref: `${i}`,
    body: { name: 'Maya Okafor', email: `batch-${n}-${i}@example.com` },
  }))
  const { status, body } = await ask('POST', 'batches', { kind: 'guest', mode: 'write', items })
  if (status !== 202) throw new Error(`the batch was answered ${status}: ${JSON.stringify(body)}`)
  const { batch } = body as { batch: { id: string } }
  for (let state = ''; state !== 'done'; await pause(50)) {
    state = ((await ask('GET', `batches/${batch.id}`)).body as { status: string }).status
  }
}

/** The response time, one call after the other, of a dry run and of the real call. */
export const measureDryRuns = async (service: Beside): Promise<Figure[]> => {
  const { keys } = await makeVenue(service.context, 'dry-runs', dryRunKeys)
  const took = { dry: [] as number[], real: [] as number[] }
  for (const [k, key] of keys.entries()) {
    const ask = asking(service, key)
    for (let n = 0; n < limits.dryRunsPerMinute; n++) {
      const body = { name: 'Maya Okafor', email: `dry-${k}-${n}@example.com` }
      const timed = async (of: number[], call: () => ReturnType<Ask>): Promise<void> => {
        const from = performance.now()
        const { status } = await call()
        if (status >= 300) throw new Error(`answered ${status}`)
        of.push(performance.now() - from)
      }
      await timed(took.dry, () => ask('POST', 'dry-run', { method: 'POST', path: '/api/v1/leads', body }))
      await timed(took.real, () => ask('POST', 'leads', body))
    }
  }
  return [
    {
      name: 'a dry run of `POST /leads`, against the call itself: median in ms, one after the other',
      floor: median(took.real),
      service: median(took.dry),
      goal: { most: 1.2 },
    },
  ]
}
