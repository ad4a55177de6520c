import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'

const ticketMailRow = {
  state: 'text',
  made_at: 'timestamptz',
  ended_at: 'timestamptz?',
  answer: 'text?',
} as const
export type TicketMailRow = RowOf<typeof ticketMailRow>

const mostMails = 10

/** The newest mails with an order's tickets, the newest first. */
export const mailsOfOrder = (db: Queries, venue: VenueId, order: number): Promise<TicketMailRow[]> =>
  db.many(sql(ticketMailRow)`
    select ${columnsOf(ticketMailRow)} from guest_mail
     where venue_id = ${venue} and kind = 'tickets' and record_id = ${order}
     order by id desc limit ${mostMails}`)
