import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { makePrivateToken } from '../../mail/link-token.ts'

/* What else an order has, for the buyer behind its private link. None of it is public. */

const ownOrderRow = {
  id: 'int8',
  language: 'text?',
  link_issue: 'int4',
  is_erased: 'bool',
} as const
export type OwnOrderRow = RowOf<typeof ownOrderRow>

export const ownOrder = (db: Queries, venue: VenueId, order: number): Promise<OwnOrderRow | undefined> =>
  db.maybe(sql(ownOrderRow)`
    select id, language, link_issue, erased_at is not null as is_erased from ticket_order
     where venue_id = ${venue} and id = ${order}`)

/** The private link of an order's buyer. Whoever has it has the tickets: it goes to the buyer and to nobody else. */
export const orderLink = (
  { config, secrets }: Pick<Context, 'config' | 'secrets'>,
  venue: VenueId,
  { id: record, link_issue: issue }: Pick<OwnOrderRow, 'id' | 'link_issue'>,
): string => `${config.publicUrl}/o/${makePrivateToken(secrets, 'order', { venue, record, issue })}`

/** Ends the link there is: only the next one leads to the order. */
export const newOrderLink = (db: Queries, venue: VenueId, order: number): Promise<number> =>
  db.run(sql()`
    update ticket_order set link_issue = link_issue + 1 where venue_id = ${venue} and id = ${order}`)

/** Notes that the mail was asked for again; false within ten minutes of the last time. */
export const markTicketsResent = async (
  db: Queries,
  venue: VenueId,
  order: number,
  now: Temporal.Instant,
): Promise<boolean> =>
  (await db.run(sql()`
    update ticket_order set resent_at = ${now}
     where venue_id = ${venue} and id = ${order}
       and (resent_at is null or resent_at <= ${now.subtract({ minutes: 10 })})`)) === 1
