// Which account PostgreSQL runs as. An ordinary user runs it under their own. PostgreSQL refuses root, so under root it
// runs as the owner of its data, which on the first start is `postgres` if that account exists, otherwise
// `nobody`. That account must reach the programs and the data: if a folder above them is closed to
// it (a checkout in /root), `setpriv` gives it the smallest capability that opens the way; if no
// folder is closed it gets none.
import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { getuid } from 'node:process'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'

export type Account = { uid: number; gid: number }

/** How to launch a program as the account: a prefix of the command line, and the options for `spawn`. */
export type RunAs = { account: Account | undefined; prefix: string[]; spawnOptions: Partial<Account> }

/** Decides which account PostgreSQL runs as on this folder, or fails with one sentence saying why none can. */
export async function settleRunAs(binaries: Binaries, dataDir: string, cluster: string): Promise<RunAs> {
  if (getuid?.() !== 0) return { account: undefined, prefix: [], spawnOptions: {} }
  const account = (await ownerOf(cluster)) ?? (await accountFromSystem())
  const closed = (await firstClosed(binaries.postgres, account)) ?? (await firstClosed(dataDir, account))
  for (const runAs of closed === undefined ? [plain(account)] : throughClosedFolders(account)) {
    if (await works(runAs, binaries.initdb)) return runAs
  }
  throw new Error(
    closed === undefined
      ? `PostgreSQL cannot run as root, and here root may not run it as user ${account.uid}: start as an ordinary user, or set DATABASE_URL.`
      : `PostgreSQL cannot run as root, and user ${account.uid} cannot enter ${closed}: ` +
          'start as an ordinary user, open that folder ("chmod o+x"), or set DATABASE_URL.',
  )
}

/** The command line of a program for `spawn`, which resolves the first word. */
export const commandLine = (prefix: string[], program: string, args: string[]): [string, string[]] => {
  const [first = program, ...rest] = [...prefix, program, ...args]
  return [first, rest]
}

/** Existing data keeps its owner, even if the machine's accounts have changed. */
async function ownerOf(cluster: string): Promise<Account | undefined> {
  const found = await stat(cluster).catch(() => undefined)
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid }
}

export async function accountFromSystem(): Promise<Account> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    // >>> 0: macOS writes the account `nobody` as -2.
    if (uid && gid && Number(uid) !== 0) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
  }
  throw new Error(
    'PostgreSQL cannot run as root, and this machine has neither a user "postgres" nor "nobody": ' +
      'start as an ordinary user, or set DATABASE_URL.',
  )
}

/** The outermost folder on the way to `path` that the account may not pass through. */
async function firstClosed(path: string, account: Account): Promise<string | undefined> {
  const parent = dirname(path)
  if (parent !== path) {
    const above = await firstClosed(parent, account)
    if (above !== undefined) return above
  }
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return undefined
  const shift = found.uid === account.uid ? 6 : found.gid === account.gid ? 3 : 0
  const needed = found.isDirectory() ? 0o1 : 0o5
  return ((found.mode >> shift) & needed) === needed ? undefined : path
}

const plain = (account: Account): RunAs => ({ account, prefix: [], spawnOptions: account })

/**
 * Ways through a closed folder, least privilege first. Reading and searching is enough unless the
 * programs themselves are closed (a clone under umask 077); containers often grant only dac_override.
 * `no_setuid_fixup` matters: without it access(2), by which PostgreSQL finds itself, ignores capabilities.
 */
const throughClosedFolders = (account: Account): RunAs[] =>
  ['dac_read_search', 'dac_override'].map((capability) => ({
    account,
    prefix: [
      'setpriv',
      `--reuid=${account.uid}`,
      `--regid=${account.gid}`,
      '--clear-groups',
      `--inh-caps=+${capability}`,
      `--ambient-caps=+${capability}`,
      '--securebits=+no_setuid_fixup',
      '--',
    ],
    spawnOptions: {},
  }))

/** Tries it: a program that cannot reach its own file says so on stderr and yet exits 0. */
async function works(runAs: RunAs, program: string): Promise<boolean> {
  const [first, args] = commandLine(runAs.prefix, program, ['--version'])
  const options = { ...runAs.spawnOptions, cwd: '/', env: { LC_ALL: 'C' }, timeout: 5_000 }
  return promisify(execFile)(first, args, options).then(
    ({ stdout, stderr }) => stdout.includes('PostgreSQL') && stderr === '',
    () => false,
  )
}
