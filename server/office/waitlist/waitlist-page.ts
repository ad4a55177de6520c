import { randomUUID } from 'node:crypto'
import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../html/html.ts'
import { quoteByTheLine } from '../../waitlist/actions.ts'
import { saidPlace } from '../parts/said.ts'
import { cityOf } from '../parts/time-words.ts'
import { linePart } from './line-part.ts'
import type { LineSeen } from './read-line.ts'

/** The most minutes a party is ever told. */
export const longestQuote = 600

export type TypedParty = {
  readonly partySize: string
  readonly guestName: string
  readonly phone: string
  readonly notes: string
  readonly quotedMinutes: string
}

export const nobodyYet: TypedParty = {
  partySize: '2',
  guestName: '',
  phone: '',
  notes: '',
  quotedMinutes: '',
}

/** The waitlist: a party is added at the top, the line below renews itself. */
export const waitlistPage = (
  seen: LineSeen,
  { typed = nobodyYet, mistake }: { typed?: TypedParty; mistake?: string } = {},
): Html =>
  html`<div class="page-head">
      <div>
        <h1>Waitlist</h1>
        <p class="soft small">
          ${seen.ahead === 0 ? 'Nobody is waiting tonight.' : `${seen.ahead} ${seen.ahead === 1 ? 'party is' : 'parties are'} waiting tonight.`}
          Times are those of ${cityOf(seen.place.timezone)}.
        </p>
      </div>
    </div>
    <section class="card join" aria-labelledby="join-head">
      <h2 id="join-head">Add a party</h2>
      ${mistake !== undefined && html`<p class="mistake" role="alert">${mistake}</p>`}
      <form class="form" method="post" action="/office/waitlist">
        <input type="hidden" name="token" value="${randomUUID()}" />
        <div class="fields">
          <label class="field"
            ><span>Guests</span
            ><input
              name="partySize"
              type="number"
              inputmode="numeric"
              min="1"
              max="999999999"
              required
              value="${typed.partySize}"
          /></label>
          <label class="field"
            ><span>Name</span
            ><input
              name="guestName"
              value="${typed.guestName}"
              maxlength="${limits.nameCharacters}"
              autocomplete="off"
          /></label>
          <label class="field"
            ><span>Telephone</span
            ><input
              name="phone"
              type="tel"
              value="${typed.phone}"
              maxlength="${limits.phoneCharacters}"
              autocomplete="off"
          /></label>
          <label class="field"
            ><span>Quote, in minutes</span
            ><input
              name="quotedMinutes"
              type="number"
              inputmode="numeric"
              min="0"
              max="${longestQuote}"
              value="${typed.quotedMinutes}"
              placeholder="${quoteByTheLine(seen.ahead)} by the line"
          /></label>
          <label class="field"
            ><span>Wishes</span
            ><input
              name="notes"
              value="${typed.notes}"
              maxlength="${limits.notesCharacters}"
              autocomplete="off"
          /></label>
          <button class="primary">Add to line</button>
        </div>
      </form>
    </section>
    ${linePart(seen)} ${saidPlace()}`
