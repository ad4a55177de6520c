import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { NewWebhookEndpoint } from '@venue-data/contract/webhooks/webhook.ts'
import { hangDoorbell, isDoorbell } from '../changes/doorbell.ts'
import type { Context, Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { openLane } from '../../core/events/record.ts'
import { unknownKey } from '../../platform/http/refusals.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { Refusal, notFound } from '../../platform/kernel/refusal.ts'
import { seal } from '../../platform/kernel/secrets.ts'
import { endSentence } from '../../platform/kernel/sentence.ts'
import { isUuid, uuidFrom } from '../../platform/kernel/uuid.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { messageBody } from './sending/message.ts'
import { endpointsInPlace } from './reads.ts'
import { sendNow } from './sending/send-now.ts'
import { makeSecret } from './sending/signature.ts'
import {
  type EndpointSettings,
  deleteEndpoint,
  disableEndpointsOfExpiredKey,
  disableEndpointsOfKey,
  disableEndpointsOfVenue,
  enableEndpointsOfKey,
  giveEndpointsToKey,
  holdLiveKey,
  insertEndpoint,
  lockVenue,
  usualSettings,
  writeScopesOfKey,
} from './writes.ts'

/** What creating endpoints needs: the key ring that seals their secrets, and randomness. */
type Maker = Pick<Context, 'secrets' | 'random'>

export type AskedEndpoint = {
  readonly url: string
  /** The one spelling of the address (platform/net/destination.ts). */
  readonly address: string
  /** Names and patterns. */
  readonly events: readonly string[]
  readonly keyId: number
  /** Settings not named get their defaults. */
  readonly settings?: Partial<EndpointSettings>
}

/**
 * Adds an endpoint and creates its secret, which is returned only once and stored sealed. Refuses a second endpoint for
 * the same address, and an eleventh.
 */
export const addEndpoint = async (
  { db, venue, now }: Work,
  { secrets, random }: Maker,
  { url, address, events, keyId, settings = {} }: AskedEndpoint,
): Promise<NewWebhookEndpoint> => {
  await lockVenue(db, venue.id)
  const key = await holdLiveKey(db, venue.id, keyId, now())
  if (!key) throw unknownKey()
  const inPlace = await endpointsInPlace(db, venue.id, 'webhook', address)
  if (inPlace.same_address)
    throw new Refusal(409, 'The venue already has a webhook endpoint for this address.')
  if (inPlace.total >= limits.webhookEndpointsOfVenue) {
    throw new Refusal(
      409,
      `The venue already has ${limits.webhookEndpointsOfVenue} webhook endpoints; delete one first.`,
    )
  }
  const id = uuidFrom(random)
  const secret = makeSecret(random)
  const row = await insertEndpoint(
    db,
    venue.id,
    {
      ...{ id, kind: 'webhook', url, address, events },
      secretSealed: seal(secrets, secret, id, random(12)),
      ...{ keyId: key.id, keyScopes: key.scopes, settings: { ...usualSettings, ...settings } },
    },
    now(),
  )
  if (events.some(isDoorbell)) await hangDoorbell(db, venue.id)
  return { id, url, events: row.events, status: row.status, createdAt: row.created_at, secret }
}

/** Adds a hook of the automation platform for one event. Refuses more than a hundred. */
export const addHook = async (
  { db, venue, now }: Work,
  { random }: Pick<Maker, 'random'>,
  { url, address, event, keyId }: Omit<AskedEndpoint, 'events' | 'settings'> & { readonly event: EventName },
): Promise<{ id: string; event: string; targetUrl: string }> => {
  await lockVenue(db, venue.id)
  const key = await holdLiveKey(db, venue.id, keyId, now())
  if (!key) throw unknownKey()
  const { total } = await endpointsInPlace(db, venue.id, 'hook', address)
  if (total >= limits.hooksOfVenue) throw new Refusal(409, 'Too many hooks are listening; remove one first.')
  const { id } = await insertEndpoint(
    db,
    venue.id,
    {
      ...{ id: uuidFrom(random), kind: 'hook', url, address, events: [event], secretSealed: null },
      ...{ keyId: key.id, keyScopes: key.scopes },
    },
    now(),
  )
  if (isDoorbell(event)) await hangDoorbell(db, venue.id)
  return { id, event, targetUrl: url }
}

/** Removes an endpoint or a hook with everything waiting for it. Refuses an id the venue does not have. */
export const removeEndpoint = async (
  { db, venue }: Work,
  kind: 'webhook' | 'hook',
  id: string,
): Promise<{ id: string; deleted: true }> => {
  if (!isUuid(id) || !(await deleteEndpoint(db, venue.id, kind, id))) throw noSuch(kind)
  return { id, deleted: true }
}

/** Sends one signed ping now and returns the outcome. */
export const pingEndpoint = (work: Work, context: Maker & Pick<Context, 'sender'>, endpointId: string) =>
  sendNow(work, context, endpointId, {
    event: 'ping',
    body: (id, _target, now) =>
      messageBody({
        ...{ id, event: 'ping', occurredAt: toMoment(now), venueSlug: work.venue.slug },
        data: JSON.stringify({
          webhookId: endpointId,
          message: endSentence(`A test delivery for ${work.venue.name}`),
        }),
      }),
  })

/**
 * Endpoints made by a revoked key stop immediately; their waiting deliveries are not sent. Endpoints at an address that
 * it set are paused. Safe to repeat.
 */
export const stopEndpointsOfKey = disableEndpointsOfKey

/**
 * Endpoints made by an expired key stop until its owner extends the key; those at an address that it set are paused.
 * Safe to repeat.
 */
export const holdEndpointsOfExpiredKey = disableEndpointsOfExpiredKey

/** Endpoints that stopped because their key had expired resume, with their held events. */
export const resumeEndpointsOfKey = async (
  db: Queries,
  venue: VenueId,
  keyId: number,
  now: Temporal.Instant,
): Promise<void> => {
  if ((await enableEndpointsOfKey(db, venue, keyId)) > 0) await openLane(db, venue, now)
}

/** The replacing key takes over the endpoints of the keys it replaced, and counts as the one that set their addresses. */
export const moveEndpointsToKey = giveEndpointsToKey

/** Endpoints get only what the key that made them, and the one that set their address, may currently read. */
export const followKey = writeScopesOfKey

/** All endpoints and hooks of a venue whose access is withdrawn stop at once. Safe to repeat. */
export const stopEndpointsOfVenue = disableEndpointsOfVenue

const noSuch = (kind: 'webhook' | 'hook'): Refusal => notFound(kind === 'hook' ? 'hook' : 'webhook endpoint')
