import type { Actor } from '../activity/actor.ts'
import type { Work } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { type RowOf, columnsOf, fragment, sql } from '../db/sql.ts'
import { openLane } from '../events/record.ts'
import { Refusal, notFound } from '../kernel/refusal.ts'
import type { VenueId } from '../venue/venue.ts'
import { hostOf, record } from './activity.ts'
import { staysOff } from './off-for-good.ts'
import { endpointRow } from './reads.ts'
import { giveUpAt } from './schedule.ts'
import { resumeEndpoint } from './settings.ts'

/*
 * What the owner sees of endpoints and hooks, and does about them: look at the log of tries, send one delivery
 * again, send all since a moment, switch an endpoint on again. The engine does the sending; here rows become due.
 */

const ownersEndpointRow = { ...endpointRow, kind: 'text', key_id: 'int8', waiting: 'int8' } as const
export type OwnersEndpoint = RowOf<typeof ownersEndpointRow>

/** Endpoints and hooks with how many deliveries wait for each: first attempts and retries, each by its own index. */
export const endpointsForOwner = (db: Queries, venue: VenueId): Promise<OwnersEndpoint[]> =>
  db.many(sql(ownersEndpointRow)`
    select ${columnsOf(endpointRow, 'e')}, e.kind, e.key_id,
           (select count(*) from delivery d
             where d.venue_id = ${venue} and d.endpoint_id = e.id and d.done_at is null and d.tries = 0) +
           (select count(*) from delivery d
             where d.venue_id = ${venue} and d.endpoint_id = e.id and d.done_at is null and d.tries > 0) as waiting
      from webhook_endpoint e
     where e.venue_id = ${venue}
     order by e.kind desc, e.created_at desc, e.id
     limit 200`)

/** One of them; undefined if the venue has none with this id. */
export const endpointForOwner = (
  db: Queries,
  venue: VenueId,
  id: string,
): Promise<OwnersEndpoint | undefined> =>
  db.maybe(sql(ownersEndpointRow)`
    select ${columnsOf(endpointRow, 'e')}, e.kind, e.key_id,
           (select count(*) from delivery d
             where d.venue_id = ${venue} and d.endpoint_id = e.id and d.done_at is null and d.tries = 0) +
           (select count(*) from delivery d
             where d.venue_id = ${venue} and d.endpoint_id = e.id and d.done_at is null and d.tries > 0) as waiting
      from webhook_endpoint e
     where e.venue_id = ${venue} and e.id = ${id}`)

const loggedDeliveryRow = {
  id: 'uuid',
  name: 'text',
  occurred_at: 'timestamptz',
  due_at: 'timestamptz',
  done_at: 'timestamptz?',
  outcome: 'text?',
  tries: 'int4',
} as const
export type LoggedDelivery = RowOf<typeof loggedDeliveryRow>

/** The newest deliveries of an endpoint: of those that ended and of the two lines that wait the newest each. */
export const deliveriesOf = (db: Queries, venue: VenueId, endpoint: string): Promise<LoggedDelivery[]> =>
  db.many(sql(loggedDeliveryRow)`
    select d.id, coalesce(d.name, e.name) as name, d.occurred_at, d.due_at, d.done_at, d.outcome, d.tries
      from (
        (select * from delivery
          where venue_id = ${venue} and endpoint_id = ${endpoint} and done_at is not null
          order by occurred_at desc limit ${shown})
        union all
        (select * from delivery
          where venue_id = ${venue} and endpoint_id = ${endpoint} and done_at is null and tries = 0
          order by occurred_at desc limit ${shown})
        union all
        (select * from delivery
          where venue_id = ${venue} and endpoint_id = ${endpoint} and done_at is null and tries > 0
          order by occurred_at desc limit ${shown})) d
      join event e on e.venue_id = ${venue} and e.id = d.event_id
     order by d.occurred_at desc, d.id
     limit ${shown}`)

/** How many deliveries and attempts the owner sees per endpoint. */
const shown = fragment('50')

const triedRow = {
  delivery_id: 'uuid',
  started_at: 'timestamptz',
  duration_ms: 'int4',
  status_code: 'int4',
  result: 'text',
  answer: 'bytea?',
} as const
export type Tried = RowOf<typeof triedRow>

/** An endpoint's newest attempts, with the first kilobyte of each answer. */
export const triesOf = (db: Queries, venue: VenueId, endpoint: string): Promise<Tried[]> =>
  db.many(sql(triedRow)`
    select ${columnsOf(triedRow)} from attempt
     where venue_id = ${venue} and endpoint_id = ${endpoint}
     order by started_at desc, token
     limit ${shown}`)

