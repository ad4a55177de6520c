import { type Static, Type } from 'typebox'
import { type EventName, eventNames, events, namesWith } from './events.ts'
import { type RecordKind, eventKinds } from '../kinds.ts'
import { type ChangeAnswer, changeAnswers } from '../records/reservation.ts'
import { moment } from '../shapes.ts'

/*
 * What an endpoint receives. The published shape and the text that is sent are next to each other here, and the examples
 * are made from that text.
 */

/** What `data` of a `ping` is. */
export const PingData = Type.Object(
  {
    webhookId: Type.String({ description: 'The endpoint that was tested.' }),
    message: Type.String({ description: 'A sentence for a person.' }),
  },
  { title: 'PingData', description: 'What a test delivery carries.' },
)

/** What every delivery has. This shape is only for the documents: nothing is serialized by it. */
export const Delivery = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description:
        'Identifies this delivery: the same on every retry, and another for each endpoint. Skip one you have seen.',
    }),
    event: Type.String({
      description: 'What happened. The list may grow; answer 2xx to one you do not know.',
      examples: ['reservation.created'],
    }),
    occurredAt: moment('When it happened.'),
    venue: Type.Object(
      { slug: Type.String({ description: "The venue's identifier." }) },
      { description: 'The venue it happened at.' },
    ),
    // No type here: each event's own delivery says which object it is, and generators keep exactly that.
    data: Type.Unsafe<object>({
      description:
        'An object: the record as it was right after the event, in the shape it has everywhere else.',
    }),
    eventId: Type.Optional(
      Type.String({
        description: 'Identifies what happened: the same for all endpoints. A `ping` has none.',
      }),
    ),
    record: Type.Optional(
      Type.Object(
        {
          kind: Type.Unsafe<RecordKind>({
            type: 'string',
            description: `The kind of record: ${eventKinds.map((kind) => `\`${kind}\``).join(', ')}; the list may grow.`,
            examples: [...eventKinds],
          }),
          id: Type.Integer({ description: 'The id of the record.' }),
          revision: Type.Integer({
            description:
              'The revision after this change: of two deliveries, the higher is newer. Gaps are normal.',
          }),
        },
        { title: 'TouchedRecord', description: 'The record it happened to; absent when there is none.' },
      ),
    ),
    names: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'All names that fit what happened, the most specific first. The list may grow. A `ping` has none.',
        examples: [['reservation.seated', 'reservation.updated']],
      }),
    ),
    answer: Type.Optional(
      Type.String({
        description: `Only of \`reservation.change_answered\`: how the requested change ended. One of ${changeAnswers.map((one) => `\`${one}\``).join(', ')}; the list may grow.`,
        examples: [...changeAnswers],
      }),
    ),
    previous: Type.Optional(
      // No type, as for `data`: a generator would read an object without declared fields as one that has none.
      Type.Unsafe<object | null>({
        description:
          'Only if the endpoint asked for it, an object: the fields of `data` that changed, with their previous values. `null` when there was nothing before, or it is no longer known.',
      }),
    ),
    sample: Type.Optional(
      Type.Literal(true, {
        description: 'Marks a sample you asked for: nothing happened, and every record id in it is 0.',
      }),
    ),
  },
  { title: 'Delivery', description: 'The body of every webhook delivery.' },
)
export type Delivery = Static<typeof Delivery>

/** The contents of a delivery. */
export type Told = {
  /** The delivery's id, the same on every attempt. */
  readonly id: string
  readonly event: EventName | 'ping'
  readonly occurredAt: string
  readonly venueSlug: string
  /** The record as JSON text: its bytes were fixed when the event was recorded, and are inserted unchanged. */
  readonly data: string
  /** Absent for a ping, and for an event recorded by a release that did not have it yet. */
  readonly happened?: Happened
  /** The previous values of the fields that changed, as JSON text; null: not known. Absent: the endpoint did not ask. */
  readonly previous?: string | null
  readonly isSample?: true
}

/** What is the same for every endpoint. */
export type Happened = {
  readonly eventId: string
  readonly record: { readonly kind: RecordKind; readonly id: number; readonly revision: number } | null
  readonly names: readonly EventName[]
  /** How a requested change of a booking ended; absent: the event is not about one. */
  readonly answer?: ChangeAnswer | undefined
}

/** The body of a delivery, the same text on every attempt. */
export const deliveryText = (told: Told): string => {
  const { id, event, occurredAt, venueSlug, data, happened, previous } = told
  const more = [
    happened ? happenedText(happened) : '',
    previous === undefined ? '' : `,"previous":${previous ?? 'null'}`,
  ].join('')
  return `{${told.isSample ? '"sample":true,' : ''}"id":"${id}","event":"${event}","occurredAt":"${occurredAt}","venue":{"slug":${JSON.stringify(venueSlug)}},"data":${data}${more}}`
}

const happenedText = ({ eventId, record, names, answer }: Happened): string =>
  [
    `,"eventId":"${eventId}"`,
    record ? `,"record":${JSON.stringify(record)}` : '',
    `,"names":${JSON.stringify(names)}`,
    answer ? `,"answer":"${answer}"` : '',
  ].join('')

/** The value of `User-Agent` in every delivery. */
export const deliveryUserAgent = 'Service-Webhooks/1'

/** A delivery of each event, just as it is sent. */
export const sampleDelivery = (event: EventName | 'ping'): string =>
  event === 'ping'
    ? deliveryText({
        id: pingId,
        event,
        occurredAt: '2026-10-06T15:04:06.002Z',
        venueSlug: 'blue-door',
        data: JSON.stringify(pingExample),
      })
    : deliveryText({
        id: sampleIdOf(event),
        event,
        occurredAt: sampleMomentOf(event),
        venueSlug: 'blue-door',
        data: JSON.stringify(events[event].example),
        happened: {
          eventId: 'f2a7c9d4-5b81-4e36-9c0f-7d2e4b6a8c13',
          record: sampleRecordOf(event),
          names: namesWith([event]),
          answer: sampleAnswerOf(event),
        },
      })

/** When the example's record changed, if it says so. */
export const sampleMomentOf = (event: EventName): string => {
  const { example } = events[event]
  return ('updatedAt' in example ? example.updatedAt : null) ?? '2026-10-07T16:20:11.250Z'
}

export const sampleRecordOf = (event: EventName): Happened['record'] => {
  const { kind, example } = events[event]
  return kind !== null && 'revision' in example ? { kind, id: example.id, revision: example.revision } : null
}

/** What an example says about how the requested change ended. */
export const sampleAnswerOf = (event: EventName): ChangeAnswer | undefined =>
  event === 'reservation.change_answered' ? 'declined' : undefined

const pingExample: Static<typeof PingData> = {
  webhookId: '0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70',
  message: 'A test delivery for The Blue Door.',
}

/** An id identifies one delivery, so no two samples share one. */
const pingId = '5c1f7a90-93b5-4b8e-a7a3-6f0d2f1b7e44'
const sampleIds: Readonly<Partial<Record<EventName, string>>> = {
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
const sampleIdOf = (event: EventName): string =>
  sampleIds[event] ?? `d5f9bcd7-ec6a-4eba-9b58-${String(eventNames.indexOf(event)).padStart(12, '0')}`

/** A delivery for testing your own verification; shown at /docs and in docs/webhooks.md. The secret signs nothing else.
 */
export const publishedVector = {
  secret: 'whsec_ZG9jcy1vbmx5LW5ldmVyLWEtcmVhbC1zZWNyZXQtMDA',
  t: 1_791_226_800,
  body: '{"id":"5f0c7a52-2f6e-4c39-9b6e-0d9c2c7f4a11","event":"ping","occurredAt":"2026-10-05T19:00:00.000Z","venue":{"slug":"harbour-room"},"data":{"webhookId":"0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70","message":"Bonjour, café"}}',
  v1: '4cd9e79ebc292058cee2b6cba457f2b08cacce40276df50f265fce67c230dcfa',
} as const
