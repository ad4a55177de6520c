import type { Queries } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import { type Moment, toMoment } from '../../kernel/moment.ts'
import type { VenueId } from '../../venue/venue.ts'
import { engineLimits } from './limits.ts'

/*
 * The cast: an event's transaction opens its venue's lane (events/record.ts); a worker picks lanes that are due and
 * holds each for some seconds; after the turn it returns the lane with the moment of the next. A lane that an event
 * opened meanwhile is left as it is. A crash leaves held lanes, which come back by themselves, and at worst a lane
 * that says nothing: the sweep reads the truth, the delivery rows. No statement here waits for a lane: an event's
 * transaction may hold one for long, and the others must go on.
 */

/** A venue whose turn it is, and until when its lane is held. */
export type Lane = { readonly venue_id: VenueId; readonly due_at: Moment }

/** Takes the lanes that were due first; no two workers get the same. */
export const pickLanes = (db: Queries, now: Temporal.Instant): Promise<Lane[]> =>
  db.many(sql({ venue_id: 'int8', due_at: 'timestamptz' })`
    with due as (
      select venue_id from lane where due_at <= ${now}
       order by due_at limit ${engineLimits.lanesOfPick} for update skip locked)
    update lane set due_at = ${now.add({ milliseconds: engineLimits.laneHeldMs })}
      from due where lane.venue_id = due.venue_id
    returning lane.venue_id, lane.due_at`) as Promise<Lane[]>

export type ReturnedLane = {
  readonly lane: Lane
  readonly nextAt: Temporal.Instant
  /** No first try before this; undefined: the venue is within its pace. */
  readonly pacedUntil: Temporal.Instant | undefined
}

/** Gives lanes back after their turn, but those that were opened meanwhile. */
export const returnLanes = (db: Queries, lanes: readonly ReturnedLane[]): Promise<number> =>
  db.run(sql()`
    with mine as (
      select lane.venue_id, r.next_at, r.paced_until
        from lane join unnest(
               ${lanes.map(({ lane }) => lane.venue_id)}::bigint[], ${lanes.map(({ lane }) => lane.due_at)}::timestamptz[],
               ${lanes.map(({ nextAt }) => toMoment(nextAt))}::timestamptz[],
               ${lanes.map(({ pacedUntil }) => (pacedUntil ? toMoment(pacedUntil) : '-infinity'))}::timestamptz[]
             ) as r (venue_id, held_until, next_at, paced_until)
          on lane.venue_id = r.venue_id and lane.due_at = r.held_until
         for update of lane skip locked)
    update lane set due_at = mine.next_at, paced_until = mine.paced_until
      from mine where lane.venue_id = mine.venue_id`)

/** Brings lanes forward that nobody else holds at this moment; makes none. */
export const openLanes = (db: Queries, lanes: ReadonlyMap<VenueId, Temporal.Instant>): Promise<number> =>
  db.run(sql()`
    with free as (
      select lane.venue_id, r.at
        from lane join unnest(${[...lanes.keys()]}::bigint[], ${[...lanes.values()].map(toMoment)}::timestamptz[])
               as r (venue_id, at) on lane.venue_id = r.venue_id
         for update of lane skip locked)
    update lane set due_at = least(lane.due_at, free.at)
      from free where lane.venue_id = free.venue_id`)
