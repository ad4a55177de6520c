import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '../../kernel/refusal.ts'

/*
 * The packages of this repository as files that npm and pip install, since no registry has them, and Postman's collection.
 * The image brings them;
 * in a checkout a process of its own makes them, once for each state of the sources.
 */

/** The packages by their folders, and the name of each one's file at /docs/tools; pip reads the version in it. */
export const packageFiles = {
  // First, since it needs no development dependencies.
  connectors: 'venue-data.postman_collection.json',
  sdk: 'sdk.tgz',
  cli: 'cli.tgz',
  mcp: 'mcp.tgz',
  conformance: 'conformance.tgz',
  'sdk-python': 'venue_data-0.1.0-py3-none-any.whl',
} as const

export const packagePath = (file: string): string => `/docs/tools/${file}`

/** Where `npm run pack` puts them, in the repository. */
export const packedFolder = 'packed'

export type Packages = {
  /** Makes them unless they are there; rejects with what the operator has to know. */
  readonly make: () => Promise<void>
  /** A file of them and its fingerprint; throws the 503 while it is made, or where it cannot be. */
  readonly read: (file: string) => Promise<{ readonly bytes: Buffer; readonly tag: string }>
}

/** For how long a request waits for them, in milliseconds: enough to find that they are there. */
const requestMs = 2_000
/** When to ask again, in seconds: while they are made, and where that failed. */
const soonSeconds = 10
const laterSeconds = 60

/** `waitMs`: as `requestMs`. */
export const openPackages = (root: string, waitMs = requestMs): Packages => {
  let making: Promise<void> | undefined
  const make = (): Promise<void> => {
    making ??= makeIn(root).catch((error: unknown) => {
      // Somebody may give it what it lacks.
      setTimeout(() => (making = undefined), laterSeconds * 1000).unref()
      throw error
    })
    return making
  }
  return {
    make,
    read: async (file) => {
      const over = await Promise.race([
        make().then(
          () => 'made' as const,
          () => 'failed' as const,
        ),
        wait(waitMs, 'making' as const, { ref: false }),
      ])
      const bytes = await readFile(join(root, packedFolder, file)).catch(() => undefined)
      // What an operator made by hand is good, too.
      if (over === 'making' || !bytes) throw over === 'making' ? stillPacking() : cannotPack()
      return { bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"` }
    },
  }
}

/** Of this copy of the service; none of it happens before `make` or `read`. */
export const packages = openPackages(join(import.meta.dirname, '../../../..'))

const makeIn = async (root: string): Promise<void> => {
  const program = join(root, 'packing/main.ts')
  // An image has no sources to make them from, only the files.
  if (!existsSync(program)) return
  await new Promise<void>((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [program, '--unless-current'],
      { cwd: root, timeout: mostMs },
      (error, _out, complaint) => {
        process.off('exit', stop)
        if (error?.signal === 'SIGKILL') reject(new Error(outOfMemory))
        else if (error) reject(new Error(complaint.trim().split('\n')[0] || error.message))
        else resolve()
      },
    )
    const stop = (): void => void child.kill()
    process.once('exit', stop)
    yieldTo(child.pid)
  })
}

const outOfMemory = 'what makes them was ended by SIGKILL, as systems do that run out of memory'

/** What takes longer hangs. */
const mostMs = 600_000

/**
 * Requests come first, where the system lets us say so. The compiler takes as much memory as the service: on a small machine
 * it is what the kernel ends then, and whatever it starts, and neither the service nor its database.
 */
const yieldTo = (pid: number | undefined): void => {
  if (pid === undefined) return
  const ways = [
    () => setPriority(pid, constants.priority.PRIORITY_LOW),
    () => writeFileSync(`/proc/${pid}/oom_score_adj`, '1000'),
  ]
  for (const yielding of ways) {
    try {
      yielding()
    } catch {
      // Then it is done as everything else.
    }
  }
}

const stillPacking = (): Refusal =>
  new Refusal(503, 'The packages are being made, which takes up to a minute; ask again then.', {
    headers: { 'retry-after': String(soonSeconds) },
  })

const cannotPack = (): Refusal =>
  new Refusal(
    503,
    'This copy of the service could not make its packages; its log says why. Make them with `npm run pack` in a checkout that can be written to.',
    { headers: { 'retry-after': String(laterSeconds) } },
  )
