import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Beside, measureApi } from './api.ts'
import {
  type Figure,
  aboutCampaigns,
  aboutDeliveries,
  aboutGrowth,
  aboutOthers,
  aboutTheApi,
  aboutTheOffice,
  tables,
} from './report.ts'
import { measureCompose } from './compose.ts'
import { measureGrowth } from './growth.ts'
import { measureMail } from './mail.ts'
import { measureOffice } from './office.ts'
import { measurePages } from './pages.ts'
import { openSide, startService } from './sides.ts'
import { measureWebhooks } from './webhooks.ts'

/*
 * `npm run bench`: each figure side by side with its floor, in one run. Service, floors and load generator are
 * processes of their own on one machine, each service with an embedded database. Sides take turns in short rounds, the
 * order turned round each time; a figure is the median of its rounds. `--only` picks cases by name: list, me, book, guest,
 * batch, dry-run, million, find, office, growth, pages, webhooks, mail, lists. `--beside FOLDER` names another checkout of
 * this project whose service takes part in the cases of the API, so that a change is measured and not remembered. `--write`
 * puts the tables into docs/bench.md.
 */

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    rows: { type: 'string', default: '1000000' },
    beside: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
/** Twice the pool: both sides have as much to do as they can. */
const connections = 32
/** All of them; `history` takes minutes to fill its tables. */
const deliveryCases = ['drain', 'tls', 'live', 'dump', 'silent', 'history']

const wanted = (name: string): boolean => options.only === '' || options.only.split(',').includes(name)

const endings: (() => Promise<void>)[] = []
const settingsOfSide = async (): Promise<Record<string, string>> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'venue-data-bench-'))
  endings.push(() => rm(dataDir, { recursive: true, force: true }))
  return { DATA_DIR: dataDir, DEMO: 'off', RATE_LIMIT_PER_MINUTE: '1000000' }
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

const figures: Figure[] = []
const officeFigures: Figure[] = []
try {
  const settings = await settingsOfSide()
  await (await startService(settings, ours)).stop()
  const beforeStart = performance.now()
  const service = await openSide(settings, ours, endings)
  figures.push({
    name: 'second start, seconds until ready',
    service: (performance.now() - beforeStart) / 1000,
    goal: { most: 2 },
  })
  const before: Beside | undefined =
    options.beside === undefined ? undefined : await openSide(await settingsOfSide(), options.beside, endings)
  const how = { rounds, seconds, connections, rows: Number(options.rows), wanted }
  figures.push(...(await measureApi({ service, before, settings }, how, endings)))
  figures.push({
    name: 'resident memory of the service after that load, MB',
    service: (await service.memory()) / 2 ** 20,
    goal: { most: 160 },
  })
  if (wanted('office')) officeFigures.push(...(await measureOffice(service.context, service)))
} finally {
  for (const end of endings.toReversed()) await end()
}

// Each on a database of its own, once the machine has nothing else to do.
const growth = wanted('growth')
  ? await alone((settings) => measureGrowth(settings, ours, { rounds, seconds, rows: Number(options.rows) }))
  : []
if (wanted('pages')) officeFigures.push(...(await measurePages()))
const deliveries = wanted('webhooks') ? await measureWebhooks({ only: deliveryCases }) : []
const campaigns = [
  ...(wanted('mail') ? await measureMail({ list: Number(options.rows) }) : []),
  ...(wanted('lists') ? await measureCompose(Number(options.rows)) : []),
]

const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB of memory, ${process.platform} ${process.arch}, Node ${process.versions.node}, embedded PostgreSQL`
const how = { machine, rounds, seconds, connections }
const text = tables(
  [
    { title: 'The API', figures, about: aboutTheApi(how) },
    { title: 'What came after version 1', figures: growth, about: aboutGrowth },
    { title: 'The office', figures: officeFigures, about: aboutTheOffice },
    { title: 'Deliveries', figures: deliveries, about: aboutDeliveries },
    { title: 'Campaigns', figures: campaigns, about: aboutCampaigns },
    { title: 'Beside others', figures: [], about: aboutOthers },
  ],
  how,
)
console.log(text)
if (options.write) await writeFile(join(import.meta.dirname, '..', 'docs', 'bench.md'), text)
