import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deliveryStatuses } from '@venue-data/contract/webhooks/logged-delivery.ts'
import type { Statement } from '../../../platform/db/sql.ts'
import { explain } from '../../../test/statements/explain.ts'
import { noting } from '../../../test/statements/noting.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { replay } from './send-again.ts'
import { type LogAsked, attemptsOf, deliveriesOf, deliveryOf } from './reads.ts'

/* The log of an endpoint with very many deliveries: each page uses an index and reads few rows. */

const endpoint = '0190a0a0-0000-7000-8000-000000000001'
const deliveries = 40_000

describe('query plans of the delivery log', () => {
  let service: TestService
  let venue: TestVenue
  const now = Temporal.Instant.from('2026-10-06T19:00:00Z')

  before(async () => {
    service = await startService()
    venue = await service.venue()
    await service.db.session(async (client) => {
      const run = (text: string) => client.query(text, [venue.id, endpoint, deliveries])
      await run(`insert into webhook_endpoint (venue_id, id, kind, url, address, events, secret_sealed, status, key_id, created_at)
        select $1, $2, 'webhook', 'https://x', 'https://x/', '{*}', 'x', 'active', id, now() from api_key, generate_series(1, least($3::int, 1)) n
         where venue_id = $1 limit 1`)
      await run(`insert into event (venue_id, name, names, data, occurred_at, record_kind, record_id, revision, public_id)
        select $1, 'guest.updated', '{guest.updated}', '{}', '2026-10-06T19:00:00Z'::timestamptz - n * interval '1 min', 'guest', n, 1, gen_random_uuid()
          from generate_series(1, $3::int) n where $2::text is not null`)
      await run(`insert into delivery (venue_id, id, event_id, endpoint_id, occurred_at, due_at, tries, done_at, outcome, name)
        select venue_id, gen_random_uuid(), id, $2, occurred_at, occurred_at, 1, occurred_at,
               case when id % 5000 = 0 then 'failed' else 'delivered' end, name
          from event where venue_id = $1 and id <= (select min(id) from event where venue_id = $1) + $3::int - 100`)
      await run(`insert into delivery (venue_id, id, event_id, endpoint_id, occurred_at, due_at, tries, name)
        select venue_id, gen_random_uuid(), id, $2, occurred_at, occurred_at, id % 2, name from event v
         where venue_id = $1 and $3::int > 0 and not exists (select from delivery d where d.venue_id = $1 and d.event_id = v.id)`)
      await run(`insert into attempt (venue_id, delivery_id, token, endpoint_id, started_at, duration_ms, status_code, result)
        select venue_id, id, gen_random_uuid(), $2, done_at, 100, 204, 'ok 204' from delivery
         where venue_id = $1 and done_at is not null and $3::int > 0`)
      await client.query('analyze')
    })
  })
  after(() => service.stop())

  it('pages, single deliveries and replays use indexes under any plan, and read few rows', async () => {
    const seen: Statement<unknown>[] = []
    const db = noting(service.db, (statement) => seen.push(statement))
    const page = (asked: Partial<LogAsked>) =>
      deliveriesOf(db, venue.id, endpoint, { limit: 25, statuses: deliveryStatuses, ...asked }, now)
    const first = await page({})
    assert.equal(first.rows.length, 25)
    const last = await page({ after: ['2026-09-10T00:00:00.000Z', 1], limit: 100 })
    assert.ok(last.rows.length > 0)
    assert.ok((await page({ statuses: ['failed'] })).rows.length > 5)
    await page({ statuses: ['waiting'] })
    const none = await page({ names: ['lead.created'] })
    assert.deepEqual([none.rows, none.next === undefined], [[], false])
    const one = first.rows[0]?.id ?? ''
    await deliveryOf(db, venue.id, endpoint, one, now)
    await attemptsOf(db, venue.id, one)
    const since = now.subtract({ hours: 1 })
    const work = { db: db.within(venue.id), venue, now: () => now } as never
    await replay(work, { kind: 'service' } as never, endpoint, { since, only: 'failed', isPreview: true })

    const reads = seen.filter(({ text }) => /from (?:delivery|attempt)\b/.test(text))
    assert.ok(reads.length >= 8)
    await service.db.session(async (client) => {
      for (const statement of reads) {
        for (const kind of ['force_custom_plan', 'force_generic_plan'] as const) {
          const plan = (
            await explain(client, statement, kind, 'analyze, costs off, timing off, summary off')
          ).join('\n')
          assert.doesNotMatch(plan, /Seq Scan on (?:delivery|event|attempt)/, `${statement.text}\n${plan}`)
          // Filtered by name, the scan stops at its bound; otherwise it reads hardly more than it shows.
          const rows = [...plan.matchAll(/actual rows=(\d+)/g)].map(([, count]) => Number(count))
          const most = statement.text.includes('l.name') || statement.text.includes('offset') ? 10_000 : 202
          assert.ok(Math.max(...rows) <= most, `${statement.text}\n${plan}`)
        }
      }
    })
  })
})
