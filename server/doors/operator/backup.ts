import { access } from 'node:fs/promises'
import type { Context } from '../../context.ts'
import { kindOfFile } from '../../platform/db/backup/frames.ts'
import { dumpDatabase, restoreDump } from '../../platform/db/backup/pg-tools.ts'
import { inspectBackup } from '../../platform/db/backup/read-backup.ts'
import { restoreBackup } from '../../platform/db/backup/restore-backup.ts'
import { writeBackup } from '../../platform/db/backup/write-backup.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { missingEntries, ringMarks } from '../../platform/kernel/secrets.ts'
import { command, needed, oneOf, text } from './command.ts'
import { sheet } from './print.ts'

export const backupCommand = command({
  words: 'backup',
  about:
    'Writes a copy of the whole database to a file that only you may read, while the service is running. SECRETS are not in it.',
  flags: { to: needed(text('FILE')), format: oneOf(['copy', 'pg_dump']) },
  asItIs: true,
  run: async ({ db, config, clock, secrets }, { to: file, format = 'copy' }) => {
    const madeAt = toMoment(clock())
    const written =
      format === 'copy'
        ? await writeBackup(db, file, { madeAt, secrets: ringMarks(secrets) })
        : { bytes: await dumpDatabase(db, externalUrl(config), file), tables: null, rows: null, schema: null }
    const { bytes, tables, rows, schema } = written
    const answer = { file, format, madeAt, bytes, tables, rows, schema }
    return { json: answer, text: sheet(answer), notes: [secretsApart(config)] }
  },
})

export const restoreCommand = command({
  words: 'restore',
  about:
    'Fills an empty database from a backup. Sending is then on hold until `resume sending`. A truncated or altered file changes nothing.',
  flags: { from: needed(text('FILE')) },
  asItIs: true,
  run: async (context, { from: file }) => {
    const restored = await restoreFrom(context, file)
    const { missing } = restored
    const answer = {
      file,
      format: restored.format,
      madeAt: restored.madeAt,
      tables: restored.tables,
      rows: restored.rows,
      secretsFit: missing && missing.length === 0,
    }
    return {
      json: answer,
      text: sheet(answer),
      notes: [
        missing === null
          ? 'A pg_dump archive does not say which SECRETS it was made under: start the service with the ones in use at the time.'
          : missing.length === 0
            ? 'SECRETS match those the backup was made under.'
            : wrongSecrets(context.config, missing),
        'Sending is on hold. Use `resume sending --dry-run` to see what is waiting, then `resume sending` to send it.',
      ],
    }
  },
})

type Restored = {
  readonly format: 'copy' | 'pg_dump'
  readonly madeAt: string | null
  readonly tables: number | null
  readonly rows: number | null
  /** Entries of SECRETS that the backup was made under and that are not set; null: it does not say. */
  readonly missing: readonly string[] | null
}

const restoreFrom = async ({ db, config, clock, secrets }: Context, file: string): Promise<Restored> => {
  await access(file).catch((error: unknown) => {
    throw badRequest(`The file ${file} cannot be read (${codeOf(error) ?? 'unknown'}).`)
  })
  const kind = await kindOfFile(file)
  switch (kind) {
    case 'backup': {
      const { header, tables, rows } = await inspectBackup(file)
      await restoreBackup(db, file, header, clock())
      const missing = missingEntries(secrets, header.secrets)
      return { format: 'copy', madeAt: header.madeAt, tables, rows, missing }
    }
    case 'pg_dump':
      await restoreDump(db, externalUrl(config), file, clock())
      return { format: 'pg_dump', madeAt: null, tables: null, rows: null, missing: null }
    case 'other':
      throw badRequest(`The file ${file} is not a backup. Nothing was changed.`)
    default:
      return kind satisfies never
  }
}

type Place = Pick<Context['config'], 'databaseUrl' | 'secrets' | 'dataDir'>

const externalUrl = ({ databaseUrl }: Place): string => {
  if (databaseUrl !== undefined) return databaseUrl
  throw badRequest(
    "PostgreSQL's own tools are only for a database in DATABASE_URL; the embedded one is copied without them. Nothing was changed.",
  )
}

/** Where the secrets are, so that they can be copied elsewhere. */
const secretsIn = ({ secrets, dataDir }: Place): string =>
  secrets === undefined ? `the file ${dataDir}/secrets` : 'the setting SECRETS'

const secretsApart = (config: Place): string =>
  `The file contains everything but the secrets: keep ${secretsIn(config)} too, in another place. It contains guests' details: keep it private.`

const wrongSecrets = (config: Place, missing: readonly string[]): string =>
  `The backup was made under other SECRETS (${missing.length === 1 ? 'entry' : 'entries'} ${missing.join(', ')}), which ${secretsIn(config)} does not contain: add them before you start the service, or its API keys will get 401 and its webhooks cannot be signed.`
