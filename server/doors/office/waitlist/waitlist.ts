import { limits } from '@venue-data/contract/limits.ts'
import { longestQuoteMinutes } from '../../../book/waitlist/states.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { type FormSeen, lineField, mistakePart, tokenField } from '../parts/forms/fields.ts'
import { guestsField, nameField, phoneField } from '../parts/forms/party-fields.ts'
import { saidPlace } from '../parts/press-message.ts'
import { cityOf } from '../parts/time-words.ts'
import { linePart } from './line.ts'
import type { LineSeen } from './read-line.ts'

/** The empty form for a newcomer. */
const newcomer: FormSeen = { typed: { partySize: '2' } }

/** The waitlist: a party is added at the top, the line below renews itself. */
export const waitlistPage = (
  line: LineSeen,
  { join = newcomer, mistake }: { join?: FormSeen; mistake?: string } = {},
): Html =>
  html`<div class="page-head">
      <div>
        <h1>Waitlist</h1>
        <p class="soft small">
          ${line.ahead === 0 ? 'Nobody is waiting tonight.' : `${line.ahead} ${line.ahead === 1 ? 'party is' : 'parties are'} waiting tonight.`}
          Times are ${cityOf(line.place.timezone)} time.
        </p>
      </div>
      <button class="for-phone" popovertarget="join">Add a party</button>
    </div>
    ${mistake !== undefined && html`<p class="mistake" role="alert">${mistake}</p>`} ${mistakePart(join)}
    <section id="join" class="card join" aria-labelledby="join-head" popover>
      <h2 id="join-head">Add a party</h2>
      <form class="form" method="post" action="/office/waitlist">
        ${tokenField()}
        <div class="fields">
          ${guestsField(join)} ${nameField(join, { required: false })} ${phoneField(join)}
          ${lineField(join, {
            name: 'quotedMinutes',
            label: 'Quote (minutes)',
            type: 'number',
            least: 0,
            greatest: longestQuoteMinutes,
            placeholder: `${line.quote} suggested`,
          })}
          ${lineField(join, { name: 'notes', label: 'Notes', most: limits.notesCharacters })}
          <button class="primary">Add to waitlist</button>
        </div>
      </form>
    </section>
    ${linePart(line)} ${saidPlace()}`