/** Tries of each hour, answered with success and not; a delivery has as many as it takes. For the owner's picture. */
export const triesByHour = (
  db: Queries,
  venue: VenueId,
  since: Temporal.Instant,
): Promise<{ hour: string; succeeded: number; failed: number }[]> =>
  db.many(sql({ hour: 'text', succeeded: 'int8', failed: 'int8' })`
    select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24') as hour,
           count(*) filter (where status_code between 200 and 299) as succeeded,
           count(*) filter (where status_code not between 200 and 299) as failed
      from attempt
     where venue_id = ${venue} and started_at >= ${since}
     group by 1
     order by 1`)

/** Switches an endpoint on again. Refuses one whose key was revoked or whose venue lost its access: that stays off. */
export const enableEndpoint = async (work: Work, actor: Actor, endpoint: string): Promise<void> => {
  const { db, venue } = work
  const found = await endpointOf(db, venue.id, endpoint)
  if (found.status === 'active') return
  const stays = staysOff(found)
  if (stays) throw stays
  await resumeEndpoint(work, endpoint)
  await record(work, actor, 'enableEndpoint', { endpoint: hostOf(found.url), was: found.disabled_reason })
}

/**
 * Sends one delivery again, whether or not it arrived: same id, same bytes. Refuses one that is on its way, and one whose
 * event is over two days old. One whose lease ran out is on its way no more.
 */
export const sendAgain = async (
  work: Work,
  actor: Actor,
  endpoint: string,
  delivery: string,
): Promise<void> => {
  const { db, venue, now } = work
  const { url } = await endpointOf(db, venue.id, endpoint)
  const moment = now()
  const changed = await db.run(sql()`
    update delivery
       set done_at = null, outcome = null, tries = 0, takeovers = 0, lease_token = null, due_at = ${moment}
     where venue_id = ${venue.id} and endpoint_id = ${endpoint} and id = ${delivery}
       and (lease_token is null or due_at <= ${moment}) and occurred_at > ${moment.subtract(giveUp)}`)
  if (changed !== 1) {
    throw new Refusal(409, 'This delivery is on its way, or its event is more than two days old.')
  }
  await openLane(db, venue.id, moment)
  await record(work, actor, 'sendAgain', { endpoint: hostOf(url), deliveries: 1 })
}

/** Sends all of an endpoint's deliveries since a moment again, at the venue's pace. Returns how many. */
export const sendAllSince = async (
  work: Work,
  actor: Actor,
  endpoint: string,
  since: Temporal.Instant,
): Promise<number> => {
  const { db, venue, now } = work
  const { url } = await endpointOf(db, venue.id, endpoint)
  const moment = now()
  const after = moment.subtract(giveUp)
  const count = await db.run(sql()`
    update delivery
       set done_at = null, outcome = null, tries = 0, takeovers = 0, lease_token = null, due_at = ${moment}
     where venue_id = ${venue.id} and (lease_token is null or due_at <= ${moment}) and id in (
       select id from delivery
        where venue_id = ${venue.id} and endpoint_id = ${endpoint} and done_at is not null
          and occurred_at >= ${since} and occurred_at > ${after}
       union all
       select id from delivery
        where venue_id = ${venue.id} and endpoint_id = ${endpoint} and done_at is null and tries = 0
          and occurred_at >= ${since} and occurred_at > ${after}
       union all
       select id from delivery
        where venue_id = ${venue.id} and endpoint_id = ${endpoint} and done_at is null and tries > 0
          and occurred_at >= ${since} and occurred_at > ${after})`)
  await openLane(db, venue.id, moment)
  if (count > 0) await record(work, actor, 'sendAgain', { endpoint: hostOf(url), deliveries: count })
  return count
}

/** An event this old is not sent again either. */
const giveUp = Temporal.Instant.fromEpochMilliseconds(0).until(
  giveUpAt(Temporal.Instant.fromEpochMilliseconds(0)),
)

const endpointOf = async (db: Queries, venue: VenueId, endpoint: string) => {
  const found = await db.maybe(sql({ url: 'text', status: 'text', disabled_reason: 'text?' })`
    select url, status, disabled_reason from webhook_endpoint
     where venue_id = ${venue} and id = ${endpoint} for update`)
  if (!found) throw notFound('webhook endpoint')
  return found
}
