import { ownPath } from '../../frame/own-path.ts'
import { randomUUID } from 'node:crypto'
import { type Html, html } from '../../../../platform/html/html.ts'
import { dateInWords, timeInWords } from '../../../../platform/kernel/time/in-words.ts'
import { badRequest, notFound } from '../../../../platform/kernel/refusal.ts'
import { wholeNumber } from '../../../../platform/kernel/typed-fields.ts'
import { isUuid } from '../../../../platform/kernel/uuid.ts'
import { type LocalDate, readDate, readTime } from '../../../../platform/kernel/time/written-time.ts'
import type { Form } from '../../frame/page.ts'
import { idIn } from '../time-words.ts'

/*
 * The fields of a form, as shown and as read; and what a form that edits a record carries: the version its page
 * showed, or the token that makes it work only once. A refused form comes back with what was typed; if somebody else
 * changed the record in the meantime, each field also shows its current value.
 */

/** The values in a form, by field name. */
export type Typed = Readonly<Record<string, string>>

export type FormSeen = {
  readonly typed: Typed
  /** Why the form came back. */
  readonly mistake?: string | undefined
  /** The record's current values, if somebody changed it since the form was opened. */
  readonly meanwhile?: Typed | undefined
}

export const typedIn = (form: Form): Typed =>
  Object.fromEntries(form.names().map((name) => [name, form.text(name)]))

/**
 * What a form of settings showed when its page was opened: it comes back with it, so that what somebody else saved in the
 * meantime is not undone by fields that nobody touched.
 */
export const shownField = ({ typed, meanwhile }: FormSeen): Html =>
  hiddenFields({ shown: meanwhile ? JSON.stringify(meanwhile) : (typed.shown ?? JSON.stringify(typed)) })

/**
 * A form that was refused, `now`: its settings, if somebody else saved them since the page was opened. What was not
 * touched takes the new value; what was typed stays.
 */
export const sentAgain = (form: Form, mistake: string, now: Typed | undefined): FormSeen => {
  const typed = typedIn(form)
  if (!now) return { typed, mistake }
  const shown = shownIn(typed.shown)
  if (!shown) return { typed, mistake, meanwhile: now }
  const isTouched = (name: string): boolean =>
    withLineFeeds(typed[name] ?? '') !== withLineFeeds(shown[name] ?? '')
  // What the settings no longer have, the last of some turn times, is empty now.
  const untouched = [...new Set([...Object.keys(shown), ...Object.keys(now)])].filter(
    (name) => !isTouched(name),
  )
  const taken = Object.fromEntries(untouched.map((name) => [name, now[name] ?? '']))
  return { typed: { ...typed, ...taken }, mistake, meanwhile: now }
}

const shownIn = (text: string | undefined): Typed | undefined => {
  try {
    const shown: unknown = JSON.parse(text ?? '')
    const isTyped =
      typeof shown === 'object' &&
      shown !== null &&
      Object.values(shown).every((one) => typeof one === 'string')
    return isTyped ? (shown as Typed) : undefined
  } catch {
    return undefined
  }
}

type Field = {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly required?: boolean
}

type LineField = Field & {
  readonly most?: number
  readonly type?: 'text' | 'email' | 'tel' | 'date' | 'time' | 'url' | 'search' | 'number' | 'datetime-local'
  readonly numeric?: 'numeric' | 'decimal'
  readonly placeholder?: string
  /** For numbers. */
  readonly least?: number
  readonly greatest?: number
  readonly list?: readonly string[]
}

/** A one-line field. */
export const lineField = (seen: FormSeen, field: LineField): Html => {
  const { name, label, type = 'text', most, placeholder, least, greatest, list, required } = field
  const numeric = field.numeric ?? (type === 'number' ? 'numeric' : undefined)
  return html`<label class="field"
    ><span>${label}</span
    ><input
      name="${name}"
      type="${type}"
      value="${seen.typed[name] ?? ''}"
      autocomplete="off"
      ${most !== undefined && html`maxlength="${most}"`}
      ${numeric && html`inputmode="${numeric}"`}
      ${placeholder && html`placeholder="${placeholder}"`}
      ${least !== undefined && html`min="${least}"`}
      ${greatest !== undefined && html`max="${greatest}"`}
      ${list && html`list="list-${name}"`}
      ${required && html`required`}
    />${list && html`<datalist id="list-${name}">${list.map((one) => html`<option value="${one}"></option>`)}</datalist>`}
    ${below(seen, field)}</label
  >`
}

/** A multi-line field. */
export const areaField = (
  seen: FormSeen,
  field: Field & { readonly most: number; readonly rows?: number },
): Html =>
  html`<label class="field"
    ><span>${field.label}</span
    ><textarea
      name="${field.name}"
      rows="${field.rows ?? 4}"
      maxlength="${field.most}"
      ${field.required && html`required`}
    >
${seen.typed[field.name] ?? ''}</textarea
    >${below(seen, field)}</label
  >`

