import type { Static, TSchema } from 'typebox'
import { Guest } from './guest.ts'
import { Lead } from './lead.ts'
import { Reservation } from './reservation.ts'
import { Subscriber } from './subscriber.ts'
import { TicketOrder } from './ticket-order.ts'
import { WaitlistEntry } from './waitlist-entry.ts'

/** Every event and the record its `data` is. Contract, "Events". New names may be added within version 1. */
export const events = {
  'reservation.created': { when: 'A reservation is made.', data: Reservation },
  'reservation.updated': {
    when: 'A reservation changes: time, size, status, arrival or seating.',
    data: Reservation,
  },
  'reservation.cancelled': { when: 'A reservation is cancelled.', data: Reservation },
  'guest.created': { when: 'A new guest record is made.', data: Guest },
  'subscriber.added': { when: 'Someone joins the e-mail list.', data: Subscriber },
  'subscriber.unsubscribed': { when: 'Someone leaves the e-mail list.', data: Subscriber },
  'ticket_order.paid': { when: 'A ticket order is paid.', data: TicketOrder },
  'ticket_order.refunded': { when: 'A ticket order is refunded, fully or partly.', data: TicketOrder },
  'waitlist.added': { when: 'A party joins the waitlist.', data: WaitlistEntry },
  'waitlist.seated': { when: 'A waitlist party is seated.', data: WaitlistEntry },
  'lead.created': { when: 'A private-event enquiry arrives.', data: Lead },
} as const satisfies Record<string, { when: string; data: TSchema }>

export type EventName = keyof typeof events

/** The record that an event of this name carries. */
export type EventData = { [Name in EventName]: Static<(typeof events)[Name]['data']> }
