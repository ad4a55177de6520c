import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, fragment, part } from '../../platform/db/sql.ts'
import { idsOfContact } from '../../platform/http/records/contact-ids.ts'
import type { ListAsked } from '../../platform/http/lists/list-asked.ts'
import {
  type ListSource,
  judged,
  ofFew,
  oneOfWords,
  withExternalId,
} from '../../platform/http/lists/list-page.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { leadRow } from './lead.ts'

/** What the list of the API is read from. */
export const listedLeads = async (
  db: Queries,
  venue: VenueId,
  { filters }: ListAsked,
): Promise<ListSource<typeof leadRow>> => {
  const { stage, priority, contact, guest } = filters
  return {
    venue,
    kind: 'lead',
    row: leadRow,
    records: part`select ${columnsOf(leadRow)} from lead where venue_id = ${venue}`,
    ids: contact && (await idsOfContact(db, venue, fragment('lead'), contact)),
    where: [
      guest !== undefined && ofFew(part`guest_id = ${guest}`),
      stage && judged(part`lower(stage) = any(${stage})`),
      oneOfWords('priority', priority),
      withExternalId(filters),
    ],
  }
}
