import { type Html, html } from '../../html/html.ts'
import { icon } from '../parts/icon.ts'
import { counted } from '../parts/pager.ts'
import { figureOf, isFull } from '../parts/slot-chart.ts'
import { answerQueue, toAnswer } from '../today/answer-queue.ts'
import type { RowPlace } from '../today/booking-row.ts'
import type { DayBook, Slot } from '../today/read-day.ts'
import { slotsAhead } from './slots-ahead.ts'
import { tonightForms } from './tonight-forms.ts'

/** Slots in sight at once; all of them when the strip is open. */
const slotsInSight = 9

/** One-line strips: what waits for an answer, and tonight's pacing. What they open lies over the lists. */
export const strips = (day: DayBook, place: RowPlace): Html => {
  const waiting = toAnswer(day)
  const slots = slotsAhead(day)
  return html`<div class="strips">
    ${
      waiting > 0 &&
      html`<details class="strip" id="requests" name="strip">
        <summary>
          ${icon('inbox')}<span class="amount loud">${waiting}${day.moreRequests && '+'}</span
          ><span>to answer</span>${icon('chevron-down', 'small')}
        </summary>
        <div class="strip-open">${answerQueue(day, place)}</div>
      </details>`
    }
    <details class="strip pacing" id="pacing" name="strip">
      <summary>
        <span class="hidden-text">Covers booked by slot.</span>
        <span class="pace">
          ${slots.slice(0, slotsInSight).map(slotPart)}
          ${slots.length === 0 && html`<span>${day.closed ?? 'No more arrivals tonight.'}</span>`}
        </span>
        ${icon('chevron-down', 'small')}
      </summary>
      <div class="strip-open">
        <p>
          <strong>${counted(day.totals.covers, 'cover')} in ${counted(day.totals.parties, 'party', 'parties')}.</strong>
          ${day.totals.here} in the house, ${day.totals.toCome} to come, ${day.totals.finished} done.
        </p>
        ${tonightForms(day)}
      </div>
    </details>
  </div>`
}

const slotPart = (slot: Slot): Html => {
  const cap = slot.mostCovers ?? Math.max(1, slot.covers)
  return html`<span class="slot ${isFull(slot) && 'full'}"
    ><span><b>${slot.time}</b> ${isFull(slot) ? 'full' : figureOf(slot)}</span
    ><svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-bg" width="100" height="4" /><rect
        class="bar"
        width="${Math.min(100, Math.round((slot.covers / cap) * 100))}"
        height="4"
      /></svg
  ></span>`
}
