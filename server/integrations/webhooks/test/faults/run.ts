import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { createKey, revokeKey } from '../../../access/keys.ts'
import type { Context } from '../../../../context.ts'
import { eventually } from '../../../../test/eventually.ts'
import { callService } from '../../../../test/service.ts'
import { insertVenue } from '../../../../core/venue/venues.ts'
import type { VenueId } from '../../../../core/venue/venue.ts'
import { stopEndpointsOfKey } from '../../actions.ts'
import { startBookingReceiver } from './receiver.ts'
import { type Reckoning, reckon } from './reckoning.ts'

/** A process of the service that may be killed or paused. */
export type Mortal = {
  readonly signal: (signal: NodeJS.Signals) => void
  readonly ended: Promise<unknown>
  readonly ready: () => Promise<unknown>
}

/** In times our patience: what was not done after that will not be. */
export const longest = 25

export type FaultRun = {
  readonly context: Pick<Context, 'db' | 'secrets' | 'random' | 'clock'>
  /** Web processes; the client tries the next one when one does not answer. */
  readonly urls: readonly string[]
  readonly seconds: number
  readonly perSecond: number
  readonly venues: number
  /** Does the harm until aborted, and leaves everything running. */
  readonly harm: (ended: AbortSignal) => Promise<void>
  /** Whether the harm has hit something; until then events continue, up to four times as long. */
  readonly hasHit?: () => Promise<boolean>
  /** How late the senders were for their own timers, at most, as far as they can tell. */
  readonly sendLateMs?: () => number
  /** The database is crashed: it may lose the last leases, so what was just sent is sent again. */
  readonly databaseForgets?: boolean
}

type FaultVenue = {
  readonly id: VenueId
  readonly key: string
  readonly endpointKey: number
  readonly endpoint: string
}

const answerAfterMs = 300

/**
 * Sends events at an even rate while `harm` runs, removes endpoints and revokes keys in between, then audits the books.
 */
