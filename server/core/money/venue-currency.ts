import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import { type VenueRow, venueOfId } from '../venue/venues.ts'
import { currencyOf } from './currency.ts'

/** The one currency of a venue: what an owner chose, else that of its country. Undefined: nothing is paid online there yet. */
export const venueCurrency = ({
  country,
  currency,
}: Pick<VenueRow, 'country' | 'currency'>): string | undefined => currency ?? currencyOf(country)

/** The same for who knows the venue's id alone. */
export const currencyOfVenue = async (db: Queries, venue: VenueId): Promise<string | undefined> => {
  const row = await venueOfId(db, venue)
  return row && venueCurrency(row)
}

/** The same for who knows its country. */
export const currencyIn = async (
  db: Queries,
  venue: VenueId,
  country: string,
): Promise<string | undefined> => {
  const row = await db.maybe(sql({ currency: 'text?' })`select currency from venue where id = ${venue}`)
  return row?.currency ?? currencyOf(country)
}
