import { venuesWithOpenApi } from '../../access/reads.ts'
import type { Context } from '../../context.ts'
import type { Database, Queries } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import { codeOf } from '../../kernel/code-of.ts'
import { toMoment } from '../../kernel/moment.ts'
import type { VenueId } from '../../venue/venue.ts'
import type { Leased } from './lease.ts'
import { engineLimits } from './limits.ts'
import { openSince } from './look.ts'

/*
 * The last check before a connection is made: does the delivery still belong to this process, does its endpoint exist and
 * is it active, is the event recent enough, is the venue's API open? Looking up the name since the lease may have taken
 * seconds; a DELETE, a revoke or a pause that was answered in the meantime is seen here. Tries that get here together ask
 * together. While sending is on hold none may start.
 */

/** Says whether a try may start now. False also when the database did not answer. */
export type LastLook = (leased: Leased) => Promise<boolean>

type Asked = { readonly leased: Leased; readonly answer: (mayStart: boolean) => void }

export const gatherLooks = ({
  db,
  clock,
  log,
  hold,
}: Pick<Context, 'db' | 'clock' | 'log' | 'hold'>): LastLook => {
  let asked: Asked[] = []
  let looking = 0
  let isPlanned = false

  const look = async (): Promise<void> => {
    isPlanned = false
    if (asked.length === 0) return
    const batch = asked
    asked = []
    looking++
    let startable = new Set<string>()
    try {
      startable = await startableOf(
        db,
        batch.map(({ leased }) => leased),
        clock(),
      )
    } catch (error) {
      log.warn(
        { code: codeOf(error), tries: batch.length },
        'tries could not start: the database did not say whether they may',
      )
    }
    looking--
    for (const { leased, answer } of batch) answer(!hold.isOn() && startable.has(leased.id))
    plan()
  }
  const plan = (): void => {
    if (isPlanned || asked.length === 0 || looking >= engineLimits.looksAtOnce) return
    isPlanned = true
    // After the present turn of the event loop, so that what was taken together asks together.
    setImmediate(() => void look())
  }

  return (leased) =>
    new Promise((answer) => {
      asked.push({ leased, answer })
      plan()
    })
}

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

const stillToStart = (tries: readonly Leased[], now: Temporal.Instant) => sql({ id: 'uuid' })`
  select d.id
    from unnest(${tries.map(({ venueId }) => venueId)}::bigint[], ${tries.map(({ id }) => id)}::uuid[],
                ${tries.map(({ token }) => token)}::uuid[]) as a (venue_id, id, token)
    join delivery d on d.venue_id = a.venue_id and d.id = a.id and d.lease_token = a.token
    join webhook_endpoint e on e.venue_id = d.venue_id and e.id = d.endpoint_id
   where d.done_at is null and d.occurred_at > ${toMoment(openSince(now))} and e.status = 'active'`

/** An event whose first try starts later than it was counted, as its receiver's name took long: its pace counts from now. */
export const leaveLater = (
  db: Queries,
  venue: VenueId,
  event: number,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update event set left_at = ${now} where venue_id = ${venue} and id = ${event} and left_at < ${now}`)
