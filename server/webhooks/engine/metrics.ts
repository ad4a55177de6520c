import { Counter, Gauge, type Registry } from 'prom-client'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { Engine } from './engine.ts'
import type { Result } from './settle.ts'

/** Counts what came of tries, by the words of the log. */
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

/** Figures of this process, and those of the whole service, which are read when somebody asks. */
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

  const due = new Gauge({
    name: 'webhook_due',
    help: 'Deliveries that are due, of active endpoints.',
    registers: [registry],
  })
  const oldest = new Gauge({
    name: 'webhook_oldest_due_seconds',
    help: 'For how long the oldest due delivery has been waiting.',
    registers: [registry],
  })
  const lanes = new Gauge({
    name: 'webhook_lanes_waiting',
    help: 'Venues whose turn is due.',
    // Registered by hand below: one reading fills all three.
    registers: [],
    async collect() {
      const now = clock()
      try {
        const waiting = await db.one(dueNow(now))
        due.set(waiting.due)
        oldest.set(
          waiting.oldest === null ? 0 : now.since(Temporal.Instant.from(waiting.oldest)).total('seconds'),
        )
        this.set((await db.one(lanesWaiting(now))).lanes)
      } catch {
        // Without the database the figures stay as they were; the service's own health tells of it.
      }
    },
  })
  registry.registerMetric(lanes)
}

const dueNow = (now: Temporal.Instant) => sql({ due: 'int4', oldest: 'timestamptz?' })`
  select count(*)::int4 as due, min(d.due_at) as oldest
    from delivery d join webhook_endpoint e on e.venue_id = d.venue_id and e.id = d.endpoint_id
   where d.done_at is null and d.due_at <= ${now} and e.status = 'active'`

const lanesWaiting = (now: Temporal.Instant) => sql({ lanes: 'int4' })`
  select count(*)::int4 as lanes from lane where due_at <= ${now}`
