import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, fragment, sql } from '../../platform/db/sql.ts'
import { notFound } from '../../platform/kernel/refusal.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { hostOf, record } from './activity.ts'
import { staysOff } from './stays-off.ts'
import { endpointRow } from './reads.ts'
import { resumeEndpoint } from './settings.ts'

/*
 * What the owner sees and does with endpoints and hooks: reads the attempt log, switches an endpoint on again. The
 * delivery log and resending are in deliveries/.
 */

const ownersColumns = {
  ...endpointRow,
  kind: 'text',
  key_id: 'int8',
  address_key_id: 'int8?',
  address_in_doubt: 'bool',
} as const
const ownersEndpointRow = { ...ownersColumns, waiting: 'int8' } as const
export type OwnersEndpoint = RowOf<typeof ownersEndpointRow>

/** Endpoints and hooks with how many deliveries wait for each: first attempts and retries, each by its own index. */
export const endpointsForOwner = (db: Queries, venue: VenueId): Promise<OwnersEndpoint[]> =>
  db.many(sql(ownersEndpointRow)`
    select ${columnsOf(ownersColumns, 'e')},
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
    select ${columnsOf(ownersColumns, 'e')},
           (select count(*) from delivery d
             where d.venue_id = ${venue} and d.endpoint_id = e.id and d.done_at is null and d.tries = 0) +
           (select count(*) from delivery d
             where d.venue_id = ${venue} and d.endpoint_id = e.id and d.done_at is null and d.tries > 0) as waiting
      from webhook_endpoint e
     where e.venue_id = ${venue} and e.id = ${id}`)

/** How many attempts the owner sees per endpoint. */
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

/** Successful and failed attempts per hour, for the owner's chart; a delivery may have several. */
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
  const found = await heldEndpoint(db, venue.id, endpoint)
  if (found.status === 'active') return
  const stays = staysOff(found)
  if (stays) throw stays
  await resumeEndpoint(work, endpoint)
  await record(work, actor, 'enableEndpoint', { endpoint: hostOf(found.url), was: found.disabled_reason })
}

const heldRow = {
  url: 'text',
  status: 'text',
  disabled_reason: 'text?',
  kind: 'text',
  events: 'text[]',
  key_scopes: 'text[]?',
  address_key_scopes: 'text[]?',
} as const

/** An endpoint or hook, locked until the transaction ends. Refuses one that the venue does not have. */
export const heldEndpoint = async (db: Queries, venue: VenueId, endpoint: string) => {
  const found = await db.maybe(sql(heldRow)`
    select ${columnsOf(heldRow)} from webhook_endpoint
     where venue_id = ${venue} and id = ${endpoint} for update`)
  if (!found) throw notFound('webhook endpoint')
  return found
}
