// How the data folder is created. The first process to start, holding the start lock, creates the
// cluster in a separate folder next to its final place and renames it as the last step: a cluster
// that has its final name is complete. A crash halfway leaves `postgres.new-…`, which the next start
// removes. The password comes first and is kept for good; every process reads it from its file.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  access,
  chmod,
  constants,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { codeOf } from '../../kernel/code-of.ts'
import type { Binaries } from './binaries.ts'
import { type Account, type RunAs, commandLine } from './run-as.ts'
import { lastWords, logEnd } from './server-log.ts'
import { endSentence } from '../../kernel/sentence.ts'

/** What lies where under the data folder. */
export type Places = { dataDir: string; cluster: string; log: string; password: string; locks: string }

export const placesUnder = (dataDir: string): Places => ({
  dataDir,
  cluster: join(dataDir, 'postgres'),
  log: join(dataDir, 'postgres.log'),
  password: join(dataDir, 'postgres.password'),
  locks: join(dataDir, 'postgres.locks'),
})

/** The programs' environment: nothing from ours, which may hold secrets or another PostgreSQL's settings. */
export const cleanEnvironment = { LC_ALL: 'C', TZ: 'UTC' }

const UNFINISHED = 'postgres.new-'

/** Creates the cluster if it is missing; returns whether it did. Call while holding the start lock. */
export async function makeCluster(
  places: Places,
  binaries: Binaries,
  runAs: RunAs,
  options: { sync: boolean },
): Promise<boolean> {
  await sweepUnfinished(places)
  if (await isCluster(places.cluster)) {
    await keptPassword(places, 'fail')
    await giveTo(places.cluster, runAs.account)
    return false
  }
  const password = await keptPassword(places, 'make')
  const workshop = await mkdtemp(join(places.dataDir, UNFINISHED))
  try {
    await runInitdb(places, binaries, runAs, { workshop, password, sync: options.sync })
    await rename(join(workshop, 'data'), places.cluster).catch((cause: unknown) => {
      throw new Error(
        `${places.cluster} is not a PostgreSQL cluster, yet not empty: move it away, or set DATA_DIR to another folder.`,
        { cause },
      )
    })
    if (options.sync) await syncFolder(places.dataDir)
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
  return true
}

/** Of the files a start needs, initdb writes this one last; but it is the folder's name that says "complete". */
export const isCluster = (folder: string): Promise<boolean> =>
  stat(join(folder, 'PG_VERSION')).then(
    () => true,
    () => false,
  )

/** The superuser's password: read, or created once if `make` allows it. */
export async function keptPassword(places: Places, absent: 'make' | 'fail'): Promise<string> {
  const kept = await readFile(places.password, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (kept !== '') return kept
  if (absent === 'fail')
    throw new Error(
      `${places.password} is missing: without it nobody can sign in to ${places.cluster}. Restore it.`,
    )
  const made = randomBytes(24).toString('base64url')
  const unfinished = `${places.password}.new`
  await rm(unfinished, { force: true })
  await writeFile(unfinished, made, { mode: 0o600, flush: true })
  await rename(unfinished, places.password)
  return made
}

async function sweepUnfinished(places: Places): Promise<void> {
  for (const name of await readdir(places.dataDir)) {
    // An initdb that outlived its killed parent may still write there; then the next start removes it.
    if (name.startsWith(UNFINISHED))
      await rm(join(places.dataDir, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

async function runInitdb(
  places: Places,
  binaries: Binaries,
  runAs: RunAs,
  made: { workshop: string; password: string; sync: boolean },
): Promise<void> {
  const passwordFile = join(made.workshop, 'password')
  await writeFile(passwordFile, made.password, { mode: 0o600 })
  await chmod(made.workshop, 0o700)
  await giveTo(made.workshop, runAs.account)
  const before = await logEnd(places.log)
  const log = await open(places.log, 'a', 0o600)
  const [program, args] = commandLine(runAs.prefix, binaries.initdb, [
    `--pgdata=${join(made.workshop, 'data')}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(made.sync ? [] : ['--no-sync']),
  ])
  try {
    const child = spawn(program, args, {
      ...runAs.spawnOptions,
      cwd: '/',
      env: cleanEnvironment,
      stdio: ['ignore', log.fd, log.fd],
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0)
      throw new Error(
        endSentence(
          `The database could not be made in ${places.dataDir}: ${await lastWords(places.log, before)}`,
        ),
      )
  } finally {
    await log.close()
  }
}

/** Hands a folder and all in it to the account, unless the folder has an owner other than root already. */
async function giveTo(folder: string, account: Account | undefined): Promise<void> {
  if (account === undefined || getuid?.() !== 0 || (await lstat(folder)).uid !== 0) return
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), account.uid, account.gid)
  }
  // The folder itself comes last: its owner shows whether an earlier handover was finished.
  await chown(folder, account.uid, account.gid)
}

/** Flushes the folder, so that a rename in it survives a crash. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates the data folder and its lock folder; refuses a data folder that belongs to another user. */
export async function makeFolders(places: Places): Promise<void> {
  try {
    // Under root another account must be able to pass through (not list) the folder; private files in it are closed themselves.
    await mkdir(places.dataDir, { recursive: true, mode: getuid?.() === 0 ? 0o711 : 0o700 })
    await mkdir(places.locks, { recursive: true, mode: 0o700 })
    await access(places.locks, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Error(
      `The data folder ${places.dataDir} cannot be written by this user (${codeOf(cause)}): ` +
        'start as the user who started here first, or set DATA_DIR to another folder.',
      { cause },
    )
  }
}
