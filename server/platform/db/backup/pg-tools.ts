import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { badRequest } from '../../kernel/refusal.ts'
import type { Database } from '../pool.ts'
import { writePrivateFile } from './private-file.ts'
import { restoring } from './restore-backup.ts'

/*
 * PostgreSQL's own tools, for operators who prefer their archives. They must be installed and no older than the server.
 * They get the password in a separate file, since every user of the machine can read a command line.
 */

/** Writes a pg_dump archive in custom format. Refuses if there is no pg_dump that fits the server. */
export const dumpDatabase = async (database: Database, url: string, path: string): Promise<number> => {
  await checkTool('pg_dump', await versionOf(database))
  return writePrivateFile(path, (unfinished) =>
    run('pg_dump', url, ['--format=custom', `--file=${unfinished}`]),
  )
}

/** Loads a pg_dump archive into an empty database, as `restoreBackup` does with one of ours. */
export const restoreDump = async (
  database: Database,
  url: string,
  path: string,
  now: Temporal.Instant,
): Promise<void> => {
  await checkTool('pg_restore', await versionOf(database))
  await restoring(database, now, () =>
    run('pg_restore', url, ['--no-owner', '--exit-on-error', '--single-transaction', path]),
  )
}

type Tool = 'pg_dump' | 'pg_restore'

const versionOf = (database: Database): Promise<number> =>
  database.session(async (client) => {
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int4 / 10000 as version",
    )
    return rows[0]?.version ?? 0
  })

const checkTool = async (tool: Tool, server: number): Promise<void> => {
  const said = await promisify(execFile)(tool, ['--version']).then(
    ({ stdout }) => stdout,
    () => undefined,
  )
  if (said === undefined) throw badRequest(`There is no ${tool} on this machine. Nothing was changed.`)
  const version = Number(/\(PostgreSQL\) (\d+)/.exec(said)?.[1])
  if (version >= server) return
  throw badRequest(
    `The ${tool} of this machine is of version ${version}, older than the server's ${server}. Nothing was changed.`,
  )
}

const run = async (tool: Tool, url: string, args: readonly string[]): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'venue-data-pass-'))
  try {
    const address = new URL(url)
    const passfile = join(folder, 'pgpass')
    const password = decodeURIComponent(address.password).replaceAll(/[\\:]/g, String.raw`\$&`)
    await writeFile(passfile, `*:*:*:*:${password}\n`, { mode: 0o600 })
    address.password = ''
    address.searchParams.set('passfile', passfile)
    await promisify(execFile)(tool, [`--dbname=${address.href}`, ...args], { maxBuffer: outputBytes })
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    if (stderr === undefined) throw error
    throw new Error(`${tool} failed: ${stderr.trim().split('\n').at(0) ?? 'it said nothing'}`, {
      cause: error,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Far more output than they ever write; beyond it they are killed. */
const outputBytes = 16 * 1024 * 1024
