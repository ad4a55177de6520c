import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, fragment, sql } from '../../../platform/db/sql.ts'
import { later, toMoment } from '../../../platform/kernel/time/moment.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { GIVE_UP_AFTER_HOURS } from '../schedule.ts'
import { engineLimits } from './limits.ts'

/** A pending or in-flight delivery with facts about its endpoint. Null fields: the venue has none. */
const waitingRow = {
  turn: 'int8',
  left_count: 'int4',
  left_oldest: 'timestamptz?',
  /** Of these, the ones that left under late names alone. */
  left_late_count: 'int4',
  left_late_oldest: 'timestamptz?',
  /** Places of the pace reserved for doorbells, if an endpoint subscribes to them. */
  kept_for_rings: 'int4',
  in_flight: 'int4',
  id: 'uuid?',
  event_id: 'int8?',
  tries: 'int4?',
  due_at: 'timestamptz?',
  late: 'bool?',
  /** It is the doorbell, which never waits. */
  ring: 'bool?',
  left_recently: 'bool?',
  endpoint_id: 'uuid?',
  endpoint_in_flight: 'int4?',
  unanswered_count: 'int4?',
  /** It waited while its endpoint was off: it goes alone, in the order it happened. */
  held: 'bool?',
} as const
export type WaitingRow = RowOf<typeof waitingRow>

/** The start of the window in which the venue's pace counts events. */
export const paceSince = (now: Temporal.Instant): Temporal.Instant =>
  later(now, -(engineLimits.paceWindowMs + engineLimits.startWithinMs))

/**
 * Everything the turns of these venues are decided on: for each active endpoint the few deliveries that come first
 * (doorbells; first attempts under original names, under late names, and retries separately), due or not; how many
 * events left within the pace's window; what is in flight. All endpoints use the same order, so that an event that left
 * for one is not behind others for the next. A venue missing from the result has had no turn yet. One statement for
 * all, because the cost is in starting it. Each select names the venues for itself: Citus would otherwise send it to every
 * piece of the tables, wherever the venues are.
 */
export const lookAtVenues = async (
  db: Queries,
  venues: readonly VenueId[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<VenueId, readonly WaitingRow[]>> => {
  const [moment, paced, open] = [toMoment(now), toMoment(paceSince(now)), toMoment(openSince(now))]
  const rows = await db.many(sql({ venue_id: 'int8', ...waitingRow })`
    select t.venue_id, t.number as turn, l.left_count, l.left_oldest, l.left_late_count, l.left_late_oldest,
           case when exists (
             select from webhook_endpoint
              where venue_id = t.venue_id and venue_id = any(${venues}::bigint[]) and events && array['changes.available', 'changes.*'] and status = 'active')
           then greatest(${ringsOfPace} - l.left_rings, 0) else 0 end as kept_for_rings, f.in_flight,
           w.id, w.event_id, w.tries, w.due_at, w.late, w.ring, w.left_recently, w.endpoint_id, w.endpoint_in_flight, w.unanswered_count, w.held
      from delivery_turn t
     cross join lateral (
       select count(*)::int4 as left_count, min(left_at) as left_oldest,
              (count(*) filter (where left_late))::int4 as left_late_count,
              min(left_at) filter (where left_late) as left_late_oldest,
              (count(*) filter (where name = ${doorbell}))::int4 as left_rings
         from event
        where venue_id = t.venue_id and venue_id = any(${venues}::bigint[]) and left_at > ${paced}) l
     cross join lateral (
       select count(*)::int4 as in_flight from delivery
        where venue_id = t.venue_id and venue_id = any(${venues}::bigint[]) and done_at is null and lease_token is not null and due_at > ${moment}) f
      left join lateral (
       select d.id, d.event_id, d.tries, d.due_at, d.late, d.ring, e.id as endpoint_id, e.unanswered_count, b.endpoint_in_flight,
              coalesce(v.left_at > ${paced}, false) as left_recently,
              coalesce(d.occurred_at <= e.resumed_at, false) as held
         from webhook_endpoint e
        cross join lateral (
          (select id, event_id, tries, due_at, late, occurred_at, true as ring from delivery
            where venue_id = e.venue_id and venue_id = any(${venues}::bigint[]) and endpoint_id = e.id and done_at is null and tries = 0
              and name = ${doorbell} and occurred_at > ${open}
            order by event_id limit 1)
          union all
          (select id, event_id, tries, due_at, late, occurred_at, false from delivery
            where venue_id = e.venue_id and venue_id = any(${venues}::bigint[]) and endpoint_id = e.id and done_at is null and tries = 0 and not late
              and occurred_at > ${open}
            order by due_at, event_id limit ${firstOfLook})
          union all
          (select id, event_id, tries, due_at, late, occurred_at, false from delivery
            where venue_id = e.venue_id and venue_id = any(${venues}::bigint[]) and endpoint_id = e.id and done_at is null and tries = 0 and late
              and name is distinct from ${doorbell} and occurred_at > ${open}
            order by due_at, event_id limit ${firstOfLook})
          union all
          (select id, event_id, tries, due_at, late, occurred_at, false from delivery
            where venue_id = e.venue_id and venue_id = any(${venues}::bigint[]) and endpoint_id = e.id and done_at is null and tries > 0
              and occurred_at > ${open}
            order by due_at limit ${retriesOfLook})) d
        cross join lateral (
          select count(*)::int4 as endpoint_in_flight from delivery
           where venue_id = e.venue_id and venue_id = any(${venues}::bigint[]) and endpoint_id = e.id and done_at is null and lease_token is not null
             and due_at > ${moment}) b
         join event v on v.venue_id = e.venue_id and v.venue_id = any(${venues}::bigint[]) and v.id = d.event_id
        where e.venue_id = t.venue_id and e.venue_id = any(${venues}::bigint[]) and e.status = 'active') w on true
     where t.venue_id = any(${venues}::bigint[])`)
  return Map.groupBy(rows, ({ venue_id }) => venue_id as VenueId)
}

/** The same for one venue; no row: it has had no turn yet. */
export const lookAtVenue = async (
  db: Queries,
  venue: VenueId,
  now: Temporal.Instant,
): Promise<readonly WaitingRow[]> => (await lookAtVenues(db, [venue], now)).get(venue) ?? []

const firstOfLook = fragment(String(engineLimits.eventsOfTurn + 1))
const retriesOfLook = fragment(String(engineLimits.retriesOfTurn + 1))
const ringsOfPace = fragment(String(engineLimits.ringsOfPace))
const doorbell = fragment("'changes.available'")

/** Events after this moment may still be sent. */
export const openSince = (now: Temporal.Instant): Temporal.Instant =>
  later(now, -GIVE_UP_AFTER_HOURS * 3_600_000)

/** Before its first turn a venue needs a row to count them in. */
export const startTurns = (db: Queries, venue: VenueId): Promise<number> =>
  db.run(sql()`
    insert into delivery_turn (venue_id, number) values (${venue}, 0) on conflict (venue_id) do nothing`)
