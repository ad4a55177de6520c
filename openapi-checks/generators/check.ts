import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { globalSetup, globalTeardown } from '../../server/test/run/setup.ts'
import { startService } from '../../server/test/service.ts'
import { goClient, goVersion } from './go.ts'
import { heyApiClient, heyApiVersion } from './hey-api.ts'
import { pythonClient, pythonVersion } from './python.ts'

/*
 * What other people's generators of clients make of the OpenAPI document: each one's client is generated, compiled, and
 * used once against a running service. A generator whose language is missing here is named and left out.
 */

/** What a generator's client is given, and what it has to have read when it is done. */
export type Given = { readonly baseUrl: string; readonly key: string; readonly title: string }
export type Seen = { readonly venue: string; readonly task: string }

/** Generates a client in an empty folder and uses it once; undefined where its language is not installed. */
export type Generator = (folder: string, given: Given) => Promise<Seen | undefined>

const generators: Readonly<Record<string, Generator>> = {
  [`hey-api ${heyApiVersion} (TypeScript)`]: heyApiClient,
  [`openapi-python-client ${pythonVersion} (Python)`]: pythonClient,
  [`oapi-codegen ${goVersion} (Go)`]: goClient,
}

/** The document's place in the repository. */
export const documentPath = join(import.meta.dirname, '../../docs/openapi.json')

/** Runs a command and gives what it printed; what it says when it fails goes into the error. */
export const run = async (
  command: string,
  words: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<string> => {
  try {
    const { stdout } = await promisify(execFile)(command, words, { maxBuffer: 1 << 26, ...options })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${words.join(' ')} failed:\n${`${stdout}${stderr}`.slice(-8000)}`)
  }
}

/** Whether a command is installed. */
export const isInstalled = (command: string, ...words: string[]): Promise<boolean> =>
  promisify(execFile)(command, words).then(
    () => true,
    () => false,
  )

const check = async (): Promise<void> => {
  await globalSetup()
  const service = await startService()
  try {
    const { key, slug } = await service.venue()
    for (const [name, generate] of Object.entries(generators)) {
      const folder = await mkdtemp(join(tmpdir(), 'venue-data-client-'))
      try {
        const title = `Made by ${name}`
        const seen = await generate(folder, { baseUrl: service.url, key, title })
        if (seen) assert.deepEqual(seen, { venue: slug, task: title }, name)
        console.log(
          `${name}: ${seen ? 'generated, compiled and used' : 'not tried, its language is not installed'}`,
        )
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    }
  } finally {
    await service.stop()
    await globalTeardown()
  }
}

if (import.meta.main) await check()
