import type { Context } from '../../context.ts'
import type { Queries } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import type { VenueId } from '../../venue/venue.ts'
import { removeGoneHooks } from './settle.ts'
import { engineLimits } from './limits.ts'
import { openLanes } from './lanes.ts'
import { openSince } from './look.ts'

/*
 * Makes good what a crash may have left half done: lanes that say nothing though a delivery is due, deliveries whose
 * 48 hours passed or whose endpoint is gone, hooks that said 410. It reads over all venues, without locks, and
 * changes one venue at a time.
 */

export const sweep = async ({ db, clock, bell }: Pick<Context, 'db' | 'clock' | 'bell'>): Promise<void> => {
  const now = clock()
  await closeHopeless(db, now)
  for (const venue of await venuesWithGoneHooks(db)) await removeGoneHooks(db, venue)
  const due = await venuesWithDue(db, now)
  for (let i = 0; i < due.length; i += engineLimits.rowsOfSweep) {
    const some = due.slice(i, i + engineLimits.rowsOfSweep)
    await makeLanes(db, some, now)
    await openLanes(db, new Map(some.map((venue) => [venue, now])))
  }
  if (due.length > 0) bell.ring()
}

/** Venues with something to send now; held deliveries of disabled endpoints count too, as whether they are held may have changed. */
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
    on conflict (venue_id) do nothing`)

/** Drops what may no longer be started (contract, "Delivery" 2) and what has no endpoint any more. */
export const closeHopeless = async (db: Queries, now: Temporal.Instant): Promise<number> => {
  let closed = 0
  for (;;) {
    const rows = await db.many(sql({ venue_id: 'int8', id: 'uuid' })`
      select d.venue_id, d.id from delivery d
       where d.done_at is null and (d.lease_token is null or d.due_at <= ${now})
         and (d.occurred_at <= ${openSince(now)}
           or not exists (select from webhook_endpoint e where e.venue_id = d.venue_id and e.id = d.endpoint_id))
       limit ${engineLimits.rowsOfSweep}`)
    const byVenue = Map.groupBy(rows, ({ venue_id }) => venue_id as VenueId)
    let closedNow = 0
    for (const [venue, some] of byVenue)
      closedNow += await drop(
        db,
        venue,
        some.map(({ id }) => id),
        now,
      )
    closed += closedNow
    if (rows.length < engineLimits.rowsOfSweep || closedNow === 0) return closed
  }
}

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
