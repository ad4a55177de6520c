import type { Queries } from '../platform/db/pool.ts'
import { fragment, part } from '../platform/db/sql.ts'
import { idsOfAddress } from '../platform/http/records/contact-ids.ts'
import type { ListAsked } from '../platform/http/lists/list-asked.ts'
import { type ListSource, ofFew, oneOfWords, walked } from '../platform/http/lists/list-page.ts'
import type { VenueId } from '../core/venue/venue.ts'
import { ticketOrderRow } from './order.ts'
import { fromOrders, orderColumns } from './reads.ts'

/** What the list of the API is read from. */
export const listedTicketOrders = async (
  db: Queries,
  venue: VenueId,
  { filters: { status, dateFrom, dateTo, contact, occurrence } }: ListAsked,
): Promise<ListSource<typeof ticketOrderRow>> => ({
  venue,
  kind: 'ticket_order',
  row: ticketOrderRow,
  records: part`
    select ${orderColumns}, t.occurrence_id, o.date as by_date, coalesce(o.start_time, '00:00'::time) as by_time
      ${fromOrders} where t.venue_id = ${venue}`,
  dates: 'date and time',
  ids:
    contact &&
    (await idsOfAddress(
      db,
      venue,
      { table: fragment('ticket_order'), key: fragment('buyer_email_key') },
      contact,
    )),
  where: [
    occurrence !== undefined && ofFew(part`occurrence_id = ${occurrence}`),
    oneOfWords('status', status),
    dateFrom !== undefined && walked('date', part`event_date >= ${dateFrom}`),
    dateTo !== undefined && walked('date', part`event_date <= ${dateTo}`),
  ],
})
