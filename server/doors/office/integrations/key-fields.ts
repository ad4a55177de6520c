import type { KeyKind, KeyScope } from '@venue-data/contract/records/account.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { type Scope, allScopes, scopes } from '@venue-data/contract/scopes.ts'
import type { AskedTerms } from '../../../integrations/access/key-terms.ts'
import { type KeyRow, termsOf } from '../../../integrations/access/keys.ts'
import { type Preset, presets, scopesFor, scopesOfPreset } from '../../../integrations/access/scopes.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { readDate } from '../../../platform/kernel/time/written-time.ts'
import type { Form } from '../frame/page.ts'
import {
  type FormSeen,
  type Typed,
  areaField,
  lineField,
  tickField,
  wholeNumberIn,
} from '../parts/forms/fields.ts'

/* What an owner settles of a key, as a form shows and sends it. */

/** The usual choices of what a key may do; `chosen`: what is ticked. */
const choices: readonly (readonly [string, string])[] = [
  ['read', 'Read only'],
  ['read_write', 'Read and write'],
  ...Object.entries(presets).map(([word, { name }]) => [word, name] as const),
  ['chosen', 'Only what is checked below'],
]

export const accessField = (typed: Typed): Html =>
  html`<label class="field"
    ><span>Access</span
    ><select name="scope">
      ${choices.map(
        ([word, words]) =>
          html`<option value="${word}" ${word === typed['scope'] && html`selected`}>${words}</option>`,
      )}
    </select></label
  >`

/** Everything that a key of a kind may be allowed, to be ticked. */
export const scopeTicks = (kind: KeyKind, seen: FormSeen): Html =>
  html`<fieldset class="field">
    <legend>What this key may do</legend>
    <div class="fields">
      ${scopesFor(kind).map((scope) => tickField(seen, { name: tickOf(scope), label: scopeInWords(scope) }))}
    </div>
  </fieldset>`

export const tickOf = (scope: Scope): string => `may.${scope}`

/** "Read guests"; for the one that takes away, what it hides. */
export const scopeInWords = (scope: Scope): string => {
  const words = scope === 'contacts:hidden' ? 'only see records without contact details' : scopes[scope]
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Until when, from where, how often, whose, and whether it may replace itself. */
export const limitsOfKey = (seen: FormSeen, most: number): Html =>
  html`<div class="fields">
      ${lineField(seen, { name: 'expires', label: 'Last day', type: 'date', hint: 'The key stops working when that day ends at the venue. Leave empty for no end.' })}
      ${lineField(seen, { name: 'rate', label: 'Requests a minute', type: 'number', least: 1, greatest: most, hint: `Leave empty for the usual number; at most ${most}.` })}
    </div>
    ${areaField(seen, { name: 'addresses', label: 'Network addresses', hint: `Only from these, one a line, such as 192.0.2.7 or 10.0.0.0/8; at most ${limits.keyAddresses}. Leave empty for anywhere.`, most: 2_000, rows: 3 })}
    ${lineField(seen, { name: 'contact', label: 'Contact', type: 'email', hint: 'Who runs the software; mailed like you when an address it receives events at is switched off. Leave empty for nobody.' })}
    ${tickField(seen, { name: 'rotate', label: 'The software may replace this key by a new one itself' })}`

/** What a form shows of a key. */
export const typedOf = (key: KeyRow, zone: string): Typed => {
  const { scopes: own, expiresAt, addresses, mayRotate, ratePerMinute, contact } = termsOf(key)
  return {
    ...Object.fromEntries(own.map((scope) => [tickOf(scope), 'yes'])),
    expires: expiresAt === null ? '' : wallTimeOf(expiresAt.subtract({ milliseconds: 1 }), zone).date,
    addresses: addresses.join('\n'),
    rate: ratePerMinute === null ? '' : String(ratePerMinute),
    contact: contact ?? '',
    ...(mayRotate && { rotate: 'yes' }),
  }
}

/** What was chosen in a form for a new key: one of the old words, or scopes. */
export const accessAsked = (
  form: Form,
  kind: KeyKind,
): { readonly scope: KeyScope } | { readonly scopes: readonly Scope[] } => {
  const word = form.text('scope')
  if (word === 'read' || word === 'read_write') return { scope: word }
  if (Object.hasOwn(presets, word)) return { scopes: scopesOfPreset(word as Preset, kind) }
  if (word === 'chosen') return { scopes: ticked(form) }
  throw badRequest("Choose the key's access.")
}

const ticked = (form: Form): readonly Scope[] => allScopes.filter((scope) => form.has(tickOf(scope)))

/** The rest of what a form for a new key settles; what was left empty is left as it is by itself. */
export const limitsAsked = (form: Form, zone: string): AskedTerms => {
  const [expires, rate] = [form.text('expires').trim(), form.text('rate').trim()]
  const addresses = linesOf(form.text('addresses'))
  return {
    ...(expires !== '' && { expiresAt: endOf(expires, zone) }),
    ...(rate !== '' && { ratePerMinute: wholeNumberIn(rate) ?? Number.NaN }),
    ...(addresses.length > 0 && { addresses }),
    ...(form.has('rotate') && { mayRotate: true }),
    ...(form.text('contact').trim() !== '' && { contact: form.text('contact') }),
  }
}

/** All of what a form settles of a key that is there. Its end is kept to the minute if its day was. */
export const changeAsked = (form: Form, zone: string, before: KeyRow): AskedTerms => {
  const isSameDay = typedOf(before, zone)['expires'] === form.text('expires').trim()
  return {
    ...{ scopes: ticked(form), expiresAt: null, ratePerMinute: null, addresses: [], contact: null },
    mayRotate: form.has('rotate'),
    ...limitsAsked(form, zone),
    ...(isSameDay && { expiresAt: before.expires_at && toInstant(before.expires_at) }),
  }
}

const linesOf = (text: string): string[] => text.split(/[\s,]+/).filter((one) => one !== '')

/** When a day ends at the venue. */
const endOf = (text: string, zone: string): Temporal.Instant => {
  const date = readDate(text)
  if (!date) throw badRequest('The last day must be a real date.')
  return Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(zone).toInstant()
}
