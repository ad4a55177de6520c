import { type Told, deliveryText, deliveryUserAgent } from '@venue-data/contract/webhooks/delivery.ts'
import { sign, standardSignature } from './signature.ts'

/** The body of a delivery to an endpoint. A hook's body is the record itself. */
export const messageBody = (told: Told): Buffer => Buffer.from(deliveryText(told))

/** What deliveries to an endpoint are signed with at one moment. */
export type Signing = {
  /** Newest first. */
  readonly secrets: readonly [string, ...string[]]
  readonly signatures: readonly string[]
}

/** Headers of one attempt to an endpoint, with signatures for this second. */
export const signedHeaders = (
  { id, event }: Pick<Told, 'id' | 'event'>,
  { secrets, signatures }: Signing,
  body: Buffer,
  now: Temporal.Instant,
): Record<string, string> => {
  const seconds = Math.floor(now.epochMilliseconds / 1000)
  const [secret, ...before] = secrets
  return {
    ...hookHeaders(event),
    'x-service-signature': sign(secret, seconds, body, before),
    ...(signatures.includes('standard') && {
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': standardSignature(secrets, id, seconds, body),
    }),
  }
}

/** Headers of one attempt to a hook, which is not signed. */
export const hookHeaders = (event: Told['event']): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': deliveryUserAgent,
  'x-service-event': event,
})
