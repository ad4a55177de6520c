import type { Actor } from '../activity/actor.ts'
import { hangDoorbell, isDoorbell } from '../changes/doorbell.ts'
import type { Context, Work } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { type RowOf, columnsOf, sql } from '../db/sql.ts'
import { openLane } from '../events/record.ts'
import { Refusal, notFound, refuse } from '../kernel/refusal.ts'
import { open } from '../kernel/secrets.ts'
import { isUuid } from '../kernel/uuid.ts'
import type { VenueId } from '../venue/venue.ts'
import { hostOf, record } from './activity.ts'
import { staysOff } from './stays-off.ts'
import { endpointRow, endpointsInPlace } from './reads.ts'
import { isStandardSecret } from './signature.ts'
import { type EndpointSettings, lockVenue } from './writes.ts'

/*
 * Changes to an existing endpoint, by the venue's software and in the office. Every change increments `revision`, and
 * an attempt prepared before it no longer starts (engine/last-look.ts). So every attempt that starts after the answer
 * uses the new settings.
 */

const heldRow = {
  ...endpointRow,
  address: 'text',
  secret_sealed: 'text',
  previous_secret_sealed: 'text?',
} as const
/** An endpoint whose row is locked. */
export type HeldEndpoint = RowOf<typeof heldRow>

export type EndpointChanges = Partial<EndpointSettings> & {
  readonly url?: string
  /** The one spelling of the url (destination.ts). */
  readonly address?: string
  /** Names and patterns. */
  readonly events?: readonly string[]
  readonly status?: 'active' | 'paused'
}

type AskedChange = {
  readonly id: string
  readonly changes: EndpointChanges
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
  { id, changes, seen }: AskedChange,
): Promise<void> => {
  const { db, venue } = work
  // Before the endpoint's row, in the same order as adding one.
  if (changes.address !== undefined) await lockVenue(db, venue.id)
  const endpoint = await holdEndpoint(db, venue.id, id)
  await seen?.(endpoint)
  const differing = differingFrom(endpoint, changes)
  if (changes.status !== undefined) throwIf(staysOff(endpoint))
  if (differing.includes('signatures')) throwIf(needsRotation(endpoint, changes, secrets))
  if (differing.includes('address')) await refuseSecond(db, venue.id, id, changes.address as string)
  if (differing.length === 0) return
  if (differing.some((one) => one !== 'status')) await writeChanges(db, venue.id, endpoint, changes)
  if (differing.includes('status')) {
    if (changes.status === 'active') await resumeEndpoint(work, id)
    else await pauseEndpoint(work, id)
  }
  if (changes.events?.some(isDoorbell)) await hangDoorbell(db, venue.id)
  await record(work, actor, 'changeEndpoint', {
    endpoint: hostOf(endpoint.url),
    changed: differing.filter((one) => one !== 'address').join(', '),
  })
}

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

/** The given settings that differ from the current ones. */
const differingFrom = (endpoint: HeldEndpoint, changes: EndpointChanges): (keyof EndpointChanges)[] =>
  (Object.keys(changes) as (keyof EndpointChanges)[]).filter(
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
  changes: EndpointChanges,
): Promise<number> => {
  const { url, address, events, description, payload, include, signatures } = { ...endpoint, ...changes }
  const isMoved = address !== endpoint.address
  return db.run(sql()`
    update webhook_endpoint
       set url = ${url}, address = ${address}, events = ${events}, description = ${description}, payload = ${payload},
           include = ${include}, signatures = ${signatures}, revision = revision + 1,
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
           unanswered_count = 0, off_told = false, revision = revision + 1
     where venue_id = ${venue.id} and id = ${id}`)
  await openLane(db, venue.id, moment)
}
