import { randomBytes } from 'node:crypto'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { startEmbedded } from './db/embedded/embedded.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/pool.ts'
import { wholeMilliseconds } from './kernel/moment.ts'
import { loadSecrets } from './secrets-file.ts'
import { createSender } from './webhooks/sender.ts'

/** What both the service and the operator's commands stand on. */
export type Program = { readonly context: Context; readonly close: () => Promise<void> }

/**
 * Opens the database, the embedded one or the one of DATABASE_URL, brings it to the newest migration and reads
 * the secrets. `command` joins the embedded database of a running service instead of claiming it.
 */
export const openProgram = async (
  config: Config,
  role: 'service' | 'command',
  log: Logger,
): Promise<Program> => {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: config.dataDir, role, log: logOf(log) })
      : undefined
  const db = openDatabase({
    url: config.databaseUrl ?? (embedded?.url as string),
    size: config.poolSize,
    onError: (error) =>
      log.warn({ code: (error as { code?: unknown }).code }, 'a database connection was lost'),
  })
  const sender = createSender({ practice: config.practice })
  const close = async (): Promise<void> => {
    await sender.close()
    await db.close()
    await embedded?.stop()
  }
  try {
    await migrate(db)
    const secrets = await loadSecrets(config, randomBytes)
    return {
      context: { db, config, secrets, log, clock: clockOf(config), random: randomBytes, sender },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Logs go to standard output as JSON lines; a command keeps that for its answer and sends them to standard error. */
export const openLog = (level: string, to: 'stdout' | 'stderr'): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination(to === 'stdout' ? 1 : 2),
  )

/** The system's clock, or one that started at PRACTICE_CLOCK and runs on from there. */
const clockOf = ({ practiceClock }: Config): (() => Temporal.Instant) => {
  const ahead = practiceClock === undefined ? undefined : Temporal.Now.instant().until(practiceClock)
  return () => {
    const now = Temporal.Now.instant()
    return wholeMilliseconds(ahead === undefined ? now : now.add(ahead))
  }
}

const logOf = (log: Logger) => ({
  info: (sentence: string) => log.debug(sentence),
  warn: (sentence: string) => log.warn(sentence),
  error: (sentence: string) => log.error(sentence),
})
