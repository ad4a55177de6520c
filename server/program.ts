import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { type Demand, openDemand } from './data/reports/demand/demand.ts'
import { type Usage, openUsage } from './integrations/access/usage.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { startEmbedded } from './platform/db/embedded/embedded.ts'
import { folderName } from './platform/db/embedded/folder-name.ts'
import { isDatabaseDown } from './platform/db/faults.ts'
import { isOnCitus, migrate, migrationFiles } from './platform/db/migrate.ts'
import { type Database, type PoolOptions, mostConnections, openDatabase } from './platform/db/pool.ts'
import { type SendingHold, makeSendingHold } from './platform/db/sending-hold.ts'
import { watchRoom } from './platform/db/room.ts'
import { logServerTrouble } from './platform/db/server-trouble.ts'
import { sql } from './platform/db/sql.ts'
import { behindWall, venueTables } from './platform/db/wall.ts'
import { makeBell } from './platform/kernel/running/bell.ts'
import { codeOf } from './platform/kernel/code-of.ts'
import { later } from './platform/kernel/time/moment.ts'
import { createTextLookUp, keepTexts } from './mail/look-up-texts.ts'
import type { Mailer } from './mail/mailer.ts'
import { openMailer } from './mail/open-mailer.ts'
import {
  beginPractice,
  endPractice,
  practiceInstance,
  systemClock,
} from './integrations/practice/instance.ts'
import { stripeProcessors } from './core/money/stripe.ts'
import { keepPaymentsPlace, keptPaymentsPlace } from './payments-place.ts'
import { loadSecrets } from './secrets-file.ts'
import { createSender } from './integrations/webhooks/sending/sender.ts'

/** How often a start tries to connect. Each try takes as long as a request would wait for a connection, a second. */
const startTries = 15

/** A busy machine may take longer for the first connection than anybody who asks the service would wait for one. */
const connect = async (db: Database): Promise<void> => {
  for (let left = startTries; ; left -= 1) {
    try {
      await db.run(sql()`select`)
      return
    } catch (error) {
      if (!isDatabaseDown(error) || left <= 1) throw error
    }
  }
}

/** What both the service and the operator's commands are built on. */
export type Program = {
  readonly context: Context
  /** Moves the clock of a practice instance: so far ahead of the system's, in milliseconds. */
  readonly setAhead: (milliseconds: number) => void
  readonly close: () => Promise<void>
  /** What the process runs on, for its first line: never with a password. */
  readonly about: {
    readonly database: string
    /** How many migrations the database has, and how many of them this start applied. */
    readonly migrations: number
    readonly applied: number
  }
}

type Role = 'service' | 'command' | 'bare command'

/**
 * Opens the database, the embedded one or the one of DATABASE_URL, brings it to the newest migration and reads
 * the secrets. `command` joins the embedded database of a running service instead of claiming it; `bare command` also
 * takes the database as it is, of any version or empty, and does not migrate it. The signal ends the wait for
 * another process that is migrating; the patience is that of the connections. Throws an Error with a sentence for the operator.
 */
