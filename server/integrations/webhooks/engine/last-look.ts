import { venuesWithOpenApi } from '../../access/reads.ts'
import type { Context } from '../../../context.ts'
import type { Database, Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import { gatherer } from '../../../platform/kernel/running/gatherer.ts'
import { toMoment } from '../../../platform/kernel/time/moment.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { Leased } from './lease.ts'
import { engineLimits } from './limits.ts'
import { openSince } from './look.ts'

/*
 * The last check before a connection is made: does the delivery still belong to this process, does its endpoint exist,
 * is it active and unchanged since the delivery was taken, is the event recent enough, is the venue's API open? The
 * name lookup since the lease may have taken seconds; this check sees any DELETE, revoke, pause, new address or new
 * secret that was answered in the meantime. Attempts that get here together share one statement. While sending is on
 * hold none may start.
 */

/** Whether an attempt may start now. Also false when the database did not answer. */
export type LastLook = (leased: Leased) => Promise<boolean>

export const gatherLooks = ({
  db,
  clock,
  log,
  hold,
}: Pick<Context, 'db' | 'clock' | 'log' | 'hold'>): LastLook =>
  gatherer({
    atOnce: engineLimits.looksAtOnce,
    most: Infinity,
    run: async (tries) => {
      const startable = await startableOf(db, tries, clock()).catch((error: unknown) => {
        log.warn(
          { code: codeOf(error), tries: tries.length },
          'tries could not start: the database did not say whether they may',
        )
        return new Set<string>()
      })
      return tries.map(({ id }) => !hold.isOn() && startable.has(id))
    },
  })

const startableOf = async (
  db: Database,
  tries: readonly Leased[],
  now: Temporal.Instant,
): Promise<Set<string>> => {
  const [rows, open] = await db.together((queries) =>
    Promise.all([
      queries.many(stillToStart(tries, now)),
      venuesWithOpenApi(
        queries,
        tries.map(({ venueId }) => venueId),
      ),
    ]),
  )
  const startable = new Set(rows.map(({ id }) => id))
  return new Set(tries.flatMap(({ id, venueId }) => (startable.has(id) && open.has(venueId) ? [id] : [])))
}

/** Each table names the venues, for which alone Citus then asks its nodes. */
const stillToStart = (tries: readonly Leased[], now: Temporal.Instant) => {
  const venues = tries.map(({ venueId }) => venueId)
  return sql({ id: 'uuid' })`
    select d.id
      from unnest(${venues}::bigint[], ${tries.map(({ id }) => id)}::uuid[],
                  ${tries.map(({ token }) => token)}::uuid[],
                  ${tries.map(({ settings_revision }) => settings_revision)}::int4[]) as a (venue_id, id, token, revision)
      join delivery d on d.venue_id = a.venue_id and d.id = a.id and d.lease_token = a.token
      join webhook_endpoint e on e.venue_id = d.venue_id and e.id = d.endpoint_id
     where d.venue_id = any(${venues}::bigint[]) and e.venue_id = any(${venues}::bigint[])
       and d.done_at is null and d.occurred_at > ${toMoment(openSince(now))} and e.status = 'active'
       and e.revision = a.revision`
}

/** An event whose first attempt starts later than counted, after a slow name lookup, counts in the pace from now. */
export const leaveLater = (
  db: Queries,
  venue: VenueId,
  event: number,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update event set left_at = ${now} where venue_id = ${venue} and id = ${event} and left_at < ${now}`)
