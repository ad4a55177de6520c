import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { composeCampaign } from './compose.ts'
import { countPeople } from './count.ts'
import { type CampaignRow, campaign } from '../reads.ts'
import { readSegment } from './segments.ts'
import { campaignCalls, oysters } from '../test/list.ts'

/** Every kind of segment, over people of every class. */
const segments = [
  { type: 'all' },
  { type: 'tag', anyOf: ['Wine', 'Gone'] },
  { type: 'tag', allOf: ['Wine', 'Jazz'] },
  { type: 'tag', noneOf: ['Jazz'] },
  { type: 'birthday', month: 3 },
  { type: 'birthday' },
  { type: 'visited', minVisits: 2 },
  { type: 'visited', withinDays: 60 },
  { type: 'lapsed', notSinceDays: 90 },
  { type: 'ticketBuyers', eventId: 1 },
  { type: 'ticketBuyers', eventId: 999_999 },
  {
    type: 'and',
    of: [
      { type: 'visited', minVisits: 1 },
      { type: 'tag', anyOf: ['Wine'] },
    ],
  },
  { type: 'all', exclude: { ticketHoldersOf: 1, tags: ['Jazz'], mailedWithinDays: 30 } },
  { type: 'all', exclude: { campaigns: [1] } },
]

describe('counting people without building a list', () => {
  let service: TestService
  let venue: TestVenue
  const query = (text: string, values: unknown[] = []) =>
    service.db.session((client) => client.query(text, values))

  before(async () => {
    service = await startService()
    venue = await service.venue()
    const v = venue.id
    await query(
      `insert into subscriber (venue_id, email, email_key, status, source, birth_month, birthday_mails,
         mail_paused_until, created_at, updated_at)
       select ${v}, 'p' || n || '@example.com', 'p' || n || '@example.com',
              (array['subscribed','subscribed','subscribed','pending','unsubscribed'])[1 + n % 5], 'staff', 1 + n % 12,
              n % 7 > 0, case when n % 11 = 0 then timestamptz '2026-12-01' end, '2026-01-01', '2026-01-01'
         from generate_series(1, 900) n`,
    )
    // Letters that no mail relay may be handed.
    await query(
      `insert into subscriber (venue_id, email, email_key, status, source, created_at, updated_at)
       select ${v}, 'jörg' || n || '@example.com', 'jörg' || n || '@example.com', 'subscribed', 'staff', '2026-01-01', '2026-01-01'
         from generate_series(1, 7) n`,
    )
    await query(
      `insert into tag (venue_id, name, name_key) values (${v}, 'Wine', 'wine'), (${v}, 'Jazz', 'jazz')`,
    )
    await query(
      `insert into subscriber_tag select ${v}, s.id, t.id from subscriber s join tag t on t.venue_id = ${v}
        where s.venue_id = ${v} and (t.name = 'Wine' and s.id % 2 = 0 or t.name = 'Jazz' and s.id % 3 = 0)`,
    )
    await query(
      `insert into suppression (venue_id, email_key, reason, created_at)
       select ${v}, 'p' || n || '@example.com', 'bounced', '2026-01-01' from generate_series(5, 900, 17) n`,
    )
    await query(
      `insert into guest (venue_id, name, email, email_key, visit_count, last_visit_date, created_at, updated_at)
       select ${v}, 'Maya', case when n % 9 > 0 then 'p' || n || '@example.com' end,
              case when n % 9 > 0 then 'p' || n || '@example.com' end, n % 5,
              case when n % 5 > 0 then date '2026-10-01' - n % 200 end, '2026-01-01', '2026-01-01'
         from generate_series(1, 1200) n`,
    )
    await query(
      `insert into ticketed_event (venue_id, name, created_at) values (${v}, 'Burgundy', '2026-01-01')`,
    )
    await query(
      `insert into occurrence (venue_id, event_id, date, capacity, price_cents)
       select ${v}, id, '2026-11-01', 500, 100 from ticketed_event where venue_id = ${v}`,
    )
    await query(
      `insert into ticket_order (venue_id, occurrence_id, order_number, status, channel, payment_method, seats,
         subtotal_cents, total_cents, buyer_email, buyer_email_key, created_at, updated_at)
       select ${v}, o.id, 'BD-' || n, (array['paid','refunded','partially_refunded'])[1 + n % 3], 'box_office', 'cash', 1,
              100, 100, 'p' || n * 4 || '@example.com', 'p' || n * 4 || '@example.com', '2026-01-01', '2026-01-01'
         from generate_series(1, 100) n, occurrence o where o.venue_id = ${v}`,
    )
    await query(`insert into mail_settings (venue_id, holdout_pct) values (${v}, 10)`)
    // One campaign that was mailed lately.
    await query(
      `insert into campaign (venue_id, name, subject, status, started_at, finished_at, created_at, updated_at)
       values (${v}, 'Before', 'Before', 'sent', '2026-10-01', '2026-10-01', '2026-10-01', '2026-10-01')`,
    )
    await query(
      `insert into recipient (venue_id, campaign_id, subscriber_id, email_key, state, due_at, ended_at)
       select ${v}, 1, id, email_key, 'sent', '2026-10-01', '2026-10-01' from subscriber
        where venue_id = ${v} and id % 13 = 0`,
    )
  })
  after(() => service.stop())

  for (const json of segments) {
    it(`says what building says: ${JSON.stringify(json)}`, async () => {
      const { body } = await campaignCalls(service, venue).create({ ...oysters, segment: json })
      const { id } = body.campaign
      const row = (await campaign(service.db, venue.id, id)) as CampaignRow
      const counted = await countPeople(service.context, venue as never, row, readSegment(json))
      const nobody = await service.db.session((client) =>
        client.query('select count(*)::int as n from recipient where campaign_id = $1', [id]),
      )
      assert.equal(nobody.rows[0].n, 0, 'counting writes nothing')
      const composed = await composeCampaign(service.context, venue as never, { id, segment: undefined })
      const { recipientsTotal, heldBack, holdoutPct, matched, noEmail, unsubscribed } = composed
      const { suppressed, excludedTicketHolders, matchedKnown, reliable, notes } = composed
      const said = {
        ...{ recipientsTotal, heldBack, holdoutPct, matched, noEmail, unsubscribed },
        ...{ suppressed, excludedTicketHolders, matchedKnown, reliable, notes },
      }
      assert.deepEqual(
        Object.fromEntries(Object.keys(said).map((name) => [name, counted[name as keyof typeof counted]])),
        said,
      )
    })
  }
})
