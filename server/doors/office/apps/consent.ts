import type { RecordKind } from '@venue-data/contract/kinds.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { AskedInstall } from '../../../integrations/apps/judge-asked.ts'
import { kindShownBy } from '../../../integrations/apps/sample-record.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { scopeInWords, tickOf } from '../integrations/key-fields.ts'
import {
  type FormSeen,
  type Hidden,
  hiddenFields,
  lineField,
  mistakePart,
  tickField,
} from '../parts/forms/fields.ts'

export type Consent = {
  readonly work: Omit<OfficeWork, 'gate'>
  readonly asked: AskedInstall
  readonly seen: FormSeen
  /** What the app sent, the form's token and its seal. */
  readonly hidden: Hidden
  /** The address that comes back here. */
  readonly here: string
  /** The record that was asked to be shown, for one scope; `record` undefined: there is none yet. */
  readonly sample: { readonly scope: Scope; readonly record: object | undefined } | undefined
}

/** What an app asks for, and the press that allows it. */
export const consentPage = ({ work, asked, seen, hidden, here, sample }: Consent): Html => {
  const { app, server, needed, optional, redirect } = asked
  const { venue, me } = work
  return html`<div class="page-head"><h1>Connect ${app.name} to ${venue.name}?</h1></div>
    <div class="stack">
      ${mistakePart(seen)}
      <section class="card">
        <dl class="facts">
          <dt>App</dt>
          <dd>${app.name} · <a href="${app.home}" rel="noreferrer">${hostOf(app.home)}</a> · <a href="${app.privacy}" rel="noreferrer">privacy policy</a></dd>
          ${
            server?.resource &&
            html`<dt>Works through</dt>
              <dd>${server.name} · ${hostOf(server.resource)}</dd>`
          }
          <dt>Sends you to</dt>
          <dd class="strong">${hostOf(redirect)}</dd>
          <dt>Venue</dt>
          <dd>${venue.name}</dd>
          <dt>You are</dt>
          <dd>${me.staff.email}</dd>
        </dl>
        ${switchForm(here)}
      </section>
      <form class="form" method="post" action="/oauth/authorize">
        ${hiddenFields(hidden)}
        ${scopesCard('It needs to', needed, seen, sample, false)}
        ${scopesCard('It would also like to', optional, seen, sample, true)}
        <section class="card">
          <header><h2>Limits</h2></header>
          ${
            !needed.includes('contacts:hidden') &&
            !optional.includes('contacts:hidden') &&
            tickField(seen, {
              name: tickOf('contacts:hidden'),
              label: 'Hide names, email addresses, phone numbers and notes from it',
            })
          }
          ${lineField(seen, { name: 'expires', label: 'Last day', type: 'date', hint: 'It stops working when that day ends at the venue. Leave empty for no end.' })}
          ${
            !me.fresh &&
            html`<label class="field"
              ><span>Your password or a code</span
              ><input name="password" type="password" autocomplete="current-password"
            /></label>`
          }
          <p class="soft">You can remove ${app.name} under Integrations at any time; it then stops at once.</p>
          <div class="inline">
            <button class="primary" name="press" value="allow">Allow</button>
            <button name="press" value="deny">Cancel</button>
          </div>
        </section>
      </form>
    </div>`
}

const scopesCard = (
  title: string,
  scopes: readonly Scope[],
  seen: FormSeen,
  sample: Consent['sample'],
  mayUntick: boolean,
): Html | false =>
  scopes.length > 0 &&
  html`<section class="card">
    <header><h2>${title}</h2></header>
    <ul class="rows">
      ${scopes.map(
        (scope) =>
          html`<li ${sample?.scope === scope && html`id="example"`}>
            <div class="grow">
              ${mayUntick ? tickField(seen, { name: tickOf(scope), label: scopeInWords(scope) }) : scopeInWords(scope)}
              ${hintOfScope(scope) && html`<p class="small soft">${hintOfScope(scope)}</p>`}
              ${sample?.scope === scope && samplePart(sample)}
            </div>
            ${
              sample?.scope !== scope &&
              kindShownBy(scope) &&
              html`<button class="quiet" name="press" value="show ${scope}" formaction="/oauth/authorize#example" aria-label="Show an example: ${scopeInWords(scope)}">
                Show an example
              </button>`
            }
          </li>`,
      )}
    </ul>
  </section>`

/** What an owner would not expect of a scope by its words alone. */
const hintOfScope = (scope: Scope): string | undefined =>
  scope === 'webhooks:manage'
    ? 'Of all software of this venue: it sees where events go, and can send them elsewhere, replace secrets, pause and delete, also for endpoints that another key made.'
    : undefined

const samplePart = ({ scope, record }: NonNullable<Consent['sample']>): Html =>
  record === undefined
    ? html`<p class="soft">There is no ${recordName(kindShownBy(scope))} yet.</p>`
    : html`<p class="small soft">One of your own records, as the app would see it:</p>
        <dl class="facts small">
          ${Object.entries(record).map(
            ([field, value]) =>
              html`<dt>${wordsOf(field)}</dt>
                <dd>${shown(value)}</dd>`,
          )}
        </dl>`

const recordName = (kind: RecordKind | undefined): string => (kind ?? 'record').replaceAll('_', ' ')

/** "guestName" as people read it. */
const wordsOf = (field: string): string => {
  const words = field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const shown = (value: unknown): string => {
  if (value === null || value === '') return '–'
  if (typeof value === 'string') return value
  const text = JSON.stringify(value)
  return text === '[]' || text === '{}' ? '–' : text
}

const hostOf = (address: string): string => new URL(address).host

/** Signs out, and back in here as somebody else. */
export const switchForm = (here: string): Html =>
  html`<form method="post" action="/office/sign-out">
    ${hiddenFields({ next: here })}<button class="quiet">Use another account or venue</button>
  </form>`
