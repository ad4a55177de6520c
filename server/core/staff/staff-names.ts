import type { Queries } from '../../platform/db/pool.ts'
import type { VenueId } from '../venue/venue.ts'
import { staffOfVenue } from './people.ts'

/** What a member of staff is called among the others: their name, or the part of their address before the @. */
export const nameAmongStaff = ({
  name,
  email,
}: {
  readonly name: string | null
  readonly email: string
}): string => name ?? email.split('@')[0] ?? email

/** What everybody who has or had an account at the venue is called, by account. */
export const namesOfStaff = async (db: Queries, venue: VenueId): Promise<ReadonlyMap<number, string>> =>
  new Map((await staffOfVenue(db, venue)).map((person) => [person.id, nameAmongStaff(person)]))
