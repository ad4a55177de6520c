import { Counter, Gauge, type Registry } from 'prom-client'
import { venuesWithOpenApi } from '../../access/reads.ts'
import type { Context } from '../../../context.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { toInstant, toMoment } from '../../../platform/kernel/time/moment.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { Engine } from './engine.ts'
import type { Result } from './settle.ts'

/** Counts attempts by result, as named in the log. */
export const countResults = (registry: Registry): ((result: Result) => void) => {
  const delivered = new Counter({
    name: 'webhook_delivered_total',
    help: 'Deliveries that were accepted.',
    registers: [registry],
  })
  const failed = new Counter({
    name: 'webhook_failed_total',
    help: 'Tries that failed, by the words of the log.',
    labelNames: ['result'],
    registers: [registry],
  })
  return (result) => {
    if (result.kind !== 'tried') return
    if (result.next === 'delivered') delivered.inc()
    else failed.inc({ result: result.words })
  }
}

/** This process's metrics, and those of the whole service, which are read on each scrape. */
export const showEngine = (
  registry: Registry,
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  engine: Engine,
): void => {
  const own = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  own('webhook_in_flight', 'Tries under way in this process.', () => engine.counts().underWay)
  own('webhook_results_unwritten', 'Results on their way to the database.', () => engine.counts().unwritten)

  // One query fills all three: the first gauge to be read starts it, and the others wait for it.
  let reading: Promise<Figures | undefined> | undefined
  const read = (): Promise<Figures | undefined> =>
    (reading ??= figuresNow(db, clock()).finally(() => {
      reading = undefined
    }))
  const shared = (name: string, help: string, of: (figures: Figures) => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const figures = await read()
        if (figures) this.set(of(figures))
      },
    })
  shared(
    'webhook_due',
    'Deliveries that are due, of active endpoints of venues whose API is open.',
    ({ due }) => due,
  )
  shared(
    'webhook_oldest_due_seconds',
    'For how long the oldest due delivery has been waiting.',
    ({ oldestSeconds }) => oldestSeconds,
  )
  shared('webhook_lanes_waiting', 'Venues whose turn is due.', ({ lanes }) => lanes)
}

type Figures = { readonly due: number; readonly oldestSeconds: number; readonly lanes: number }

/** Undefined without the database: the values stay as they were, and the service's own health reports the outage. */
const figuresNow = async (db: Queries, now: Temporal.Instant): Promise<Figures | undefined> => {
  try {
    const [waiting, { lanes }] = await Promise.all([db.many(dueNow(now)), db.one(lanesWaiting(now))])
    const open = await venuesWithOpenApi(
      db,
      waiting.map(({ venue_id }) => venue_id as VenueId),
    )
    const sendable = waiting.filter(({ venue_id }) => open.has(venue_id as VenueId))
    const oldest = sendable.reduce((first, row) => (row.oldest < first ? row.oldest : first), toMoment(now))
    return {
      due: sendable.reduce((sum, { due }) => sum + due, 0),
      oldestSeconds: now.since(toInstant(oldest)).total('seconds'),
      lanes,
    }
  } catch {
    return undefined
  }
}

/** For each venue. First attempts and retries separately, like their indexes. */
const dueNow = (now: Temporal.Instant) => sql({ venue_id: 'int8', due: 'int4', oldest: 'timestamptz' })`
  select d.venue_id, count(*)::int4 as due, min(d.due_at) as oldest
    from (
      select venue_id, endpoint_id, due_at from delivery where done_at is null and tries = 0 and due_at <= ${now}
      union all
      select venue_id, endpoint_id, due_at from delivery where done_at is null and tries > 0 and due_at <= ${now}) d
    join webhook_endpoint e on e.venue_id = d.venue_id and e.id = d.endpoint_id
   where e.status = 'active'
   group by d.venue_id`

const lanesWaiting = (now: Temporal.Instant) => sql({ lanes: 'int4' })`
  select count(*)::int4 as lanes from lane where due_at <= ${now}`
