import type { VenueId } from '../../core/venue/venue.ts'
import type { ListAsked } from '../../platform/http/lists/list-asked.ts'
import { type ListSource, ofFew, oneOfWords, walked } from '../../platform/http/lists/list-page.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { part } from '../../platform/db/sql.ts'
import { visitColumns, visitRow, visitTables } from './visit.ts'

/** What the list of the API is read from; without a date they come as if it were the last of all. */
export const listedVisits = (
  _db: Queries,
  venue: VenueId,
  { filters }: ListAsked,
): ListSource<typeof visitRow> => {
  const { dateFrom, dateTo, guest, table, status } = filters
  return {
    venue,
    kind: 'visit',
    row: visitRow,
    records: part`
    select ${visitColumns(venue)}, r.guest_id as linked_guest,
           coalesce(r.date, 'infinity'::date) as by_date, coalesce(r.time, '00:00'::time) as by_time
      from ${visitTables(venue)} where r.venue_id = ${venue}`,
    dates: 'date and time',
    where: [
      guest !== undefined && ofFew(part`linked_guest = ${guest} and guest_id is not null`),
      oneOfWords('status', status),
      table !== undefined &&
        ofFew(part`id in (
          select t.reservation_id from reservation_table t where t.venue_id = ${venue} and t.table_id = ${table})`),
      dateFrom !== undefined && walked('date', part`by_date >= ${dateFrom} and by_date < 'infinity'`),
      dateTo !== undefined && walked('date', part`by_date <= ${dateTo}`),
    ],
  }
}
