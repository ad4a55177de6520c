import {
  Delivery,
  PingData,
  deliveryUserAgent,
  publishedVector,
} from '@venue-data/contract/webhooks/delivery.ts'
import { type EventName, eventNames, events } from '@venue-data/contract/webhooks/events.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { codeName, deliveryHeaders, triesOfDelivery, waitsInWords } from './delivery-words.ts'
import { nodeOf, publishedSchema, schemaRef } from './openapi-schema.ts'

/*
 * The service's deliveries in OpenAPI: one operation per event, which the receiver serves.
 */

type Json = Record<string, unknown>

/** The tag of the operations a receiver serves. */
export const deliveriesTag = {
  name: 'Deliveries',
  description: [
    'What your endpoint receives: a signed `POST` for each event it subscribed to. Verify the signature over the raw body before you parse it, skip an `id` you have seen, store, answer 2xx, then work. Order is not guaranteed: `occurredAt` and `data.updatedAt` tell which of two is newer.',
    `An answer of 2xx within ${limits.deliveryAnswerSeconds} seconds is success; redirects are not followed. A failed delivery is retried after ${waitsInWords()}: ${triesOfDelivery} attempts in all. Nothing starts more than ${limits.deliveryHours} hours after the event. ${limits.failuresToDisable} failures in a row switch the endpoint off, an answer of 410 does so at once.`,
    'For how to verify, in several languages, and how to keep a copy in sync, see `/docs` of the service.',
  ].join('\n\n'),
}

/** Shapes that only deliveries use. */
export const deliveryShapes = [Delivery, PingData]

const told: readonly (EventName | 'ping')[] = [...eventNames, 'ping']

/** One operation per event, and one for the test. */
export const webhookItems = (): Json =>
  Object.fromEntries(told.map((event) => [event, { post: receiving(event) }]))

const receiving = (event: EventName | 'ping'): Json => ({
  operationId: `on${codeName(event)}`,
  tags: [deliveriesTag.name],
  summary: whenOf(event),
  ...(event === 'ping' && {
    description:
      'Sent only by an endpoint’s test; it cannot be subscribed to, is not retried and never counts toward failures.',
  }),
  // No API key: a receiver authenticates us by the signature.
  security: [],
  parameters: [
    {
      name: 'X-Service-Event',
      in: 'header',
      required: true,
      description: deliveryHeaders['X-Service-Event'],
      schema: { type: 'string', const: event },
    },
    { $ref: '#/components/parameters/Signature' },
    { $ref: '#/components/parameters/UserAgent' },
    ...optionalHeaders.map(({ key }) => ({ $ref: `#/components/parameters/${key}` })),
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: schemaRef(deliveryName(event)),
      },
    },
  },
  responses: event === 'ping' ? answersToPing : deliveryAnswers,
})

const whenOf = (event: EventName | 'ping'): string =>
  event === 'ping' ? 'An endpoint is tested.' : events[event].when

const deliveryName = (event: EventName | 'ping'): string => `${codeName(event)}Delivery`

/** The body of each event: the common fields of a delivery, with the event's name and record. */
export const deliverySchemas = (): Json =>
  Object.fromEntries(
    told.map((event) => [
      deliveryName(event),
      {
        allOf: [
          schemaRef('Delivery'),
          {
            type: 'object',
            required: ['event', 'data'],
            properties: {
              // Not `const`, which a generator for Python cannot merge with the text of every delivery.
              event: { type: 'string', enum: [event], description: 'What happened.' },
              data: event === 'ping' ? publishedSchema(nodeOf(PingData)) : recordRef(event),
            },
          },
        ],
      },
    ]),
  )

const recordRef = (event: EventName) => schemaRef(nodeOf(events[event].data).$id as string)

/** Optional headers of a delivery, by their names in the document. */
const optionalHeaders = [
  { key: 'Sample', name: 'X-Service-Sample' },
  { key: 'StandardId', name: 'webhook-id' },
  { key: 'StandardTimestamp', name: 'webhook-timestamp' },
  { key: 'StandardSignature', name: 'webhook-signature' },
] as const

/** The required and optional fields of every delivery, other than the event's name. */
export const deliveryParameters = {
  Signature: {
    name: 'X-Service-Signature',
    in: 'header',
    required: true,
    description: deliveryHeaders['X-Service-Signature'],
    schema: { type: 'string', pattern: '^t=[0-9]+,v1=[0-9a-f]{64}' },
    example: `t=${publishedVector.t},v1=${publishedVector.v1}`,
  },
  UserAgent: {
    name: 'User-Agent',
    in: 'header',
    required: true,
    description: deliveryHeaders['User-Agent'],
    schema: { type: 'string', const: deliveryUserAgent },
  },
  ...Object.fromEntries(
    optionalHeaders.map(({ key, name }) => [
      key,
      { name, in: 'header', required: false, description: deliveryHeaders[name], schema: { type: 'string' } },
    ]),
  ),
}

const deliveryAnswers = Object.fromEntries(
  [
    ['2XX', 'DeliveryTaken'],
    ['410', 'DeliveriesUnwanted'],
    ['default', 'DeliveryFailed'],
  ].map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
)

/** What a receiver may answer. */
export const deliveryResponses = {
  DeliveryTaken: { description: 'You have it. What the answer says is not read.' },
  DeliveriesUnwanted: { description: 'You want no more: the endpoint is switched off at once.' },
  DeliveryFailed: {
    description: 'A failure, and so is no answer: the delivery is tried again while its time lasts.',
  },
}

const answersToPing = {
  '2XX': { description: 'The test is reported as `ok`.' },
  default: { description: 'The test is reported as failed; nothing else comes of it.' },
}
