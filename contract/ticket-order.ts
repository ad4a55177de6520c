import type { Static } from 'typebox'
import {
  booleanOrNull,
  dateOrNull,
  integerOrNull,
  moment,
  momentOrNull,
  openList,
  record,
  recordId,
  revision,
  textOrNull,
  timeOrNull,
} from './shapes.ts'

export const ticketOrderStatuses = [
  'paid',
  'paid_unconfirmed',
  'refunded',
  'partially_refunded',
  'refund_failed',
  'cancelled',
] as const
export type TicketOrderStatus = (typeof ticketOrderStatuses)[number]

export const ticketChannels = ['public', 'box_office'] as const
export type TicketChannel = (typeof ticketChannels)[number]

export const paymentMethods = ['processor_link', 'cash', 'comp', 'free', 'external'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

export const TicketOrder = record(
  'TicketOrder',
  'A finished order of tickets. Abandoned and running checkouts are never listed.',
  {
    id: 518,
    orderNumber: 'BD-7K2M9',
    status: 'partially_refunded',
    channel: 'public',
    paymentMethod: 'processor_link',
    buyerFirstName: 'Maya',
    buyerLastName: 'Okafor',
    buyerEmail: 'maya.okafor@example.com',
    buyerPhone: '(212) 555-0147',
    eventName: 'Burgundy Night',
    occurrenceTitle: 'Late seating',
    eventDate: '2026-11-14',
    eventStartTime: '20:30',
    subtotalCents: 19000,
    discountCents: 1900,
    feeCents: 570,
    taxCents: 1518,
    totalCents: 19188,
    refundedCents: 9594,
    total: '191.88',
    refunded: '95.94',
    promoCode: 'CELLAR10',
    marketingOptIn: true,
    paidAt: '2026-10-06T15:04:05.120Z',
    createdAt: '2026-10-06T15:01:40.004Z',
    updatedAt: '2026-10-20T09:12:00.480Z',
    revision: 2,
  },
  {
    id: recordId('ticket order'),
    orderNumber: textOrNull('The number the buyer sees.'),
    status: openList(
      'Payment status; `paid_unconfirmed` is not yet confirmed by the processor.',
      ticketOrderStatuses,
    ),
    channel: openList('Sold online, or by staff or at the door.', ticketChannels),
    paymentMethod: openList('How it was paid.', paymentMethods),
    buyerFirstName: textOrNull("The buyer's first name."),
    buyerLastName: textOrNull("The buyer's last name."),
    buyerEmail: textOrNull("The buyer's email address."),
    buyerPhone: textOrNull("The buyer's phone number, as typed."),
    eventName: textOrNull('Name of the event.'),
    occurrenceTitle: textOrNull('Which date or seating, if it has a name.'),
    eventDate: dateOrNull('Date of the event.'),
    eventStartTime: timeOrNull('Start of the event.'),
    subtotalCents: integerOrNull('Before discounts, fees and tax, in cents.'),
    discountCents: integerOrNull('Taken off, in cents.'),
    feeCents: integerOrNull('Fees, in cents.'),
    taxCents: integerOrNull('Tax, in cents.'),
    totalCents: integerOrNull('What the buyer paid, in cents.'),
    refundedCents: integerOrNull('Refunded so far, in cents.'),
    total: textOrNull('totalCents in dollars with two decimals.'),
    refunded: textOrNull('refundedCents in dollars with two decimals.'),
    promoCode: textOrNull('Promotion code used.'),
    marketingOptIn: booleanOrNull('Whether the buyer asked for marketing mail.'),
    paidAt: momentOrNull('When it was paid.'),
    createdAt: moment('When the order was made.'),
    updatedAt: moment('When the order last changed.'),
    revision,
  },
)
export type TicketOrder = Static<typeof TicketOrder>
