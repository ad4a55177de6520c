import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { later, toInstant, toMoment } from '../../../platform/kernel/time/moment.ts'
import { type VenueId, isApiOpen } from '../../../core/venue/venue.ts'
import { engineLimits } from './limits.ts'

/*
 * The cast: an event's transaction opens its venue's lane (core/events/record.ts). A worker picks due lanes and holds each
 * for some seconds. After the turn it returns the lane with the time of the next turn, or the time it was opened for in
 * the meantime, if that is earlier. A lane that another worker has since picked is not returned: that worker knows
 * more. A crash leaves held lanes, which come back on their own, and at worst a lane that says nothing; the sweep reads
 * the truth, the delivery rows. No statement here waits for a lane, so none can block another, in any order of their
 * venues: an event's transaction may hold one for long, and another worker's statement holds many for a moment. Lanes
 * that were locked are reported to the caller, who retries (hints.ts).
 */

/** A venue whose turn it is; `isOpen`: whether its plan and account allowed the API when it was picked. */
export type Lane = {
  readonly venue_id: VenueId
  readonly picks: number
  /** Part of every body of the venue; never changes. */
  readonly slug: string
  readonly isOpen: boolean
}

/** A lane outlives its venue until the sweep; until then the other fields are null. */
const pickedRow = {
  venue_id: 'int8',
  picks: 'int8',
  slug: 'text?',
  plan: 'text?',
  paused: 'bool?',
} as const

/** Takes the lanes that have been due longest; no two workers get the same one. */
export const pickLanes = async (db: Queries, now: Temporal.Instant): Promise<Lane[]> => {
  const rows = await db.many(sql(pickedRow)`
    with due as (
      select venue_id from lane where due_at <= ${now}
       order by due_at limit ${engineLimits.lanesOfPick} for update skip locked)
    update lane
       set due_at = ${toMoment(later(now, engineLimits.laneHeldMs))}, picks = picks + 1, opened_for = 'infinity'
      from due left join venue v on v.id = due.venue_id
     where lane.venue_id = due.venue_id
    returning lane.venue_id, lane.picks, v.slug, v.plan, v.paused`)
  return rows.map(({ venue_id, picks, slug, plan, paused }) => ({
    venue_id: venue_id as VenueId,
    picks,
    slug: slug ?? '',
    isOpen: plan !== null && paused !== null && isApiOpen({ plan, paused }),
  }))
}

/** Whether a lane is due and not taken. */
export const isLaneDue = async (db: Queries, now: Temporal.Instant): Promise<boolean> =>
  (await db.one(sql({ is_due: 'bool' })`select exists (select from lane where due_at <= ${now}) as is_due`))
    .is_due

/** When the next lane becomes due; undefined: never. */
export const nextLane = async (db: Queries, now: Temporal.Instant): Promise<Temporal.Instant | undefined> => {
  const { at } = await db.one(
    sql({ at: 'timestamptz?' })`select min(due_at) as at from lane where due_at > ${now}`,
  )
  return at === null ? undefined : toInstant(at)
}

export type ReturnedLane = {
  readonly lane: Lane
  readonly nextAt: Temporal.Instant
  /** No first attempt before this; undefined: the venue is within its pace. */
  readonly pacedUntil: Temporal.Instant | undefined
}

/** Gives lanes back after their turn, except those picked again. Returns the ones that were locked. */
export const returnLanes = (db: Queries, lanes: readonly ReturnedLane[]): Promise<VenueId[]> =>
  venuesOf(
    db.many(sql({ venue_id: 'int8' })`
    with asked as (
      select * from unnest(
        ${lanes.map(({ lane }) => lane.venue_id)}::bigint[], ${lanes.map(({ lane }) => lane.picks)}::bigint[],
        ${lanes.map(({ nextAt }) => toMoment(nextAt))}::timestamptz[],
        ${lanes.map(({ pacedUntil }) => (pacedUntil ? toMoment(pacedUntil) : '-infinity'))}::timestamptz[]
      ) as a (venue_id, picks, next_at, paced_until)),
    free as (
      select lane.venue_id, a.next_at, a.paced_until
        from lane join asked a on lane.venue_id = a.venue_id and lane.picks = a.picks
         for update of lane skip locked),
    written as (
      update lane set due_at = least(free.next_at, lane.opened_for), paced_until = free.paced_until
        from free where lane.venue_id = free.venue_id)
    select a.venue_id from asked a join lane on lane.venue_id = a.venue_id and lane.picks = a.picks
     where a.venue_id not in (select venue_id from free)`),
  )

/** Moves lanes to an earlier time; creates none. Returns the ones that were locked. */
export const openLanes = (db: Queries, lanes: ReadonlyMap<VenueId, Temporal.Instant>): Promise<VenueId[]> =>
  venuesOf(
    db.many(sql({ venue_id: 'int8' })`
    with asked as (
      select * from unnest(${[...lanes.keys()]}::bigint[], ${[...lanes.values()].map(toMoment)}::timestamptz[])
          as a (venue_id, at)),
    free as (
      select lane.venue_id, a.at from lane join asked a on lane.venue_id = a.venue_id
         for update of lane skip locked),
    written as (
      update lane set due_at = least(lane.due_at, free.at), opened_for = least(lane.opened_for, free.at)
        from free where lane.venue_id = free.venue_id)
    select a.venue_id from asked a join lane on lane.venue_id = a.venue_id
     where a.venue_id not in (select venue_id from free)`),
  )

const venuesOf = async (rows: Promise<{ venue_id: number }[]>): Promise<VenueId[]> =>
  (await rows).map(({ venue_id }) => venue_id as VenueId)
