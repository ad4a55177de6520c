import type { Scope } from '@venue-data/contract/scopes.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { hangDoorbell, isDoorbell } from '../changes/doorbell.ts'
import type { Context, Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { openLane } from '../../core/events/record.ts'
import { unknownKey } from '../../platform/http/refusals.ts'
import { Refusal, notFound, refuse } from '../../platform/kernel/refusal.ts'
import { open } from '../../platform/kernel/secrets.ts'
import { isUuid } from '../../platform/kernel/uuid.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { hostOf, record } from './activity.ts'
import { reachOf } from './reach.ts'
import { endpointRow, endpointsInPlace } from './reads.ts'
import { isStandardSecret } from './sending/signature.ts'
import { staysOff } from './stays-off.ts'
import { type EndpointSettings, holdLiveKey, lockVenue } from './writes.ts'

/*
 * Changes to an existing endpoint, by the venue's software and in the office. Every change increments `revision`, and
 * an attempt prepared before it no longer starts (engine/last-look.ts). So every attempt that starts after the answer
 * uses the new settings.
 */

const heldRow = {
  ...endpointRow,
  kind: 'text',
  address: 'text',
  secret_sealed: 'text',
  previous_secret_sealed: 'text?',
  key_id: 'int8',
  key_scopes: 'text[]?',
  address_key_id: 'int8?',
  address_key_scopes: 'text[]?',
  address_in_doubt: 'bool',
} as const
/** An endpoint whose row is locked. */
export type HeldEndpoint = RowOf<typeof heldRow>

export type EndpointChanges = Partial<EndpointSettings> & {
  readonly url?: string
  /** The one spelling of the url (platform/net/destination.ts). */
  readonly address?: string
  /** Names and patterns. */
  readonly events?: readonly string[]
  readonly status?: 'active' | 'paused'
}

/** A key that changes settings. */
type ChangingKey = { readonly id: number; readonly scopes: readonly Scope[] }

type AskedChange = {
  readonly id: string
  readonly changes: EndpointChanges
  /** Absent: in the office, where nobody sets an address. */
  readonly by?: ChangingKey
  /** Refuses if the caller has seen another revision, with the endpoint's current state. */
  readonly seen?: (endpoint: HeldEndpoint) => Promise<void>
}

/**
 * Changes the given settings. Refuses an id the venue does not have, and a state or signature form that is not
 * possible.
 */
export const changeEndpoint = async (
  work: Work,
  { secrets }: Pick<Context, 'secrets'>,
  actor: Actor,
  { id, changes, by, seen }: AskedChange,
): Promise<void> => {
  const { db, venue } = work
  // Before the endpoint's row, in the same order as adding one, or revoking its key.
  const key = by && changes.address !== undefined ? await holdMover(work, by) : undefined
  const endpoint = await holdEndpoint(db, venue.id, id)
  if (by && key) for (const { scopes } of [by, key]) reachOf(scopes)(endpoint)
  await seen?.(endpoint)
  const setter = key && setterOf(endpoint, key)
  const differing = differingFrom(endpoint, { ...changes, ...setter })
  if (changes.status !== undefined) throwIf(staysOff(endpoint))
  if (by && changes.status === 'active') throwIf(staysInDoubt(endpoint, setter))
  if (differing.includes('signatures')) throwIf(needsRotation(endpoint, changes, secrets))
  if (differing.includes('address')) await refuseSecond(db, venue.id, id, changes.address as string)
  if (differing.length === 0) return
  if (differing.some((one) => one !== 'status'))
    await writeChanges(db, venue.id, endpoint, { ...changes, ...setter })
  if (differing.includes('status')) {
    if (changes.status === 'active') await resumeEndpoint(work, id)
    else await pauseEndpoint(work, id)
  }
  if (changes.events?.some(isDoorbell)) await hangDoorbell(db, venue.id)
  await record(work, actor, 'changeEndpoint', {
    endpoint: hostOf(endpoint.url),
    changed: [...new Set(differing.map(nameInTrail))].join(', '),
  })
}

/** The key that sets an address, as long as it works; a rotated one counts as its successor. */
const holdMover = async ({ db, venue, now }: Work, by: ChangingKey): Promise<ChangingKey> => {
  await lockVenue(db, venue.id)
  const key = await holdLiveKey(db, venue.id, by.id, now())
  if (!key) throw unknownKey()
  return { id: key.id, scopes: (key.scopes as readonly Scope[] | null) ?? by.scopes }
}

/** Who set an endpoint's address last. */
type Setter = Pick<HeldEndpoint, 'address_key_id' | 'address_key_scopes' | 'address_in_doubt'>

const setterOf = ({ key_id }: HeldEndpoint, { id, scopes }: ChangingKey): Setter =>
  id === key_id
    ? { address_key_id: null, address_key_scopes: null, address_in_doubt: false }
    : { address_key_id: id, address_key_scopes: [...scopes], address_in_doubt: false }

/** Its address was set by a key that is gone: software may set another, but only the owner can trust this one. */
const staysInDoubt = ({ address_in_doubt }: HeldEndpoint, setter: Setter | undefined): Refusal | undefined =>
  address_in_doubt && !setter
    ? new Refusal(
        409,
        'The key that last set the address of this endpoint no longer works. Set the address again, or ask the owner to resume it.',
      )
    : undefined

const nameInTrail = (setting: string): string => (setting.startsWith('address') ? 'url' : setting)

/** Locks an endpoint's row. */
export const holdEndpoint = async (db: Queries, venue: VenueId, id: string): Promise<HeldEndpoint> => {
  const found = isUuid(id)
    ? await db.maybe(sql(heldRow)`
        select ${columnsOf(heldRow)} from webhook_endpoint
         where venue_id = ${venue} and id = ${id} and kind = 'webhook' for update`)
    : undefined
  if (!found) throw notFound('webhook endpoint')
  return found
}

type Changes = EndpointChanges & Partial<Setter>

/** The given settings that differ from the current ones. */
const differingFrom = (endpoint: HeldEndpoint, changes: Changes): (keyof Changes)[] =>
  (Object.keys(changes) as (keyof Changes)[]).filter(
    (name) => JSON.stringify(changes[name]) !== JSON.stringify(endpoint[name]),
  )

const throwIf = (refusal: Refusal | undefined): void => {
  if (refusal) throw refusal
}

const needsRotation = (
  { id, secret_sealed }: HeldEndpoint,
  { signatures = [] }: EndpointChanges,
  secrets: Context['secrets'],
): Refusal | undefined =>
  signatures.includes('standard') && !isStandardSecret(open(secrets, secret_sealed, id))
    ? refuse('rotate-first', 'This secret cannot make standard signatures; rotate it first.')
    : undefined

const refuseSecond = async (db: Queries, venue: VenueId, id: string, address: string): Promise<void> => {
  const { same_address } = await endpointsInPlace(db, venue, 'webhook', address, id)
  if (same_address) throw new Refusal(409, 'The venue already has a webhook endpoint for this address.')
}

/** A new address has no failures yet. */
const writeChanges = (
  db: Queries,
  venue: VenueId,
  endpoint: HeldEndpoint,
  changes: Changes,
): Promise<number> => {
  const now = { ...endpoint, ...changes }
  const { url, address, events, description, payload, include, signatures } = now
  const isMoved = address !== endpoint.address
  return db.run(sql()`
    update webhook_endpoint
       set url = ${url}, address = ${address}, events = ${events}, description = ${description}, payload = ${payload},
           include = ${include}, signatures = ${signatures}, revision = revision + 1,
           address_key_id = ${now.address_key_id}, address_key_scopes = ${now.address_key_scopes},
           address_in_doubt = ${now.address_in_doubt},
           failure_count = case when ${isMoved} then 0 else failure_count end,
           unanswered_count = case when ${isMoved} then 0 else unanswered_count end
     where venue_id = ${venue} and id = ${endpoint.id}`)
}

/** From now on nothing is sent and events are held. Works for an endpoint that was switched off for failing, too. */
const pauseEndpoint = ({ db, venue, now }: Work, id: string): Promise<number> =>
  db.run(sql()`
    update webhook_endpoint
       set status = 'paused', paused_at = ${now()}, disabled_reason = null, off_told = false, revision = revision + 1
     where venue_id = ${venue.id} and id = ${id}`)

/** Resumes with no failures counted; held events go first, one at a time, in the order they happened. */
export const resumeEndpoint = async ({ db, venue, now }: Work, id: string): Promise<void> => {
  const moment = now()
  await db.run(sql()`
    update webhook_endpoint
       set status = 'active', paused_at = null, resumed_at = ${moment}, disabled_reason = null, failure_count = 0,
           unanswered_count = 0, off_told = false, address_in_doubt = false, revision = revision + 1
     where venue_id = ${venue.id} and id = ${id}`)
  await openLane(db, venue.id, moment)
}
