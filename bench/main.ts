import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../server/context.ts'
import { type Demo, makeDemo } from '../server/demo/make-demo.ts'
import { type Beside, measureApi } from './api.ts'
import { type Figure, type GroupTitle, section, withSection } from './report.ts'
import { measureCapacity } from './capacity.ts'
import { measureCli } from './cli.ts'
import { measureCompose } from './compose.ts'
import { measureDoors } from './doors.ts'
import { measureGrowth } from './growth.ts'
import { measureIdle } from './idle.ts'
import { measureMail } from './mail.ts'
import { measureOffice } from './office.ts'
import { measurePages } from './pages.ts'
import { measureReports } from './reports.ts'
import { measureRush, wholeRush } from './rush.ts'
import { measureSdk, measureSize } from './sdk.ts'
import { openSide, startService } from './sides.ts'
import { measureTables } from './tables.ts'
import { measureWaits } from './waits.ts'
import { measureWebhooks } from './webhooks.ts'
import { scriptWords } from '../server/platform/kernel/script-words.ts'

/*
 * `npm run bench`: each figure side by side with its floor, in one run. Service, floors and load generator are
 * processes of their own on one machine, each service with an embedded database. Sides take turns in short rounds, the
 * order turned round each time; a figure is the median of its rounds. `--only` picks cases by name: list, me, book, guest,
 * batch, dry-run, million, find, office, pages, doors, rush, capacity, growth, reports, webhooks, mail, lists, sdk, cli, tables. `--beside FOLDER` names another checkout of
 * this project whose service takes part in the cases of the API, so that a change is measured and not remembered. `--write`
 * puts each group of figures that was measured whole into docs/bench.md, in the place of its earlier ones.
 */

const { values: options } = scriptWords(
  'npm run bench [-- --only list,book --rounds 5 --seconds 3 --rows 1000000 --evenings 1000 --beside FOLDER --write]',
  {
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      only: { type: 'string', default: '' },
      rows: { type: 'string', default: '1000000' },
      evenings: { type: 'string', default: '1000' },
      beside: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  },
)
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
/** Twice the pool, so that both sides are fully loaded. */
const connections = 32
/** Over two turns of the minute, whenever it begins. */
const capacitySeconds = 130
/** All of them; `history` takes minutes to fill its tables. */
const deliveryCases = ['drain', 'tls', 'live', 'dump', 'silent', 'backlog', 'history']

const wanted = (name: string): boolean => options.only === '' || options.only.split(',').includes(name)

const endings: (() => Promise<void>)[] = []
const settingsOfSide = async (): Promise<Record<string, string>> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'venue-data-bench-'))
  endings.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  return { DATA_DIR: dataDir, DEMO: 'off', RATE_LIMIT_PER_MINUTE: '1000000', TRUST_PROXY: '1' }
}
/** On a database of its own, gone afterwards. */
const alone = async <T>(measure: (settings: Record<string, string>) => Promise<T>): Promise<T> => {
  const settings = await settingsOfSide()
  try {
    return await measure(settings)
  } finally {
    await endings.pop()?.()
  }
}
const ours = join(import.meta.dirname, '..')

