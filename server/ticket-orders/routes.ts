import { endpoints } from '@venue-data/contract/endpoints.ts'
import { readListWindow } from '../http/list-window.ts'
import { ok, route } from '../http/serve.ts'
import { presentTicketOrder } from './present.ts'
import { newestTicketOrders } from './reads.ts'

export const ticketOrderRoutes = [
  route(endpoints.listTicketOrders, {
    read: ({ query }) => readListWindow(query),
    answer: async ({ db, venue }, window) =>
      ok((await newestTicketOrders(db, venue.id, window)).map(presentTicketOrder)),
  }),
]
