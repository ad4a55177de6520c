import { type Html, html } from '../../../platform/html/html.ts'

/** The number a guest reads out at the door, with or without its prefix; or a full email address. */
export const searchFor = (typed: string): Html =>
  html`<form class="search" method="get" action="/office/tickets/orders" role="search">
    <input
      name="q"
      type="search"
      value="${typed}"
      placeholder="Order number or email"
      aria-label="Find an order by its number or the buyer’s email"
      autocomplete="off"
      maxlength="254"
    /><button>Find</button>
  </form>`
