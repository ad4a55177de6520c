import { Type } from 'typebox'
import { type Endpoint, keyClash } from '../webhooks/endpoint.ts'
import { limits } from '../limits.ts'
import { windowQuery } from '../list-words.ts'
import {
  DeliveryWithAttempts,
  LoggedDelivery,
  ReplayRequest,
  ReplayTaken,
  ResendTaken,
  deliveryStatuses,
} from '../webhooks/logged-delivery.ts'
import { listOf, ref } from '../shapes.ts'

const common = {
  group: 'Webhook endpoints',
  since: '2026-11-23',
  access: 'own-software',
  scope: 'webhooks:manage',
} as const

const momentOf = (description: string) =>
  Type.Unsafe<string>({
    type: 'string',
    format: 'date-time',
    description,
    examples: ['2026-10-06T15:00:00Z'],
  })

export const deliveryEndpoints = {
  listDeliveries: {
    ...common,
    id: 'listDeliveries',
    method: 'GET',
    path: '/api/v1/webhooks/{id}/deliveries',
    summary: 'List deliveries',
    description: `What was sent to the endpoint or is waiting, and how it ended; kept for ${limits.eventsDays} days. Comes page by page, like other lists.`,
    query: {
      limit: windowQuery.limit,
      since: momentOf('Only for events that happened at or after this moment; a date and time with a zone.'),
      until: momentOf('Only for events that happened before this moment.'),
      after: Type.String({
        description: 'The cursor of the previous page, from `X-Next-Cursor` or `Link`. Use the same filters.',
      }),
      status: Type.String({
        description: 'Only with this status; several are separated by commas.',
        examples: [...deliveryStatuses],
      }),
      event: Type.String({
        description:
          'Only for this event; several are separated by commas, and `reservation.*` is every reservation event.',
        examples: ['reservation.created'],
      }),
    },
    paged: true,
    replies: { 200: listOf(LoggedDelivery, 'The latest event first; possibly empty.') },
    badRequest:
      'A query parameter cannot be read, or `after` is not a cursor of this list with these filters.',
  },

  getDelivery: {
    ...common,
    id: 'getDelivery',
    method: 'GET',
    path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}',
    summary: 'Read a delivery',
    description:
      'One delivery with its attempts: when each was made, how long it took and how it ended. The bodies of your answers are not kept.',
    replies: { 200: ref(DeliveryWithAttempts) },
  },

  resendDelivery: {
    ...common,
    id: 'resendDelivery',
    method: 'POST',
    path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}/resend',
    summary: 'Send a delivery again',
    description: `Sends it whether or not it arrived, with the same id and the same bytes, up to ${limits.deliveryHours} hours after the event. While the endpoint is switched off, it waits. Takes no body.`,
    idempotency: 'take-over',
    replies: { 202: ResendTaken },
    reasons: ['scope-missing', 'delivery-underway', 'too-old', 'endpoint-off-for-good', ...keyClash],
  },

  replayDeliveries: {
    ...common,
    id: 'replayDeliveries',
    method: 'POST',
    path: '/api/v1/webhooks/{id}/replay',
    summary: 'Send what was missed again',
    description: `All deliveries of a period, each with the same id and the same bytes: once a minute for each endpoint (429), up to ${limits.replayMost} at a time. They go out as retries do, alongside new events. For longer outages read \`/events\` or \`/changes\`.`,
    body: ReplayRequest,
    bodyLimit: { bytes: limits.webhookBodyBytes, status: 413 },
    idempotency: 'take-over',
    replies: { 202: ReplayTaken },
    badRequest: '`since` or `only` is missing, an event is unknown, or `until` is not after `since`.',
    reasons: ['scope-missing', 'too-old', 'too-many', 'endpoint-off-for-good', ...keyClash],
  },
} as const satisfies Record<string, Endpoint>
