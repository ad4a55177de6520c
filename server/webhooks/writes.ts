import type {
  DeliveryInclude,
  DeliveryPayload,
  DeliverySignature,
  DisabledReason,
} from '@venue-data/contract/webhook-states.ts'
import type { Queries } from '../db/pool.ts'
import { columnsOf, sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import { type EndpointKind, type EndpointRow, endpointRow } from './reads.ts'

/** Locks the venue's row, so that two endpoints created at once are counted one after the other. */
export const lockVenue = (db: Queries, venue: VenueId) =>
  db.maybe(sql({ id: 'int8' })`select id from venue where id = ${venue} for no key update`)

/**
 * Locks the key that creates an endpoint, so that its revocation comes before or after, and returns its scopes; null:
 * it is older than scopes. Undefined: the key no longer works.
 */
export const holdLiveKey = (
  db: Queries,
  keyId: number,
  now: Temporal.Instant,
): Promise<{ scopes: string[] | null } | undefined> =>
  db.maybe(sql({ scopes: 'text[]?' })`
    select scopes from api_key
     where id = ${keyId} and revoked_at is null and (expires_at is null or expires_at > ${now}) for share`)

export type NewEndpointRow = {
  readonly id: string
  readonly kind: EndpointKind
  readonly url: string
  readonly address: string
  readonly events: readonly string[]
  readonly secretSealed: string | null
  readonly keyId: number
  readonly keyScopes: readonly string[] | null
  readonly settings?: EndpointSettings
}

/** An endpoint's settings, as chosen by its owner or its software. */
export type EndpointSettings = {
  readonly description: string | null
  readonly payload: DeliveryPayload
  readonly include: readonly DeliveryInclude[]
  readonly signatures: readonly DeliverySignature[]
}

export const usualSettings: EndpointSettings = {
  description: null,
  payload: 'full',
  include: [],
  signatures: ['service'],
}

export const insertEndpoint = (
  db: Queries,
  venue: VenueId,
  {
    id,
    kind,
    url,
    address,
    events,
    secretSealed,
    keyId,
    keyScopes,
    settings = usualSettings,
  }: NewEndpointRow,
  now: Temporal.Instant,
): Promise<EndpointRow> =>
  db.one(sql(endpointRow)`
    insert into webhook_endpoint (
      venue_id, id, kind, url, address, events, secret_sealed, status, key_id, key_scopes, created_at,
      description, payload, include, signatures)
    values (
      ${venue}, ${id}, ${kind}, ${url}, ${address}, ${events}, ${secretSealed}, 'active', ${keyId}, ${keyScopes}, ${now},
      ${settings.description}, ${settings.payload}, ${settings.include}, ${settings.signatures})
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
 * Disables the endpoints that a revoked key created; hooks are removed, since only that key's platform could do it.
 * Safe to repeat.
 */
export const disableEndpointsOfKey = async (db: Queries, venue: VenueId, keyId: number): Promise<void> => {
  await db.run(sql()`
    delete from webhook_endpoint where venue_id = ${venue} and key_id = ${keyId} and kind = 'hook'`)
  await db.run(sql()`
    update webhook_endpoint set status = 'disabled', disabled_reason = ${'key-revoked' satisfies DisabledReason},
           revision = revision + 1
     where venue_id = ${venue} and key_id = ${keyId}
       and coalesce(disabled_reason, '') not in ('key-revoked', 'access-withdrawn')`)
}

/**
 * Disables the endpoints that an expired key created until the key works again; events in the meantime are held. Safe
 * to repeat.
 */
export const disableEndpointsOfExpiredKey = (db: Queries, venue: VenueId, keyId: number): Promise<number> =>
  db.run(sql()`
    update webhook_endpoint set status = 'disabled', disabled_reason = ${'key-expired' satisfies DisabledReason},
           revision = revision + 1
     where venue_id = ${venue} and key_id = ${keyId} and status in ('active', 'paused')`)

/** Re-enables what was off because its key had expired, or restores its pause; returns how many. */
export const enableEndpointsOfKey = (db: Queries, venue: VenueId, keyId: number): Promise<number> =>
  db.run(sql()`
    update webhook_endpoint
       set status = case when paused_at is null then 'active' else 'paused' end, disabled_reason = null,
           revision = revision + 1
     where venue_id = ${venue} and key_id = ${keyId} and disabled_reason = 'key-expired'`)

/** Moves endpoints to another key with the same scopes. */
export const giveEndpointsToKey = (
  db: Queries,
  venue: VenueId,
  keys: readonly number[],
  to: number,
): Promise<number> =>
  db.run(sql()`
    update webhook_endpoint set key_id = ${to}
     where venue_id = ${venue} and key_id = any(${[...keys]}::bigint[])`)

/** Stores a key's new scopes. */
export const writeScopesOfKey = (
  db: Queries,
  venue: VenueId,
  keyId: number,
  scopes: readonly string[],
): Promise<number> =>
  db.run(sql()`
    update webhook_endpoint set key_scopes = ${[...scopes]} where venue_id = ${venue} and key_id = ${keyId}`)

/** Disables everything a venue has when its access is withdrawn, and removes its hooks. Safe to repeat. */
export const disableEndpointsOfVenue = async (db: Queries, venue: VenueId): Promise<void> => {
  await db.run(sql()`delete from webhook_endpoint where venue_id = ${venue} and kind = 'hook'`)
  await db.run(sql()`
    update webhook_endpoint set status = 'disabled', disabled_reason = ${'access-withdrawn' satisfies DisabledReason},
           revision = revision + 1
     where venue_id = ${venue} and coalesce(disabled_reason, '') <> 'access-withdrawn'`)
}
