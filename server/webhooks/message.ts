import type { EventName } from '@venue-data/contract/events.ts'
import type { Moment } from '../kernel/moment.ts'
import { sign } from './signature.ts'

/**
 * What is sent for one event to one endpoint (contract, "Delivery"). The record's bytes are those the outbox
 * fixed; they are set in as they are, so that every try has the same body.
 */
export type Message = {
  /** The delivery's id, the same on every try. */
  readonly id: string
  readonly event: EventName | 'ping'
  readonly occurredAt: Moment
  readonly venueSlug: string
  /** The record as JSON text. */
  readonly data: string
}

/** The body of a delivery to an endpoint. A hook's body is the record itself (webhooks.md 1.3). */
export const messageBody = ({ id, event, occurredAt, venueSlug, data }: Message): Buffer =>
  Buffer.from(
    `{"id":"${id}","event":"${event}","occurredAt":"${occurredAt}","venue":{"slug":${JSON.stringify(venueSlug)}},"data":${data}}`,
  )

/** Headers of one try to an endpoint; the signature is of this second. */
export const signedHeaders = (
  event: Message['event'],
  secret: string,
  body: Buffer,
  now: Temporal.Instant,
): Record<string, string> => ({
  ...hookHeaders(event),
  'x-service-signature': sign(secret, Math.floor(now.epochMilliseconds / 1000), body),
})

/** Headers of one try to a hook, which carries no signature. */
export const hookHeaders = (event: Message['event']): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Service-Webhooks/1',
  'x-service-event': event,
})
