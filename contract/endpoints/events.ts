import { Type } from 'typebox'
import type { Endpoint } from '../webhooks/endpoint.ts'
import { EventType, EventsPage } from '../webhooks/event-item.ts'
import { eventKinds } from '../kinds.ts'
import { limits } from '../limits.ts'
import { windowQuery } from '../list-words.ts'
import { listOf } from '../shapes.ts'

export const eventsEndpoints = {
  listEvents: {
    id: 'listEvents',
    method: 'GET',
    path: '/api/v1/events',
    group: 'Events',
    since: '2026-11-23',
    summary: 'Read what happened',
    description: `Every event of the last ${limits.eventsDays} days that the key may read, one by one, with the same content as deliveries: use it to see the history of a record, or to make up for missed deliveries. Without \`after\`, starts with the oldest event kept; continue with \`next\`. A record's events come in the order in which they happened. To keep a copy, follow \`/changes\`, which begins with every record there is.`,
    access: 'any-key',
    waitsForSeconds: limits.changesWaitSeconds,
    query: {
      after: Type.String({
        description:
          'The `next` of an earlier answer. Absent: from the oldest event kept. `latest`: only the current cursor.',
      }),
      names: Type.String({
        description:
          'The events to return, separated by commas; `reservation.*` is every reservation event. Absent: all that the key may read, except `changes.available`.',
        examples: ['reservation.created,reservation.cancelled'],
      }),
      kinds: Type.String({
        description: `Only events of records of these kinds, separated by commas: ${eventKinds.map((kind) => `\`${kind}\``).join(', ')}.`,
        examples: ['reservation,guest'],
      }),
      record: Type.String({
        description: 'Only events of this record: its kind, a colon and its id.',
        examples: ['reservation:48213'],
      }),
      since: Type.Unsafe<string>({
        type: 'string',
        format: 'date-time',
        description: 'Only events that happened at or after this moment; a date and time with a zone.',
        examples: ['2026-10-06T15:00:00Z'],
      }),
      limit: Type.Unsafe<string>({
        ...windowQuery.limit,
        description: `The most events to return. A number over ${limits.listMost} is treated as ${limits.listMost}.`,
      }),
      wait: Type.Unsafe<string>({
        type: 'integer',
        minimum: 0,
        maximum: limits.changesWaitSeconds,
        default: 0,
        description: 'How many seconds to wait for an event before returning an empty answer.',
      }),
    },
    replies: { 200: EventsPage },
    badRequest:
      '`after` is not a cursor, a name or kind is unknown or repeated, or another parameter cannot be read.',
    reasons: ['scope-missing', 'cursor-expired', 'cursor-of-another-venue'],
  },

  listEventTypes: {
    id: 'listEventTypes',
    method: 'GET',
    path: '/api/v1/events/types',
    group: 'Events',
    since: '2026-11-23',
    summary: 'List the kinds of events',
    description:
      'Every event, when it is sent and what its `data` is, with an example; including those that the key may not read.',
    access: 'any-key',
    replies: { 200: listOf(EventType, 'Always the same, in the order of the documentation.') },
  },
} as const satisfies Record<string, Endpoint>
