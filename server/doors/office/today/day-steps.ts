import { type Html, html } from '../../../platform/html/html.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { dayAndYearInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'
import { cityOf, nearDay } from '../parts/time-words.ts'
import { type DayBook, bookAddress } from './read-day.ts'

/*
 * The head of Today refreshes with the book, so that a tablet left on never shows an old time or yesterday's date.
 */

type Renewal = { readonly renewed?: boolean }

const beside = ({ renewed = false }: Renewal) => renewed && html`hx-swap-oob="outerMorph"`

/** The day of the book, and the current time. */
export const dayName = ({ date, today, now }: DayBook, timezone: string, renewal: Renewal = {}): Html =>
  html`<div id="book-day" ${beside(renewal)}>
    <h1>${nearDay(date, today) ?? 'The book'}, <span class="soft day-name">${dayAndYearInWords(date)}</span></h1>
    <p class="soft small">
      ${date === today && html`It is ${timeOf(now, timezone)}. `}Times are ${cityOf(timezone)} time.
    </p>
  </div>`

/** Links to other days, or to other weeks in the weeks view. */
export const daySteps = ({ date, today, query }: DayBook, renewal: Renewal = {}): Html => {
  const step = query.view === 'weeks' ? 7 : 1
  const what = step === 7 ? 'week' : 'day'
  const to = (other: string) => bookAddress({ ...query, page: 0, date: other === today ? undefined : other })
  return html`<div id="book-steps" class="inline" ${beside(renewal)}>
      <a class="button" href="${to(addDays(date, -step))}" aria-label="Previous ${what}">‹</a>
      <a class="button" href="${to(today)}" ${date === today && html`aria-current="date"`}>Today</a>
      <a class="button" href="${to(addDays(date, step))}" aria-label="Next ${what}">›</a>
      ${date !== today && html`<a class="button primary" href="/office/bookings/new?date=${date}">Book for this day</a>`}
    </div>`
}
