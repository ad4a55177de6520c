import { type Endpoint, list, single } from '../endpoint.ts'
import { TicketOrder, ticketOrderStatuses } from '../ticket-order.ts'

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
} as const satisfies Record<string, Endpoint>
