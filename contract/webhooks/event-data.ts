import { type Static, Type } from 'typebox'
import { Guest } from '../records/guest.ts'
import { disabledReasons } from './webhook-states.ts'
import { record, recordId, textOrNull } from '../shapes.ts'

/* The data of events that is not a record of a list. */

const guestExample = (Guest as unknown as { examples: [Guest] }).examples[0]

export const MergedGuest = record(
  'MergedGuest',
  'A guest whose record was merged into another, in its last state.',
  { ...guestExample, id: 3350, revision: 4, mergedInto: guestExample.id },
  {
    ...Guest.properties,
    mergedInto: Type.Integer({ description: 'The id of the guest that is kept.' }),
  },
)
export type MergedGuest = Static<typeof MergedGuest>

const ids = (of: string) => Type.Array(Type.Integer(), { description: `Ids of ${of}.` })

export const ErasedPerson = record(
  'ErasedPerson',
  'Which records a person was erased from; it contains nothing about the person.',
  {
    erasure: 17,
    guests: [3107],
    reservations: [48213, 48511],
    leads: [],
    waitlist: [],
    ticketOrders: [],
    subscribers: [912],
  },
  {
    erasure: recordId('erasure'),
    guests: ids('guests'),
    reservations: ids('reservations'),
    leads: ids('leads'),
    waitlist: ids('waitlist entries'),
    ticketOrders: ids('ticket orders'),
    subscribers: ids('subscribers'),
  },
)
export type ErasedPerson = Static<typeof ErasedPerson>

export const DisabledEndpoint = record(
  'DisabledEndpoint',
  'A webhook endpoint that was switched off.',
  {
    id: '0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70',
    url: 'https://hooks.example.com/bookings',
    disabledReason: 'too-many-failures',
  },
  {
    id: Type.String({ description: 'Identifier of the endpoint, in UUID form.' }),
    url: Type.String({ description: 'Where its events went.' }),
    disabledReason: textOrNull(
      `Why. One of ${disabledReasons.map((one) => `\`${one}\``).join(', ')}; the list may grow.`,
      { examples: [...disabledReasons] },
    ),
  },
)
export type DisabledEndpoint = Static<typeof DisabledEndpoint>

export const AvailableChanges = record(
  'AvailableChanges',
  'Empty: read the changes from the feed of changes.',
  {},
  {},
)
export type AvailableChanges = Static<typeof AvailableChanges>

export const eventShapes = [MergedGuest, ErasedPerson, DisabledEndpoint, AvailableChanges]
