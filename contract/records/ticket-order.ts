import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import {
  booleanOrNull,
  came,
  dateOrNull,
  inputEmail,
  inputPhone,
  inputText,
  integerOrNull,
  moment,
  momentOrNull,
  openList,
  record,
  recordId,
  revision,
  textOrNull,
  timeOrNull,
  noPaymentIds,
} from '../shapes.ts'

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
    externalReference: null,
    currency: 'USD',
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
    externalReference: came(
      '2026-11-23',
      textOrNull('The order number in the software that ordered it; `null` for all other orders.'),
    ),
    currency: came('2026-11-29', textOrNull('ISO 4217: of all its amounts.', { examples: ['USD'] })),
    createdAt: moment('When the order was made.'),
    updatedAt: moment('When the order last changed.'),
    revision,
  },
)
export type TicketOrder = Static<typeof TicketOrder>

export const NewTicketOrder = Type.Object(
  {
    occurrenceId: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Id of the event date, from `GET /occurrences`.',
    }),
    seats: Type.Integer({ minimum: 1, maximum: limits.seatsOfOrder, description: 'How many seats.' }),
    buyerFirstName: Type.Optional(inputText("The buyer's first name.", limits.nameCharacters)),
    buyerLastName: Type.Optional(inputText("The buyer's last name.", limits.nameCharacters)),
    buyerEmail: inputEmail("The buyer's email address."),
    buyerPhone: Type.Optional(inputPhone("The buyer's phone number, kept as typed.")),
    promoCode: Type.Optional(inputText('Promotion code, in any letter case.', limits.shortTextCharacters)),
    externalReference: Type.String({
      description: `Your own order number: up to ${limits.externalIdCharacters} visible characters, unique at the venue. Sent again with the same occurrence, seats and buyer, it returns the existing order. ${noPaymentIds}`,
      maxLength: limits.externalIdCharacters,
      format: 'external-id',
      examples: ['shop-20114'],
    }),
  },
  {
    title: 'NewTicketOrder',
    description: 'An order of tickets that are paid for elsewhere.',
    examples: [
      {
        occurrenceId: 31,
        seats: 2,
        buyerFirstName: 'Maya',
        buyerLastName: 'Okafor',
        buyerEmail: 'maya.okafor@example.com',
        externalReference: 'shop-20114',
      },
    ],
  },
)
export type NewTicketOrder = Static<typeof NewTicketOrder>

/** The states of a requested refund. */
export const refundRequestStatuses = ['asked', 'granted', 'declined'] as const

export const NewRefundRequest = Type.Object(
  {
    amountCents: Type.Integer({
      minimum: 1,
      maximum: limits.integerMost,
      description: 'How much to refund, in cents.',
    }),
    reason: Type.Optional(inputText('Why, for staff to read.', limits.notesCharacters)),
  },
  {
    title: 'NewRefundRequest',
    description: 'A refund to request from the venue.',
    examples: [{ amountCents: 9500, reason: 'One of the two is ill.' }],
  },
)
export type NewRefundRequest = Static<typeof NewRefundRequest>

export const RefundRequest = Type.Object(
  {
    id: Type.Integer({ description: 'Stable identifier of the request.' }),
    status: openList('Its status.', refundRequestStatuses),
    amountCents: integerOrNull('The requested amount, in cents.'),
    reason: textOrNull('Why, as given.'),
    askedAt: moment('When it was requested.'),
  },
  {
    title: 'RefundRequest',
    description: 'A refund that is waiting for a manager. The order is unchanged.',
    examples: [
      {
        id: 8,
        status: 'asked',
        amountCents: 9500,
        reason: 'One of the two is ill.',
        askedAt: '2026-10-06T15:04:05.120Z',
      },
    ],
  },
)
export type RefundRequest = Static<typeof RefundRequest>
