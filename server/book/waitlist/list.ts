import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, fragment, part } from '../../platform/db/sql.ts'
import { idsOfContact } from '../../platform/http/records/contact-ids.ts'
import type { ListAsked } from '../../platform/http/lists/list-asked.ts'
import { type ListSource, judged, withExternalId } from '../../platform/http/lists/list-page.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { waitlistRow } from '../day/entry-row.ts'

/** What the list of the API is read from. */
export const listedWaitlistEntries = async (
  db: Queries,
  venue: VenueId,
  { filters }: ListAsked,
): Promise<ListSource<typeof waitlistRow>> => {
  const { status, dateFrom, dateTo, contact } = filters
  return {
    venue,
    kind: 'waitlist_entry',
    row: waitlistRow,
    records: part`select ${columnsOf(waitlistRow)} from waitlist_entry where venue_id = ${venue}`,
    ids: contact && (await idsOfContact(db, venue, fragment('waitlist_entry'), contact)),
    where: [
      status && judged(part`status = any(${status})`),
      dateFrom !== undefined && judged(part`date >= ${dateFrom}`),
      dateTo !== undefined && judged(part`date <= ${dateTo}`),
      withExternalId(filters),
    ],
  }
}
