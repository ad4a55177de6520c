import { limits } from '@venue-data/contract/limits.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, fragment, part, sql } from '../../platform/db/sql.ts'
import type { ListWindow } from '../../platform/http/lists/list-window.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { openSince } from './engine/look.ts'

export const endpointRow = {
  id: 'uuid',
  url: 'text',
  events: 'text[]',
  status: 'text',
  disabled_reason: 'text?',
  failure_count: 'int4',
  last_delivery_at: 'timestamptz?',
  last_delivery_status: 'text?',
  created_at: 'timestamptz',
  description: 'text?',
  payload: 'text',
  include: 'text[]',
  signatures: 'text[]',
  paused_at: 'timestamptz?',
  previous_until: 'timestamptz?',
  revision: 'int4',
} as const
export type EndpointRow = RowOf<typeof endpointRow>

/** How deliveries are doing. */
const figures = {
  tried: 'int4',
  succeeded: 'int4',
  waiting: 'int4',
  oldest_waiting_at: 'timestamptz?',
} as const
const shownRow = { ...endpointRow, ...figures } as const
/** An endpoint as it is shown. */
export type ShownEndpoint = RowOf<typeof shownRow>

export type EndpointKind = 'webhook' | 'hook'

/** The venue's endpoints, newest first; hooks are not among them. */
export const newestEndpoints = (
  db: Queries,
  venue: VenueId,
  { limit, since }: ListWindow,
  now: Temporal.Instant,
): Promise<ShownEndpoint[]> =>
  db.many(sql(shownRow)`
    select ${columnsOf(endpointRow, 'e')}, r.tried, r.succeeded, w.waiting, w.oldest_waiting_at
      from webhook_endpoint e ${figuresOf(venue, now)}
     where e.venue_id = ${venue} and e.kind = 'webhook' and e.created_at >= ${since ?? '-infinity'}
     order by e.created_at desc, e.id desc
     limit ${limit}`)

/** One of them; undefined: the venue has none with this id. */
export const endpointById = (
  db: Queries,
  venue: VenueId,
  id: string,
  now: Temporal.Instant,
): Promise<ShownEndpoint | undefined> =>
  db.maybe(sql(shownRow)`
    select ${columnsOf(endpointRow, 'e')}, r.tried, r.succeeded, w.waiting, w.oldest_waiting_at
      from webhook_endpoint e ${figuresOf(venue, now)}
     where e.venue_id = ${venue} and e.id = ${id} and e.kind = 'webhook'`)

/** For each endpoint `e`: its newest attempts of a day, and what is pending in each queue by its index; all bounded. */
const figuresOf = (venue: VenueId, now: Temporal.Instant) => part`
     cross join lateral (
       select count(*)::int4 as tried, (count(*) filter (where status_code between 200 and 299))::int4 as succeeded
         from (
           select status_code from attempt
            where venue_id = ${venue} and endpoint_id = e.id and started_at > ${now.subtract({ hours: 24 })}
            order by started_at desc limit ${mostTries}) newest) r
     cross join lateral (
       select least(count(*), ${mostWaiting})::int4 as waiting, min(occurred_at) as oldest_waiting_at
         from (
           (select occurred_at from delivery
             where venue_id = ${venue} and endpoint_id = e.id and done_at is null and tries = 0 and not late
               and occurred_at > ${openSince(now)}
             order by due_at limit ${mostWaiting})
           union all
           (select occurred_at from delivery
             where venue_id = ${venue} and endpoint_id = e.id and done_at is null and tries = 0 and late
               and occurred_at > ${openSince(now)}
             order by due_at limit ${mostWaiting})
           union all
           (select occurred_at from delivery
             where venue_id = ${venue} and endpoint_id = e.id and done_at is null and tries > 0
               and occurred_at > ${openSince(now)}
             order by due_at limit ${mostWaiting})) line) w`

const mostTries = fragment(String(limits.triesOfRate))
const mostWaiting = fragment(String(limits.waitingCounted))

const targetRow = {
  kind: 'text',
  address: 'text',
  events: 'text[]',
  key_scopes: 'text[]?',
  address_key_scopes: 'text[]?',
  disabled_reason: 'text?',
  payload: 'text',
  include: 'text[]',
  signatures: 'text[]',
  secret_sealed: 'text?',
  previous_secret_sealed: 'text?',
  previous_until: 'timestamptz?',
} as const
export type EndpointTarget = RowOf<typeof targetRow>

/** Where a ping or a sample goes, and how it is built and signed. */
export const endpointTarget = (
  db: Queries,
  venue: VenueId,
  id: string,
): Promise<EndpointTarget | undefined> =>
  db.maybe(sql(targetRow)`
    select ${columnsOf(targetRow)} from webhook_endpoint
     where venue_id = ${venue} and id = ${id} and kind = 'webhook'`)

/** How many endpoints or hooks a venue has, and whether one of them, other than `except`, has this address. */
export const endpointsInPlace = (
  db: Queries,
  venue: VenueId,
  kind: EndpointKind,
  address: string,
  except: string | null = null,
): Promise<{ total: number; same_address: boolean }> =>
  db.one(sql({ total: 'int8', same_address: 'bool' })`
    select count(*) as total, coalesce(bool_or(address = ${address} and id is distinct from ${except}), false) as same_address
      from webhook_endpoint
     where venue_id = ${venue} and kind = ${kind}`)
