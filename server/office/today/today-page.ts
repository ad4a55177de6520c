import { randomUUID } from 'node:crypto'
import { type Html, html } from '../../html/html.ts'
import { addDays, dayAndYearInWords } from '../../kernel/calendar.ts'
import { wallTimeOf } from '../../kernel/venue-clock.ts'
import { saidPlace } from '../parts/said.ts'
import { cityOf, nearDay } from '../parts/time-words.ts'
import type { OfficeWork } from '../serve-page.ts'
import { bookPart } from './book-part.ts'
import { type DayBook, bookAddress } from './read-day.ts'

/** Today: which day, what one can add to it, and its book. */
export const todayPage = (work: OfficeWork, day: DayBook): Html => {
  const { date, today, query } = day
  const to = (other: string) => bookAddress({ ...query, page: 0, date: other === today ? undefined : other })
  return html`<div class="page-head book-head">
      <div>
        <h1>${nearDay(date, today) ?? 'The book'} <span class="soft day-name">${dayAndYearInWords(date)}</span></h1>
        <p class="soft small">
          ${date === today && html`It is ${wallTimeOf(day.now, work.venue.timezone).time}. `}Times are those of
          ${cityOf(work.venue.timezone)}.
        </p>
      </div>
      <div class="inline">
        <a class="button" href="${to(addDays(date, -1))}" aria-label="The day before">‹</a>
        <a class="button" href="${to(today)}" ${date === today && html`aria-current="date"`}>Today</a>
        <a class="button" href="${to(addDays(date, 1))}" aria-label="The day after">›</a>
        <a class="button primary" href="/office/bookings/new?date=${date}">New booking</a>
        <form class="go-to" method="get" action="/office/today">
          ${query.view !== 'list' && html`<input type="hidden" name="view" value="${query.view}" />`}
          <input type="date" name="date" value="${date}" aria-label="Go to a day" required /><button>Go</button>
        </form>
      </div>
    </div>
    ${date === today && walkInForm(bookAddress(query))} ${bookPart(work, day)} ${saidPlace()}`
}

/** Sizes that are one tap away. */
const usualSizes = [1, 2, 3, 4, 5, 6, 7, 8]

/** A party at the door: one tap on its size seats it. The first button is the one that Enter presses: it needs a size. */
const walkInForm = (back: string): Html =>
  html`<form class="walk-in card" method="post" action="/office/walk-ins">
    <input type="hidden" name="token" value="${randomUUID()}" /><input
      type="hidden"
      name="back"
      value="${back}"
    /><button class="hidden-text" name="partySize" value="" tabindex="-1" aria-hidden="true">Seat</button>
    <h2 class="strong" id="walk-in-head">Walk-in</h2>
    <div class="sizes" role="group" aria-labelledby="walk-in-head">
      ${usualSizes.map(
        (size) =>
          html`<button class="size-button" name="partySize" value="${size}" aria-label="Seat a party of ${size}">
            ${size}
          </button>`,
      )}
    </div>
    <input name="guestName" maxlength="200" autocomplete="off" placeholder="Name, if you like" aria-label="Name" />
    <span class="short larger"
      ><input
        name="otherSize"
        type="number"
        inputmode="numeric"
        min="1"
        max="999"
        placeholder="Over 8"
        aria-label="Guests of a larger party"
      /><button name="partySize" value="">Seat</button></span
    >
  </form>`
