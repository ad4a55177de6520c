import type { Queries } from '../db/pool.ts'
import { columnsOf, fragment, part } from '../db/sql.ts'
import { idsOfContact } from '../http/contact-ids.ts'
import type { ListAsked } from '../http/list-asked.ts'
import type { ListSource } from '../http/list-page.ts'
import type { VenueId } from '../venue/venue.ts'
import { guestRow } from './reads.ts'

/** What the list of the API is read from. */
export const listedGuests = async (
  db: Queries,
  venue: VenueId,
  { filters: { contact } }: ListAsked,
): Promise<ListSource<typeof guestRow>> => ({
  venue,
  kind: 'guest',
  row: guestRow,
  records: part`select ${columnsOf(guestRow)} from guest where venue_id = ${venue}`,
  ids: contact && (await idsOfContact(db, venue, fragment('guest'), contact)),
  where: [],
})
