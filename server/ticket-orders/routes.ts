import { endpoints } from '@venue-data/contract/endpoints.ts'
import { listRoute } from '../http/list-route.ts'
import { recordRoute } from '../http/single-record.ts'
import { listedTicketOrders } from './list.ts'
import { presentTicketOrder } from './present.ts'
import { ticketOrderById } from './reads.ts'

export const ticketOrderRoutes = [
  listRoute(endpoints.listTicketOrders, { source: listedTicketOrders, present: presentTicketOrder }),

  recordRoute(endpoints.getTicketOrder, { byId: ticketOrderById, present: presentTicketOrder }),
]
