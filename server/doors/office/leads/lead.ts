import { priorities } from '@venue-data/contract/records/lead.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { leadFields } from '../../../crm/leads/fields.ts'
import { type LeadNoteRow, leadNoteCharacters, notesOfLead } from '../../../crm/leads/notes.ts'
import { pipelineOf } from '../../../crm/leads/pipeline.ts'
import type { LeadRow } from '../../../crm/leads/lead.ts'
import { type FormSeen, areaField, mistakePart, tokenField, versionField } from '../parts/forms/fields.ts'
import { tag } from '../parts/tags.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { dateOf, titleOf } from './board.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { phoneLink } from '../texts/phone-link.ts'

const home = '/office/leads'

/** One of the page's forms that was not taken; `note`: the one that was to be rewritten. */
export type Sent = FormSeen & { readonly note: string | undefined }

/** One inquiry: what they ask for, its stage, and the notes and draft replies of staff. */
export const leadPage = async ({ db, venue }: OfficeWork, lead: LeadRow, sent?: Sent): Promise<Html> => {
  const [notes, { stages }] = await Promise.all([
    notesOfLead(db, venue.id, lead.id),
    pipelineOf(db, venue.id),
  ])
  const zone = venue.timezone
  const here = `${home}/${lead.id}`
  const said = { ...lead, event_date: dateOf(lead) }
  return html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}">‹ Leads</a></p>
        <h1 class="breaks">${lead.contact_name ?? 'No name'}</h1>
        <p class="soft breaks">${titleOf(lead)}</p>
      </div>
      <div class="inline">
        <form method="post" action="${here}/delete" data-asks="Delete this lead with its notes and drafts?">
          ${versionField(lead.version)}<button class="danger">Delete</button>
        </form>
        <a class="button primary" href="${here}/edit">Edit</a>
      </div>
    </div>
    ${sent && mistakePart(sent)}
    <section class="card stage-card">
      <form class="stage-row" method="post" action="${here}/stage" aria-label="Stage">
        ${versionField(lead.version)}<input type="hidden" name="back" value="${here}" />
        ${[...stages, ...(stages.includes(lead.stage) ? [] : [lead.stage])].map((stage) =>
          stage === lead.stage
            ? html`<span class="stage-now" aria-current="step">${stage}</span>`
            : html`<button name="stage" value="${stage}">${stage}</button>`,
        )}
      </form>
    </section>
    <div class="with-side">
      <div class="stack">
        <section class="card">
          <h2>The inquiry</h2>
          ${lead.notes === null ? html`<p class="soft">No message.</p>` : html`<p class="lines">${lead.notes}</p>`}
          ${facts(factsShown.map((column) => [leadFields.fields[column].label, said[column]]))}
        </section>
        <section class="card" id="notes">
          <header>
            <h2>Notes and drafts</h2>
            <span class="small soft">For staff only. Nothing here is ever sent or shared.</span>
          </header>
          ${notes.length === 0 && html`<p class="soft">Nothing written yet.</p>`}
          <ul class="rows">
            ${notes.map((note) => noteRow(note, here, zone, sent?.note === String(note.id) ? sent : undefined))}
          </ul>
          ${newNote(here, sent !== undefined && sent.note === undefined ? sent : { typed: {} })}
        </section>
      </div>
      <div class="stack">
        <section class="card">
          <h2>Contact</h2>
          <p class="contact">
            ${
              lead.contact_email !== null &&
              html`<a class="breaks" href="mailto:${lead.contact_email}">${lead.contact_email}</a>`
            }
            ${lead.contact_phone !== null && phoneLink(lead.contact_phone, 'nowrap')}
          </p>
          ${lead.guest_id !== null && html`<p><a class="button" href="/office/guests/${lead.guest_id}">Guest profile</a></p>`}
        </section>
        <section class="card">
          <h2>Priority</h2>
          <form class="inline" method="post" action="${here}/priority">
            ${versionField(lead.version)}
            ${priorities.map((priority) =>
              priority === lead.priority
                ? html`<span class="stage-now" aria-current="true">${priority}</span>`
                : html`<button name="priority" value="${priority}">${priority}</button>`,
            )}
          </form>
        </section>
        <section class="card">
          <h2>Details</h2>
          ${facts([
            ['Received', momentInWords(lead.created_at, zone)],
            ['Source', origins[lead.submitted_via] ?? lead.submitted_via],
            ['Lead number', String(lead.id)],
          ])}
        </section>
      </div>
    </div>`
}

const factsShown = [
  'event_date',
  'guest_count',
  'budget_per_person',
  'occasion',
  'dining_style',
  'dietary_needs',
  'concept',
] as const

const origins: Record<string, string> = {
  automation: 'connected software',
  public_form: 'the website',
  staff: 'staff',
  import: 'an import',
}

const facts = (rows: readonly (readonly [string, Html | string | null])[]): Html => {
  const shown = rows.filter(([, value]) => value !== null && value !== '')
  return shown.length === 0
    ? html`<p class="soft">No details given.</p>`
    : html`<dl class="facts">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

const noteRow = (note: LeadNoteRow, here: string, zone: string, sent: Sent | undefined): Html => {
  const seen: FormSeen = sent ?? { typed: { text: note.text } }
  return html`<li>
    <div class="grow">
      <p class="inline">
        ${tag(note.kind === 'draft' ? 'Draft, not sent' : 'Note', note.kind === 'draft' ? 'accent' : '')}
        <span class="small soft breaks">${note.written_by}, ${momentInWords(note.created_at, zone)}</span>
      </p>
      <p class="lines">${note.text}</p>
      <details ${sent && html`open`}>
        <summary class="small">Change</summary>
        <form class="form" method="post" action="${here}/notes/${note.id}">
          ${versionField(note.version)}
          ${areaField(seen, { name: 'text', label: 'Text', most: leadNoteCharacters, rows: 5, required: true })}
          <div class="inline">
            <button class="primary">Save</button>
            <button class="danger" name="do" value="remove" data-asks="Remove this ${note.kind}?">Remove</button>
          </div>
        </form>
      </details>
    </div>
  </li>`
}

const newNote = (here: string, seen: FormSeen): Html =>
  html`<form class="form" method="post" action="${here}/notes">
    ${tokenField(seen.typed.token)}
    ${areaField(seen, { name: 'text', label: 'New note', most: leadNoteCharacters, rows: 4, required: true })}
    <div class="inline">
      <button class="primary" name="kind" value="note">Add note</button>
      <button name="kind" value="draft">Save as draft</button>
    </div>
  </form>`
