import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import { recordEvent } from '../../../core/events/record.ts'
import { eventually } from '../../../test/eventually.ts'
import { type Receiver, startReceiver } from '../../../test/receiver.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { changeVenueByService } from '../../../core/venue/change-by-service.ts'
import type { VenueChanges } from '../../../core/venue/venues.ts'
import { type Engine, startEngine } from '../engine/engine.ts'
import { sweep } from '../engine/sweep.ts'
import { ANSWER_LIMIT_MS, type SenderOptions } from '../sending/sender.ts'
import { type HeldTime, heldTime } from './held-time.ts'

export type DeliveryState = {
  readonly id: string
  readonly tries: number
  readonly takeovers: number
  readonly due_at: string
  readonly done_at: string | null
  readonly outcome: string | null
  readonly lease_token: string | null
}

/** The service with its engine, real receivers on this machine, and a clock that only the test moves. */
export type Scene = {
  readonly service: TestService
  receiver: (statusCode?: number) => Promise<Receiver>
  /** Another worker on the same database. */
  worker: () => Engine
  /** Stops the running workers. */
  stopWorkers: () => Promise<void>
  endpoint: (
    venue: TestVenue,
    receiver: Receiver,
    events?: string[],
  ) => Promise<{ id: string; secret: string }>
  /**
   * An endpoint whose receiver has a name; the resolver of `sending` decides its address and must allow it (`anyName`).
   */
  endpointByName: (venue: TestVenue, receiver: Receiver) => Promise<{ id: string }>
  hook: (venue: TestVenue, receiver: Receiver, event?: EventName) => Promise<{ id: string }>
  /** That many events of a venue, each in its own transaction. */
  happen: (venue: TestVenue, count?: number, name?: EventName) => Promise<void>
  /** What the service's operators do: set a plan, pause an account. */
  setPlan: (venue: TestVenue, changes: Pick<VenueChanges, 'plan' | 'paused'>) => Promise<void>
  /** Advances the clock by a number of milliseconds. */
  pass: (milliseconds: number) => void
  /** The process's running time, which ends its limits; otherwise it does not move. */
  readonly time: HeldTime
  sweep: () => Promise<void>
  /**
   * Resolves once the workers have nothing left to do at this moment of the clock. No sweep helps them: hints alone
   * must move everything. The limit expires for attempts that wait only for a silent receiver.
   */
  quiet: () => Promise<void>
  deliveries: (venue: TestVenue) => Promise<DeliveryState[]>
  /** The endpoint as its owner sees it. */
  shown: (venue: TestVenue, id: string) => Promise<Record<string, unknown>>
  query: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
  stop: () => Promise<void>
}

const MINUTE_MS = 60_000

export const startScene = async (sending: Omit<SenderOptions, 'time'> = {}): Promise<Scene> => {
  const time = heldTime()
  const service = await startService({ PRACTICE: 'on' }, { time, ...sending })
  const { context, db } = service
  const receivers: Receiver[] = []
  let workers: Engine[] = []
  let guests = 0

  const query: Scene['query'] = (text, values = []) =>
    db.session(async (client) => (await client.query(text, values)).rows)

  const stopWorkers = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.stop()))
    workers = []
  }

  const endpoint: Scene['endpoint'] = async (venue, receiver, events = ['guest.created']) => {
    const { body } = await service.call('POST', '/api/v1/webhooks', {
      key: venue.key,
      body: { url: `${receiver.url}/${Math.random()}`, events },
    })
    return body
  }

  return {
    service,
    time,
    query,
    stopWorkers,
    endpoint,
    receiver: async (statusCode = 204) => {
      const receiver = await startReceiver()
      receiver.answer(statusCode)
      receivers.push(receiver)
      return receiver
    },
    worker: () => {
      const worker = startEngine({ ...context, db: context.workerDb }, { nowMs: time.nowMs })
      workers.push(worker)
      return worker
    },
    endpointByName: async (venue, receiver) => {
      const { id } = await endpoint(venue, receiver)
      await query(
        `update webhook_endpoint set address = replace(address, '127.0.0.1', 'slow.example.net') where id = $1`,
        [id],
      )
      return { id }
    },
    hook: async (venue, receiver, event = 'guest.created') => {
      const id = crypto.randomUUID()
      await query(
        `insert into webhook_endpoint (venue_id, id, kind, url, address, events, status, key_id, created_at)
         select $1, $2, 'hook', $3, $3, $4, 'active', id, $5 from api_key where venue_id = $1 limit 1`,
        [venue.id, id, `${receiver.url}/hook`, [event], context.clock().toString()],
      )
      return { id }
    },
    happen: async (venue, count = 1, name = 'guest.created') => {
      const one = () =>
        db.transaction((queries) => {
          const data = { id: ++guests, name: `Guest ${guests} – “é”`, updatedAt: null }
          return recordEvent({ db: queries.within(venue.id), venue }, name, data as never, context.clock())
        })
      for (let left = count; left > 0; left -= 8)
        await Promise.all(Array.from({ length: Math.min(left, 8) }, one))
      context.bell.ring()
    },
    setPlan: async (venue, changes) => {
      await db.transaction((queries) =>
        changeVenueByService({ db: queries, now: context.clock }, venue.slug, changes),
      )
    },
    pass: (milliseconds) => {
      service.setClock(context.clock().add({ milliseconds }).toString())
      context.bell.ring()
    },
    sweep: () => sweep(context),
    quiet: async () => {
      const idle = () =>
        workers.every((worker) => Object.values(worker.counts()).every((count) => count === 0))
      const isCalm = async (): Promise<boolean> => {
        const ignored = receivers.reduce((sum, receiver) => sum + receiver.ignored(), 0)
        if (ignored > 0 && ignored === context.sender.counts().inFlight) time.pass(ANSWER_LIMIT_MS)
        if (!idle()) return false
        const now = context.clock().toString()
        const [{ lanes } = {}] = await query('select count(*)::int as lanes from lane where due_at <= $1', [
          now,
        ])
        return lanes === 0 && idle()
      }
      await eventually(isCalm)
    },
    deliveries: (venue) =>
      query('select * from delivery where venue_id = $1 order by occurred_at, event_id', [
        venue.id,
      ]) as Promise<unknown> as Promise<DeliveryState[]>,
    shown: async (venue, id) => {
      const { body } = await service.call('GET', '/api/v1/webhooks', { key: venue.key })
      return body.find((endpoint: { id: string }) => endpoint.id === id)
    },
    stop: async () => {
      await stopWorkers()
      for (const receiver of receivers) await receiver.stop()
      await service.stop()
    },
  }
}

export const minutes = (count: number): number => count * MINUTE_MS
export const hours = (count: number): number => count * 60 * MINUTE_MS
