import { type Html, html } from '../../../platform/html/html.ts'
import { type LeadColumns, leadFields } from '../../../crm/leads/fields.ts'
import type { LeadRow } from '../../../crm/leads/lead.ts'
import { type FormSeen, mistakePart, tokenField, versionField } from '../parts/forms/fields.ts'
import { fieldPart } from '../parts/forms/form.ts'

const home = '/office/leads'

/** `rooms`: what is offered for the room or brand; anything else may be typed. */
export const leadForm = (lead: LeadRow, rooms: readonly string[], seen: FormSeen): Html =>
  html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}/${lead.id}">‹ ${lead.contact_name ?? 'The lead'}</a></p>
        <h1>Edit</h1>
      </div>
    </div>
    <section class="card narrow">
      <form class="form" method="post" action="${home}/${lead.id}/edit">
        ${versionField(lead.version)} ${mistakePart(seen)} ${fields(seen, rooms)}
        <div class="inline">
          <button class="primary">Save</button><a class="button quiet" href="${home}/${lead.id}">Cancel</a>
        </div>
      </form>
    </section>`

export const newLeadForm = (rooms: readonly string[], seen: FormSeen): Html =>
  html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}">‹ Leads</a></p>
        <h1>New lead</h1>
      </div>
    </div>
    <section class="card narrow">
      <form class="form" method="post" action="${home}">
        ${tokenField(seen.typed.token)} ${mistakePart(seen)} ${fields(seen, rooms)}
        <div class="inline">
          <button class="primary">Add lead</button><a class="button quiet" href="${home}">Cancel</a>
        </div>
      </form>
    </section>`

const fields = (seen: FormSeen, rooms: readonly string[]): Html => {
  const field = (column: keyof LeadColumns) => fieldPart(leadFields, seen, column)
  return html`<h2>Contact</h2>
    <div class="fields">${field('contact_name')} ${field('contact_email')} ${field('contact_phone')}</div>
    <h2>Event</h2>
    <div class="fields">
      ${field('event_name')} ${field('occasion')} ${field('event_date')} ${field('guest_count')}
      ${field('budget_per_person')} ${field('dining_style')} ${field('dietary_needs')}
      ${fieldPart(leadFields, seen, 'concept', { list: rooms })} ${field('priority')}
    </div>
    ${fieldPart(leadFields, seen, 'notes', { rows: 5 })}`
}
