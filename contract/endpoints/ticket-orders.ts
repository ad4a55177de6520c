import { Type } from 'typebox'
import { body64, type Endpoint, keyClash, list, move, moveReasonsOf, single } from '../webhooks/endpoint.ts'
import { Occurrence } from '../records/occurrence.ts'
import { listOf, ref } from '../shapes.ts'
import {
  NewRefundRequest,
  NewTicketOrder,
  RefundRequest,
  TicketOrder,
  ticketOrderStatuses,
} from '../records/ticket-order.ts'

export const ticketOrderEndpoints = {
  listTicketOrders: list(
    'listTicketOrders',
    '/api/v1/ticket-orders',
    'Ticket orders',
    TicketOrder,
    {
      summary: 'List ticket orders',
      description: 'The newest orders. Abandoned and running checkouts are left out.',
    },
    {
      filters: {
        status: { closed: ticketOrderStatuses },
        dateFrom: true,
        dateTo: true,
        email: true,
        occurrence: true,
      },
      sorts: ['-createdAt', 'createdAt', 'date', 'changed'],
      date: 'date of the event',
    },
  ),

  getTicketOrder: single('getTicketOrder', 'ticket_order', 'Ticket orders', 'ticket order'),

  listOccurrences: {
    id: 'listOccurrences',
    method: 'GET',
    path: '/api/v1/occurrences',
    group: 'Ticket orders',
    since: '2026-11-23',
    summary: 'See which events are on sale',
    description:
      'The dates of events, earliest first, at most 500 of them: continue from the last date. Prices are those of new orders.',
    access: 'any-key',
    scope: 'ticket-orders:read',
    query: {
      dateFrom: Type.String({
        format: 'date',
        description: 'Only with this date or a later one, YYYY-MM-DD; today at the venue when left out.',
        examples: ['2026-11-14'],
      }),
      dateTo: Type.String({
        format: 'date',
        description: 'Only with this date or an earlier one, YYYY-MM-DD.',
      }),
    },
    replies: { 200: listOf(Occurrence, 'Earliest first; possibly empty.') },
    badRequest: 'A date cannot be read, or `dateFrom` is after `dateTo`.',
  },

  createTicketOrder: {
    id: 'createTicketOrder',
    method: 'POST',
    path: '/api/v1/ticket-orders',
    group: 'Ticket orders',
    since: '2026-11-23',
    summary: 'Order tickets',
    description:
      'Holds the seats. Nothing is charged: the order waits as `paid_unconfirmed`, method `external`, until staff mark the money as received; with nothing to pay it is `free` and paid at once. `externalReference` makes it safe to send again: for the same occurrence, seats and buyer the existing order comes back with 200; for anything else it is 409 `different-body`.',
    access: 'write',
    scope: 'ticket-orders:create',
    namesRecord: true,
    body: NewTicketOrder,
    refusedFields: ['status', 'channel', 'paymentMethod', 'paidAt', 'totalCents', 'discountCents'],
    bodyLimit: body64,
    idempotency: 'take-over',
    dryRun: true,
    replies: {
      200: Type.Object(
        { ticketOrder: ref(TicketOrder) },
        { title: 'TicketOrderKnownReply', description: 'The existing order with this reference.' },
      ),
      201: Type.Object(
        { ticketOrder: ref(TicketOrder) },
        { title: 'TicketOrderReply', description: 'The seats are held.' },
      ),
    },
    badRequest: 'A field is missing or cannot be read.',
    reasons: ['staff-only', 'seats-full', 'sale-closed', 'promo-code-invalid', ...keyClash],
    sentences: {
      'different-body':
        'This externalReference belongs to an order of another date, other seats or another buyer; use a new one for a new order.',
    },
  },

  cancelTicketOrder: {
    ...move('cancelTicketOrder', 'ticket_order', 'cancel', 'Ticket orders', {
      summary: 'Cancel a ticket order',
      description:
        'Takes no body. Only for an order that was created by API and is not paid; its seats are released. An order that is already cancelled stays as it is.',
    }),
    reasons: [...moveReasonsOf('ticket_order'), 'not-in-state'],
    sentences: { 'not-in-state': 'This order was not made by API, so only staff can cancel it.' },
  },

  requestRefund: {
    id: 'requestRefund',
    method: 'POST',
    path: '/api/v1/ticket-orders/{id}/refund-requests',
    params: { id: 'record' },
    kind: 'ticket_order',
    group: 'Ticket orders',
    since: '2026-11-23',
    summary: 'Request a refund',
    description:
      'Waits for one of the managers, who makes the refund or declines it. Until then the order is unchanged; a refund is sent as `ticket_order.refunded`.',
    access: 'write',
    scope: 'ticket-orders:edit',
    body: NewRefundRequest,
    bodyLimit: body64,
    idempotency: 'outcome-unknown',
    dryRun: true,
    replies: {
      201: Type.Object(
        { refundRequest: RefundRequest },
        { title: 'RefundRequestReply', description: 'The refund was requested.' },
      ),
    },
    badRequest: 'The amount is missing, or a field cannot be read.',
    reasons: ['erased', 'refund-too-large', 'not-in-state', ...keyClash, 'outcome-unknown'],
    sentences: { 'not-in-state': 'This order is cancelled, so there is nothing to refund.' },
  },
} as const satisfies Record<string, Endpoint>
