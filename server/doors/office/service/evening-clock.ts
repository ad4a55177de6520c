import { type Html, html } from '../../../platform/html/html.ts'
import { dayInWords, shortDayInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'
import { eachMinute } from '../parts/each-minute.ts'
import { icon } from '../parts/icon.ts'
import type { DayBook } from '../today/read-day.ts'

/** Which evening is shown, and the way to others. */
export const evening = ({ date }: DayBook): Html =>
  html`<a class="lintel-day" href="/office/today" title="Other days are in the book"
    ><span class="in-full">${dayInWords(date)}</span><span class="in-short">${shortDayInWords(date)}</span>${icon('chevron-down', 'small')}</a
  >`

/** The venue's time; with script it renews itself with the lists, and says when it no longer does. */
export const clock = (
  { now }: DayBook,
  timezone: string,
  { renewed = false }: { readonly renewed?: boolean } = {},
): Html =>
  html`<p id="clock" class="clock" ${renewed && html`hx-swap-oob="outerMorph"`}>
    <span>${eachMinute(now, (at) => timeOf(at, timezone))}</span><small class="when-live">Live</small><small class="when-offline">Offline</small>
  </p>`