const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB of memory, ${process.platform} ${process.arch}, Node ${process.versions.node}, embedded PostgreSQL`
const page = join(ours, 'docs', 'bench.md')
const today = Temporal.Now.plainDateISO().toString()

type ProcessorTime = { readonly all: number; readonly stolen: number }

/** CPU ticks since the machine started, and the part that a virtual machine's host gave to others. */
const processorTime = async (): Promise<ProcessorTime> => {
  const ticks = (await readFile('/proc/stat', 'utf8').catch(() => ''))
    .split('\n')[0]
    ?.match(/\d+/g)
    ?.map(Number)
  return { all: (ticks ?? []).slice(0, 8).reduce((sum, one) => sum + one, 0), stolen: ticks?.[7] ?? 0 }
}

const stolenShare = (before: ProcessorTime, after: ProcessorTime): number =>
  (after.stolen - before.stolen) / Math.max(after.all - before.all, 1)

/**
 * Measures a group and prints its figures. With `--write` they replace its earlier ones, unless only some of its cases
 * were requested. If a group fails, this is reported and the others run: a run takes half an hour.
 */
const group = async (
  title: GroupTitle,
  cases: readonly string[],
  measure: () => Promise<Figure[]>,
): Promise<void> => {
  if (!cases.some(wanted)) return
  try {
    const before = await processorTime()
    const figures = await measure()
    const stolen = stolenShare(before, await processorTime())
    const text = section(title, figures, { rounds, seconds, connections, today, stolen })
    console.log(text)
    if (options.write && cases.every(wanted)) {
      await writeFile(page, withSection(await readFile(page, 'utf8'), { title, text, machine }))
    }
  } catch (error) {
    console.error(`${title} was not measured to its end:`, error)
    process.exitCode = 1
  }
}

const demoVenue = async (context: Context): Promise<Demo> => {
  const demo = await makeDemo(context)
  await context.db.session((client) => client.query('analyze'))
  return demo
}

const apiCases = ['list', 'me', 'book', 'guest', 'batch', 'dry-run', 'million', 'find']
try {
  if ([...apiCases, 'office', 'pages', 'doors'].some(wanted)) {
    const settings = await settingsOfSide()
    await (await startService(settings, ours)).stop()
    const beforeStart = performance.now()
    const service = await openSide(settings, ours, endings)
    const secondStart = (performance.now() - beforeStart) / 1000
    await group('The API', apiCases, async () => {
      const before: Beside | undefined =
        options.beside === undefined
          ? undefined
          : await openSide(await settingsOfSide(), options.beside, endings)
      const how = { rounds, seconds, connections, rows: Number(options.rows), wanted }
      return [
        { name: 'second start, seconds until ready', service: secondStart, goal: { most: 2 } },
        ...(await measureApi({ service, before, settings }, how, endings)),
        {
          name: 'resident memory of the service after that load, MB',
          service: (await service.memory()) / 2 ** 20,
          goal: { most: 160 },
        },
      ]
    })
    const demo = ['office', 'doors'].some(wanted) ? await demoVenue(service.context) : undefined
    await group('The office', ['office', 'pages'], async () => [
      ...(demo && wanted('office') ? await measureOffice(service.context, service, demo) : []),
      ...(wanted('pages') ? await measurePages() : []),
    ])
    await group('Guest pages', ['doors'], async () =>
      demo ? measureDoors(service.context, service, demo) : [],
    )
  }
} finally {
  for (const end of endings.toReversed()) await end()
}

// Each on its own database, once the machine has nothing else to do.
await group('Tickets in a rush', ['rush'], () => alone((settings) => measureRush(settings, ours, wholeRush)))
await group('Capacity', ['capacity'], () =>
  alone((settings) => measureCapacity(settings, ours, { venues: [64, 300], seconds: capacitySeconds })),
)
await group('What came after version 1', ['growth'], () =>
  alone((settings) => measureGrowth(settings, ours, { rounds, seconds, rows: Number(options.rows) })),
)
await group('Reports', ['reports'], () =>
  alone((settings) => measureReports(settings, ours, { rows: Number(options.rows) })),
)
await group('Deliveries', ['webhooks'], () => measureWebhooks({ only: deliveryCases }))
await group('Campaigns', ['mail', 'lists'], async () => [
  ...(wanted('mail') ? await measureMail({ list: Number(options.rows) }) : []),
  ...(wanted('lists') ? await measureCompose(Number(options.rows)) : []),
])
await group('Clients', ['sdk', 'cli'], async () => [
  ...(wanted('sdk') ? await alone((settings) => measureSdk(settings, ours, { rounds, seconds })) : []),
  ...(wanted('sdk') ? await measureSize(ours) : []),
  ...(wanted('cli') ? await measureCli(ours, { rounds }) : []),
])
await group('Tables', ['tables'], async () => [
  ...(await measureTables(Number(options.evenings))),
  ...measureWaits(),
  ...measureIdle(),
])
