import { setTimeout as pause } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { readConfig } from '../../server/config.ts'
import type { Context } from '../../server/context.ts'
import { sql } from '../../server/platform/db/sql.ts'
import { openLog, openProgram } from '../../server/program.ts'
import { startEngine } from '../../server/integrations/webhooks/engine/engine.ts'
import { messageBody, signedHeaders } from '../../server/integrations/webhooks/sending/message.ts'
import { makeSecret } from '../../server/integrations/webhooks/sending/signature.ts'
import { createSender } from '../../server/integrations/webhooks/sending/sender.ts'

/*
 * The tested side, in its own process (forked by bench/webhooks.ts): the engine on pending deliveries, the engine in
 * the process that writes the events, or the floor, a bare loop of signed requests over the same client.
 */

export type SideOrder =
  | { readonly kind: 'drain'; readonly deliveries: number; readonly tls?: Tls }
  | {
      readonly kind: 'floor'
      readonly urls: readonly string[]
      readonly deliveries: number
      readonly data: string
      readonly tls?: Tls
    }
  | {
      readonly kind: 'live'
      readonly venues: readonly number[]
      readonly perSecond: number
      readonly seconds: number
      readonly data: string
      /** Events of one venue that all exist at once. */
      readonly dump?: { readonly venue: number; readonly events: number }
    }
/** A trusted authority, and whether connections are reused. */
type Tls = { readonly ca: string; readonly keeps: boolean }

export type SideResult = {
  readonly deliveries: number
  readonly seconds: number
  readonly cpuSeconds: number
  /** Commit times in milliseconds since the epoch, by event number. */
  readonly commits: readonly (readonly [number: number, atMs: number])[]
}

const nowMs = (): number => performance.timeOrigin + performance.now()

const measured = async (
  work: () => Promise<{ deliveries: number; commits?: [number, number][] }>,
): Promise<SideResult> => {
  const cpu = process.cpuUsage()
  const start = performance.now()
  const { deliveries, commits = [] } = await work()
  const used = process.cpuUsage(cpu)
  return {
    deliveries,
    commits,
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: (used.user + used.system) / 1e6,
  }
}

const senderFor = (context: Context, tls: Tls | undefined) =>
  tls ? createSender({ practice: true, ca: tls.ca, ...(!tls.keeps && { maxIdle: 0 }) }) : context.sender

/** Until that many were delivered. */
const drain = (context: Context, { deliveries, tls }: SideOrder & { kind: 'drain' }): Promise<SideResult> =>
  measured(async () => {
    let done = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const engine = startEngine(
      { ...context, db: context.workerDb, sender: senderFor(context, tls) },
      { onResult: () => ++done === deliveries && resolve() },
    )
    await promise
    await engine.stop()
    return { deliveries }
  })

const floor = (
  context: Context,
  { urls, deliveries, data, tls }: SideOrder & { kind: 'floor' },
): Promise<SideResult> =>
  measured(async () => {
    const sender = senderFor(context, tls)
    const signing = { secrets: [makeSecret(randomBytes)], signatures: ['service'] } as const
    let left = deliveries
    const loop = async (place: number): Promise<void> => {
      for (let turn = place; left-- > 0; turn += concurrency) {
        const now = context.clock()
        const told = { id: '5f0c7a52-2f6e-4c39-9b6e-0d9c2c7f4a11', event: 'reservation.created' } as const
        const body = messageBody({
          ...told,
          occurredAt: '2026-10-05T19:00:00.000Z',
          venueSlug: 'venue',
          data,
        })
        const vetted = await sender.vet(urls[turn % urls.length] as string)
        if (vetted.kind !== 'vetted') throw new Error(vetted.kind)
        const headers = signedHeaders(told, signing, body, now)
        await sender.post(vetted, { body, headers }, goesAhead)
      }
    }
    const goesAhead = { holds: () => true, ask: () => Promise.resolve(true) }
    const concurrency = 40
    await Promise.all(Array.from({ length: concurrency }, (_, place) => loop(place)))
    return { deliveries }
  })

/** The engine in the process that writes: events at an even rate over the venues, each in a transaction. */
const live = (
  context: Context,
  { venues, perSecond, seconds, data, dump }: SideOrder & { kind: 'live' },
): Promise<SideResult> =>
  measured(async () => {
    const commits: [number, number][] = []
    const engine = startEngine({ ...context, db: context.workerDb })
    let number = 0
    /** Events in one transaction: writing them one by one would take CPU from what is measured. */
    const write = async (venues: readonly number[]): Promise<void> => {
      const numbers = venues.map(() => ++number)
      await context.db.run(eventsOf(venues, numbers, data, context.clock()))
      const at = nowMs()
      for (const n of numbers) commits.push([n, at])
      context.bell.ring()
    }
    const dumping = (async () => {
      for (let left = dump?.events ?? 0; left > 0; left -= 50) await write(Array(50).fill(dump?.venue))
    })()
    const writes: Promise<void>[] = []
    const start = performance.now()
    const together = Math.max(1, Math.round(perSecond / 100))
    for (let i = 0; i < perSecond * seconds; i += together) {
      const early = start + (i / perSecond) * 1000 - performance.now()
      if (early > 1) await pause(early)
      writes.push(
        write(Array.from({ length: together }, (_, k) => venues[(i + k) % venues.length] as number)),
      )
    }
    await Promise.all([...writes, dumping])
    // Everything that may still leave within the pace.
    await pause(1_500)
    await engine.stop()
    return { deliveries: number, commits }
  })

/** What recordEvent writes, for several venues in one statement. */
const eventsOf = (
  venues: readonly number[],
  numbers: readonly number[],
  data: string,
  now: Temporal.Instant,
) => sql()`
  with e as (
    insert into event (venue_id, name, data, occurred_at)
    select v, 'reservation.created', ${data.slice(0, -1)} || ',"n":' || n || '}', ${now}
      from unnest(${venues}::bigint[], ${numbers}::int4[]) as g (v, n)
    returning venue_id, id, occurred_at),
  d as (
    insert into delivery (venue_id, id, event_id, endpoint_id, occurred_at, due_at)
    select e.venue_id, gen_random_uuid(), e.id, w.id, e.occurred_at, e.occurred_at
      from e join webhook_endpoint w on w.venue_id = e.venue_id)
  insert into lane (venue_id, due_at) select distinct venue_id, occurred_at from e order by venue_id
  on conflict (venue_id) do update
    set due_at = least(lane.due_at, greatest(excluded.due_at, lane.paced_until)),
        opened_for = least(lane.opened_for, greatest(excluded.due_at, lane.paced_until))`

const { context, close } = await openProgram(readConfig(), 'command', openLog('warn', 'stderr'))
process.on('message', (order: SideOrder) => {
  const run =
    order.kind === 'drain'
      ? drain(context, order)
      : order.kind === 'floor'
        ? floor(context, order)
        : live(context, order)
  void run.then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ failed: String(error) }),
  )
})
process.on('disconnect', () => void close().then(() => process.exit(0)))
process.send?.({ ready: true })
