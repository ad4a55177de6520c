import { type Static, Type } from 'typebox'
import { type EventName, eventNames, events } from './events.ts'
import { moment } from './shapes.ts'

/*
 * What an endpoint receives. The published shape and the text that is sent are side by side here, and the examples are
 * made from that text.
 */

/** What `data` of a `ping` is. */
export const PingData = Type.Object(
  {
    webhookId: Type.String({ description: 'The endpoint that was tested.' }),
    message: Type.String({ description: 'A sentence for a person.' }),
  },
  { title: 'PingData', description: 'What a test delivery carries.' },
)

/** What every delivery has. Nothing is made by this shape: it is what the documents show. */
export const Delivery = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description:
        'Identifies this delivery: the same on every retry, and another for each endpoint. Skip one you have seen.',
    }),
    event: Type.String({
      description: 'What happened. The list may grow; answer 2xx to one you do not know.',
      examples: [...eventNames, 'ping'],
    }),
    occurredAt: moment('When it happened.'),
    venue: Type.Object(
      { slug: Type.String({ description: "The venue's identifier." }) },
      { description: 'Where it happened.' },
    ),
    // No type here: the delivery of each event says which object it is, and generators keep exactly that.
    data: Type.Unsafe<object>({
      description:
        'An object: the record as it was right after the event, in the shape it has everywhere else.',
    }),
  },
  { title: 'Delivery', description: 'The body of every webhook delivery.' },
)
export type Delivery = Static<typeof Delivery>

/** What a delivery tells. */
export type Told = {
  /** The delivery's id, the same on every try. */
  readonly id: string
  readonly event: EventName | 'ping'
  readonly occurredAt: string
  readonly venueSlug: string
  /** The record as JSON text: its bytes were fixed when the event was recorded, and are set in as they are. */
  readonly data: string
}

/** The body of a delivery, so that every try has the same text. */
export const deliveryText = ({ id, event, occurredAt, venueSlug, data }: Told): string =>
  `{"id":"${id}","event":"${event}","occurredAt":"${occurredAt}","venue":{"slug":${JSON.stringify(venueSlug)}},"data":${data}}`

/** The value of `User-Agent` in every delivery. */
export const deliveryUserAgent = 'Service-Webhooks/1'

/** A delivery of each event, just as it is sent. */
export const sampleDelivery = (event: EventName | 'ping'): string =>
  deliveryText({
    id: event === 'ping' ? pingId : sampleIds[event],
    event,
    occurredAt: sampleMoment(event),
    venueSlug: 'blue-door',
    data: JSON.stringify(event === 'ping' ? pingExample : events[event].example),
  })

/** When the record of the example changed, where it says so. */
const sampleMoment = (event: EventName | 'ping'): string => {
  const example = event === 'ping' ? {} : events[event].example
  return ('updatedAt' in example && (example.updatedAt as string)) || '2026-10-06T15:04:06.002Z'
}

const pingExample: Static<typeof PingData> = {
  webhookId: '0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70',
  message: 'A test delivery for The Blue Door.',
}

/** One id is one delivery, so no two samples share one. */
const pingId = '5c1f7a90-93b5-4b8e-a7a3-6f0d2f1b7e44'
const sampleIds: Readonly<Record<EventName, string>> = {
  'reservation.created': '7d0f8f5e-3c0b-4a57-8f0e-2f1f7a5a9c11',
  'reservation.updated': '1f6e0c0a-5b0e-4d7b-9f55-7f0b6a1c2d02',
  'reservation.cancelled': '3b5d9a40-6a0c-4f1e-8d7e-92c4e8a1f703',
  'guest.created': '4a8c21f7-0e93-4c6d-b1a5-5d3f70e9b604',
  'subscriber.added': '5e17b3d9-28c4-4b0f-a6e2-1c9d84f0a705',
  'subscriber.unsubscribed': '6f92d0b1-73ae-4e5c-9b38-e07a15c2d806',
  'ticket_order.paid': '80a4c7e2-9d15-4f6b-8c03-36b9f1e5a907',
  'ticket_order.refunded': '91b5d8f3-ae26-4a7c-9d14-47caa2f6ba08',
  'waitlist.added': 'a2c6e9a4-bf37-4b8d-ae25-58dbb3a7cb09',
  'waitlist.seated': 'b3d7fab5-ca48-4c9e-bf36-69ecc4b8dc10',
  'lead.created': 'c4e8abc6-db59-4daf-8a47-7afdd5c9ed12',
  'access.key_expiring': 'd5f9bcd7-ec6a-4ebf-9b58-8b0ee6dafe13',
  'person.erased': 'd5f9bcd7-ec6a-4eba-9b58-8b0ee6daee13',
}

/**
 * A delivery to try one's own verification on; shown at /docs and in docs/webhooks.md. The secret signs nothing else.
 */
export const publishedVector = {
  secret: 'whsec_ZG9jcy1vbmx5LW5ldmVyLWEtcmVhbC1zZWNyZXQtMDA',
  t: 1_791_226_800,
  body: '{"id":"5f0c7a52-2f6e-4c39-9b6e-0d9c2c7f4a11","event":"ping","occurredAt":"2026-10-05T19:00:00.000Z","venue":{"slug":"harbour-room"},"data":{"webhookId":"0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70","message":"Bonjour, café"}}',
  v1: '4cd9e79ebc292058cee2b6cba457f2b08cacce40276df50f265fce67c230dcfa',
} as const
