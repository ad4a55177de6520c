import type { VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'

/** What an account at the processor is still needed for: cards that are kept, guests who were asked, and refunds under way. */
export const heldWithProcessor = (
  db: Queries,
  venue: VenueId,
): Promise<{ cards: number; asked: number; refunds: number }> =>
  db.one(sql({ cards: 'int4', asked: 'int4', refunds: 'int4' })`
    select (select count(*)::integer from guarantee where venue_id = ${venue} and customer_ref is not null) as cards,
           (select count(*)::integer from guarantee where venue_id = ${venue} and status = 'asked') as asked,
           (select count(*)::integer from refund where venue_id = ${venue} and state = 'pending' and payment_id is not null) as refunds`)
