import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import { type CheckoutRow, checkoutRow } from './checkout-store.ts'

/** One that a key began; undefined also for that of another key. */
export const checkoutOfKey = (
  db: Queries,
  venue: VenueId,
  key: number,
  id: number,
): Promise<CheckoutRow | undefined> =>
  db.maybe(sql(checkoutRow)`
    select ${columnsOf(checkoutRow)} from checkout where venue_id = ${venue} and id = ${id} and key_id = ${key}`)
