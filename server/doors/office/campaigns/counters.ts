import type { Counted } from '../../../marketing/campaigns/audience/count.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { counted } from '../parts/pager.ts'
import { numberInWords } from '../../../platform/kernel/time/in-words.ts'

/** Who would get it, and who is left out and why, in figures and sentences. */
export const countersPart = (count: Counted): Html => {
  const left = [
    ['Not subscribed', count.unsubscribed],
    ['On the do-not-email list', count.suppressed],
    ['Already have a ticket', count.excludedTicketHolders],
    ['No usable email address', count.noEmail],
    [`Held back for comparison, ${count.holdoutPct}%`, count.heldBack],
  ] as const
  const shown = left.filter(([, people]) => people > 0)
  return html`<div class="counted" role="status">
    <p class="total">
      <span>${count.recipientsTotal === 1 ? 'person will get it' : 'people will get it'}</span>
      <strong id="people-count">${numberInWords(count.recipientsTotal)}</strong>
    </p>
    <table class="table price">
      <tbody>
        <tr>
          <th scope="row">Match ${!count.matchedKnown && '(at least)'}</th>
          <td class="right">${numberInWords(count.matched)}</td>
        </tr>
        ${shown.map(
          ([words, people]) =>
            html`<tr>
              <th scope="row">${words}</th>
              <td class="right">−${numberInWords(people)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${!count.reliable && html`<p class="mistake">This list is not reliable, so it cannot be sent as is.</p>`}
    ${notesList(count.notes)}
  </div>`
}

const notesList = (notes: readonly string[]): Html | undefined =>
  notes.length === 0
    ? undefined
    : html`<ul class="notes-plain small soft">
        ${notes.map((note) => html`<li>${note}</li>`)}
      </ul>`

/** "1,180 people", for a sentence. */
export const peopleWords = (count: number): string => counted(count, 'person', 'people')
