import { reservationSources } from '@venue-data/contract/records/reservation.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, fragment, part } from '../../platform/db/sql.ts'
import { idsOfContact } from '../../platform/http/records/contact-ids.ts'
import type { ListAsked } from '../../platform/http/lists/list-asked.ts'
import {
  type ListSource,
  ofFew,
  ofStatusAndSource,
  walked,
  withExternalId,
} from '../../platform/http/lists/list-page.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { reservationRow } from '../day/book-row.ts'

/** What the list of the API is read from; without a date they come as if it were the last of all. */
export const listedReservations = async (
  db: Queries,
  venue: VenueId,
  { filters }: ListAsked,
): Promise<ListSource<typeof reservationRow>> => {
  const { dateFrom, dateTo, contact, guest } = filters
  return {
    venue,
    kind: 'reservation',
    row: reservationRow,
    records: part`
    select ${columnsOf(reservationRow)}, guest_id,
           coalesce(date, 'infinity'::date) as by_date, coalesce(time, '00:00'::time) as by_time
      from reservation where venue_id = ${venue}`,
    dates: 'date and time',
    ids: contact && (await idsOfContact(db, venue, fragment('reservation'), contact)),
    where: [
      guest !== undefined && ofFew(part`guest_id = ${guest}`),
      ...ofStatusAndSource([...reservationSources, 'import'], filters),
      dateFrom !== undefined && walked('date', part`by_date >= ${dateFrom} and by_date < 'infinity'`),
      dateTo !== undefined && walked('date', part`by_date <= ${dateTo}`),
      withExternalId(filters),
    ],
  }
}