export const runFaults = async (run: FaultRun): Promise<Reckoning> => {
  const { context, urls, seconds, perSecond } = run
  const receiver = await startBookingReceiver(answerAfterMs)
  const client = new Map<number, number>()
  const stopped = new Map<string, number>()

  /** Retries until there is an answer, like a client with an Idempotency-Key. */
  const ask = async (
    method: string,
    path: string,
    key: string,
    body?: unknown,
    idempotencyKey?: string,
    onFirstAnswer: () => void = () => undefined,
  ) => {
    for (let n = 0; ; n++) {
      try {
        const answer = await callService(urls[n % urls.length] as string, method, path, {
          key,
          body,
          headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
        })
        if (answer.status < 400 || (answer.status < 500 && answer.status !== 409)) {
          if (n === 0) onFirstAnswer()
          return answer
        }
      } catch {
        // Killed: ask the next one.
      }
      if (n === 0) onFirstAnswer()
      // A request in progress when a web process was killed stays "still being processed" for a minute.
      if (n > 200) throw new Error(`no answer from ${path}`)
      await pause(Math.min(100 * (n + 1), 1_000))
    }
  }

  const makeVenue = async (n: number): Promise<FaultVenue> => {
    const row = await insertVenue(
      context.db,
      { slug: `venue-${n}`, name: 'The Blue Door', timezone: 'UTC', plan: 'pro', country: 'US', phone: null },
      context.clock(),
    )
    if (!row) throw new Error('the slug is taken')
    const made = { kind: 'api', scope: 'read_write', name: 'test', createdBy: 'test' } as const
    const [writing, owning] = [
      await createKey(context, context.db, row.id, made),
      await createKey(context, context.db, row.id, made),
    ]
    await context.db.session((pg) => pg.query(`update venue set access = 'approved' where id = ${row.id}`))
    const { body } = await ask('POST', '/api/v1/webhooks', owning.key, {
      url: `http://127.0.0.1:${receiver.port}/venue-${n}`,
      events: ['guest.created'],
    })
    receiver.secrets.set(`venue-${n}`, body.secret)
    return { id: row.id, key: writing.key, endpointKey: owning.row.id, endpoint: body.id }
  }
  const venues: FaultVenue[] = []
  for (let n = 0; n < run.venues; n++) venues.push(await makeVenue(n))

  const stopOne = async (n: number, venue: FaultVenue): Promise<void> => {
    if (n % 2 === 0) await ask('DELETE', `/api/v1/webhooks/${venue.endpoint}`, venue.key)
    else {
      await eventually(() =>
        context.db.transaction(async (db) => {
          await revokeKey(db, venue.endpointKey, 'revoked', context.clock())
          await stopEndpointsOfKey(db, venue.id, venue.endpointKey, context.clock())
          return true
        }),
      )
    }
    stopped.set(venue.endpoint, performance.now())
  }

  const lag = monitorEventLoopDelay()
  lag.enable()
  const ending = new AbortController()
  const harming = run.harm(ending.signal)
  // Reported when awaited; until then nobody handles it.
  harming.catch(() => undefined)
  try {
    const writes: Promise<void>[] = []
    let writing = 0
    const start = performance.now()
    const events = seconds * perSecond
    const goesOn = async (i: number) =>
      i < events || (run.hasHit !== undefined && i < 4 * events && !(await run.hasHit()))
    for (let i = 0; await goesOn(i); i++) {
      const early = start + (i / perSecond) * 1000 - performance.now()
      if (early > 1) await pause(early)
      // A client with a bounded number of connections: the rate falls on a machine that cannot keep up.
      while (writing >= 32) await pause(5)
      const venue = venues[i % venues.length] as FaultVenue
      const email = `guest${i}@example.com`
      writing++
      writes.push(
        ask(
          'POST',
          '/api/v1/guests',
          venue.key,
          { name: `Guest ${i} – é`, email },
          `guest-${i}`,
          () => writing--,
        ).then(({ body }) => void client.set(body.guest.id, performance.now())),
      )
      // Endpoints are stopped one after the other, in the middle of their events.
      if (i % (perSecond * 2) === perSecond) {
        const n = Math.floor(i / (perSecond * 2))
        const chosen = venues[venues.length - 1 - n]
        if (chosen && n < venues.length / 4) writes.push(stopOne(n, chosen))
      }
    }
    await Promise.all(writes)
    const tookSeconds = (performance.now() - start) / 1000
    ending.abort()
    await harming
    const endpoints = venues.map(({ endpoint }) => endpoint).filter((id) => !stopped.has(id))
    await eventually(
      async () => {
        const { rows } = await context.db.session((pg) =>
          pg.query(
            'select count(*)::int as waiting from delivery where done_at is null and endpoint_id = any($1::uuid[])',
            [endpoints],
          ),
        )
        return rows[0].waiting === 0
      },
      { times: longest },
    ).catch(() => undefined)

    const listed = new Map<number, unknown>()
    for (const { key } of venues) {
      const { body } = await ask('GET', '/api/v1/guests?limit=100', key)
      for (const guest of body) listed.set(guest.id, guest)
    }
    const nameOf = new Map(venues.map(({ endpoint }, n) => [`venue-${n}`, endpoint]))
    const received = receiver.entries.map((entry) => ({
      ...entry,
      endpoint: nameOf.get(entry.endpoint) ?? '',
    }))
    const { problems, figures } = await reckon(context.db, {
      client,
      received,
      stopped,
      listed,
      databaseForgets: run.databaseForgets === true,
      /*
       * Both times are read in this process, which may be late for either. A sender may be kept waiting twice as well:
       * between its last look and the connection, and between that and the first byte.
       */
      readLateMs: 2 * (lag.max / 1e6 + (run.sendLateMs?.() ?? 0)),
    })
    return { problems, figures: { perSecond: Math.round(client.size / tookSeconds), ...figures } }
  } finally {
    ending.abort()
    // Failed or not, close everything.
    await harming.catch(() => undefined)
    await receiver.stop()
  }
}

/** A ring of secrets for processes that share a database. */
export const sharedSecrets = (): string => `test:${randomBytes(32).toString('base64')}`

/**
 * Kills the processes one after the other, starting a successor for each at once. If the machine starts them more
 * slowly than that, the next kill waits until the successor is up: otherwise there would soon be no process left to
 * kill.
 */
export const killInTurn = async <Process extends Mortal>(
  processes: Process[],
  start: (place: number) => Promise<Process>,
  everyMs: number,
  ended: AbortSignal,
): Promise<number> => {
  let kills = 0
  for (let place = 0; !ended.aborted; place = (place + 1) % processes.length) {
    await pause(everyMs, undefined, { signal: ended }).catch(() => undefined)
    if (ended.aborted) break
    const victim = processes[place] as Process
    victim.signal('SIGKILL')
    await victim.ended
    const successor = await start(place)
    processes[place] = successor
    kills++
    await successor.ready()
  }
  return kills
}
