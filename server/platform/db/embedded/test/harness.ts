// What the tests of the embedded database share: a fresh data folder per test, with everything that still
// runs in it ended afterwards, processes that use it, and a query.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath, kill } from 'node:process'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { eventually } from '../../../../test/eventually.ts'
import { patience } from '../../../../test/patience.ts'
import { bringUp } from '../bring-up.ts'
import { keptPassword, makeFolders, placesUnder } from '../cluster.ts'
import { type Embedded, startEmbedded } from '../embedded.ts'
import { findPostmaster, serves, shutDown } from '../postmaster.ts'
import { superuserAddress } from '../service-role.ts'

export type Started = Embedded & { said: string[] }

type Role = 'service' | 'command'

/** Another process that uses the database; `line` is the first it prints. */
type Neighbour = {
  line: Promise<string>
  ended: Promise<unknown[]>
  kill: () => Promise<void>
  leave: () => Promise<void>
}

/**
 * A data folder below a fresh temporary one, which is closed to others (0700), and two ways to use it: in
 * this process (`said` collects its messages to the operator) and in one of its own. Everything still running at the
 * end of the test is ended, the latest first, then the folder is deleted.
 */
export async function freshFolder(test: TestContext): Promise<{
  dataDir: string
  start: (role?: Role) => Promise<Started>
  startNeighbour: (role: Role, then?: 'stops' | 'forgets') => Neighbour
  /** Starts PostgreSQL as versions did that signed in as its superuser; `url` is the superuser's. */
  makeOldWay: () => Promise<{ url: string; shutDown: () => Promise<void> }>
}> {
  const above = await realpath(await mkdtemp(join(tmpdir(), 'venue-embedded-')))
  const dataDir = join(above, 'data')
  const endings: (() => Promise<void>)[] = []
  test.after(async () => {
    for (const end of endings.toReversed()) await end()
    const left = await postmasterOf(dataDir)
    if (left !== undefined) await killAndWait(left, dataDir)
    await rm(above, { recursive: true, force: true, maxRetries: 5 })
  })
  return {
    dataDir,
    start: async (role = 'service') => {
      const started = await startHere(dataDir, role)
      endings.push(started.stop)
      return started
    },
    startNeighbour: (role, then = 'stops') => {
      const neighbour = startNeighbour(dataDir, role, then)
      endings.push(neighbour.kill)
      return neighbour
    },
    makeOldWay: async () => {
      const places = placesUnder(dataDir)
      await makeFolders(places)
      const { port } = await bringUp({
        places,
        role: 'command',
        serviceLock: join(places.locks, 'service'),
        flags: { fsync: 'off' },
        signal: new AbortController().signal,
      })
      return {
        url: superuserAddress(await keptPassword(places, 'fail'), port),
        shutDown: () => shutDown(places.cluster),
      }
    },
  }
}

async function startHere(dataDir: string, role: Role): Promise<Started> {
  const said: string[] = []
  const say = (sentence: string) => said.push(sentence)
  const log = { info: say, warn: say, error: say }
  return { ...(await startEmbedded({ dataDir, role, log, flags: { fsync: 'off' } })), said }
}

function startNeighbour(dataDir: string, role: Role, then: string): Neighbour {
  const child = spawn(execPath, [join(import.meta.dirname, 'database-user.ts'), dataDir, role, then], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const line = Promise.race([
    once(createInterface(child.stdout), 'line').then(([text]) => String(text)),
    ended.then((how): never => {
      throw new Error(`the neighbor ended with ${String(how)} before it said anything`)
    }),
  ])
  // Reported when awaited; who only kills it does not ask.
  line.catch(() => undefined)
  return {
    line,
    ended,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    leave: async () => {
      child.stdin.write('leave\n')
      await ended
    },
  }
}

/** One statement on a connection of its own. */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: patience.ms() })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The process id of the PostgreSQL of the folder, or undefined if none runs. */
export const postmasterOf = async (dataDir: string): Promise<number | undefined> =>
  (await findPostmaster(join(dataDir, 'postgres')))?.pid

export async function killAndWait(pid: number, dataDir: string): Promise<void> {
  kill(pid, 'SIGKILL')
  await eventually(async () => !(await serves(pid, join(dataDir, 'postgres'))))
}
