import { type Html, html } from '../../../platform/html/html.ts'
import type { EveningParty } from '../../../book/tables/reads.ts'
import { icon } from '../parts/icon.ts'
import { counted } from '../parts/pager.ts'
import { figureOf, isFull } from '../parts/slot-chart.ts'
import { pickLink } from '../parts/table-cell.ts'
import { guestsInWords } from '../parts/time-words.ts'
import { answerQueue, toAnswer } from '../today/answer-queue.ts'
import type { RowPlace } from '../today/booking-row.ts'
import type { DayBook, Slot } from '../today/read-day.ts'
import { slotsAhead, tonightForms } from './tonight-forms.ts'
import { timeOf } from '../../../platform/kernel/time/in-words.ts'
import { plainTime } from '../parts/plain-time.ts'

/** Slots in sight at once; all of them when the strip is open. */
const slotsInSight = 9

/** One-line strips: what waits for an answer, and tonight's pacing. What they open lies over the lists. */
export const strips = (day: DayBook, place: RowPlace): Html => {
  const waiting = toAnswer(day)
  const slots = slotsAhead(day)
  const without = (day.evening?.withoutTable ?? []).filter(({ status }) => status === 'Confirmed')
  const toMove = day.evening?.toMove ?? []
  return html`<div class="strips">
    ${
      waiting + without.length + toMove.length > 0 &&
      html`<details class="strip" id="requests" name="strip">
        <summary>
          ${icon('inbox')}${
            waiting > 0 &&
            html`<span class="amount loud">${waiting}${day.moreRequests && '+'}</span><span>to answer</span>`
          }${
            without.length > 0 &&
            html`<span class="amount loud">${without.length}</span><span>without a table</span>`
          }${toMove.length > 0 && html`<span class="amount loud">${toMove.length}</span><span>to move</span>`}${icon('chevron-down', 'small')}
        </summary>
        <div class="strip-open">
          ${without.length > 0 && tableQueue({ id: 'without', name: 'Without a table' }, without, place)}
          ${toMove.length > 0 && tableQueue({ id: 'to-move', name: 'Table out of order or closed' }, toMove, place)}
          ${answerQueue(day, place)}
        </div>
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
          ${counted(day.totals.here, 'party is', 'parties are')} here, ${day.totals.toCome} to come, ${day.totals.finished} done.
        </p>
        ${tonightForms(day)}
      </div>
    </details>
  </div>`
}

/** Who is confirmed and needs another table than they have: a queue, soonest first. */
const tableQueue = (
  { id: queue, name }: { readonly id: string; readonly name: string },
  parties: readonly EveningParty[],
  place: RowPlace,
): Html =>
  html`<section class="card answer" aria-labelledby="${queue}-head">
    <header>
      <h2 id="${queue}-head">${name}</h2>
      <span class="tag warn">${parties.length}</span>
    </header>
    <ul class="picks">
      ${parties.map(
        ({ id, guestName, partySize, from }) =>
          html`<li>
            <b>${timeOf(from, place.timezone)}</b>
            <span class="pick-words"
              ><a class="strong" href="/office/bookings/${id}">${guestName ?? 'No name'}</a>, ${guestsInWords(partySize)}</span
            >
            <a class="button" ${pickLink(id, place.back)} aria-label="Choose a table for ${guestName ?? 'this party'}">Choose a table</a>
          </li>`,
      )}
    </ul>
  </section>`

const slotPart = (slot: Slot): Html => {
  const cap = slot.mostCovers ?? Math.max(1, slot.covers)
  return html`<span class="slot ${isFull(slot) && 'full'}"
    ><span><b>${plainTime(slot.time)}</b> ${isFull(slot) ? 'full' : figureOf(slot)}</span
    ><svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-bg" width="100" height="4" /><rect
        class="bar"
        width="${Math.min(100, Math.round((slot.covers / cap) * 100))}"
        height="4"
      /></svg
  ></span>`
}
