import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { settingNames } from '../server/config.ts'

export const root = join(import.meta.dirname, '..')

/** Runs a command in the repository, shows what it prints and gives it back; its last lines are the error when it fails. */
export const run = async (
  command: string,
  words: readonly string[],
  options: SpawnOptions = {},
): Promise<string> => {
  const child = spawn(command, words, { cwd: root, ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      process.stdout.write(text)
    })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (code !== 0)
    throw new Error(`${[command, ...words].join(' ')} ended with ${code ?? signal}. ${lastOf(said)}`)
  return said
}

/** What the end of an output says, in one line. */
const lastOf = (said: string): string => said.trim().split('\n').slice(-3).join(' ').slice(-300)

/** Does something in a folder that other accounts may read, too, and that is gone afterwards. */
export const inFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'venue-data-release-'))
  try {
    await chmod(folder, 0o755)
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Copies what somebody has who cloned the repository as it is now. */
export const copyTo = async (folder: string): Promise<void> => {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = (await quietly('git', listed)).split('\0').filter((path) => path !== '')
  for (const path of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    // One that was deleted and not committed yet is listed, too.
    await cp(join(root, path), join(folder, path)).catch(() => undefined)
  }
}

/** What a command prints; it is not shown. */
export const quietly = async (command: string, words: readonly string[]): Promise<string> => {
  const child = spawn(command, words, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${command} ended with ${code}.`)
  return said
}

/**
 * The settings of this process, without what the npm that started it says of itself, which names this folder, and without
 * those of a service: what is tried would start on the database of the person who runs it.
 */
export const ownSettings = (settings = process.env): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([name]) =>
        !/^npm_(?!config_)|^npm_config_(?:\w*prefix|npm_version|user_agent|\w*allow_scripts)$|^(?:INIT_CWD|NODE)$/.test(
          name,
        ) && !settingNames.some((one) => one === name),
    ),
  )
