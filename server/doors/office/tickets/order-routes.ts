import { type TicketOrderStatus, ticketOrderStatuses } from '@venue-data/contract/records/ticket-order.ts'
import { html } from '../../../platform/html/html.ts'
import { endSentence } from '../../../platform/kernel/sentence.ts'
import { cancelOrder, confirmPayment } from '../../../tickets/order-moves.ts'
import { findOrders, ordersPage } from '../../../tickets/order-reads.ts'
import { actorOf } from '../frame/actor.ts'
import { go, page } from '../frame/page.ts'
import { idOf, versionIn } from '../parts/forms/fields.ts'
import { listFoot, pageRows } from '../parts/pager.ts'
import { warning } from '../parts/press-message.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { orderPage } from './order.ts'
import { orderOfPath } from './order-tickets.ts'
import { orderTable } from './order-table.ts'
import { statusWords } from './order-words.ts'
import { ticketsHead } from './head.ts'

const home = '/office/tickets/orders'

/** Orders: find by number, view, mark as paid, cancel. For every role. */
export const orderPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'host',
    answer: async (work, { query }) => {
      const typed = (query.get('q') ?? '').trim()
      const found = typed === '' ? undefined : await findOrders(work.db, work.venue, typed)
      const [only] = found ?? []
      if (found?.length === 1 && only) return go(`${home}/${only.id}`)
      return page('Orders', await orderList(work, query, typed, found))
    },
  },
  {
    method: 'GET',
    path: `${home}/:id`,
    role: 'host',
    answer: async (work, { params }) => {
      const order = await orderOfPath(work, params.id)
      return page(order.order_number, await orderPage(work, order))
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/paid`,
    role: 'host',
    answer: async (work, { params, form }) => {
      const order = idOf(params.id, 'order')
      await confirmPayment(work, actorOf(work.me), { order, seenVersion: versionIn(form) })
      return go(`${home}/${order}`, 'Payment recorded. The order is paid.')
    },
    again: async (_work, { params }, { message }) =>
      go(`${home}/${idOf(params.id, 'order')}`, warning(message)),
  },
  {
    method: 'POST',
    path: `${home}/:id/cancel`,
    role: 'host',
    answer: async (work, { params, form }) => {
      const order = idOf(params.id, 'order')
      await cancelOrder(work, actorOf(work.me), { order, seenVersion: versionIn(form) })
      return go(`${home}/${order}`, 'Order cancelled. Its seats are back on sale.')
    },
    again: async (_work, { params }, { message }) =>
      go(`${home}/${idOf(params.id, 'order')}`, warning(message)),
  },
]

const orderList = async (
  work: OfficeWork,
  query: URLSearchParams,
  typed: string,
  found: Awaited<ReturnType<typeof findOrders>> | undefined,
) => {
  const { db, venue } = work
  const status =
    ticketOrderStatuses.find((one): one is TicketOrderStatus => one === query.get('status')) ?? null
  const after = query.get('after')
  const list = found
    ? { rows: found, next: null }
    : await ordersPage(db, venue.id, { status }, { limit: pageRows, after })
  return html`${ticketsHead(work, home, typed)}
    <div class="stack">
      <form class="search" method="get" action="${home}">
        <select name="status" aria-label="State">
          <option value="">Any state</option>
          ${ticketOrderStatuses.map((one) => html`<option value="${one}" ${one === status && html`selected`}>${statusWords[one]}</option>`)}
        </select>
        <button>Show</button>
      </form>
      <section class="card list-card">
        ${
          list.rows.length === 0
            ? html`<p class="empty">${typed === '' ? 'No orders.' : endSentence(`No order found for “${typed}”`)}</p>`
            : orderTable(list.rows, venue.timezone)
        }
        ${!found && listFoot({ path: home, query: { status }, after, next: list.next })}
      </section>
    </div>`
}
