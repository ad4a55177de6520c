import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, statSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { type Sources, importsOf, readSources, sourceFolders } from '../tree/imports.ts'
import { testsAt } from './asked.ts'
import { compiledSources, patience, patienceSetting } from '../patience.ts'
import { globalSetup, globalTeardown } from './setup.ts'
import { scriptWords } from '../../platform/kernel/script-words.ts'

/*
 * Runs tests: `npm test` all of them, `npm test -- PATH …` those of a file (its name alone will do) or folder, `--unit` those that need no
 * database. One PostgreSQL serves a run; the files are shared out among a few processes, each
 * of which runs many files, since starting a process for every file would cost more than most files take.
 */

const { values: flags, positionals: paths } = scriptWords(
  'npm test [-- FILE-OR-FOLDER… | --unit | --browser | --conformance | --connectors]',
  {
    options: {
      unit: { type: 'boolean', default: false },
      /** Journeys through a browser, instead of the tests next to the code. */
      browser: { type: 'boolean', default: false },
      /** The conformance suite as a whole, and all mutants it has to catch. */
      conformance: { type: 'boolean', default: false },
      /** What runs in the tools that connectors/ is for, which are installed by `npm run check:connectors`. */
      connectors: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  },
)

const everyFile = flags.browser
  ? globSync('server/test/browser/**/*.journey.ts')
  : flags.conformance
    ? globSync('conformance/test/*.check.ts')
    : flags.connectors
      ? globSync('connectors/test/*.check.ts')
      : globSync(`${sourceFolders}/**/*.test.ts`, { exclude: ['**/node_modules/**'] })

const missing = paths.filter((path) => testsAt(path, everyFile).length === 0)
const asked = new Set(paths.length === 0 ? everyFile : paths.flatMap((path) => testsAt(path, everyFile)))

/** Files from which a test reaches a database. */
const databases = new Set(['server/test/database.ts', 'server/platform/db/embedded/embedded.ts'])

/** Whether a test reaches a database by its imports, or by those of what it imports. */
const needsDatabase = (sources: Sources, file: string, seen = new Set<string>()): boolean => {
  if (databases.has(file)) return true
  if (seen.has(file)) return false
  seen.add(file)
  return importsOf(file, sources.get(file) ?? '').some(
    (one) => !one.isPackage && !one.typesOnly && needsDatabase(sources, one.to, seen),
  )
}

const sources = readSources()
const withDatabase = new Set(everyFile.filter((file) => needsDatabase(sources, file)))
const files = everyFile.filter((file) => asked.has(file) && !(flags.unit && withDatabase.has(file)))

/**
 * Shares a process gets through one after the other. Each is a process of its own, which loads the service again and keeps
 * what its tests made: journeys are few, and shares of more files save them a tenth of their work.
 */
const sharesPerProcess = flags.browser ? 5 : 8

/** Short to read and long to run: begun first, so that it does not end alone. */
const longest = 'server/test/browser/office/every-page.journey.ts'

/**
 * The files in shares by the amount of their text, which goes roughly with the time they take: the first is the largest and
 * each a step smaller than the one before, so that the last end all processes at about the same time.
 */
const shareOut = (files: readonly string[], most: number): string[][] => {
  const sized = files
    .map((file) => ({ file, bytes: file === longest ? Infinity : statSync(file).size }))
    .toSorted((a, b) => b.bytes - a.bytes)
  if (sized.length <= most) return sized.map(({ file }) => [file])
  const shares = Array.from({ length: most }, (_, at) => ({
    room: most - at,
    bytes: 0,
    files: [] as string[],
  }))
  for (const { file, bytes } of sized) {
    const fullWith = (share: (typeof shares)[number]): number => (share.bytes + bytes) / share.room
    const emptiest = shares.reduce((least, share) => (fullWith(share) < fullWith(least) ? share : least))
    emptiest.files.push(file)
    emptiest.bytes += bytes
  }
  return shares.map((share) => share.files).filter((share) => share.length > 0)
}

/*
 * Databases are made and thrown away by the hundred. In memory that takes a fifth of the time, where the system has
 * such a folder with room, and TMPDIR names no other.
 */
const memory = { folder: '/dev/shm', leastBytes: 4 * 2 ** 30 }
const freeBytes = (folder: string): number => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}
if (freeBytes(memory.folder) >= memory.leastBytes) process.env['TMPDIR'] ??= memory.folder

