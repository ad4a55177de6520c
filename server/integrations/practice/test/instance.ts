import { rm } from 'node:fs/promises'
import type { Work } from '../../../context.ts'
import { type Demo, makeDemo } from '../../../demo/make-demo.ts'
import { type Receiver, startReceiver } from '../../../test/receiver.ts'
import {
  type Answer,
  type Call,
  type TestService,
  aTuesdayAfternoon,
  startService,
} from '../../../test/service.ts'
import { followPractice } from '../../../worker/follow-practice.ts'
import { startWorker } from '../../../worker/worker.ts'
import { advanceClock } from '../advance.ts'
import { beginPractice } from '../instance.ts'

/** A practice instance with a small demo and all its background work, whose clock only commands move. */
export type TestInstance = {
  readonly service: TestService
  readonly demo: Demo
  /** The system's clock: it does not move. */
  readonly system: () => Temporal.Instant
  readonly advance: (time: string) => Promise<Temporal.Instant>
  /** A call with the demo's read and write key. */
  readonly call: (method: string, path: string, call?: Call) => Promise<Answer>
  /** A real receiver, and the endpoint that leads there. */
  readonly receiver: (events: readonly string[], statusCode?: number) => Promise<Receiver>
  readonly query: <Row = Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>
  /** One unit of work of the demo venue, in a transaction of its own. */
  readonly act: <T>(work: (work: Work) => Promise<T>) => Promise<T>
  readonly stop: () => Promise<void>
}

export const startInstance = async (settings: Record<string, string> = {}): Promise<TestInstance> => {
  const service = await startService({ PRACTICE: 'on', ...settings })
  const base = Temporal.Instant.from(aTuesdayAfternoon)
  const system = (): Temporal.Instant => base
  const receivers: Receiver[] = []
  await beginPractice(service.db, '', 0)
  const demo = await makeDemo(service.context, { scale: 0.02 })
  const setAhead = (milliseconds: number): void => service.setClock(base.add({ milliseconds }).toString())
  const following = followPractice(service.context, {
    setAhead,
    start: () => startWorker(service.context),
    system,
  })
  const call: TestInstance['call'] = (method, path, more) =>
    service.call(method, `/api/v1/${path}`, { key: demo.keys.readWrite, ...more })
  return {
    service,
    demo,
    system,
    call,
    advance: (time) => advanceClock(service.db, Temporal.Duration.from(time).total('milliseconds'), system),
    receiver: async (events, statusCode = 204) => {
      const receiver = await startReceiver()
      receivers.push(receiver)
      receiver.answer(statusCode)
      await call('POST', 'webhooks', { body: { url: receiver.url, events } })
      return receiver
    },
    query: async <Row>(text: string, values: unknown[] = []) =>
      service.db.session(async (client) => (await client.query(text, values)).rows as Row[]),
    act: (work) =>
      service.db.transaction((db) =>
        work({
          db: db.within(demo.venue.id),
          venue: { ...demo.venue, plan: 'pro' },
          now: service.context.clock,
        }),
      ),
    stop: async () => {
      await following.stop()
      for (const receiver of receivers) await receiver.stop()
      await service.stop()
      await rm(service.context.config.dataDir, { recursive: true, force: true })
    },
  }
}
