import { venuesWithOpenApi } from '../../access/reads.ts'
import type { Context, Work } from '../../../context.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { venueMayNot } from '../../../platform/http/refusals.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { open } from '../../../platform/kernel/secrets.ts'
import { isUuid, uuidFrom } from '../../../platform/kernel/uuid.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { engineLimits } from '../engine/limits.ts'
import { type Signing, signedHeaders } from './message.ts'
import type { Reach } from '../reach.ts'
import { isOffForGood, offForGood } from '../stays-off.ts'
import { type EndpointTarget, endpointTarget } from '../reads.ts'
import { runningTime } from '../running-time.ts'
import { describeOutcome, isSuccess } from '../schedule.ts'
import { secretsAt } from '../secrets.ts'
import type { GoAhead } from './sender.ts'

/** A message sent immediately, outside the queue and all counts. */
type Sending<Event extends string> = {
  readonly event: Event
  /** The body, by the endpoint's settings at that moment. */
  readonly body: (id: string, target: EndpointTarget, now: Temporal.Instant) => Buffer
  readonly headers?: Readonly<Record<string, string>>
  /** Of the key that asks; absent: anyone who manages endpoints may. */
  readonly reach?: Reach
}

/**
 * Sends one signed message now and returns the outcome. It changes nothing about the endpoint. Refuses an id the venue
 * does not have, a permanently disabled endpoint, and a venue whose API is blocked, even if that happened during the DNS
 * lookup.
 */
export const sendNow = async <Event extends Parameters<typeof signedHeaders>[0]['event']>(
  { db, venue, now }: Work,
  { secrets, random, sender }: Pick<Context, 'secrets' | 'random' | 'sender'>,
  endpointId: string,
  { event, body: bodyOf, headers = {}, reach }: Sending<Event>,
) => {
  const before = await targetOf(db, venue.id, endpointId, reach)
  const vetted = await sender.vet(before.address)
  let lookedAtMs = 0
  // The last step before the request: nothing starts once a DELETE or a revoke was answered.
  const look = async () => {
    lookedAtMs = runningTime.nowMs()
    const target = await targetOf(db, venue.id, endpointId, reach)
    if (!(await venuesWithOpenApi(db, [venue.id])).has(venue.id)) throw venueMayNot()
    return target
  }
  const target = await look()
  const id = uuidFrom(random)
  const moment = now()
  const body = bodyOf(id, target, moment)
  const signing: Signing = {
    secrets: secretsAt(target, moment, (sealed) => open(secrets, sealed, endpointId)),
    signatures: target.signatures,
  }
  const request = { body, headers: { ...signedHeaders({ id, event }, signing, body, moment), ...headers } }
  const goAhead: GoAhead = {
    ask: async () => {
      await look()
      return true
    },
    holds: () => runningTime.nowMs() - lookedAtMs <= engineLimits.startWithinMs,
  }
  const outcome = vetted.kind === 'vetted' ? await sender.post(vetted, request, goAhead) : vetted
  // The look throws its finding instead.
  if (!outcome) throw new Error('A message was not sent.')
  const ok = isSuccess(outcome)
  return {
    id,
    event,
    ok,
    statusCode: outcome.kind === 'answered' ? outcome.statusCode : 0,
    error: ok ? null : describeOutcome(outcome),
    durationMs: outcome.durationMs,
  }
}

/** An endpoint that failed too often or is paused may be tested: its owner wants to know whether it works. */
const targetOf = async (db: Queries, venue: VenueId, id: string, reach: Reach | undefined) => {
  const target = isUuid(id) ? await endpointTarget(db, venue, id) : undefined
  if (!target) throw notFound('webhook endpoint')
  reach?.(target)
  if (isOffForGood(target)) throw offForGood()
  return target
}
