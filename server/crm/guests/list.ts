import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, fragment, part, sql } from '../../platform/db/sql.ts'
import { idsOfContact } from '../../platform/http/records/contact-ids.ts'
import type { ListAsked } from '../../platform/http/lists/list-asked.ts'
import { type ListSource, withExternalId } from '../../platform/http/lists/list-page.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { guestRow } from './guest.ts'

/** What the list of the API is read from. */
export const listedGuests = async (
  db: Queries,
  venue: VenueId,
  { filters }: ListAsked,
): Promise<ListSource<typeof guestRow>> => {
  const { contact, reservation, lead } = filters
  return {
    venue,
    kind: 'guest',
    row: guestRow,
    records: part`select ${columnsOf(guestRow)} from guest where venue_id = ${venue}`,
    ids: among([
      contact && (await idsOfContact(db, venue, fragment('guest'), contact)),
      reservation === undefined ? undefined : await guestOf(db, venue, 'reservation', reservation),
      lead === undefined ? undefined : await guestOf(db, venue, 'lead', lead),
    ]),
    where: [withExternalId(filters)],
  }
}

/** Whose a record is; nobody's where it is linked to no guest, or is not there. */
const guestOf = async (
  db: Queries,
  venue: VenueId,
  table: 'reservation' | 'lead',
  id: number,
): Promise<number[]> => {
  const found = await db.maybe(sql({ guest_id: 'int8?' })`
    select guest_id from ${fragment(table)} where venue_id = ${venue} and id = ${id}`)
  return typeof found?.guest_id === 'number' ? [found.guest_id] : []
}

/** What all of the lookups found that were asked for. */
const among = (found: readonly (readonly number[] | undefined)[]): readonly number[] | undefined => {
  const [first, ...others] = found.filter((ids) => ids !== undefined)
  return first?.filter((id) => others.every((ids) => ids.includes(id)))
}
