import type { Queries } from '../../db/pool.ts'
import { type RowOf, fragment, sql } from '../../db/sql.ts'
import type { VenueId } from '../../venue/venue.ts'
import { giveUpAt } from '../schedule.ts'
import { engineLimits } from './limits.ts'

/** A delivery that waits or is under way, with what is known of its endpoint. Null fields: the venue has none. */
const waitingRow = {
  turn: 'int8',
  left_count: 'int4',
  left_oldest: 'timestamptz?',
  in_flight: 'int4',
  id: 'uuid?',
  event_id: 'int8?',
  tries: 'int4?',
  due_at: 'timestamptz?',
  left_recently: 'bool?',
  endpoint_id: 'uuid?',
  endpoint_in_flight: 'int4?',
  unanswered_count: 'int4?',
} as const
export type WaitingRow = RowOf<typeof waitingRow>

/** Since when the venue's pace counts the events that left. */
export const paceSince = (now: Temporal.Instant): Temporal.Instant =>
  now.subtract({ milliseconds: engineLimits.paceWindowMs + engineLimits.startWithinMs })

/**
 * All that a turn is decided on: for each active endpoint the few deliveries that come first, first tries and
 * retries apart, whether due or not; how many events left within the pace's window; what is in flight. No row at all:
 * the venue has had no turn yet. It is asked at every turn, so each value is sent once ($1 to $4).
 */
export const lookAtVenue = (db: Queries, venue: VenueId, now: Temporal.Instant): Promise<WaitingRow[]> =>
  db.many(sql(waitingRow)`
    select t.number as turn, l.left_count, l.left_oldest, f.in_flight, w.id, w.event_id, w.tries, w.due_at,
           w.left_recently, w.endpoint_id, w.endpoint_in_flight, w.unanswered_count
      from delivery_turn t
     cross join lateral (
       select count(*)::int4 as left_count, min(left_at) as left_oldest from event
        where venue_id = ${venue} and left_at > ${paceSince(now)}::timestamptz) l
     cross join lateral (
       select count(*)::int4 as in_flight from delivery
        where venue_id = $1 and done_at is null and lease_token is not null and due_at > ${now}::timestamptz) f
      left join lateral (
       select d.id, d.event_id, d.tries, d.due_at, e.id as endpoint_id, e.unanswered_count, b.endpoint_in_flight,
              coalesce(v.left_at > $2::timestamptz, false) as left_recently
         from webhook_endpoint e
        cross join lateral (
          (select id, event_id, tries, due_at from delivery
            where venue_id = $1 and endpoint_id = e.id and done_at is null and tries = 0
              and occurred_at > ${openSince(now)}::timestamptz
            order by due_at limit ${firstOfLook})
          union all
          (select id, event_id, tries, due_at from delivery
            where venue_id = $1 and endpoint_id = e.id and done_at is null and tries > 0
              and occurred_at > $4::timestamptz
            order by due_at limit ${retriesOfLook})) d
        cross join lateral (
          select count(*)::int4 as endpoint_in_flight from delivery
           where venue_id = $1 and endpoint_id = e.id and done_at is null and lease_token is not null
             and due_at > $3::timestamptz) b
         join event v on v.venue_id = $1 and v.id = d.event_id
        where e.venue_id = $1 and e.status = 'active') w on true
     where t.venue_id = $1`)

const firstOfLook = fragment(String(engineLimits.eventsOfTurn + 1))
const retriesOfLook = fragment(String(engineLimits.retriesOfTurn + 1))

/** Events that happened after this may still be sent. */
export const openSince = (now: Temporal.Instant): Temporal.Instant => now.subtract(giveUpAt(now).since(now))

/** Before its first turn a venue needs a row to count them in. */
export const startTurns = (db: Queries, venue: VenueId): Promise<number> =>
  db.run(sql()`
    insert into delivery_turn (venue_id, number) values (${venue}, 0) on conflict (venue_id) do nothing`)
