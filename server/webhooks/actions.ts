import type { EventName } from '@venue-data/contract/events.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { NewWebhookEndpoint } from '@venue-data/contract/webhook.ts'
import { venuesWithOpenApi } from '../access/reads.ts'
import { hangDoorbell, isDoorbell } from '../changes/doorbell.ts'
import type { Context, Work } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { openLane } from '../events/record.ts'
import { unknownKey, venueMayNot } from '../http/refusals.ts'
import { toMoment } from '../kernel/moment.ts'
import { Refusal, notFound } from '../kernel/refusal.ts'
import { open, seal } from '../kernel/secrets.ts'
import { endSentence } from '../kernel/sentence.ts'
import { isUuid, uuidFrom } from '../kernel/uuid.ts'
import type { VenueId } from '../venue/venue.ts'
import { engineLimits } from './engine/limits.ts'
import { messageBody, signedHeaders } from './message.ts'
import { presentEndpoint } from './present.ts'
import { endpointTarget, endpointsInPlace } from './reads.ts'
import { describeOutcome, isSuccess } from './schedule.ts'
import { runningTime } from './running-time.ts'
import type { GoAhead } from './sender.ts'
import { makeSecret } from './signature.ts'
import {
  deleteEndpoint,
  disableEndpointsOfExpiredKey,
  disableEndpointsOfKey,
  disableEndpointsOfVenue,
  enableEndpointsOfKey,
  giveEndpointsToKey,
  holdLiveKey,
  insertEndpoint,
  lockVenue,
  writeScopesOfKey,
} from './writes.ts'

/** What endpoints are made with: the key ring that seals their secrets, and randomness. */
type Maker = Pick<Context, 'secrets' | 'random'>

export type AskedEndpoint = {
  readonly url: string
  /** The one spelling of the address (destination.ts). */
  readonly address: string
  /** Names and patterns. */
  readonly events: readonly string[]
  readonly keyId: number
}

/**
 * Adds an endpoint and makes its secret, which is returned this once and stored sealed. Refuses a second one for
 * the same address and an eleventh.
 */
export const addEndpoint = async (
  { db, venue, now }: Work,
  { secrets, random }: Maker,
  { url, address, events, keyId }: AskedEndpoint,
): Promise<NewWebhookEndpoint> => {
  await lockVenue(db, venue.id)
  const key = await holdLiveKey(db, keyId, now())
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
      ...{ keyId, keyScopes: key.scopes },
    },
    now(),
  )
  if (events.some(isDoorbell)) await hangDoorbell(db, venue.id)
  const made = presentEndpoint(row)
  return { id, url, events: made.events, status: made.status, createdAt: made.createdAt, secret }
}

/** Adds a hook of the automation platform for one event. Refuses more than a hundred. */
export const addHook = async (
  { db, venue, now }: Work,
  { random }: Pick<Maker, 'random'>,
  { url, address, event, keyId }: Omit<AskedEndpoint, 'events'> & { readonly event: EventName },
): Promise<{ id: string; event: string; targetUrl: string }> => {
  await lockVenue(db, venue.id)
  const key = await holdLiveKey(db, keyId, now())
  if (!key) throw unknownKey()
  const { total } = await endpointsInPlace(db, venue.id, 'hook', address)
  if (total >= limits.hooksOfVenue) throw new Refusal(409, 'Too many hooks are listening; remove one first.')
  const { id } = await insertEndpoint(
    db,
    venue.id,
    {
      ...{ id: uuidFrom(random), kind: 'hook', url, address, events: [event], secretSealed: null },
      ...{ keyId, keyScopes: key.scopes },
    },
    now(),
  )
  if (isDoorbell(event)) await hangDoorbell(db, venue.id)
  return { id, event, targetUrl: url }
}

/** Removes an endpoint or a hook with all that waits for it. Refuses an id the venue does not have. */
export const removeEndpoint = async (
  { db, venue }: Work,
  kind: 'webhook' | 'hook',
  id: string,
): Promise<{ id: string; deleted: true }> => {
  if (!isUuid(id) || !(await deleteEndpoint(db, venue.id, kind, id))) throw noSuch(kind)
  return { id, deleted: true }
}

