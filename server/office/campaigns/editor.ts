import { limits } from '@venue-data/contract/limits.ts'
import type { CampaignRow } from '../../campaigns/reads.ts'
import { type TypedWords, seriesMost } from '../../campaigns/staff-edits.ts'
import { type Html, html } from '../../html/html.ts'
import { badRequest } from '../../kernel/refusal.ts'
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
} from '../parts/fields.ts'
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
  if (eventId === undefined) throw badRequest('Choose one of the events that are offered.')
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

/** Phones show so much of a subject. */
export const subjectShown = 60
const preheaderShown = 90

export type EditorChoices = {
  readonly events: readonly { readonly id: number; readonly name: string }[]
  readonly series: readonly string[]
}

/** The words on the left, and on the right how they arrive: in the list of mails, checked, and opened. */
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
          hint: 'Mail programs show it beside the subject.',
        })}
        <div class="body-field">
          ${areaField(seen, {
            name: 'bodyHtml',
            label: 'Mail',
            most: limits.campaignBodyCharacters,
            rows: 18,
          })}
          <p class="small soft">
            Just write: a blank line begins a paragraph. Or HTML, for headings, links, pictures and lists.
            <code>{{firstName|there}}</code> greets people by name, and says “there” where none is known.
          </p>
        </div>
        <div class="inline">
          <button class="primary">Save</button>
          <button formaction="${here}/preview" formtarget="preview" formnovalidate>Show the preview</button>
        </div>
      </section>
      <section class="card form">
        <h2>More about it</h2>
        ${lineField(seen, { name: 'name', label: 'Name of the campaign', most: limits.nameCharacters, required: true, hint: 'For the office; no guest sees it.' })}
        ${choiceField(seen, {
          name: 'bodyFormat',
          label: 'Layout',
          choices: [
            ['guided', 'The venue’s: name, card, address and unsubscribe link come by themselves'],
            ['html', 'My own document: a whole page with {{unsubscribeUrl}} in a link'],
          ],
        })}
        ${choiceField(seen, {
          name: 'eventId',
          label: 'Event it is about',
          hint: 'Who holds a ticket for it is left out, unless you say otherwise.',
          choices: [['', 'None'], ...eventChoices(choices, row)],
        })}
        <details ${seen.typed['seriesKey'] && html`open`}>
          <summary>One of a series</summary>
          <div class="fields">
            ${lineField(seen, { name: 'seriesKey', label: 'Series', most: limits.shortTextCharacters, list: choices.series, placeholder: 'Oyster week' })}
            ${lineField(seen, { name: 'seriesStep', label: 'This is mail', type: 'number', least: 1, greatest: seriesMost })}
            ${lineField(seen, { name: 'seriesTotal', label: 'of', type: 'number', least: 1, greatest: seriesMost })}
          </div>
        </details>
        <details ${seen.typed['bodyText'] && html`open`}>
          <summary>Plain text of your own</summary>
          ${areaField(seen, {
            name: 'bodyText',
            label: 'Plain text',
            most: limits.campaignBodyCharacters,
            rows: 8,
            hint: 'Left empty, it is made from the mail.',
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

/** The mail opened, as wide as a telephone or a window; nothing in it can run or reach the office. */
export const previewFrame = (id: number): Html =>
  html`<section class="card preview" aria-label="Preview">
    <div class="widths" role="group" aria-label="Width of the preview">
      <label class="chip"><input type="radio" name="previewWidth" value="phone" checked /><span>Phone</span></label>
      <label class="chip"><input type="radio" name="previewWidth" value="desktop" /><span>Desktop</span></label>
    </div>
    <div class="frame-of-mail">
      <iframe name="preview" title="The mail as it arrives" src="${home}/${id}/preview" sandbox="" referrerpolicy="no-referrer"></iframe>
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

/** A line with what of it is shown; a script counts along. */
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
