import { expectEqual, expectFields, expectThat } from '../expect.ts'
import { limits } from '../generated/contract.ts'
import type { Section } from '../statement.ts'
import type { Json } from '../world.ts'

const statuses = ['paid', 'paid_unconfirmed', 'refunded', 'partially_refunded', 'refund_failed', 'cancelled']

const dollars = (cents: number | null): string | null => (cents === null ? null : (cents / 100).toFixed(2))

export const ticketOrders: Section = {
  name: 'Ticket orders',
  about: 'Tickets that were bought.',
  statements: [
    {
      number: '1',
      says: 'Abandoned and in-flight checkouts are never listed.',
      check: async ({ write }) => {
        const { body } = await write.get('/ticket-orders', { limit: limits.listMost })
        for (const { status } of body) expectThat(statuses.includes(status), statuses.join(', '), status)
      },
    },
    {
      number: '2',
      says: 'total and refunded are the cents in dollars, with two decimals.',
      check: async ({ write }) => {
        const { body } = await write.get('/ticket-orders', { limit: limits.listMost })
        for (const order of body as Json[]) {
          const wanted = { total: dollars(order.totalCents), refunded: dollars(order.refundedCents) }
          expectFields(order, wanted, `order ${order.id}`)
        }
      },
    },
    {
      number: '3',
      says: 'An order that was paid is paid; one that was refunded in full is refunded.',
      needs: ['trigger'],
      check: async ({ trigger, write }) => {
        const paid = await trigger('ticket_order.paid')
        expectEqual((await write.get(`/ticket-orders/${paid.id}`)).body.status, 'paid', 'the status')
        const refunded = await trigger('ticket_order.refunded')
        const { body } = await write.get(`/ticket-orders/${refunded.id}`)
        expectFields(body, { status: 'refunded', refundedCents: body.totalCents }, 'the refunded order')
      },
    },
  ],
}
