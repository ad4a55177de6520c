import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { regularVisits } from '../house/rules.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { GuestRow } from './guest.ts'

/** Marks a last visit on an unknown day. */
export const noDay = '0001-01-01'

/**
 * Keeps the list of regulars true after a guest's counters were written. `visitsBefore` spares everybody else a
 * statement. A process of the previous release does not know of the list: the next visit puts right what it left.
 */
export const keepRegular = async (
  db: Queries,
  venue: VenueId,
  { id, visit_count, last_visit_date }: Pick<GuestRow, 'id' | 'visit_count' | 'last_visit_date'>,
  visitsBefore: number,
): Promise<void> => {
  if (visit_count >= regularVisits) {
    await db.run(sql()`
      insert into guest_regular (venue_id, id, visit_count, last_visit_date)
      values (${venue}, ${id}, ${visit_count}, ${last_visit_date ?? noDay})
      on conflict (venue_id, id) do update set
        visit_count = excluded.visit_count, last_visit_date = excluded.last_visit_date`)
  } else if (visitsBefore >= regularVisits) {
    await db.run(sql()`delete from guest_regular where venue_id = ${venue} and id = ${id}`)
  }
}
