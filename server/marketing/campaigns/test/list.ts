import { sql } from '../../../platform/db/sql.ts'
import type { Answer, TestService, TestVenue } from '../../../test/service.ts'

/* Makers for the tests of campaigns: people on a venue's mail list, and calls in the contract's words. */

/** A number of subscribers, `p1@example.com` and so on, with any status. */
export const subscribe = async (
  { db }: Pick<TestService, 'db'>,
  venue: TestVenue,
  count: number,
  { status = 'subscribed', prefix = 'p' }: { status?: string; prefix?: string } = {},
): Promise<void> => {
  await db.session((client) =>
    client.query(
      `insert into subscriber (venue_id, email, email_key, first_name, status, source, consent_at, created_at, updated_at)
       select $1, $3 || n || '@example.com', $3 || n || '@example.com', 'Maya', $4, 'automation',
              '2026-01-01', '2026-01-01', '2026-01-01' from generate_series(1, $2::int) n`,
      [venue.id, count, prefix, status],
    ),
  )
}

export const saveTestAddresses = (
  { db }: Pick<TestService, 'db'>,
  venue: TestVenue,
  addresses: readonly string[] = ['test@example.com'],
): Promise<number> =>
  db.run(sql()`
    update venue set test_addresses = ${addresses}, postal_address = '12 Harbor St, Portland, ME'
     where id = ${venue.id}`)

export const campaignCalls = ({ call }: Pick<TestService, 'call'>, venue: TestVenue) => {
  const post =
    (path: string) =>
    (body: object): Promise<Answer> =>
      call('POST', `/api/v1/campaigns${path}`, { key: venue.key, body })
  return {
    create: post(''),
    compose: post('/compose'),
    test: post('/test'),
    send: post('/send'),
    cancel: post('/cancel'),
  }
}

export const oysters = {
  name: 'October oyster week',
  subject: 'Oysters all week, {{firstName|friends}}',
  bodyHtml: '<h1>Oyster week</h1><p>Six kinds, from Tuesday to Sunday.</p>',
}

/** An event for which tickets are sold, and one date of it. */
export const addTicketedEvent = (
  { db }: Pick<TestService, 'db'>,
  venue: TestVenue,
): Promise<{ event: number; occurrence: number }> =>
  db.session(async (client) => {
    const event = await client.query<{ id: string }>(
      `insert into ticketed_event (venue_id, name, created_at) values ($1, 'Wine night', '2026-01-01') returning id`,
      [venue.id],
    )
    const occurrence = await client.query<{ id: string }>(
      `insert into occurrence (venue_id, event_id, date, capacity, price_cents)
       values ($1, $2, '2026-11-01', 50, 2500) returning id`,
      [venue.id, event.rows[0]?.id],
    )
    return { event: Number(event.rows[0]?.id), occurrence: Number(occurrence.rows[0]?.id) }
  })
