import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { SoldOccurrence } from '../../../tickets/event-reads.ts'
import { type Price, seatsOfOrderMost } from '../../../core/money/price.ts'
import type { BoxOfficeMethod } from '../../../tickets/sell-tickets.ts'
import { type FormSeen, lineField, mistakePart, tickField, tokenField } from '../parts/forms/fields.ts'
import { money } from '../parts/money.ts'
import { counted } from '../parts/pager.ts'
import { methodWords } from './order-words.ts'

/** Payment methods at the box office, most common first. A zero total is automatically free. */
export const saleMethods = ['cash', 'external', 'comp'] as const satisfies readonly BoxOfficeMethod[]

/** The price shown, or the sentence that says why no price can be shown. */
export type ShownPrice = Price | string

/** The box office. The total is shown before anything is sold: while typing, or on the first press. */
export const saleForm = (date: SoldOccurrence, seen: FormSeen, price: ShownPrice | undefined): Html => {
  const here = `/office/tickets/dates/${date.id}`
  const method = seen.typed.method ?? 'cash'
  return html`<form class="form" method="post" action="${here}/sales" id="sale-form">
    ${tokenField(seen.typed.token)} ${mistakePart(seen)}
    ${
      price !== undefined &&
      typeof price !== 'string' &&
      seen.mistake === undefined &&
      html`<p class="hint" role="status">Nothing has been sold yet. If the total is right, press Sell.</p>`
    }
    <div class="sale-fields">
      <label class="field seats-field"
        ><span>Seats</span
        ><input
          id="sale-seats"
          name="seats"
          type="number"
          inputmode="numeric"
          min="1"
          max="${seatsOfOrderMost}"
          value="${seen.typed.seats ?? '2'}"
          required
      /></label>
      <label class="field"
        ><span>Paid by</span
        ><select id="sale-method" name="method">
          ${saleMethods.map((one) => html`<option value="${one}" ${one === method && html`selected`}>${methodWords[one]}</option>`)}
        </select></label
      >
      <label class="field"
        ><span>Promo code</span
        ><input id="sale-code" name="promoCode" value="${seen.typed.promoCode ?? ''}" autocomplete="off" maxlength="40"
      /></label>
    </div>
    ${tickField(seen, { name: 'received', label: 'Card or bank payment approved' })}
    <div
      id="total"
      aria-live="polite"
      hx-get="${here}/price"
      hx-trigger="${price === undefined && 'load, '}input from:#sale-form delay:200ms"
      hx-include="#sale-seats,#sale-method,#sale-code"
      hx-sync="this:replace"
    >
      ${price !== undefined && totalPart(price, seen.typed.seats ?? '')}
    </div>
    <details ${(seen.typed.lastName || seen.typed.email || seen.mistake) && html`open`}>
      <summary>Buyer</summary>
      <div class="fields">
        ${lineField(seen, { name: 'firstName', label: 'First name', most: limits.nameCharacters })}
        ${lineField(seen, { name: 'lastName', label: 'Last name', most: limits.nameCharacters })}
        ${lineField(seen, { name: 'email', label: 'Email', type: 'email', most: limits.emailCharacters, hint: 'The tickets are emailed to it once they are paid.' })}
        ${lineField(seen, { name: 'phone', label: 'Phone', type: 'tel', most: limits.phoneCharacters })}
      </div>
    </details>
    <div class="inline"><button class="primary wide">Sell</button></div>
  </form>`
}

/** The total, also in the form as shown: a different total is not sold. */
export const totalPart = (price: ShownPrice, seats: string): Html => {
  if (typeof price === 'string') return html`<p class="hint" role="status">${price}</p>`
  const lines = [
    ['Seats', price.subtotalCents],
    ['Discount', -price.discountCents],
    ['Fee', price.feeCents],
    ['Tax', price.taxCents],
  ] as const
  const more = lines.filter(([, cents]) => cents !== 0)
  return html`<input type="hidden" name="shownTotalCents" value="${price.totalCents}" />
    <p class="total" role="status">
      <span>${counted(Number(seats), 'seat')}</span> <strong>${money(price.totalCents)}</strong>
    </p>
    ${
      more.length > 1 &&
      html`<p class="small soft">${more.map(([name, cents], i) => `${i === 0 ? '' : ' · '}${name} ${money(cents)}`)}</p>`
    }`
}
