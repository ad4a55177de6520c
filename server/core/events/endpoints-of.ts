import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

const endpointRow = {
  id: 'uuid',
  kind: 'text',
  events: 'text[]',
  key_scopes: 'text[]?',
  address_key_scopes: 'text[]?',
  created_at: 'timestamptz',
} as const
export type EndpointRow = RowOf<typeof endpointRow>

/** The venue's endpoints, whatever they asked for, but for those that are off for good: they get nothing. */
export const endpointsOf = (db: Queries, venue: VenueId): Promise<EndpointRow[]> =>
  db.many(sql(endpointRow)`
    select ${columnsOf(endpointRow)} from webhook_endpoint
     where venue_id = ${venue} and coalesce(disabled_reason, '') not in ('key-revoked', 'access-withdrawn')
     order by id`)
