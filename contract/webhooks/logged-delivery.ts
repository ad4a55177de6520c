import { type Static, Type } from 'typebox'
import { eventId, touchedRecord } from './event-item.ts'
import { limits } from '../limits.ts'
import { moment, momentOrNull, record, ref, textOrNull } from '../shapes.ts'

/* What was sent to an endpoint and how it ended, and sending it again. */

export const deliveryStatuses = ['waiting', 'delivered', 'failed', 'dropped'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

const example = {
  id: '7d0f8f5e-3c0b-4a57-8f0e-2f1f7a5a9c11',
  eventId: 'f2a7c9d4-5b81-4e36-9c0f-7d2e4b6a8c13',
  event: 'reservation.created',
  record: { kind: 'reservation', id: 48213, revision: 1 },
  occurredAt: '2026-10-06T15:04:05.120Z',
  status: 'waiting',
  tries: 1,
  nextTryAt: '2026-10-06T15:05:08.331Z',
  lastStatus: 'HTTP 500',
}

const shown = {
  id: Type.String({
    format: 'uuid',
    description: 'The `id` in its body: the same on every attempt, even when it is sent again.',
  }),
  eventId: Type.String({ format: 'uuid', description: eventId }),
  event: Type.String({
    description: 'The name it is sent under. The list may grow.',
    examples: ['reservation.created'],
  }),
  record: touchedRecord,
  occurredAt: moment('When it happened.'),
  status: Type.String({
    description:
      '`waiting`: another attempt is due. `delivered`: answered with 2xx. `failed`: all attempts are used up, or the answer was 410. `dropped`: not sent in time, or the endpoint may no longer receive it. The list may grow.',
    examples: [...deliveryStatuses],
  }),
  tries: Type.Integer({ description: 'How many attempts were made.' }),
  nextTryAt: momentOrNull(
    'When the next attempt is due, if the endpoint is active and the pace allows; `null`: there is none, or one is under way.',
  ),
  lastStatus: textOrNull('How the last attempt ended, as in `lastDeliveryStatus`; `null`: there was none.'),
}

export const LoggedDelivery = record(
  'LoggedDelivery',
  'One event for one endpoint, sent or waiting to be sent.',
  example,
  shown,
)
export type LoggedDelivery = Static<typeof LoggedDelivery>

const Attempt = Type.Object(
  {
    startedAt: moment('When the attempt began.'),
    durationMs: Type.Integer({ description: 'How long it took, in milliseconds.' }),
    statusCode: Type.Integer({ description: 'Status of the answer; 0 when there was none.' }),
    result: Type.String({ description: 'How it ended, as in `lastDeliveryStatus`.', examples: ['HTTP 500'] }),
  },
  { title: 'DeliveryAttempt', description: 'One attempt. The body of your answer is not kept.' },
)

export const DeliveryWithAttempts = record(
  'DeliveryWithAttempts',
  'A delivery with its attempts.',
  {
    ...example,
    attempts: [
      { startedAt: '2026-10-06T15:04:06.002Z', durationMs: 218, statusCode: 500, result: 'HTTP 500' },
    ],
  },
  {
    ...shown,
    attempts: Type.Array(Attempt, {
      description: `The last ${limits.attemptsShown} attempts, in order. Kept for ${limits.eventsDays} days.`,
    }),
  },
)
export type DeliveryWithAttempts = Static<typeof DeliveryWithAttempts>

export const ResendTaken = Type.Object(
  { delivery: ref(LoggedDelivery) },
  { title: 'ResendTaken', description: 'It is sent again, with the same id and the same bytes.' },
)

export const replayWords = ['failed', 'all'] as const

export const ReplayRequest = Type.Object(
  {
    since: Type.String({
      format: 'moment',
      description: `Send again what happened at or after this moment: a date and time with a zone, at most ${limits.deliveryHours} hours ago.`,
    }),
    until: Type.Optional(
      Type.String({ format: 'moment', description: 'Only what happened before this moment. Default: now.' }),
    ),
    events: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Only these events; names and patterns as for endpoints. Default: all.',
        minItems: 1,
        maxItems: limits.eventsOfEndpoint,
      }),
    ),
    only: Type.Unsafe<(typeof replayWords)[number]>({
      type: 'string',
      'x-words': replayWords,
      description:
        '`failed`: everything that failed or was dropped, and deliveries waiting to be retried, which are sent immediately. `all`: also what was delivered.',
    }),
    preview: Type.Optional(Type.Boolean({ description: '`true`: only count them; nothing is sent again.' })),
  },
  {
    title: 'ReplayRequest',
    description: 'Which deliveries to send again.',
    examples: [{ since: '2026-10-06T12:00:00Z', only: 'failed' }],
  },
)

export const ReplayTaken = Type.Object(
  {
    count: Type.Integer({ description: 'How many deliveries are sent again.' }),
    firstDueAt: momentOrNull('When the first is due, at the pace of retries; `null`: there are none.'),
  },
  {
    title: 'ReplayTaken',
    description: 'They are sent again, each with the same id and the same bytes.',
    examples: [{ count: 42, firstDueAt: '2026-10-06T19:00:00.000Z' }],
  },
)
