import type { KeyKind } from '@venue-data/contract/records/account.ts'
import { scopes } from '@venue-data/contract/scopes.ts'
import { type KeyRow, isOver, scopesOf } from '../../../integrations/access/keys.ts'
import { presentUsage } from '../../../integrations/access/present.ts'
import type { UsageRow } from '../../../integrations/access/usage-reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { type FormSeen, mistakePart } from '../parts/forms/fields.ts'
import { limitsOfKey, scopeTicks, typedOf } from './key-fields.ts'
import { useTable } from './use-table.ts'
import { dateInWords, momentInWords } from '../../../platform/kernel/time/in-words.ts'

export type KeyPart = {
  readonly key: KeyRow
  readonly zone: string
  readonly now: Temporal.Instant
  /** Requests it may make in a minute, and the most that may be chosen. */
  readonly limit: number
  readonly most: number
  readonly usage: readonly UsageRow[]
  /** What was typed, if the form came back. */
  readonly seen?: FormSeen | undefined
}

const home = '/office/integrations/keys'

/** One key: what it may do and how much it was used, and the form that changes it. */
export const keyPage = (part: KeyPart): Html =>
  html`<div class="page-head">
      <h1>${part.key.name}</h1>
      <a class="button quiet" href="/office/integrations">All integrations</a>
    </div>
    <div class="stack">
      ${factsPart(part)} ${part.key.revoked_at === null && changePart(part)} ${usagePart(part)}
    </div>`

const factsPart = ({ key, zone, now, limit }: KeyPart): Html =>
  html`<section class="card">
    <header>
      <h2>Key …${key.last_four}</h2>
      ${stateTag(key, now)}
    </header>
    <dl class="facts">
      <dt>Created</dt>
      <dd>${momentInWords(key.created_at, zone)} by ${key.created_by}</dd>
      <dt>Last used</dt>
      <dd>${key.last_used_at === null ? 'never' : momentInWords(key.last_used_at, zone)}</dd>
      <dt>May</dt>
      <dd>${scopesOf(key)
        .map((scope) => scopes[scope])
        .join(', ')}</dd>
      <dt>Ends</dt>
      <dd>${key.expires_at === null ? 'never' : momentInWords(key.expires_at, zone)}</dd>
      <dt>From</dt>
      <dd>${key.allowed_addresses?.join(', ') ?? 'anywhere'}</dd>
      <dt>Contact</dt>
      <dd>${key.contact ?? 'nobody'}</dd>
      <dt>Requests a minute</dt>
      <dd>${limit}</dd>
    </dl>
    ${
      key.scopes === null &&
      key.revoked_at === null &&
      html`<p class="soft">
          This key is from before keys had separate permissions: it does what it could do then, and nothing added since.
        </p>
        <form
          method="post"
          action="${home}/${key.id}/widen"
          data-asks="Let ${key.name} do everything that ${key.scope === 'read' ? 'reading' : 'reading and writing'} includes today?"
        >
          <button class="primary">Allow everything new as well</button>
        </form>`
    }
  </section>`

const stateTag = (key: KeyRow, now: Temporal.Instant): Html =>
  key.revoked_at !== null
    ? html`<span class="tag bad">Revoked</span>`
    : isOver(key, now)
      ? html`<span class="tag bad">Expired</span>`
      : html`<span class="tag good">Active</span>`

const changePart = ({ key, zone, most, seen }: KeyPart): Html => {
  const shown = seen ?? { typed: typedOf(key, zone) }
  return html`<section class="card">
    <header><h2>Change</h2></header>
    ${mistakePart(shown)}
    <form class="form" method="post" action="${home}/${key.id}">
      ${scopeTicks(key.kind as KeyKind, shown)} ${limitsOfKey(shown, most)}
      <label class="field"
        ><span>Your password or a code</span
        ><input name="password" type="password" autocomplete="current-password" required
      /></label>
      <div><button class="primary">Save</button></div>
    </form>
  </section>`
}

const usagePart = ({ key, limit, usage }: KeyPart): Html => {
  const { days, rate } = presentUsage(key, limit, usage)
  return html`<section class="card">
    <header>
      <h2>Use in the last 30 days</h2>
      <span class="small soft">Busiest minute: ${rate.peakPerMinute} of ${rate.limit}</span>
    </header>
    ${
      days.length === 0
        ? html`<p class="empty">Not used.</p>`
        : useTable(
            'Day (UTC)',
            days.map((day) => ({ name: dateInWords(day.date), use: day })),
          )
    }
  </section>`
}
