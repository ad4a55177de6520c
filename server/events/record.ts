import type { EventData, EventName } from '@venue-data/contract/events.ts'
import type { Work } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

/*
 * The outbox. Cast: whoever changes a record calls `recordEvent` in the transaction of the change, so the event
 * and its deliveries are there exactly if the change is; the delivery engine (webhooks/engine) sends them. The
 * lane only tells the engine where to look: it is local and may be lost in a crash, the delivery rows are the
 * truth. Only endpoints that existed when the event happened get it; those of a disabled one are held.
 */

/** Records that something happened. The record's bytes are fixed here: every try sends exactly these. */
export const recordEvent = async <Name extends EventName>(
  { db, venue, earliestSend }: Pick<Work, 'db' | 'venue' | 'earliestSend'>,
  name: Name,
  data: EventData[Name],
  occurredAt: Temporal.Instant,
): Promise<void> => {
  const [{ id }, endpoints] = await Promise.all([
    db.one(sql({ id: 'int8' })`
      insert into event (venue_id, name, data, occurred_at)
      values (${venue.id}, ${name}, ${JSON.stringify(data)}, ${occurredAt})
      returning id`),
    endpointsOf(db, venue.id, name, occurredAt),
  ])
  if (endpoints.length === 0) return
  const dueAt = earliestSend?.() ?? occurredAt
  await Promise.all([
    ...endpoints.map((endpoint) => insertDelivery(db, venue.id, id, endpoint.id, occurredAt, dueAt)),
    openLane(db, venue.id, dueAt),
  ])
}

/** Endpoints that were there when it happened and may receive again; what is off for good gets nothing. */
const endpointsOf = (db: Queries, venue: VenueId, name: EventName, occurredAt: Temporal.Instant) =>
  db.many(sql({ id: 'uuid' })`
    select id from webhook_endpoint
     where venue_id = ${venue} and ${name} = any(events) and created_at <= ${occurredAt}
       and coalesce(disabled_reason, '') not in ('key-revoked', 'access-withdrawn')
     order by id`)

const insertDelivery = (
  db: Queries,
  venue: VenueId,
  event: number,
  endpoint: string,
  occurredAt: Temporal.Instant,
  dueAt: Temporal.Instant,
) =>
  db.run(sql()`
    insert into delivery (venue_id, id, event_id, endpoint_id, occurred_at, due_at)
    values (${venue}, gen_random_uuid(), ${event}, ${endpoint}, ${occurredAt}, ${dueAt})`)

/**
 * A venue over its pace has no first try before the pace allows: its lane is not opened earlier. A worker that has the
 * lane now gives it back for the moment it was opened for, or an earlier one.
 */
export const openLane = (db: Queries, venue: VenueId, dueAt: Temporal.Instant) =>
  db.run(sql()`
    insert into lane (venue_id, due_at) values (${venue}, ${dueAt})
    on conflict (venue_id) do update
      set due_at = least(lane.due_at, greatest(excluded.due_at, lane.paced_until)),
          opened_for = least(lane.opened_for, greatest(excluded.due_at, lane.paced_until))`)