export const openProgram = async (
  config: Config,
  role: Role,
  log: Logger,
  { signal, patience }: { readonly signal?: AbortSignal; readonly patience?: number } = {},
): Promise<Program> => {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({
          dataDir: config.dataDir,
          role: role === 'service' ? 'service' : 'command',
          log: logOf(log),
          // A page in there is in the system's own cache, too.
          ...(config.smallMachine && { flags: { shared_buffers: '64MB' } }),
        })
      : undefined
  let isClosing = false
  const room = watchRoom()
  const logTrouble = logServerTrouble(log)
  const pool: PoolOptions = {
    url: config.databaseUrl ?? (embedded?.url as string),
    ...(patience !== undefined && { patience }),
    // One that goes because we do is no news.
    onError: (error) => {
      if (!isClosing) log.warn({ code: codeOf(error) }, 'a database connection was lost')
    },
    onFailed: (error) => {
      room.note(error)
      logTrouble(error)
    },
  }
  const sender = createSender({ practice: config.practice })
  let db = openDatabase({ ...pool, size: 1 })
  let workerDb: Database | undefined
  let hold: SendingHold | undefined
  let mail: Mailer | undefined
  let usage: Usage | undefined
  let demand: Demand | undefined
  const close = async (): Promise<void> => {
    isClosing = true
    hold?.close()
    await Promise.all([sender.close(), mail?.close(), usage?.close(), demand?.close()])
    // A statement that nobody waits for does not hold up the end; its connection ends with us.
    await Promise.race([
      Promise.all([db.close(), workerDb?.close()]),
      wait(longestCloseMs, undefined, { ref: false }),
    ])
    await embedded?.stop()
  }
  try {
    const prepared = role === 'bare command' ? db.session(async () => []) : migrate(db, { signal })
    const applied = await prepared.catch((error: unknown) => {
      throw sentenceAbout(error, config)
    })
    // How statements are planned is said when a connection is opened, and it depends on what database this is.
    const citus = await db.session(isOnCitus)
    const { version } = await db.one(
      sql({ version: 'text' })`select current_setting('server_version') as version`,
    )
    await db.close()
    db = openDatabase({ ...pool, size: config.poolSize, citus })
    await connect(db)
    // Connects when there is background work to do, so a web process has none of these.
    workerDb = openDatabase({ ...pool, size: workerConnections(config), background: true, citus })
    const secrets = await loadSecrets(config, randomBytes)
    const paymentsUrl = await paymentsPlace(db, config, role)
    const { clock, setAhead } = clockFrom(await aheadOf(db, config, role))
    hold = makeSendingHold({ db, clock }, embedded ? await folderName(config.dataDir) : '', () => {
      if (role === 'service') log.warn('sending is on hold: this database was restored or moved here')
    })
    // A command that writes what the processor says needs to know, too. The schema of a bare one may be any.
    if (role !== 'bare command') await hold.look()
    if (role === 'service') hold.watch()
    const tables = config.practice ? await venueTables(db) : undefined
    const walled = (database: Database): Database => (tables ? behindWall(database, tables) : database)
    mail = await openMailer(config, { clock, random: randomBytes })
    usage = openUsage({ db, clock, log })
    demand = openDemand({ db: walled(db), clock, log, random: randomBytes })
    return {
      context: {
        db: walled(db),
        workerDb: walled(workerDb),
        room,
        config: { ...config, paymentsUrl },
        secrets,
        log,
        clock,
        random: randomBytes,
        sender,
        processors: stripeProcessors(paymentsUrl),
        mail,
        lookUpTexts: keepTexts(createTextLookUp()),
        bell: makeBell(),
        paidBell: makeBell(),
        usage,
        demand,
        hold,
      },
      setAhead,
      close,
      about: {
        database: `PostgreSQL ${version.split(' ')[0]}${citus ? ' with Citus' : ''} ${placeOf(config)}`,
        migrations: (await migrationFiles()).length,
        applied: applied.length,
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Connections of background work: eight turns of webhooks, four writers of results, the lanes, the two groups that
 * send mail with their claims, and what runs now and then. On a small machine some of them wait: each connection takes
 * PostgreSQL up to 10 MB.
 */
const workerConnections = ({ smallMachine }: Pick<Config, 'smallMachine'>): number => (smallMachine ? 8 : 20)

/** How many connections to the database a process takes at most; a worker has those for requests, too, for its health. */
export const connectionsOf = (config: Pick<Config, 'role' | 'poolSize' | 'smallMachine'>): number =>
  mostConnections(config.poolSize) + (config.role === 'web' ? 0 : mostConnections(workerConnections(config)))

const longestCloseMs = 2_000

const placeOf = ({ databaseUrl, dataDir }: Config): string => {
  if (databaseUrl === undefined) return `embedded in ${dataDir}`
  const { host, pathname } = new URL(databaseUrl)
  return `at ${host}${pathname}`
}

/** What an operator can do something about gets a sentence; it names the place, never the password. */
const sentenceAbout = (error: unknown, { databaseUrl }: Config): unknown => {
  const code = codeOf(error)
  const refused = code !== undefined && /^(28|3D)/.test(code)
  if (databaseUrl === undefined || !(refused || isDatabaseDown(error))) return error
  const { host, pathname } = new URL(databaseUrl)
  return new Error(
    refused
      ? `The PostgreSQL at ${host} lets nobody in by the user, password and database of DATABASE_URL (${pathname.slice(1)}; ${code}).`
      : `No PostgreSQL can be reached at ${host} (${code ?? String((error as { message?: unknown }).message)}): check DATABASE_URL, and whether it runs.`,
    { cause: error },
  )
}

/**
 * Logs are JSON lines. The service's go to standard output, gathered for up to a fifth of a second: a write per
 * request would cost as much as all its checks. What is gathered is written out when the process ends, except
 * by kill -9. A command keeps standard output for its answer and logs to standard error, line by line.
 */
export const openLog = (level: string, to: 'stdout' | 'stderr'): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    to === 'stdout'
      ? pino.destination({ dest: 1, sync: false, minLength: 32_768, maxWrite: 65_536, periodicFlush: 200 })
      : pino.destination({ dest: 2 }),
  )

/** The system's clock, or one that is so many milliseconds ahead of it. */
const clockFrom = (aheadMs: number) => {
  let ahead = aheadMs
  return {
    clock: (): Temporal.Instant => later(Temporal.Now.instant(), ahead),
    setAhead: (milliseconds: number): void => {
      ahead = milliseconds
    },
  }
}

/**
 * How far the clock is ahead: that of a practice instance starts at PRACTICE_CLOCK and goes on over restarts. A command
 * uses the clock of the service it runs alongside, not its own settings.
 */
const aheadOf = async (db: Database, config: Config, role: Role): Promise<number> => {
  const { practice, practiceClock } = config
  const wanted = practiceClock ? practiceClock.epochMilliseconds - systemClock().epochMilliseconds : 0
  if (role === 'bare command') return wanted
  if (role === 'command') return (await practiceInstance(db))?.aheadMs ?? wanted
  if (practice) return beginPractice(db, practiceClock?.toString() ?? '', wanted)
  await endPractice(db)
  return 0
}

/** Where payments go: a command beside a practice instance asks where its service does. */
const paymentsPlace = async (db: Database, config: Config, role: Role): Promise<string | undefined> => {
  if (role === 'service') await keepPaymentsPlace(config)
  return role === 'command' && (await practiceInstance(db)) ? keptPaymentsPlace(config) : config.paymentsUrl
}

const logOf = (log: Logger) => ({
  info: (sentence: string) => log.debug(sentence),
  warn: (sentence: string) => log.warn(sentence),
  error: (sentence: string) => log.error(sentence),
})
