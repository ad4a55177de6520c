import { type Static, type TObject, Type } from 'typebox'
import { ExpiringKey } from './account.ts'
import { ErasedPerson } from './event-data.ts'
import { Guest } from './guest.ts'
import { type RecordKind, kinds, recordKinds } from './kinds.ts'
import { Lead } from './lead.ts'
import { Reservation } from './reservation.ts'
import { Subscriber } from './subscriber.ts'
import { TicketOrder } from './ticket-order.ts'
import { WaitlistEntry } from './waitlist-entry.ts'

/** An event: when it is recorded, the record its `data` is, and that record's example as it is after such an event. */
const told = <T extends TObject>(when: string, data: T, after: Partial<Static<T>> = {}) => ({
  when,
  data,
  example: { ...(data as unknown as { examples: [Static<T>] }).examples[0], ...after },
})

const later = '2026-10-07T16:20:11.250Z'
const paid = '2026-10-06T15:04:05.120Z'
const joined = '2026-10-09T23:04:05.120Z'
const seated = '2026-10-09T23:41:12.900Z'

/** Every event and the record in its `data`. New names may be added within version 1. */
export const events = {
  'reservation.created': told('A reservation is made.', Reservation),
  'reservation.updated': told(
    'A reservation changes: time, size, status, arrival or seating.',
    Reservation,
    // Staff confirmed it.
    { status: 'Confirmed', updatedAt: later },
  ),
  'reservation.cancelled': told('A reservation is cancelled.', Reservation, {
    status: 'Cancelled',
    cancelledAt: later,
    cancelledBy: 'guest',
    updatedAt: later,
  }),
  'guest.created': told('A new guest record is made.', Guest, {
    seatingPreference: null,
    visitCount: 0,
    cancellationCount: 0,
    lastVisitDate: null,
    createdAt: paid,
    updatedAt: paid,
  }),
  'subscriber.added': told('Someone joins the email list.', Subscriber),
  'subscriber.unsubscribed': told('Someone leaves the email list.', Subscriber, {
    status: 'unsubscribed',
    unsubscribedAt: later,
    updatedAt: later,
  }),
  'ticket_order.paid': told('A ticket order is paid.', TicketOrder, {
    status: 'paid',
    refundedCents: 0,
    refunded: '0.00',
    updatedAt: paid,
  }),
  'ticket_order.refunded': told('A ticket order is refunded, fully or partly.', TicketOrder),
  'waitlist.added': told('A party joins the waitlist.', WaitlistEntry, {
    status: 'waiting',
    quotedAt: joined,
    pagedAt: null,
    updatedAt: joined,
  }),
  'waitlist.seated': told('A waitlist party is seated.', WaitlistEntry, {
    status: 'booked',
    seatedAt: seated,
    updatedAt: seated,
  }),
  'lead.created': told('A private-event inquiry arrives.', Lead),
  'access.key_expiring': {
    ...told('A key of the venue ends in 14, 3 or 1 days.', ExpiringKey),
    since: '2026-11-23',
  },
  'person.erased': {
    ...told(
      'A person is erased: drop every copy of the records named, or what they held of the person.',
      ErasedPerson,
    ),
    since: '2026-11-23',
  },
} as const

export type EventName = keyof typeof events

export const eventNames = Object.keys(events) as EventName[]

/** The names a request may say. */
export const EventName = Type.Unsafe<EventName>({
  title: 'EventName',
  type: 'string',
  enum: eventNames,
  description: 'An event that can be subscribed to. Names may be added within version 1.',
  examples: ['reservation.created'],
})

/** The record that an event of this name carries. */
export type EventData = { [Name in EventName]: Static<(typeof events)[Name]['data']> }

/** The kind of the record in the `data` of an event; undefined: it is about no record. */
export const kindOfEvent = (name: EventName): RecordKind | undefined =>
  recordKinds.find((kind) => (kinds[kind].record as TObject) === events[name]?.data)
