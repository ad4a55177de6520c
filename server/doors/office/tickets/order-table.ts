import { type Html, html } from '../../../platform/html/html.ts'
import type { SoldOrderRow } from '../../../tickets/order-reads.ts'
import { money } from '../parts/money.ts'
import { orderTag } from './order-words.ts'
import { dateInWords, momentInWords } from '../../../platform/kernel/time/in-words.ts'

export const buyerOf = (
  order: Pick<SoldOrderRow, 'buyer_first_name' | 'buyer_last_name' | 'buyer_email'>,
): string =>
  [order.buyer_first_name, order.buyer_last_name].filter((one) => one !== null).join(' ') ||
  (order.buyer_email ?? 'No name')

/** Orders, newest first; a single date's table leaves out the date. */
export const orderTable = (rows: readonly SoldOrderRow[], zone: string, within?: 'date'): Html =>
  html`<table class="table as-cards">
    <thead>
      <tr>
        <th scope="col">Number</th>
        <th scope="col">Buyer</th>
        ${within === undefined && html`<th scope="col">For</th>`}
        <th scope="col" class="right">Seats</th>
        <th scope="col" class="right">Total</th>
        <th scope="col">State</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (order) =>
          html`<tr>
            <td class="row-head">
              <a class="row-link nowrap" href="/office/tickets/orders/${order.id}">${order.order_number}</a>
              <span class="small soft">${momentInWords(order.created_at, zone)}</span>
            </td>
            <td class="breaks" data-label="Buyer">${buyerOf(order)}</td>
            ${
              within === undefined &&
              html`<td class="breaks" data-label="For">
                <span>${order.event_name}, <span class="soft nowrap">${dateInWords(order.event_date)}</span></span>
              </td>`
            }
            <td class="right" data-label="Seats">${order.seats}</td>
            <td class="right" data-label="Total">${money(order.total_cents)}</td>
            <td data-label="State">${orderTag(order)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
