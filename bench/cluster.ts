import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../server/config.ts'
import { openLog, openProgram } from '../server/program.ts'
import { startFaultyProxy } from '../server/test/processes/faulty-proxy.ts'
import { type Scene, startProcesses } from './cluster/scene.ts'
import { makeBook } from './cluster/book.ts'
import { tryData } from './cluster/data.ts'
import { tryDeliveries } from './cluster/deliveries.ts'
import { measureLatency } from './cluster/latency.ts'
import { tryMailing } from './cluster/mailing.ts'
import { tryOffice } from './cluster/office.ts'
import { tryFirstHour } from './cluster/first-hour.ts'
import { lookAtTables, meet } from './cluster/tables.ts'
import { misused, scriptWords } from '../server/platform/kernel/script-words.ts'

/*
 * Whether the service works on a given PostgreSQL, or on a Citus cluster through its coordinator: `npm run try:cluster
 * -- postgres://owner@coordinator:5432/venue_data`. The database must be empty; the data stays in it for inspection. A
 * web process and two workers run on it, first as a practice instance, whose webhooks may go to this machine, then as a
 * service that mails through a relay on this machine. The outcome is compared with our own books, one line per check;
 * the exit code is 1 if one failed. Only statements to the database leave this machine.
 */

const usage = 'npm run try:cluster -- postgres://role@coordinator:5432/empty-database [--list 100000]'
const { values, positionals } = scriptWords(usage, {
  options: { list: { type: 'string', default: '100000' } },
  allowPositionals: true,
})
const [address] = positionals
if (address === undefined || !URL.canParse(address)) {
  misused(usage, 'Name the address of a database.')
}

const book = makeBook()
const folder = await mkdtemp(join(tmpdir(), 'venue-data-cluster-'))
const endings: (() => Promise<unknown>)[] = [
  () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
]

/** A practice instance accepts only a local database, so a remote one is reached through a local port. */
const here = async (url: string): Promise<string> => {
  const target = new URL(url)
  if (['127.0.0.1', 'localhost', '[::1]'].includes(target.hostname)) return url
  target.port ||= '5432'
  const proxy = await startFaultyProxy(target.href)
  endings.push(proxy.stop)
  return proxy.url
}

try {
  const settings = {
    DATABASE_URL: await here(address),
    SECRETS: `try:${randomBytes(32).toString('base64')}`,
    DATA_DIR: folder,
    RATE_LIMIT_PER_MINUTE: '1000000',
    POOL_SIZE: '8',
  }
  console.log(await meet(settings.DATABASE_URL))

  const practice = { ...settings, PRACTICE: 'on' }
  const first = await startProcesses(practice)
  endings.push(first.stop)
  const { context, close } = await openProgram(readConfig(practice), 'command', openLog('warn', 'stderr'))
  endings.push(close)
  const scene: Scene = { context, settings: practice, url: first.url }

  await book.step('a web process and two workers start on an empty database', first.ready)
  await book.step('tables', () => lookAtTables(context.db))
  const demo = await tryFirstHour(book, scene)
  await tryDeliveries(book, scene)
  await tryData(book, scene, demo)
  await tryOffice(book, scene, demo)
  await measureLatency(book, scene, Number(values.list))
  await book.step('the processes of the practice instance end in order', first.judge)

  await tryMailing(book, context, settings)
} finally {
  for (const end of endings.toReversed()) await end()
}
console.log(book.verdict())
process.exit(book.failures() === 0 ? 0 : 1)
