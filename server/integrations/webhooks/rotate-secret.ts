import { endpoints } from '@venue-data/contract/endpoints.ts'
import type { SecretRotation } from '@venue-data/contract/webhooks/webhook-settings.ts'
import type { Actor } from '../../core/activity/actor.ts'
import type { Context, Work } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { refuse } from '../../platform/kernel/refusal.ts'
import { seal } from '../../platform/kernel/secrets.ts'
import { hostOf, record } from './activity.ts'
import type { Reach } from './reach.ts'
import { isRotating } from './secrets.ts'
import { holdEndpoint } from './settings.ts'
import { makeSecret } from './sending/signature.ts'

export type AskedRotation = {
  readonly id: string
  /** How long the current secret stays valid. */
  readonly overlapHours: number
  /** Discards the new secret of an open rotation, whose text may have been lost, and makes another. */
  readonly replace: boolean
  /** Absent: in the office. */
  readonly reach?: Reach
}

/** Gives an endpoint a new secret, which is returned only once. Only one rotation is open at a time. */
export const rotateSecret = async (
  work: Work,
  { secrets, random }: Pick<Context, 'secrets' | 'random'>,
  actor: Actor,
  { id, overlapHours, replace, reach }: AskedRotation,
): Promise<SecretRotation> => {
  const { db, venue, now } = work
  const endpoint = await holdEndpoint(db, venue.id, id)
  reach?.(endpoint)
  const moment = now()
  const isOpen = isRotating(endpoint, moment)
  if (isOpen && !replace) {
    throw refuse('rotation-open', endpoints.rotateWebhookSecret.sentences['rotation-open'])
  }
  const secret = makeSecret(random)
  const sealed = seal(secrets, secret, endpoint.id, random(12))
  const until = isOpen
    ? (endpoint.previous_until ?? toMoment(moment))
    : toMoment(moment.add({ hours: overlapHours }))
  const before = isOpen ? endpoint.previous_secret_sealed : endpoint.secret_sealed
  const isOver = !isOpen && overlapHours === 0
  await db.run(sql()`
    update webhook_endpoint
       set secret_sealed = ${sealed}, previous_secret_sealed = ${isOver ? null : before},
           previous_until = ${isOver ? null : until}, revision = revision + 1
     where venue_id = ${venue.id} and id = ${endpoint.id}`)
  await record(work, actor, 'rotateSecret', { endpoint: hostOf(endpoint.url) })
  return { id: endpoint.id, secret, previousValidUntil: until }
}
