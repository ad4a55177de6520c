import type { Words } from '../../../messages/guest-words/en.ts'
import { type Content, type Html, html } from '../../../platform/html/html.ts'
import type { VenueRow } from '../../../core/venue/venues.ts'
import { phoneForGuests } from '../../../platform/kernel/phone/shown-phone.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'

/* The parts of the guests' pages, as the stylesheet knows them. */

const sign = (drawing: Html, dashed = false): Html =>
  html`<svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
    <circle
      cx="10"
      cy="10"
      r="9"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      ${dashed && html`stroke-dasharray="3 2.6"`}
    />${drawing}
  </svg>`

const signs = {
  check: sign(html`<path d="M5.5 10.5l3 3 6-6.5" fill="none" stroke="currentColor" stroke-width="2" />`),
  clock: sign(html`<path d="M10 5v5l3 2.5" fill="none" stroke="currentColor" stroke-width="2" />`),
  cross: sign(html`<path d="M6.5 6.5l7 7m0-7l-7 7" stroke="currentColor" stroke-width="2" />`),
  waiting: sign(html`<path d="M10 5.5V10l3 2.5" fill="none" stroke="currentColor" stroke-width="2" />`, true),
}

/** The body of a page that is one card. */
export const card = (body: Html): Html => html`<div class="page"><div class="card">${body}</div></div>`

/** The venue's number, to call it; nothing where it has none. */
export const callLink = (
  venue: Pick<VenueRow, 'phone' | 'country'>,
  look = '',
  words = (number: string): string => number,
): Html | undefined => {
  const shown = phoneForGuests(venue)
  return shown && html`<a class="${look}" href="${shown.call}">${words(shown.words)}</a>`
}

/** A state in a pill: a sign and a word. */
export const statePill = (
  tone: 'good' | 'wait' | 'bad' | 'off',
  which: keyof typeof signs,
  words: string,
): Html => html`<p class="state ${tone}">${signs[which]}${words}</p>`

/** What a form field is wrong with, by the field's name; none: nothing is. */
export type Mistakes = Readonly<Record<string, string>>

/** The name of a mistake that is the whole form's. */
export const ofNoField = 'form'

/** The summary above a form that came back. It takes the focus and leads to each field. */
export const mistakeSummary = (
  { form, trouble }: Pick<Words, 'form' | 'trouble'>,
  { [ofNoField]: whole, ...mistakes }: Mistakes,
): Html | undefined => {
  const fields = Object.entries(mistakes)
  return fields.length === 0 && whole === undefined
    ? undefined
    : html`<div class="note bad" role="alert" tabindex="-1" id="mistakes" autofocus>
        <h2>${fields.length === 0 ? trouble.title : form.mistakes(fields.length)}</h2>
        ${
          fields.length > 0 &&
          html`<ul>
            ${fields.map(([name, sentence]) => html`<li><a href="#f-${name}">${sentence}</a></li>`)}
          </ul>`
        }
        ${whole !== undefined && html`<p>${whole}</p>`}
      </div>`
}

type Field = {
  readonly name: string
  readonly label: Content
  readonly value: string
  readonly hint?: string
  readonly optional?: string
  readonly mistake?: string | undefined
}

type LineField = Field & {
  readonly type?: 'text' | 'email' | 'tel' | 'date'
  readonly autocomplete?: string
  readonly inputmode?: 'numeric' | 'email'
  readonly required?: boolean
  readonly most?: number
  /** The first day that may be picked. */
  readonly least?: LocalDate
}

const around = (field: Field, input: Html): Html => {
  const { name, label, hint, optional, mistake } = field
  return html`<div class="field ${mistake !== undefined && 'bad'}">
    <label for="f-${name}">${label}${optional !== undefined && html` <em>${optional}</em>`}</label>
    ${hint !== undefined && html`<p class="hint" id="f-${name}-h">${hint}</p>`}
    ${mistake !== undefined && html`<p class="error" id="f-${name}-e">${mistake}</p>`}${input}
  </div>`
}

/** What describes a field to a screen reader: its hint and its mistake. */
const described = ({ name, hint, mistake }: Field): Html | false => {
  const ids = [hint !== undefined && `f-${name}-h`, mistake !== undefined && `f-${name}-e`].filter(Boolean)
  return (
    ids.length > 0 &&
    html`aria-describedby="${ids.join(' ')}" ${mistake !== undefined && html`aria-invalid="true"`}`
  )
}

export const lineField = (field: LineField): Html =>
  around(
    field,
    html`<input
      id="f-${field.name}"
      name="${field.name}"
      type="${field.type ?? 'text'}"
      value="${field.value}"
      maxlength="${field.most ?? 200}"
      ${field.autocomplete !== undefined && html`autocomplete="${field.autocomplete}"`}
      ${field.inputmode !== undefined && html`inputmode="${field.inputmode}"`}
      ${field.required && html`required`}
      ${field.least !== undefined && html`min="${field.least}"`}
      ${described(field)}
    />`,
  )

export const areaField = (field: Field & { readonly rows?: number; readonly most?: number }): Html =>
  around(
    field,
    html`<textarea
      id="f-${field.name}"
      name="${field.name}"
      rows="${field.rows ?? 3}"
      maxlength="${field.most ?? 2_000}"
      ${described(field)}
    >
${field.value}</textarea
    >`,
  )

export const choiceField = (
  field: Field & { readonly choices: readonly (readonly [value: string, words: string])[] },
): Html =>
  around(
    field,
    html`<select id="f-${field.name}" name="${field.name}" ${described(field)}>
      ${field.choices.map(
        ([value, words]) =>
          html`<option value="${value}" ${value === field.value && html`selected`}>${words}</option>`,
      )}
    </select>`,
  )

export const tickField = (name: string, value: string, words: Content, ticked: boolean): Html =>
  html`<label class="tick"
    ><input type="checkbox" name="${name}" value="${value}" ${ticked && html`checked`} />
    <span>${words}</span></label
  >`
