import type { Queries } from '../db/pool.ts'
import { type RowOf, columnsOf, sql } from '../db/sql.ts'
import type { ListWindow } from '../http/list-window.ts'
import type { VenueId } from '../venue/venue.ts'

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
} as const
export type EndpointRow = RowOf<typeof endpointRow>

export type EndpointKind = 'webhook' | 'hook'

/** The venue's endpoints, newest first; hooks are not among them. */
export const newestEndpoints = (
  db: Queries,
  venue: VenueId,
  { limit, since }: ListWindow,
): Promise<EndpointRow[]> =>
  db.many(sql(endpointRow)`
    select ${columnsOf(endpointRow)} from webhook_endpoint
     where venue_id = ${venue} and kind = 'webhook' and created_at >= ${since ?? '-infinity'}
     order by created_at desc, id desc
     limit ${limit}`)

/** Where a ping goes, and what it is signed with. */
export const endpointTarget = (
  db: Queries,
  venue: VenueId,
  id: string,
): Promise<{ address: string; secret_sealed: string | null; disabled_reason: string | null } | undefined> =>
  db.maybe(sql({ address: 'text', secret_sealed: 'text?', disabled_reason: 'text?' })`
    select address, secret_sealed, disabled_reason from webhook_endpoint
     where venue_id = ${venue} and id = ${id} and kind = 'webhook'`)

/** How many endpoints or hooks a venue has, and whether one of them has this address. */
export const endpointsInPlace = (
  db: Queries,
  venue: VenueId,
  kind: EndpointKind,
  address: string,
): Promise<{ total: number; same_address: boolean }> =>
  db.one(sql({ total: 'int8', same_address: 'bool' })`
    select count(*) as total, coalesce(bool_or(address = ${address}), false) as same_address from webhook_endpoint
     where venue_id = ${venue} and kind = ${kind}`)
