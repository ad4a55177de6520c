import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { tagsOfVenue } from '../../../marketing/subscribers/staff-reads.ts'
import { type FormSeen, areaField, lineField, mistakePart, tokenField } from '../parts/forms/fields.ts'
import { cityOf } from '../parts/time-words.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

const home = '/office/subscribers'

/** An address with proof that its owner agreed. */
export const newSubscriberForm = async ({ db, venue }: OfficeWork, seen: FormSeen): Promise<Html> => {
  const tags = await tagsOfVenue(db, venue.id)
  return html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}">‹ Subscribers</a></p>
        <h1>Add a subscriber</h1>
      </div>
    </div>
    <section class="card narrow">
      <form class="form" method="post" action="${home}">
        ${tokenField(seen.typed.token)} ${mistakePart(seen)}
        <div class="fields">
          ${lineField(seen, { name: 'email', label: 'Email', type: 'email', most: limits.emailCharacters, required: true })}
          ${lineField(seen, { name: 'firstName', label: 'First name', most: limits.nameCharacters })}
          ${lineField(seen, { name: 'tag', label: 'Tag', most: limits.tagCharacters, list: tags.map(({ name }) => name), hint: 'An existing tag, or a new one.' })}
        </div>
        <h2>How they agreed</h2>
        <p class="small soft">Kept as your proof. Only add people who agreed.</p>
        <div class="fields">
          ${lineField(seen, { name: 'where', label: 'Where', most: limits.shortTextCharacters, required: true, placeholder: 'Card at the register' })}
          ${lineField(seen, { name: 'agreedOn', label: 'Day', type: 'date', hint: 'Leave empty for today.' })}
          ${lineField(seen, { name: 'agreedTime', label: 'Time', placeholder: '19:30', most: limits.timeCharacters, hint: `If known; ${cityOf(venue.timezone)} time.` })}
        </div>
        ${areaField(seen, { name: 'statement', label: 'The text they agreed to', most: limits.statementCharacters, rows: 3 })}
        <div class="inline">
          <button class="primary">Add</button><a class="button quiet" href="${home}">Cancel</a>
        </div>
      </form>
    </section>`
}
