import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KeyKind, KeyScope } from '@venue-data/contract/records/account.ts'
import { allScopes } from '@venue-data/contract/scopes.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { type NewKey, createKey } from '../integrations/access/keys.ts'
import { openDemand } from '../data/reports/demand/demand.ts'
import { openUsage } from '../integrations/access/usage.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { type Database, type PoolOptions, openDatabase } from '../platform/db/pool.ts'
import { stripeProcessors } from '../core/money/stripe.ts'
import { watchRoom } from '../platform/db/room.ts'
import { makeSendingHold } from '../platform/db/sending-hold.ts'
import { behindWall, venueTables } from '../platform/db/wall.ts'
import { makeBell } from '../platform/kernel/running/bell.ts'
import { readKeyRing } from '../platform/kernel/secrets.ts'
import type { LookUpTexts } from '../mail/look-up-texts.ts'
import { openMailer } from '../mail/open-mailer.ts'
import { type NewVenue, type VenueRow, insertVenue } from '../core/venue/venues.ts'
import { type SenderOptions, createSender } from '../integrations/webhooks/sending/sender.ts'
import { freshDatabase, patience } from './database.ts'
import { eventually } from './eventually.ts'
import { keepSessions } from './kept-sessions.ts'

/** An answer as a client sees it. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers they know
export type Answer = { status: number; headers: Headers; text: string; body: any }

export type Call = {
  key?: string
  /** Sent as JSON; a string or Buffer is sent as it is. */
  body?: unknown
  headers?: Record<string, string>
}

/** The service as tests drive it: over real HTTP, on a database of its own, with a clock that does not move. */
export type TestService = {
  readonly url: string
  readonly app: FastifyInstance
  readonly context: Context
  readonly db: Database
  readonly databaseUrl: string
  /** Sets the clock, to any ISO moment. */
  setClock: (moment: string) => void
  call: (method: string, path: string, call?: Call) => Promise<Answer>
  venue: (more?: Partial<NewVenue>) => Promise<TestVenue>
  stop: () => Promise<void>
}

export type TestVenue = VenueRow & {
  /** An `api` key with read and write access. */
  readonly key: string
  makeKey: (scope: KeyScope, kind?: KeyKind, terms?: Partial<NewKey>) => Promise<{ key: string; id: number }>
}

/** Tuesday 6 October 2026, 15:00 in New York. */
export const aTuesdayAfternoon = '2026-10-06T19:00:00Z'

/**
 * `settings` as in the environment, where DATABASE_URL names a database of the test's own; `sending`: what the sender of webhooks is to be given, such as a resolver;
 * `lookUpTexts`: a DNS for the domains that mail is sent from, where otherwise no name server answers.
 */
export const startService = async (
  settings: Record<string, string> = {},
  sending: SenderOptions = {},
  lookUpTexts: LookUpTexts = async () => Promise.reject(new Error('No name server answered.')),
): Promise<TestService> => {
  const given = settings.DATABASE_URL
  const database =
    given === undefined ? await freshDatabase() : { url: given, drop: async (): Promise<void> => undefined }
  let now = Temporal.Instant.from(aTuesdayAfternoon)
  const dataDir = join(tmpdir(), `venue-data-service-${randomBytes(8).toString('hex')}`)
  const secrets = `test:${randomBytes(32).toString('base64')}`
  const config = readConfig({
    DATABASE_URL: database.url,
    SECRETS: secrets,
    RATE_LIMIT_PER_MINUTE: '1000000',
    // Made when something is written there first, such as mail without a relay.
    DATA_DIR: dataDir,
    ...settings,
  })
  const room = watchRoom(() => now.epochMilliseconds)
  const open = async (options: Omit<PoolOptions, 'url'>): Promise<Database> => {
    const opened = openDatabase({
      url: config.databaseUrl as string,
      patience,
      onFailed: room.note,
      ...options,
    })
    return behindWall(opened, await venueTables(opened))
  }
  const opened = await open({ size: config.poolSize })
  const kept = keepSessions(database.url)
  const db = { ...opened, session: kept.session }
  const workerDb = await open({ size: 10, background: true })
  const clock = (): Temporal.Instant => now
  const context: Context = {
    db,
    workerDb,
    room,
    config,
    secrets: readKeyRing(config.secrets as string),
    log: pino({ level: 'silent' }),
    clock,
    random: randomBytes,
    bell: makeBell(),
    paidBell: makeBell(),
    usage: openUsage({ db, clock, log: pino({ level: 'silent' }) }),
    demand: openDemand({ db, clock, log: pino({ level: 'silent' }), random: randomBytes }),
    // A test that wants it on hold gives the database a mark and looks.
    hold: makeSendingHold({ db, clock }, ''),
    processors: stripeProcessors(config.paymentsUrl),
    sender: createSender({ practice: config.practice, ...sending }),
    // SMTP_URL among the settings names a relay of the test's own.
    mail: await openMailer(config, { clock, random: randomBytes }),
    lookUpTexts,
  }
  const app = buildApp(context, patience)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  let venues = 0

  return {
    url,
    app,
    context,
    db,
    databaseUrl: database.url,
    setClock: (moment) => {
      now = Temporal.Instant.from(moment)
    },
    call: (method, path, call) => callService(url, method, path, call),
    venue: async (more = {}) => {
      const row = await insertVenue(
        db,
        {
          slug: `venue-${++venues}`,
          name: 'The Blue Door',
          timezone: 'America/New_York',
          plan: 'pro',
          country: 'US',
          phone: null,
          ...more,
        },
        now,
      )
      if (!row) throw new Error('the slug is taken')
      await db.session((client) => client.query(`update venue set access = 'approved' where id = ${row.id}`))
      const makeKey: TestVenue['makeKey'] = async (scope, kind = 'api', terms = {}) => {
        const made = await createKey(context, db, row.id, {
          ...{ kind, scope, name: 'test', createdBy: 'test' },
          ...terms,
        })
        return { key: made.key, id: made.row.id }
      }
      return { ...row, key: (await makeKey('read_write')).key, makeKey }
    },
    stop: async () => {
      await app.close()
      const { sender, mail, usage, demand } = context
      await Promise.all([sender.close(), mail.close(), usage.close(), demand.close()])
      await Promise.all([kept.close(), db.close(), workerDb.close()])
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** What a key may do at most: the words `read` and `read_write` do not mean visits. */
export const everyScope = allScopes.filter((scope) => scope !== 'contacts:hidden')

/** The venue, with a key that may do everything. */
export const withEveryScope = async <Venue extends TestVenue>(venue: Venue): Promise<Venue> => ({
  ...venue,
  key: (await venue.makeKey('read_write', 'api', { scopes: everyScope })).key,
})

export const callService = async (
  url: string,
  method: string,
  path: string,
  { key, body, headers = {} }: Call = {},
): Promise<Answer> => {
  const raw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key !== undefined && { 'x-service-key': key }),
      'content-type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

/**
 * The same as a client does it: what is answered 503 is sent again, under one Idempotency-Key. For a process of the
 * service, which waits no longer than in earnest, however busy the machine is.
 */
export const callPatiently = (
  url: string,
  method: string,
  path: string,
  call: Call = {},
): Promise<Answer> => {
  const headers = { 'idempotency-key': randomUUID(), ...call.headers }
  return eventually(async () => {
    const answer = await callService(url, method, path, { ...call, headers })
    return answer.status !== 503 && answer
  })
}
