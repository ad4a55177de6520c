import { venuesWithOpenApi } from '../../access/reads.ts'
import type { Context } from '../../../context.ts'
import type { Database, Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { notifySwitchedOff, venuesWithSwitchedOff } from '../notify-switched-off.ts'
import { removeGoneHooks } from './settle.ts'
import { engineLimits } from './limits.ts'
import { openLanes } from './lanes.ts'
import { openSince } from './look.ts'

/*
 * Repairs what a crash may have left half done: lanes not opened although a delivery is due, deliveries past their 48
 * hours or without an endpoint, hooks that answered 410, and disabled endpoints whose venue was not notified. It reads
 * across all venues, without locks, and changes one venue at a time.
 */

export const sweep = async ({ db, clock, bell }: Pick<Context, 'db' | 'clock' | 'bell'>): Promise<void> => {
  const now = clock()
  for (const venue of await venuesWithGoneHooks(db)) await removeGoneHooks(db, venue)
  for (const venue of await venuesWithSwitchedOff(db)) await notifySwitchedOff({ db, clock }, venue)
  const due = [...(await venuesWithOpenApi(db, await venuesWithDue(db, now)))]
  for (let i = 0; i < due.length; i += engineLimits.rowsOfSweep) {
    const some = due.slice(i, i + engineLimits.rowsOfSweep)
    await makeLanes(db, some, now)
    await openLanes(db, new Map(some.map((venue) => [venue, now])))
  }
  if (due.length > 0) bell.ring()
  // Last: it reads everything held. Even if that is too much for one statement, due deliveries must go out.
  await closeHopeless(db, now)
}

/** How many deliveries of all venues are pending and may still be sent. */
export const countWaiting = async (db: Queries, now: Temporal.Instant): Promise<number> =>
  (
    await db.one(sql({ waiting: 'int4' })`
      select count(*)::int4 as waiting
        from delivery d join webhook_endpoint e on e.venue_id = d.venue_id and e.id = d.endpoint_id
       where d.done_at is null and d.occurred_at > ${openSince(now)} and e.status = 'active'`)
  ).waiting

/**
 * Venues with something to send now. Held deliveries of disabled endpoints count too, because they may no longer be
 * held.
 */
const venuesWithDue = async (db: Queries, now: Temporal.Instant): Promise<VenueId[]> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from (
      select venue_id from delivery where done_at is null and tries = 0 and due_at <= ${now}
      union all
      select venue_id from delivery where done_at is null and tries > 0 and due_at <= ${now}) as due`)
  return rows.map(({ venue_id }) => venue_id as VenueId)
}

const makeLanes = (db: Queries, venues: readonly VenueId[], now: Temporal.Instant): Promise<number> =>
  db.run(sql()`
    insert into lane (venue_id, due_at) select venue_id, ${now} from unnest(${venues}::bigint[]) as v (venue_id)
     order by v.venue_id
    on conflict (venue_id) do nothing`)

/** Drops deliveries that are too old to start or no longer have an endpoint. */
export const closeHopeless = async (db: Database, now: Temporal.Instant): Promise<number> => {
  let closed = 0
  for (;;) {
    const rows = await db.many(hopeless(now))
    const byVenue = [...Map.groupBy(rows, ({ venue_id }) => venue_id as VenueId)]
    const counts = await db.together((queries) =>
      Promise.all(
        byVenue.map(([venue, some]) => {
          const ids = some.map(({ id }) => id)
          return drop(queries, venue, ids, now)
        }),
      ),
    )
    const closedNow = counts.reduce((sum, count) => sum + count, 0)
    closed += closedNow
    if (rows.length < engineLimits.rowsOfSweep || closedNow === 0) return closed
  }
}

/**
 * First attempts and retries separately, like their indexes. Running attempts are left to finish. Deliveries to a
 * permanently disabled endpoint are dropped as well.
 */
const hopeless = (now: Temporal.Instant) => sql({ venue_id: 'int8', id: 'uuid' })`
  select w.venue_id, w.id
    from (
      select venue_id, id, endpoint_id, occurred_at, due_at, lease_token from delivery
       where done_at is null and tries = 0
      union all
      select venue_id, id, endpoint_id, occurred_at, due_at, lease_token from delivery
       where done_at is null and tries > 0) w
    left join webhook_endpoint e on e.venue_id = w.venue_id and e.id = w.endpoint_id
   where (w.lease_token is null or w.due_at <= ${now})
     and (w.occurred_at <= ${openSince(now)} or e.id is null or e.disabled_reason in ('key-revoked', 'access-withdrawn'))
   limit ${engineLimits.rowsOfSweep}`

const drop = (db: Queries, venue: VenueId, ids: readonly string[], now: Temporal.Instant): Promise<number> =>
  db.run(sql()`
    update delivery set done_at = ${now}, outcome = 'dropped', lease_token = null
     where venue_id = ${venue} and id = any(${ids}::uuid[]) and done_at is null
       and (lease_token is null or due_at <= ${now})`)

const venuesWithGoneHooks = async (db: Queries): Promise<VenueId[]> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from webhook_endpoint where kind = 'hook' and disabled_reason = 'gone'`)
  return rows.map(({ venue_id }) => venue_id as VenueId)
}