/**
 * Sends one signed ping now and returns the outcome. It changes nothing about the endpoint. Refuses an id the venue
 * does not have, a permanently disabled endpoint, and a venue whose API is blocked, even if that happened during the DNS
 * lookup.
 */
export const pingEndpoint = async (
  { db, venue, now }: Work,
  { secrets, random, sender }: Maker & Pick<Context, 'sender'>,
  endpointId: string,
) => {
  const before = await targetOfPing(db, venue.id, endpointId)
  const vetted = await sender.vet(before.address)
  let lookedAtMs = 0
  // The last thing before the request: nothing starts once a DELETE or a revoke was answered.
  const look = async () => {
    lookedAtMs = runningTime.nowMs()
    const target = await targetOfPing(db, venue.id, endpointId)
    if (!(await venuesWithOpenApi(db, [venue.id])).has(venue.id)) throw venueMayNot()
    return target
  }
  const target = await look()
  const id = uuidFrom(random)
  const moment = now()
  const data = JSON.stringify({
    webhookId: endpointId,
    message: endSentence(`A test delivery for ${venue.name}`),
  })
  const body = messageBody({ id, event: 'ping', occurredAt: toMoment(moment), venueSlug: venue.slug, data })
  const secret = open(secrets, target.secret_sealed as string, endpointId)
  const request = { body, headers: signedHeaders('ping', secret, body, moment) }
  const goAhead: GoAhead = {
    ask: async () => {
      await look()
      return true
    },
    holds: () => runningTime.nowMs() - lookedAtMs <= engineLimits.startWithinMs,
  }
  const outcome = vetted.kind === 'vetted' ? await sender.post(vetted, request, goAhead) : vetted
  // The look throws what it finds instead.
  if (!outcome) throw new Error('A ping was not sent.')
  const ok = isSuccess(outcome)
  return {
    id,
    event: 'ping' as const,
    ok,
    statusCode: outcome.kind === 'answered' ? outcome.statusCode : 0,
    error: ok ? null : describeOutcome(outcome),
    durationMs: outcome.durationMs,
  }
}

/** One that failed too often may be tested: its owner wants to know whether it works again. */
const targetOfPing = async (db: Queries, venue: VenueId, id: string) => {
  const target = isUuid(id) ? await endpointTarget(db, venue, id) : undefined
  if (!target) throw noSuch('webhook')
  if (target.disabled_reason === 'key-revoked' || target.disabled_reason === 'access-withdrawn') {
    throw new Refusal(
      409,
      'The key that made this endpoint is gone, so nothing is sent to it any more; delete it and add it again.',
    )
  }
  return target
}

/** What a revoked key made stops at once; what waits for it is not sent. Safe to repeat. */
export const stopEndpointsOfKey = disableEndpointsOfKey

/** What an expired key made stops until its owner prolongs the key. Safe to repeat. */
export const holdEndpointsOfExpiredKey = disableEndpointsOfExpiredKey

/** What stopped because its key had expired goes on, with what was held. */
export const resumeEndpointsOfKey = async (
  db: Queries,
  venue: VenueId,
  keyId: number,
  now: Temporal.Instant,
): Promise<void> => {
  if ((await enableEndpointsOfKey(db, venue, keyId)) > 0) await openLane(db, venue, now)
}

/** What was made with keys goes on with the one that replaced them. */
export const moveEndpointsToKey = giveEndpointsToKey

/** Endpoints tell only what their key may read, as it may now. */
export const followKey = writeScopesOfKey

/** All endpoints and hooks of a venue whose access is withdrawn stop at once. Safe to repeat. */
export const stopEndpointsOfVenue = disableEndpointsOfVenue

const noSuch = (kind: 'webhook' | 'hook'): Refusal => notFound(kind === 'hook' ? 'hook' : 'webhook endpoint')
