import { type Html, html } from '../../../platform/html/html.ts'

/** Opens the sheet of a booking over the page one is at; without script, and on a phone, the booking's own page. */
export const changeLink = (id: number): Html =>
  html`<a class="button" data-sheet href="/office/bookings/${id}#change">Change</a>`
