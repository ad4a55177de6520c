import { endpoints } from '@venue-data/contract/endpoints.ts'
import { listRoute } from '../platform/http/lists/list-route.ts'
import { dateAsked, onlyValue } from '../platform/http/query-words.ts'
import { recordWrite } from '../platform/http/records/record-write.ts'
import { created, ok, route } from '../platform/http/serve.ts'
import { orGone, recordRoute } from '../platform/http/records/single-record.ts'
import { inQuery } from '../platform/kernel/problem.ts'
import { badRequest } from '../platform/kernel/refusal.ts'
import { wallTimeOf } from '../platform/kernel/time/venue-clock.ts'
import { cancelOrderByKey, orderByKey } from './by-key.ts'
import { datesBetween } from './date-reads.ts'
import { listedTicketOrders } from './list.ts'
import { presentOccurrence } from './present-occurrence.ts'
import { presentTicketOrder } from './order.ts'
import { ticketOrderById } from './reads.ts'
import { askRefund, presentRefundRequest } from './refund-requests.ts'

export const ticketOrderRoutes = [
  listRoute(endpoints.listTicketOrders, { source: listedTicketOrders, present: presentTicketOrder }),

  recordRoute(endpoints.getTicketOrder, { byId: ticketOrderById, present: presentTicketOrder }),

  route(endpoints.listOccurrences, {
    read: ({ query, venue, now }) => {
      const dateOf = (word: 'dateFrom' | 'dateTo') => {
        const text = onlyValue(word, query[word])
        return text === undefined ? undefined : dateAsked(word, text)
      }
      const [from = wallTimeOf(now, venue.timezone).date, to] = [dateOf('dateFrom'), dateOf('dateTo')]
      if (to !== undefined && from > to) {
        throw badRequest('dateFrom must not be after dateTo.', inQuery('dateFrom', 'out-of-range'))
      }
      return { from, to }
    },
    answer: async ({ db, venue, now }, { from, to }) => {
      const at = now()
      return ok(
        (await datesBetween(db, venue.id, from, to, at)).map((row) =>
          presentOccurrence(row, at, venue.timezone),
        ),
      )
    },
  }),

  route(endpoints.createTicketOrder, {
    read: ({ body, caller }) => ({
      actor: { kind: 'key' as const, id: caller.key.id },
      asked: {
        occurrenceId: body.occurrenceId,
        seats: body.seats,
        promoCode: body.promoCode ?? null,
        reference: body.externalReference,
        buyer: {
          firstName: body.buyerFirstName ?? null,
          lastName: body.buyerLastName ?? null,
          email: body.buyerEmail,
          phone: body.buyerPhone ?? null,
        },
      },
    }),
    answer: async (work, { actor, asked }) => {
      const { order, repeated } = await orderByKey(work, actor, asked)
      return repeated ? ok({ ticketOrder: order }) : created({ ticketOrder: order })
    },
  }),

  recordWrite(endpoints.cancelTicketOrder, {
    write: (work, { actor, ...seen }) => cancelOrderByKey(work, actor, seen),
    present: presentTicketOrder,
  }),

  route(endpoints.requestRefund, {
    read: ({ params, body, caller }) => ({
      actor: { kind: 'key' as const, id: caller.key.id },
      asked: {
        order: Number(params['id']),
        amountCents: body.amountCents,
        reason: body.reason ?? null,
      },
    }),
    answer: async (work, { actor, asked }) => {
      const request = await orGone(
        work,
        { kind: 'ticket_order', id: asked.order },
        askRefund(work, actor, asked),
      )
      return created({ refundRequest: presentRefundRequest(request) })
    },
  }),
]
