import { type Static, type TSchema, Type } from 'typebox'
import { Delivery } from './delivery.ts'
import { type EventName, eventNames, events } from './events.ts'
import { limits } from './limits.ts'
import { Reservation } from './reservation.ts'
import { moment, record, ref, textOrNull } from './shapes.ts'

/* What happened, as it is read, and what may happen. */

/** The record something happened to, as deliveries name it, where it happened to one. */
export const touchedRecord = Type.Unsafe<{ kind: string; id: number; revision: number } | null>({
  description: 'The record it happened to, and the revision that this change made; `null`: to none.',
  'x-published': { anyOf: [Delivery.properties.record, { type: 'null' }] },
})

export const eventId = 'Identifies what happened: the same here, in deliveries and for all endpoints.'

const reservation = (Reservation as unknown as { examples: [Reservation] }).examples[0]

export const EventItem = record(
  'EventItem',
  'Something that happened.',
  {
    eventId: 'f2a7c9d4-5b81-4e36-9c0f-7d2e4b6a8c13',
    event: 'reservation.rescheduled',
    names: ['reservation.rescheduled', 'reservation.updated'],
    occurredAt: '2026-10-07T16:20:11.250Z',
    record: { kind: 'reservation', id: reservation.id, revision: reservation.revision },
    changed: ['time'],
    data: reservation,
  },
  {
    eventId: Type.String({ format: 'uuid', description: eventId }),
    event: Type.Unsafe<EventName>({
      type: 'string',
      description: 'What happened: the most telling of its names. The list may grow.',
      examples: [...eventNames],
    }),
    names: Type.Array(Type.String(), {
      description: 'All the names that fit what happened, the most telling first. The list may grow.',
    }),
    occurredAt: moment('When it happened.'),
    record: touchedRecord,
    changed: Type.Array(Type.String(), {
      description:
        'The fields of the record that changed; empty where that is not known, as of one just made.',
    }),
    data: Type.Unsafe<unknown>({
      description: `The record as it was right after the event, as deliveries have it; \`null\` after ${limits.eventDataDays} days, or when the person was erased: read the record.`,
      'x-published': {
        anyOf: [
          ...[...new Set<TSchema>(eventNames.map((name) => events[name].data))].map(ref),
          { type: 'null' },
        ],
      },
    }),
  },
)
export type EventItem = Static<typeof EventItem>

export const EventsPage = Type.Object(
  {
    items: Type.Unsafe<EventItem[]>({
      type: 'array',
      items: ref(EventItem),
      description: 'Oldest first; possibly empty, also with more to come.',
    }),
    next: Type.String({
      description: 'The cursor for the next request: always there, also when nothing happened.',
      examples: ['e1_5xL1kQAAAAAAD3Kx'],
    }),
    more: Type.Boolean({
      description: 'Whether there may be more already: ask again at once.',
      examples: [false],
    }),
  },
  { title: 'EventsPage', description: 'The events after the cursor.' },
)

export const EventType = record(
  'EventType',
  'An event that endpoints and hooks may ask for.',
  {
    name: 'reservation.created',
    when: events['reservation.created'].when,
    kind: 'reservation',
    scope: 'reservations:read',
    sinceVersion: null,
    schema: '#/components/schemas/Reservation',
    sample: reservation,
  },
  {
    name: Type.String({ description: 'What it is called.', examples: [...eventNames] }),
    when: Type.String({ description: 'When it happens.' }),
    kind: textOrNull('The kind of record it tells of; `null`: of none.'),
    scope: textOrNull('What a key needs to be told of it; `null`: nothing.'),
    sinceVersion: textOrNull('The day it came to version 1, YYYY-MM-DD; `null`: version 1 began with it.'),
    schema: Type.String({ description: 'What its `data` is: a schema of the OpenAPI document.' }),
    // No type here: which object it is says the schema.
    sample: Type.Unsafe<object>({ description: 'An example of its `data`.' }),
  },
)
export type EventType = Static<typeof EventType>
