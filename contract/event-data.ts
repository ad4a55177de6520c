import { type Static, Type } from 'typebox'
import { record, recordId } from './shapes.ts'

/* What events carry that is no record of a list. */

const ids = (of: string) => Type.Array(Type.Integer(), { description: `Ids of ${of}.` })

export const ErasedPerson = record(
  'ErasedPerson',
  'Which records a person was erased from; nothing in it is about the person.',
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
