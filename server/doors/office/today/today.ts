import { type Html, html } from '../../../platform/html/html.ts'
import { saidPlace } from '../parts/press-message.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { bookPart } from './book.ts'
import { dayName, daySteps } from './day-steps.ts'
import type { DayBook } from './read-day.ts'

/** A day and its book. */
export const todayPage = (work: OfficeWork, day: DayBook): Html => {
  const { date, query } = day
  return html`<div class="page-head book-head">
      ${dayName(day, work.venue.timezone)}
      <div class="inline">
        ${daySteps(day)}
        <form class="go-to" method="get" action="/office/today">
          ${query.view !== 'list' && html`<input type="hidden" name="view" value="${query.view}" />`}
          <input type="date" name="date" value="${date}" aria-label="Go to date" required /><button>Go</button>
        </form>
      </div>
    </div>
    ${bookPart(work, day)} ${saidPlace()}`
}