/** One of several values; a pair where the label differs from the value sent. */
export const choiceField = (
  seen: FormSeen,
  field: Field & { readonly choices: readonly (string | readonly [value: string, words: string])[] },
): Html => {
  const chosen = seen.typed[field.name]
  return html`<label class="field"
    ><span>${field.label}</span
    ><select name="${field.name}">
      ${field.choices.map((choice) => {
        const [value, words] = typeof choice === 'string' ? [choice, choice] : choice
        return html`<option value="${value}" ${value === chosen && html`selected`}>${words}</option>`
      })}</select
    >${below(seen, field)}</label
  >`
}

/** A box to tick; it sends `yes`. */
export const tickField = (seen: FormSeen, { name, label }: Field): Html =>
  html`<label class="check"
    ><input type="checkbox" name="${name}" value="yes" ${seen.typed[name] === 'yes' && html`checked`} />
    <span>${label}</span></label
  >`

const below = (
  { typed, meanwhile }: FormSeen,
  { name, hint, type }: Pick<LineField, 'name' | 'hint' | 'type'>,
): Html => {
  const now = meanwhile?.[name]
  const differs = now !== undefined && withLineFeeds(now) !== withLineFeeds(typed[name] ?? '')
  return html`${hint && html`<small>${hint}</small>`}${
    differs &&
    html`<small class="meanwhile">It now says: ${now === '' ? 'nothing' : asRead(now, type)}</small>`
  }`
}

/** A value as the venue writes it, where the field itself holds a program's form. */
const asRead = (value: string, type: LineField['type']): string => {
  const time = type === 'time' ? readTime(value) : undefined
  const date = type === 'date' ? readDate(value) : undefined
  return time ? timeInWords(time) : date ? dateInWords(date) : value
}

const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n').trim()

/** Why a form came back, shown above it. */
export const mistakePart = ({
  mistake,
  meanwhile,
}: Pick<FormSeen, 'mistake' | 'meanwhile'>): Html | undefined =>
  mistake === undefined
    ? undefined
    : html`<p class="mistake" role="alert">
        ${
          meanwhile
            ? `${mistake.replace('; reload and try again.', '.')} Nothing was saved. Your changes are below; save again to apply them.`
            : mistake
        }
      </p>`

/** What a form carries unseen, by name; undefined is left out, null is sent empty. */
export type Hidden = Readonly<Record<string, string | number | null | undefined>>

export const hiddenFields = (fields: Hidden): Html =>
  html`${Object.entries(fields).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`

/** Everything a form sent, for the form that asks again; the names its own buttons send are left out. */
export const carriedFields = (form: Form, except: readonly string[] = []): Html =>
  html`${form
    .names()
    .filter((name) => !except.includes(name))
    .map((name) => form.all(name).map((value) => hiddenFields({ [name]: value })))}`

/** The version of the record that a page showed, sent back by its form. */
export const versionField = (version: number): Html => hiddenFields({ version })

/** The version a form carries; 400 if it is missing. */
export const versionIn = (form: Form, name = 'version'): number => {
  const version = wholeNumberIn(form.text(name))
  if (version === undefined) throw badRequest('This form is incomplete; open the page again.')
  return version
}

/** A one-time token; a form that comes back keeps the one it had. */
export const tokenField = (token?: string): Html =>
  hiddenFields({ token: token !== undefined && isUuid(token) ? token : randomUUID() })

/** The id in a path or a form; 404 for anything that is not an id. */
export const idOf = (text: string | undefined, what: string): number => {
  const id = idIn(text)
  if (id === undefined) throw notFound(what)
  return id
}

/** What was typed; null if nothing was. */
export const orNull = (form: Form, name: string): string | null => {
  const text = form.text(name)
  return text.trim() === '' ? null : text
}

/** The day a field of a date says; 400 for none, and for one that no calendar has. `label`: as the form calls the field. */
export const dayIn = (form: Form, name: string, label: string): LocalDate => {
  const day = readDate(form.text(name).trim())
  if (day === undefined) throw badRequest(`${label} must be a day on the calendar.`)
  return day
}

/** A whole number of minutes; undefined if left empty. */
export const minutesField = (form: Form, name: string, most: number): number | undefined => {
  const typed = orNull(form, name)
  return typed === null ? undefined : wholeNumber('The number of minutes', wholeNumberIn(typed), 0, most)
}

/** A whole number that fits an integer column, or undefined. */
export const wholeNumberIn = (text: string): number | undefined =>
  /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined

/** The page a form returns to; another site's address, or a missing one, falls back to the given page. */
export const backField = (form: Form, otherwise: string): string => ownPath(form.text('back')) ?? otherwise
