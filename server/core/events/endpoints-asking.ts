import type { Scope } from '@venue-data/contract/scopes.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import { mayReceive } from './may-receive.ts'

const askingRow = {
  id: 'uuid',
  kind: 'text',
  events: 'text[]',
  key_scopes: 'text[]?',
  address_key_scopes: 'text[]?',
} as const
type Asking = RowOf<typeof askingRow>

/**
 * Endpoints that existed when it happened, asked for it and may receive again; one that is off for good gets nothing, and
 * neither does one whose keys may not read it.
 * @param asks names and patterns, any of which an endpoint may have asked for
 */
export const endpointsAsking = async (
  db: Queries,
  venue: VenueId,
  asks: readonly string[],
  scope: Scope | null,
  occurredAt: Temporal.Instant,
): Promise<readonly Asking[]> => {
  const found = await db.many(sql(askingRow)`
    select id, kind, events, key_scopes, address_key_scopes from webhook_endpoint
     where venue_id = ${venue} and events && ${asks} and created_at <= ${occurredAt}
       and coalesce(disabled_reason, '') not in ('key-revoked', 'access-withdrawn')
     order by id`)
  return found.filter((one) => mayReceive(scope, one))
}
