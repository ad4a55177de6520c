import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../server/config.ts'
import type { Context } from '../server/context.ts'
import { openLog, openProgram } from '../server/program.ts'
import { makeVenue } from './ground.ts'
import { content, venue as mailVenue } from './mail/content.ts'
import type { SideOrder, SideResult } from './mail/sender-side.ts'
import type { SinkOrder, SinkReport } from './mail/sink.ts'
import type { Figure } from './report.ts'
import { scriptWords } from '../server/platform/kernel/script-words.ts'

/*
 * The cost of sending a campaign. The engine, the sink and PostgreSQL (embedded, durable commits) each run in their own
 * process on one machine. For comparison, nodemailer's own pool, a user's likely alternative, sends to the same sink
 * and records nothing. To run it alone: `node bench/mail.ts [--mails 40000] [--list 1000000]`.
 */

type Side<Order, Result> = {
  readonly ask: (order: Order) => Promise<Result>
  readonly stop: () => Promise<void>
}

export const startSide = async <Order, Result>(
  file: string,
  settings: Record<string, string> = {},
): Promise<Side<Order, Result>> => {
  const child: ChildProcess = fork(join(import.meta.dirname, 'mail', file), {
    env: { ...process.env, ...settings },
    // PROFILE names a folder for a CPU profile of the side under test.
    ...(process.env['PROFILE'] !== undefined &&
      settings['DATA_DIR'] !== undefined && {
        execArgv: ['--cpu-prof', '--cpu-prof-dir', process.env['PROFILE']],
      }),
  })
  await once(child, 'message')
  return {
    ask: async (order) => {
      child.send(order as object)
      const [answer] = (await once(child, 'message')) as [Result & { failed?: string }]
      if (answer.failed) throw new Error(answer.failed)
      return answer
    },
    stop: async () => {
      child.disconnect()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** A due campaign with a list of that many people. */
export const makeDueCampaign = async (context: Context, slug: string, people: number): Promise<number> => {
  const venue = await makeVenue(context, slug, 0)
  return context.db.session(async (client) => {
    await client.query('update venue set postal_address = $2 where id = $1', [
      venue.id,
      mailVenue.postalAddress,
    ])
    await client.query(
      `insert into subscriber (venue_id, email, email_key, first_name, status, source, consent_at, created_at, updated_at)
       select $1, 'guest' || n || '@example.com', 'guest' || n || '@example.com', 'Guest ' || n, 'subscribed', 'import', now(), now(), now()
         from generate_series(1, $2::int) as n`,
      [venue.id, people],
    )
    const { rows } = await client.query<{ id: string }>(
      `insert into campaign (venue_id, name, subject, preheader, body_html, status, scheduled_at, row_count, created_at, updated_at)
       values ($1, 'bench', $2, $3, $4, 'scheduled', now() - interval '1 second', $5, now(), now()) returning id`,
      [venue.id, content.subject, content.preheader, content.bodyHtml, people],
    )
    const id = Number(rows[0]?.id)
    await client.query(
      `insert into recipient (venue_id, campaign_id, subscriber_id, email_key, state, due_at)
       select venue_id, $2, id, email_key, 'waiting', now() - interval '1 second' from subscriber where venue_id = $1`,
      [venue.id, id],
    )
    await client.query('vacuum analyze subscriber')
    await client.query('vacuum analyze recipient')
    return id
  })
}

/** Measures mails; `list` is the length of the long list. */
export const measureMail = async ({
  mails = 40_000,
  list = 1_000_000,
}: { mails?: number; list?: number } = {}): Promise<Figure[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'venue-data-bench-mail-'))
  const settings: Record<string, string> = { DATA_DIR: dataDir, DEMO: 'off', MAIL_FROM: 'hello@example.com' }
  const figures: Figure[] = []
  const endings: (() => Promise<void>)[] = [
    () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }),
  ]
  try {
    const program = await openProgram(readConfig(settings), 'command', openLog('warn', 'stderr'))
    endings.push(program.close)
    const sink = await startSide<SinkOrder, SinkReport>('sink.ts')
    endings.push(sink.stop)
    const { port } = await sink.ask({ kind: 'listen' })
    settings['SMTP_URL'] = `smtp://127.0.0.1:${port}`
    const side = await startSide<SideOrder, SideResult>('sender-side.ts', settings)
    endings.push(side.stop)

    // The first of each only warms up.
    await side.ask({ kind: 'stock', mails: 1_000, connections: 10 })
    await makeDueCampaign(program.context, 'warm', 2_000)
    await side.ask({ kind: 'engine', mails: 2_000 })

    const before = await sink.ask({ kind: 'report' })
    const stock = await side.ask({ kind: 'stock', mails: Math.ceil(mails / 8), connections: 10 })
    await makeDueCampaign(program.context, 'bench', mails)
    const middle = await sink.ask({ kind: 'report' })
    const engine = await side.ask({ kind: 'engine', mails })
    const after = await sink.ask({ kind: 'report' })
    const kilobytes = (one: SinkReport, other: SinkReport): number =>
      (other.bytes - one.bytes) / (other.messages - one.messages) / 1_000
    note(
      `a mail has ${kilobytes(middle, after).toFixed(1)} KB, of the stock pool ${kilobytes(before, middle).toFixed(1)} KB`,
    )
    figures.push(
      {
        name: 'mails per second of one process, personalized, 30 KB, each recorded durably before it leaves, against nodemailer’s pool without records',
        floor: stock.mails / stock.seconds,
        service: engine.mails / engine.seconds,
        goalOf: 'figure',
        goal: { least: 2_000 },
      },
      {
        name: 'the same, mails per CPU-second of the sender',
        floor: stock.mails / stock.cpuSeconds,
        service: engine.mails / engine.cpuSeconds,
        goalOf: 'figure',
        goal: { least: 2_500 },
      },
    )
    if (list > 0) {
      await makeDueCampaign(program.context, 'long', list)
      const part = await side.ask({ kind: 'engine', mails: Math.min(list, mails) })
      figures.push(
        {
          name: `mails per second out of a list of ${list.toLocaleString('en-US')}`,
          service: part.mails / part.seconds,
        },
        {
          name: `resident memory of the sender at a list of ${list.toLocaleString('en-US')}, MB`,
          service: part.rss / 2 ** 20,
          goal: { most: 256 },
        },
      )
    }
  } finally {
    for (const end of endings.toReversed()) await end()
  }
  return figures
}

const note = (sentence: string): void => console.error(sentence)

if (import.meta.main) {
  const { values } = scriptWords('node bench/mail.ts [--mails 40000 --list 1000000]', {
    options: { mails: { type: 'string', default: '40000' }, list: { type: 'string', default: '1000000' } },
  })
  for (const { name, floor, service } of await measureMail({
    mails: Number(values.mails),
    list: Number(values.list),
  })) {
    console.log(
      `${name}: ${service.toFixed(1)}${floor === undefined ? '' : ` (beside it ${floor.toFixed(0)}, ratio ${(service / floor).toFixed(2)})`}`,
    )
  }
}
