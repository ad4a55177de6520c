import { limits } from '@venue-data/contract/limits.ts'
import { priorities } from '@venue-data/contract/lead.ts'
import { type Html, html } from '../../html/html.ts'
import type { StaffLeadRow } from '../../leads/staff-reads.ts'
import {
  type FormSeen,
  type Typed,
  areaField,
  choiceField,
  lineField,
  mistakePart,
  tokenField,
  versionField,
} from '../parts/fields.ts'

const home = '/office/leads'

export const typedOf = (lead: StaffLeadRow): Typed => ({
  contactName: lead.contact_name ?? '',
  contactEmail: lead.contact_email ?? '',
  contactPhone: lead.contact_phone ?? '',
  eventName: lead.event_name ?? '',
  occasion: lead.occasion ?? '',
  eventDate: lead.event_date ?? '',
  guestCount: lead.guest_count ?? '',
  budgetPerPerson: lead.budget_per_person ?? '',
  diningStyle: lead.dining_style ?? '',
  dietaryNeeds: lead.dietary_needs ?? '',
  concept: lead.concept ?? '',
  priority: lead.priority,
  notes: lead.notes ?? '',
})

/** `rooms`: what is offered for the room or brand; anything else may be typed. */
export const leadForm = (lead: StaffLeadRow, rooms: readonly string[], seen: FormSeen): Html =>
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
        <h1>A new lead</h1>
      </div>
    </div>
    <section class="card narrow">
      <form class="form" method="post" action="${home}">
        ${tokenField(seen.typed.token)} ${mistakePart(seen)} ${fields(seen, rooms)}
        <div class="inline">
          <button class="primary">Add the lead</button><a class="button quiet" href="${home}">Cancel</a>
        </div>
      </form>
    </section>`

/** The date and the numbers are free text, as people give them: "mid December", "35-40". */
const fields = (seen: FormSeen, rooms: readonly string[]): Html => {
  const line = (
    name: string,
    label: string,
    more: { hint?: string; placeholder?: string; list?: readonly string[] } = {},
  ) => lineField(seen, { name, label, most: limits.shortTextCharacters, ...more })
  return html`<h2>Who asks</h2>
    <div class="fields">
      ${lineField(seen, { name: 'contactName', label: 'Name', most: limits.nameCharacters, required: true })}
      ${lineField(seen, { name: 'contactEmail', label: 'Email', type: 'email', most: limits.emailCharacters })}
      ${lineField(seen, { name: 'contactPhone', label: 'Phone', type: 'tel', most: limits.phoneCharacters })}
    </div>
    <h2>What for</h2>
    <div class="fields">
      ${line('eventName', 'Event')} ${line('occasion', 'Occasion', { placeholder: 'Birthday' })}
      ${line('eventDate', 'Date', { placeholder: 'mid December' })}
      ${line('guestCount', 'Guests', { placeholder: '35-40' })}
      ${line('budgetPerPerson', 'Budget each', { placeholder: '$120' })}
      ${line('diningStyle', 'Dining style', { placeholder: 'Seated, buffet' })}
      ${line('dietaryNeeds', 'Dietary needs')} ${line('concept', 'Room or brand', { list: rooms })}
      ${choiceField(seen, { name: 'priority', label: 'Priority', choices: priorities })}
    </div>
    ${areaField(seen, {
      name: 'notes',
      label: 'The inquiry in their own words',
      most: limits.notesCharacters,
      rows: 5,
      hint: 'Connected software can read this. What is for staff only belongs into the notes of the lead.',
    })}`
}
