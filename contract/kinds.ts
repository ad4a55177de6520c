import type { TSchema } from 'typebox'
import { Campaign } from './records/campaign.ts'
import { Guest } from './records/guest.ts'
import { Lead } from './records/lead.ts'
import { Reservation } from './records/reservation.ts'
import { Subscriber } from './records/subscriber.ts'
import { Task } from './records/task.ts'
import { TicketOrder } from './records/ticket-order.ts'
import { Visit } from './records/visit.ts'
import { WaitlistEntry } from './records/waitlist-entry.ts'

/** A kind of records, as the API speaks of it. */
type Kind = {
  /** Its public shape. */
  readonly record: TSchema
  /** Where its list is; a single record is below it. */
  readonly path: `/api/v1/${string}`
  /** What key scopes call its records. */
  readonly scope: string
  /** The field of an answer that holds one record. */
  readonly field: string
  /** Its fields that say who somebody is, how to reach them, or what they wrote: `contacts:hidden` makes them null. */
  readonly contacts: readonly string[]
  /** How a record can be gone for good. */
  readonly gone: readonly ('deleted' | 'merged' | 'erased')[]
}

/** The kinds of records, by the names that changes use, in the order in which changes of the same moment are listed: a
 * guest before the records that name them.
 */
export const kinds = {
  guest: {
    record: Guest,
    path: '/api/v1/guests',
    scope: 'guests',
    field: 'guest',
    contacts: ['name', 'email', 'phone'],
    gone: ['merged'],
  },
  reservation: {
    record: Reservation,
    path: '/api/v1/reservations',
    scope: 'reservations',
    field: 'reservation',
    contacts: ['guestName', 'email', 'phone', 'notes'],
    gone: ['deleted'],
  },
  subscriber: {
    record: Subscriber,
    path: '/api/v1/subscribers',
    scope: 'subscribers',
    field: 'subscriber',
    contacts: ['email', 'firstName'],
    gone: ['erased'],
  },
  ticket_order: {
    record: TicketOrder,
    path: '/api/v1/ticket-orders',
    scope: 'ticket-orders',
    field: 'ticketOrder',
    contacts: ['buyerFirstName', 'buyerLastName', 'buyerEmail', 'buyerPhone'],
    gone: [],
  },
  waitlist_entry: {
    record: WaitlistEntry,
    path: '/api/v1/waitlist',
    scope: 'waitlist',
    field: 'waitlistEntry',
    contacts: ['guestName', 'email', 'phone', 'notes'],
    gone: [],
  },
  lead: {
    record: Lead,
    path: '/api/v1/leads',
    scope: 'leads',
    field: 'lead',
    // An event is often named after its host.
    contacts: ['contactName', 'contactEmail', 'contactPhone', 'eventName', 'dietaryNeeds', 'notes'],
    gone: ['deleted'],
  },
  task: {
    record: Task,
    path: '/api/v1/tasks',
    scope: 'tasks',
    field: 'task',
    // "Call Maya about the garden room."
    contacts: ['title', 'client'],
    gone: ['deleted'],
  },
  campaign: {
    record: Campaign,
    path: '/api/v1/campaigns',
    scope: 'campaigns',
    field: 'campaign',
    contacts: [],
    gone: [],
  },
  visit: {
    record: Visit,
    path: '/api/v1/visits',
    scope: 'visits',
    field: 'visit',
    contacts: [],
    gone: ['deleted'],
  },
} as const satisfies Readonly<Record<string, Kind>>

export type RecordKind = keyof typeof kinds

export const recordKinds = Object.keys(kinds) as readonly RecordKind[]

/** The kinds of which events tell: what happens to a visit happens to its reservation, or is in the feed of changes only. */
export const eventKinds = recordKinds.filter((kind) => kind !== 'visit')
