import type {
  DeliveryInclude,
  DeliveryPayload,
  DeliverySignature,
  DisabledReason,
} from '@venue-data/contract/webhooks/webhook-states.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type EndpointKind, type EndpointRow, endpointRow } from './reads.ts'

/** Locks the venue's row, so that two endpoints created at once are counted one after the other. */
export const lockVenue = (db: Queries, venue: VenueId) =>
  db.maybe(sql({ id: 'int8' })`select id from venue where id = ${venue} for no key update`)

/**
 * Locks the key that creates an endpoint or sets its address, so that its revocation comes before or after; a key that
 * was rotated counts as its successor. Scopes that are null are older than scopes. Undefined: the key no longer works.
 */
export const holdLiveKey = (
  db: Queries,
  venue: VenueId,
  keyId: number,
  now: Temporal.Instant,
): Promise<{ id: number; scopes: string[] | null } | undefined> =>
  db.maybe(sql({ id: 'int8', scopes: 'text[]?' })`
    select id, scopes from api_key
     where revoked_at is null and (expires_at is null or expires_at > ${now}) and id = (
       with recursive line (id, place) as (
         select ${keyId}::bigint, 1
         union all
         select k.id, l.place + 1
           from line l join api_key k on k.venue_id = ${venue} and k.rotated_from = l.id and k.revoked_at is null)
       select id from line order by place desc limit 1)
       for share`)

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
 * Those that others created and it moved are paused. Safe to repeat.
 */
export const disableEndpointsOfKey = async (
  db: Queries,
  venue: VenueId,
  keyId: number,
  now: Temporal.Instant,
): Promise<void> => {
  await db.run(sql()`
    delete from webhook_endpoint where venue_id = ${venue} and key_id = ${keyId} and kind = 'hook'`)
  await db.run(sql()`
    update webhook_endpoint set status = 'disabled', disabled_reason = ${'key-revoked' satisfies DisabledReason},
           revision = revision + 1
     where venue_id = ${venue} and key_id = ${keyId}
       and coalesce(disabled_reason, '') not in ('key-revoked', 'access-withdrawn')`)
  await doubtAddressesOfKey(db, venue, keyId, now)
}

/**
 * Disables the endpoints that an expired key created until the key works again; events in the meantime are held. Those
 * that others created and it moved are paused. Safe to repeat.
 */
export const disableEndpointsOfExpiredKey = async (
  db: Queries,
  venue: VenueId,
  keyId: number,
  now: Temporal.Instant,
): Promise<void> => {
  await db.run(sql()`
    update webhook_endpoint set status = 'disabled', disabled_reason = ${'key-expired' satisfies DisabledReason},
           revision = revision + 1
     where venue_id = ${venue} and key_id = ${keyId} and status in ('active', 'paused')`)
  await doubtAddressesOfKey(db, venue, keyId, now)
}

/**
 * The former holder of the key may still own the addresses it set: nothing goes there until the owner resumes, or
 * another key sets the address. An endpoint that is off since its own key has expired will be paused when that key
 * works again.
 */
const doubtAddressesOfKey = (db: Queries, venue: VenueId, keyId: number, now: Temporal.Instant) =>
  db.run(sql()`
    update webhook_endpoint
       set address_in_doubt = true, paused_at = ${now}, revision = revision + 1,
           status = case when disabled_reason = 'key-expired' then status else 'paused' end,
           disabled_reason = case when disabled_reason = 'key-expired' then disabled_reason end, off_told = false
     where venue_id = ${venue} and address_key_id = ${keyId} and key_id <> ${keyId} and not address_in_doubt
       and coalesce(disabled_reason, '') not in ('key-revoked', 'access-withdrawn')`)

/** Re-enables what was off because its key had expired, or restores its pause; returns how many. */
export const enableEndpointsOfKey = (db: Queries, venue: VenueId, keyId: number): Promise<number> =>
  db.run(sql()`
    update webhook_endpoint
       set status = case when paused_at is null then 'active' else 'paused' end, disabled_reason = null,
           off_told = false, revision = revision + 1
     where venue_id = ${venue} and key_id = ${keyId} and disabled_reason = 'key-expired'`)

/**
 * Gives another key what keys made and the addresses they set. Its scopes may have changed since it replaced them.
 * `bounded`: what they made still gets nothing that they could not read, until the other sets the address itself.
 */
export const giveEndpointsToKey = async (
  db: Queries,
  venue: VenueId,
  keys: readonly number[],
  to: { readonly id: number; readonly scopes: readonly string[] },
  bounded = false,
): Promise<void> => {
  const from = [...keys]
  await db.run(sql()`
    update webhook_endpoint
       set key_id = case when key_id = any(${from}::bigint[]) then ${to.id} else key_id end,
           address_key_id = case when ${bounded} then coalesce(address_key_id, key_id)
                                 when address_key_id = any(${from}::bigint[]) then ${to.id}
                                 else address_key_id end,
           address_key_scopes = case when ${bounded} and address_key_id is null then key_scopes
                                     else address_key_scopes end
     where venue_id = ${venue}
       and (key_id = any(${from}::bigint[]) or address_key_id = any(${from}::bigint[]))`)
  await writeScopesOfKey(db, venue, to.id, to.scopes)
}

/** Stores a key's new scopes. An attempt that was prepared before does not start: what it sends may be too much now. */
export const writeScopesOfKey = (
  db: Queries,
  venue: VenueId,
  keyId: number,
  scopes: readonly string[],
): Promise<number> =>
  db.run(sql()`
    update webhook_endpoint
       set key_scopes = case when key_id = ${keyId} then ${[...scopes]}::text[] else key_scopes end,
           address_key_scopes = case when address_key_id = ${keyId} then ${[...scopes]}::text[] else address_key_scopes end,
           revision = revision + 1
     where venue_id = ${venue}
       and (key_id = ${keyId} and key_scopes is distinct from ${[...scopes]}::text[]
         or address_key_id = ${keyId} and address_key_scopes is distinct from ${[...scopes]}::text[])`)

/** Disables everything a venue has when its access is withdrawn, and removes its hooks. Safe to repeat. */
export const disableEndpointsOfVenue = async (db: Queries, venue: VenueId): Promise<void> => {
  await db.run(sql()`delete from webhook_endpoint where venue_id = ${venue} and kind = 'hook'`)
  await db.run(sql()`
    update webhook_endpoint set status = 'disabled', disabled_reason = ${'access-withdrawn' satisfies DisabledReason},
           revision = revision + 1
     where venue_id = ${venue} and coalesce(disabled_reason, '') <> 'access-withdrawn'`)
}