/** What is still to be run, and the processes that run the rest. */
const shares: string[][] = []
const running = new Set<ChildProcess>()

// What is interrupted ends in order: no database is left running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.error(`Interrupted by ${signal}: the rest is not run.`)
    shares.length = 0
    for (const child of running) child.kill()
  })
}

/** What takes longer hangs: ten minutes, more on a slow machine, half an hour on any. */
const hangMs = (): number => Math.round(Math.min(75 * patience.ms(), 1_800_000))

type Outcome = {
  readonly failed: boolean
  readonly totals: ReadonlyMap<string, number>
  /** What failed, each test with its error. */
  readonly failures: string
}

/** How long a process may take to end once its tests have: one that left something running would never. */
const endMs = 20_000

/** A line of the totals with which the runner's report ends. */
const totalLine = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)$/

/** The line after the totals under which the runner's report repeats what failed. */
const failuresLine = '✖ failing tests:'

/**
 * Runs files in one process; its report appears whole when it ends, or as it goes when it is the only one. What failed is
 * held back: it is wanted at the very end, where the reports of other processes do not follow it.
 */
const runFiles = (files: readonly string[], live: boolean): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--test', '--test-isolation=none', `--test-timeout=${hangMs()}`, '--test-reporter=spec', ...files],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, ...compiledSources },
      },
    )
    const totals = new Map<string, number>()
    let held = ''
    let failures = ''
    let unread = ''
    let ending: NodeJS.Timeout | undefined
    const take = (line: string): void => {
      const total = totalLine.exec(line)
      if (total) {
        totals.set(total[1] as string, Number(total[2]))
        ending ??= setTimeout(() => {
          console.error(`These tests left something running: ${files.join(' ')}`)
          child.kill()
        }, endMs)
      } else if (failures !== '' || line === failuresLine) failures += `${line}\n`
      else if (live) process.stdout.write(`${line}\n`)
      else held += `${line}\n`
    }
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (text: string) => {
      const lines = (unread + text).split('\n')
      unread = lines.pop() as string
      for (const line of lines) take(line)
    })
    child.on('error', reject)
    running.add(child)
    child.on('close', (code) => {
      clearTimeout(ending)
      running.delete(child)
      if (unread !== '') take(unread)
      process.stdout.write(held)
      resolve({ failed: code !== 0, totals, failures })
    })
  })

const main = async (): Promise<boolean> => {
  if (missing.length > 0 || files.length === 0) {
    console.error(`No test lies under ${(missing.length > 0 ? missing : paths).join(', ')}.`)
    return false
  }
  const started = performance.now()
  // One more than there are cores: what starts services and kills them waits half of its time.
  const processes = Math.min(availableParallelism() + 1, files.length)
  shares.push(...shareOut(files, processes * sharesPerProcess))
  const outcomes: Outcome[] = []
  const workThrough = async (): Promise<void> => {
    for (let share = shares.shift(); share; share = shares.shift()) {
      outcomes.push(await runFiles(share, processes === 1))
    }
  }
  const isDatabaseNeeded = files.some((file) => withDatabase.has(file))
  // Tests measured while the database starts get that much more time.
  await Promise.all([
    isDatabaseNeeded && globalSetup(),
    patience.measure().then((ms) => (process.env[patienceSetting] = String(ms))),
  ])
  try {
    await Promise.all(Array.from({ length: processes }, workThrough))
  } finally {
    if (isDatabaseNeeded) await globalTeardown()
  }
  for (const { failures } of outcomes) if (failures !== '') console.log(failures)
  for (const name of ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo']) {
    const sum = outcomes.reduce((sum, { totals }) => sum + (totals.get(name) ?? 0), 0)
    console.log(`ℹ ${name} ${sum}`)
  }
  console.log(`ℹ duration_ms ${Math.round(performance.now() - started)}`)
  return outcomes.every(({ failed, totals }) => !failed && totals.has('tests'))
}

process.exitCode = (await main()) ? 0 : 1
