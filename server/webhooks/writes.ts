import type { DisabledReason } from '@venue-data/contract/webhook.ts'
import type { Queries } from '../db/pool.ts'
import { columnsOf, sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import { type EndpointKind, type EndpointRow, endpointRow } from './reads.ts'

/** Holds the venue's row, so that two endpoints made at once are counted one after the other. */
export const lockVenue = (db: Queries, venue: VenueId) =>
  db.maybe(sql({ id: 'int8' })`select id from venue where id = ${venue} for no key update`)

/** Holds the key that makes an endpoint, so that its revoke comes before or after. False: it is revoked already. */
export const holdLiveKey = async (db: Queries, keyId: number): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from api_key where id = ${keyId} and revoked_at is null for share`)) !== undefined

export type NewEndpointRow = {
  readonly id: string
  readonly kind: EndpointKind
  readonly url: string
  readonly address: string
  readonly events: readonly string[]
  readonly secretSealed: string | null
  readonly keyId: number
}

export const insertEndpoint = (
  db: Queries,
  venue: VenueId,
  { id, kind, url, address, events, secretSealed, keyId }: NewEndpointRow,
  now: Temporal.Instant,
): Promise<EndpointRow> =>
  db.one(sql(endpointRow)`
    insert into webhook_endpoint (venue_id, id, kind, url, address, events, secret_sealed, status, key_id, created_at)
    values (${venue}, ${id}, ${kind}, ${url}, ${address}, ${events}, ${secretSealed}, 'active', ${keyId}, ${now})
    returning ${columnsOf(endpointRow)}`)

/** Removes an endpoint with everything waiting for it. False when it does not exist. */
export const deleteEndpoint = async (
  db: Queries,
  venue: VenueId,
  kind: EndpointKind,
  id: string,
): Promise<boolean> =>
  (await db.run(sql()`
    delete from webhook_endpoint where venue_id = ${venue} and id = ${id} and kind = ${kind}`)) === 1

/**
 * Switches off what a revoked key made; hooks are removed, since nobody but that key's platform could. Safe to
 * repeat.
 */
export const disableEndpointsOfKey = async (db: Queries, venue: VenueId, keyId: number): Promise<void> => {
  await db.run(sql()`
    delete from webhook_endpoint where venue_id = ${venue} and key_id = ${keyId} and kind = 'hook'`)
  await db.run(sql()`
    update webhook_endpoint set status = 'disabled', disabled_reason = ${'key-revoked' satisfies DisabledReason}
     where venue_id = ${venue} and key_id = ${keyId}
       and coalesce(disabled_reason, '') not in ('key-revoked', 'access-withdrawn')`)
}

/** Switches off everything a venue has, when its access is withdrawn, and removes its hooks. Safe to repeat. */
export const disableEndpointsOfVenue = async (db: Queries, venue: VenueId): Promise<void> => {
  await db.run(sql()`delete from webhook_endpoint where venue_id = ${venue} and kind = 'hook'`)
  await db.run(sql()`
    update webhook_endpoint set status = 'disabled', disabled_reason = ${'access-withdrawn' satisfies DisabledReason}
     where venue_id = ${venue} and coalesce(disabled_reason, '') <> 'access-withdrawn'`)
}
