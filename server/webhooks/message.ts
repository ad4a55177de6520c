import { type Told, deliveryText, deliveryUserAgent } from '@venue-data/contract/delivery.ts'
import { sign } from './signature.ts'

/** The body of a delivery to an endpoint. A hook's body is the record itself. */
export const messageBody = (told: Told): Buffer => Buffer.from(deliveryText(told))

/** Headers of one attempt to an endpoint; the signature is of this second. */
export const signedHeaders = (
  event: Told['event'],
  secret: string,
  body: Buffer,
  now: Temporal.Instant,
): Record<string, string> => ({
  ...hookHeaders(event),
  'x-service-signature': sign(secret, Math.floor(now.epochMilliseconds / 1000), body),
})

/** Headers of one attempt to a hook, which carries no signature. */
export const hookHeaders = (event: Told['event']): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': deliveryUserAgent,
  'x-service-event': event,
})
