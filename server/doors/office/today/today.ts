import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { type FormSeen, mistakePart, tokenField } from '../parts/forms/fields.ts'
import { saidPlace } from '../parts/press-message.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { bookPart } from './book.ts'
import { dayName, daySteps } from './day-steps.ts'
import { type DayBook, bookAddress } from './read-day.ts'

/** Today: the day, what can be added to it, and its book. `walkIn` is a walk-in form that was refused. */
export const todayPage = (work: OfficeWork, day: DayBook, walkIn: FormSeen = { typed: {} }): Html => {
  const { date, today, query } = day
  return html`<div class="page-head book-head">
      ${dayName(day, work.venue.timezone)}
      <div class="inline">
        ${daySteps(day)}
        ${date === today && html`<button class="for-phone" popovertarget="walk-in">Walk-in</button>`}
        <form class="go-to" method="get" action="/office/today">
          ${query.view !== 'list' && html`<input type="hidden" name="view" value="${query.view}" />`}
          <input type="date" name="date" value="${date}" aria-label="Go to date" required /><button>Go</button>
        </form>
      </div>
    </div>
    ${mistakePart(walkIn)} ${date === today && walkInForm(bookAddress(query), walkIn)} ${bookPart(work, day)}
    ${saidPlace()}`
}

/** Party sizes one tap away. */
const usualSizes = [1, 2, 3, 4, 5, 6, 7, 8]

/**
 * A party at the door: one tap on its size seats it now, so the form is only on the current day. The first button is
 * the one Enter presses: it needs a size. On a phone the form opens from its button.
 */
const walkInForm = (back: string, { typed }: FormSeen): Html =>
  html`<form id="walk-in" class="walk-in card" method="post" action="/office/walk-ins" popover>
    ${tokenField()}<input type="hidden" name="back" value="${back}" /><button
      class="hidden-text"
      name="partySize"
      value=""
      tabindex="-1"
      aria-hidden="true"
    >
      Seat
    </button>
    <h2 class="strong" id="walk-in-head">Walk-in</h2>
    <div class="sizes" role="group" aria-labelledby="walk-in-head">
      ${usualSizes.map(
        (size) =>
          html`<button class="size-button" name="partySize" value="${size}" aria-label="Seat a party of ${size}">
            ${size}
          </button>`,
      )}
    </div>
    <input
      name="guestName"
      value="${typed.guestName}"
      maxlength="200"
      autocomplete="off"
      placeholder="Name (optional)"
      aria-label="Name"
    />
    <span class="short larger"
      ><input
        name="otherSize"
        value="${typed.otherSize}"
        type="number"
        inputmode="numeric"
        min="1"
        max="${limits.partyGuests}"
        placeholder="Over 8"
        aria-label="Guests of a larger party"
      /><button name="partySize" value="">Seat</button></span
    >
  </form>`
