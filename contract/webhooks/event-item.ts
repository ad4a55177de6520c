import { type Static, type TSchema, Type } from 'typebox'
import { Delivery } from './delivery.ts'
import { type EventName, eventNames, events } from './events.ts'
import { limits } from '../limits.ts'
import { Reservation, changeAnswers } from '../records/reservation.ts'
import { came, moment, openList, record, ref, textOrNull } from '../shapes.ts'

/* Events as they are read, and the catalogue of events. */

/** The record it happened to, as deliveries name it, if there is one. */
export const touchedRecord = Type.Unsafe<{ kind: string; id: number; revision: number } | null>({
  description: 'The record it happened to, and its revision after this change; `null` when there is none.',
  'x-published': { anyOf: [Delivery.properties.record, { type: 'null' }] },
})

export const eventId = 'Identifies the event: the same here, in deliveries and for all endpoints.'

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
    answer: null,
    data: reservation,
  },
  {
    eventId: Type.String({ format: 'uuid', description: eventId }),
    event: Type.Unsafe<EventName>({
      type: 'string',
      description: 'What happened: the most specific of its names. The list may grow.',
      examples: ['reservation.created'],
    }),
    names: Type.Array(Type.String(), {
      description: 'All names that fit what happened, the most specific first. The list may grow.',
    }),
    occurredAt: moment('When it happened.'),
    record: touchedRecord,
    changed: Type.Array(Type.String(), {
      description:
        'The fields of the record that changed; empty when that is not known, as for a new record.',
    }),
    answer: came(
      '2026-11-24',
      openList(
        'How the requested change of a booking ended; `null` for events that answer none.',
        changeAnswers,
      ),
    ),
    data: Type.Unsafe<unknown>({
      description: `The record as it was right after the event, as in deliveries; \`null\` after ${limits.eventDataDays} days, or once the person is erased: read the record instead.`,
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
      description: 'Oldest first; possibly empty, even with more to come.',
    }),
    next: Type.String({
      description: 'The cursor for the next request; always present, even when nothing happened.',
      examples: ['e1_5xL1kQAAAAAAD3Kx'],
    }),
    more: Type.Boolean({
      description: 'Whether there may be more: if so, call again immediately.',
      examples: [false],
    }),
  },
  { title: 'EventsPage', description: 'The events after the cursor.' },
)

export const EventType = record(
  'EventType',
  'An event that endpoints and hooks can subscribe to.',
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
    name: Type.String({ description: 'Its name.', examples: ['reservation.created'] }),
    when: Type.String({ description: 'When it happens.' }),
    kind: textOrNull('The kind of record it is about; `null`: none.'),
    scope: textOrNull('The scope a key needs to receive it; `null`: none.'),
    sinceVersion: textOrNull(
      'The day it was added to version 1, YYYY-MM-DD; `null`: there from the beginning.',
    ),
    schema: Type.String({ description: 'The schema of its `data` in the OpenAPI document.' }),
    // No type here: the schema says which object it is.
    sample: Type.Unsafe<object>({ description: 'An example of its `data`.' }),
  },
)
export type EventType = Static<typeof EventType>
