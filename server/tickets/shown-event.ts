import type { Queries } from '../platform/db/pool.ts'
import { fragment, sql } from '../platform/db/sql.ts'
import { noted } from '../core/events/note-change.ts'
import type { VenueId } from '../core/venue/venue.ts'

/** Of which orders what they show of their event or date has changed. */
type OrdersOf = { readonly event: number } | { readonly occurrence: number }

/**
 * Notes that orders show another name, day or time; nothing of their own has changed. They are locked in their order:
 * the event and one of its dates may be edited at once.
 */
export const noteShownEvent = (
  db: Queries,
  venue: VenueId,
  of: OrdersOf,
  now: Temporal.Instant,
): Promise<unknown> =>
  noted(
    db,
    venue,
    'ticket_order',
    now,
    db.many(sql({ id: 'int8', revision: 'int4' })`
    with shown as materialized (
      select id from ticket_order
       where venue_id = ${venue} and occurrence_id in (
         select id from occurrence
          where venue_id = ${venue}
            and ${'event' in of ? fragment('event_id') : fragment('id')} = ${'event' in of ? of.event : of.occurrence})
       order by id for no key update)
    update ticket_order t set revision = t.revision + 1
      from shown
     where t.venue_id = ${venue} and t.id = shown.id
    returning t.id, t.revision`),
  )
