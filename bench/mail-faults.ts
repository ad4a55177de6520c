import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMailFaults } from '../server/marketing/campaigns/test/faults/run.ts'
import { startSink } from '../server/marketing/campaigns/test/faults/sink.ts'
import { readConfig } from '../server/config.ts'
import { startEmbedded } from '../server/platform/db/embedded/embedded.ts'
import { openLog, openProgram } from '../server/program.ts'
import { startProcess } from '../server/test/process.ts'
import { sharedSecrets } from '../server/integrations/webhooks/test/faults/run.ts'
import { makeDueCampaign } from './mail.ts'
import { scriptWords } from '../server/platform/kernel/script-words.ts'

/*
 * A campaign under kill -9: the service's real worker processes, two at a time, on one PostgreSQL, and a sink that
 * records what it got. One of them is killed at a random moment, a successor started, and so on. Then the books of the
 * sink, the list and the campaign are compared (server/marketing/campaigns/test/faults/run.ts).
 *
 * `node bench/mail-faults.ts [--kills 100] [--people 50000]`; exit code 1 when the books disagree. The sink answers
 * after `--delay` milliseconds, so that the campaign lasts as long as the kills.
 */

const { values } = scriptWords('node bench/mail-faults.ts [--kills 100 --people 50000 --delay 150]', {
  options: {
    kills: { type: 'string', default: '100' },
    people: { type: 'string', default: '50000' },
    delay: { type: 'string', default: '150' },
  },
})
const people = Number(values.people)
/** The longest gap between two mails that went out, no matter what was killed. */
const mostGapMs = 15_000

const folder = await mkdtemp(join(tmpdir(), 'venue-data-mail-faults-'))
const embedded = await startEmbedded({
  dataDir: join(folder, 'data'),
  role: 'command',
  log: { info: () => undefined, warn: () => undefined, error: console.error },
  // Connections of killed processes linger for some seconds.
  flags: { max_connections: '300' },
})
const sink = await startSink(Number(values.delay))
const settings = {
  DATABASE_URL: embedded.url,
  SECRETS: sharedSecrets(),
  SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
  MAIL_FROM: 'hello@example.com',
  LOG_LEVEL: 'silent',
  POOL_SIZE: '8',
  DATA_DIR: folder,
  // As in `npm start`: successors start sooner.
  NODE_COMPILE_CACHE: join(folder, 'compile'),
}
const { context, close } = await openProgram(readConfig(settings), 'command', openLog('silent', 'stderr'))
try {
  const campaign = await makeDueCampaign(context, 'faults', people)
  const { problems, figures } = await runMailFaults({
    db: context.db,
    sink,
    campaign,
    people,
    kills: Number(values.kills),
    killAfterMs: [20, 900],
    start: () => startProcess({ ...settings, ROLE: 'worker' }),
    processes: 2,
  })
  const { longestGapMs = Infinity } = figures
  if (longestGapMs > mostGapMs) problems.push(`nothing was sent for ${longestGapMs} ms`)
  console.log(
    `${problems.length === 0 ? 'The books agree' : 'THE BOOKS DISAGREE'}: ${JSON.stringify(figures)}`,
  )
  for (const problem of problems) console.log(`  ${problem}`)
  if (problems.length > 0) process.exitCode = 1
} finally {
  await close()
  await sink.stop()
  await embedded.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
