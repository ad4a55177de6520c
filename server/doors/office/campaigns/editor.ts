import { limits } from '@venue-data/contract/limits.ts'
import type { CampaignRow } from '../../../marketing/campaigns/reads.ts'
import { type TypedWords, seriesMost } from '../../../marketing/campaigns/staff-edits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import type { Form } from '../frame/page.ts'
import {
  type FormSeen,
  type Typed,
  areaField,
  choiceField,
  lineField,
  mistakePart,
  versionField,
  wholeNumberIn,
} from '../parts/forms/fields.ts'
import { idIn } from '../parts/time-words.ts'
import { home } from './words.ts'

export const typedOf = (row: CampaignRow): Typed => ({
  name: row.name,
  subject: row.subject,
  preheader: row.preheader,
  bodyFormat: row.body_format,
  bodyHtml: row.body_html,
  bodyText: row.body_text,
  eventId: row.event_id === null ? '' : String(row.event_id),
  seriesKey: row.series_key,
  seriesStep: row.series_step === null ? '' : String(row.series_step),
  seriesTotal: row.series_total === null ? '' : String(row.series_total),
})

export const wordsIn = (form: Form): TypedWords => {
  const event = form.text('eventId')
  const eventId = event === '' ? null : idIn(event)
  if (eventId === undefined) throw badRequest('Choose an event from the list.')
  const number = (name: string) => wholeNumberIn(form.text(name)) ?? null
  return {
    name: form.text('name'),
    subject: form.text('subject'),
    preheader: form.text('preheader'),
    bodyFormat: form.text('bodyFormat') || 'guided',
    bodyHtml: form.text('bodyHtml'),
    bodyText: form.text('bodyText'),
    eventId,
    seriesKey: form.text('seriesKey'),
    seriesStep: number('seriesStep'),
    seriesTotal: number('seriesTotal'),
  }
}

/** How much of a subject phones show. */
export const subjectShown = 60
const preheaderShown = 90

export type EditorChoices = {
  readonly events: readonly { readonly id: number; readonly name: string }[]
  readonly series: readonly string[]
}

/** The text on the left; on the right how it arrives: in the inbox, checked, and opened. */
export const editor = (row: CampaignRow, seen: FormSeen, choices: EditorChoices, checked: Html): Html => {
  const here = `${home}/${row.id}`
  return html`<form
    id="editor"
    class="editor"
    method="post"
    action="${here}/write"
    data-preview="${here}/preview"
  >
    <div class="stack">
      ${mistakePart(seen)} ${versionField(Number(seen.typed.version ?? row.version))}
      <section class="card form">
        ${countedField(seen, { name: 'subject', label: 'Subject', most: limits.subjectCharacters, shown: subjectShown, required: true })}
        ${countedField(seen, {
          name: 'preheader',
          label: 'Preview line',
          most: limits.shortTextCharacters,
          shown: preheaderShown,
          hint: 'Email apps show it next to the subject.',
        })}
        <div class="body-field">
          ${areaField(seen, {
            name: 'bodyHtml',
            label: 'Email',
            most: limits.campaignBodyCharacters,
            rows: 18,
          })}
          <p class="small soft">
            Just type: a blank line starts a new paragraph. Or use HTML for headings, links, images and lists.
            <code>{{firstName|there}}</code> greets people by name, or says “there” if there is no name.
          </p>
        </div>
        <div class="inline">
          <button class="primary">Save</button>
          <button formaction="${here}/preview" formtarget="preview" formnovalidate>Show preview</button>
        </div>
      </section>
      <section class="card form">
        <h2>Details</h2>
        ${lineField(seen, { name: 'name', label: 'Campaign name', most: limits.nameCharacters, required: true, hint: 'For staff only; guests never see it.' })}
        ${choiceField(seen, {
          name: 'bodyFormat',
          label: 'Layout',
          choices: [
            ['guided', 'Venue layout: name, card, address and unsubscribe link are added for you'],
            ['html', 'My own HTML: a whole page with {{unsubscribeUrl}} in a link'],
          ],
        })}
        ${choiceField(seen, {
          name: 'eventId',
          label: 'Related event',
          hint: 'People with a ticket for it are left out, unless you choose otherwise.',
          choices: [['', 'None'], ...eventChoices(choices, row)],
        })}
        <details ${seen.typed['seriesKey'] && html`open`}>
          <summary>Part of a series</summary>
          <div class="fields">
            ${lineField(seen, { name: 'seriesKey', label: 'Series', most: limits.shortTextCharacters, list: choices.series, placeholder: 'Oyster week' })}
            ${lineField(seen, { name: 'seriesStep', label: 'This is email', type: 'number', least: 1, greatest: seriesMost })}
            ${lineField(seen, { name: 'seriesTotal', label: 'of', type: 'number', least: 1, greatest: seriesMost })}
          </div>
        </details>
        <details ${seen.typed['bodyText'] && html`open`}>
          <summary>Custom plain text</summary>
          ${areaField(seen, {
            name: 'bodyText',
            label: 'Plain text',
            most: limits.campaignBodyCharacters,
            rows: 8,
            hint: 'Leave empty to generate it from the email.',
          })}
        </details>
        <div><button class="primary">Save</button></div>
      </section>
    </div>
    <div class="stack shown">
      <div
        id="checked"
        class="stack"
        hx-post="${here}/check"
        hx-trigger="input from:#editor delay:600ms"
        hx-include="#editor"
        hx-swap="innerMorph"
        hx-sync="this:replace"
      >
        ${checked}
      </div>
      ${previewFrame(row.id)}
    </div>
  </form>`
}

/** The email opened, as wide as a phone or a window; nothing in it can run or reach the office. */
export const previewFrame = (id: number): Html =>
  html`<section class="card preview" aria-label="Preview">
    <div class="widths" role="group" aria-label="Preview width">
      <label class="chip"><input type="radio" name="previewWidth" value="phone" checked /><span>Phone</span></label>
      <label class="chip"><input type="radio" name="previewWidth" value="desktop" /><span>Desktop</span></label>
    </div>
    <div class="frame-of-mail">
      <iframe name="preview" title="The email as it arrives" src="${home}/${id}/preview" sandbox="" referrerpolicy="no-referrer"></iframe>
    </div>
  </section>`

const eventChoices = (
  { events }: EditorChoices,
  { event_id }: CampaignRow,
): (readonly [string, string])[] => [
  ...events.map(({ id, name }) => [String(id), name] as const),
  ...(event_id === null || events.some(({ id }) => id === event_id)
    ? []
    : [[String(event_id), `Event ${event_id}`] as const]),
]

/** A line with how much of it phones show; a script updates the count. */
const countedField = (
  seen: FormSeen,
  field: Parameters<typeof lineField>[1] & { readonly shown: number },
): Html => {
  const { shown, hint, ...line } = field
  const length = Array.from(seen.typed[field.name] ?? '').length
  return lineField(seen, {
    ...line,
    hint: `${hint === undefined ? '' : `${hint} `}${length} characters; phones show about ${shown}.`,
  })
}
