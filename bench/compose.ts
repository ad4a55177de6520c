import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cancelCampaign } from '../server/marketing/campaigns/cancel.ts'
import { composeCampaign } from '../server/marketing/campaigns/audience/compose.ts'
import { everyone } from '../server/marketing/campaigns/audience/segments.ts'
import { insertCampaign } from '../server/marketing/campaigns/writes.ts'
import { readConfig } from '../server/config.ts'
import type { Context } from '../server/context.ts'
import { openLog, openProgram } from '../server/program.ts'
import type { Venue, VenueId } from '../server/core/venue/venue.ts'
import { venueOfId } from '../server/core/venue/venues.ts'
import { makeVenue } from './ground.ts'
import type { Figure } from './report.ts'
import { scriptWords } from '../server/platform/kernel/script-words.ts'

/*
 * The cost of building and cancelling a campaign's list, on the embedded database with durable commits. The floor for a
 * first build is a bare `insert .. select` of the same people into the same table, without any checks. To run it alone:
 * `node bench/compose.ts [--list 1000000]`.
 */

const leftOut = { suppressed: 0.0035, left: 0.01, guests: 0.2 }

export const measureCompose = async (people: number): Promise<Figure[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'venue-data-bench-'))
  const settings = { DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: 'warn' }
  const { context, close } = await openProgram(readConfig(settings), 'command', openLog('warn', 'stderr'))
  try {
    return await measure(context, people)
  } finally {
    await close()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

const measure = async (context: Context, people: number): Promise<Figure[]> => {
  const made = await makeVenue(context, 'lists', 0)
  const venue = (await venueOfId(context.db, made.id as VenueId)) as Venue
  const venueId = venue.id
  await fill(context, venue, people)
  const draft = async (): Promise<number> =>
    (
      await context.db.transaction((db) =>
        insertCampaign(db.within(venueId), venueId, words, null, context.clock()),
      )
    ).id
  const compose = (id: number) => composeCampaign(context, venue, { id, segment: undefined })

  const bare = await draft()
  const floor = await secondsOf(() =>
    context.db.session((client) =>
      client.query(
        `insert into recipient (venue_id, campaign_id, subscriber_id, email_key, state, due_at)
         select venue_id, $2, id, email_key, 'waiting', now() from subscriber
          where venue_id = $1 and status = 'subscribed'`,
        [venueId, bare],
      ),
    ),
  )
  const id = await draft()
  const first = await secondsOf(() => compose(id))
  const again = await secondsOf(() => compose(id))
  const { recipientsTotal } = await compose(id)
  await context.db.session((client) =>
    client.query(
      `update campaign set status = 'scheduled', scheduled_at = now() where venue_id = $1 and id = $2`,
      [venueId, id],
    ),
  )
  const cancel = await secondsOf(() => cancelCampaign(context, venue, { kind: 'service' }, id))
  const list = `a list of ${recipientsTotal.toLocaleString('en-US')}`
  return [
    { name: `building ${list}, seconds`, floor, service: first, goalOf: 'figure', goal: { most: 10 } },
    { name: `building it once more, seconds`, service: again, goal: { most: 10 } },
    { name: `cancelling it, seconds`, service: cancel },
  ]
}

const words = {
  name: 'Oyster week',
  subject: 'Oysters all week',
  preheader: '',
  bodyHtml: '<p>Six kinds.</p>',
  bodyText: '',
  bodyFormat: 'guided',
  segment: everyone,
} as const

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1000
}

/** Subscribers, some of whom left or are suppressed, and guests in addition. */
const fill = ({ db }: Context, { id }: Venue, people: number): Promise<void> =>
  db.session(async (client) => {
    await client.query(
      `insert into subscriber (venue_id, email, email_key, first_name, status, source, consent_at, created_at, updated_at)
       select $1, e, e, 'Maya', case when n % 100 < 100 * $3::numeric then 'unsubscribed' else 'subscribed' end,
              'automation', '2026-01-01', '2026-01-01', '2026-01-01'
         from generate_series(1, $2::int) n, lateral (select 'person.' || md5(n::text) || '@example.com') a (e)`,
      [id, people, leftOut.left],
    )
    await client.query(
      `insert into suppression (venue_id, email_key, reason, created_at)
       select venue_id, email_key, 'bounced', '2026-01-01' from subscriber where venue_id = $1 limit $2`,
      [id, Math.round(people * leftOut.suppressed)],
    )
    await client.query(
      `insert into guest (venue_id, name, email, email_key, visit_count, last_visit_date, created_at, updated_at)
       select venue_id, 'Maya', email, email_key, 3, '2026-09-01', '2026-01-01', '2026-01-01'
         from subscriber where venue_id = $1 limit $2`,
      [id, Math.round(people * leftOut.guests)],
    )
    await client.query('vacuum analyze')
  })

if (import.meta.main) {
  const { values } = scriptWords('node bench/compose.ts [--list 1000000]', {
    options: { list: { type: 'string', default: '1000000' } },
  })
  for (const { name, floor, service } of await measureCompose(Number(values.list))) {
    console.log(`${name}: ${service.toFixed(2)}${floor === undefined ? '' : ` (floor ${floor.toFixed(2)})`}`)
  }
}
