import { type KeyRow, isOver, isTraded, scopesOf } from '../../../integrations/access/keys.ts'
import { presentUse } from '../../../integrations/access/present.ts'
import type { UsageRow } from '../../../integrations/access/usage-reads.ts'
import { type InstallRow, scopesOfInstall } from '../../../integrations/apps/installs.ts'
import type { OwnersEndpoint } from '../../../integrations/webhooks/owner.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { scopeInWords } from '../integrations/key-fields.ts'

export type AppsPart = {
  readonly installs: readonly InstallRow[]
  readonly keys: readonly KeyRow[]
  readonly usage: readonly UsageRow[]
  readonly endpoints: readonly OwnersEndpoint[]
  readonly zone: string
  readonly now: Temporal.Instant
}

/** The apps that the venue has connected, what each may do and does, and the press that removes it. */
export const appsPart = (part: AppsPart): Html | false =>
  part.installs.length > 0 &&
  html`<section class="card">
    <header><h2>Connected apps</h2></header>
    <ul class="rows">
      ${part.installs.map((install) => appRow(install, part))}
    </ul>
  </section>`

const appRow = (install: InstallRow, { keys, usage, endpoints, zone, now }: AppsPart): Html => {
  const ofInstall = keys.filter((key) => key.install_id === install.id)
  const own = new Set(ofInstall.map(({ id }) => id))
  const before = ofInstall.filter(
    (key) => key.id !== install.key_id && key.revoked_at === null && !isOver(key, now),
  )
  const use = presentUse(usage.filter((row) => own.has(row.key_id)))
  const refused = ['4xx', '429', '5xx'].reduce((sum, of) => sum + (use.byStatus[of] ?? 0), 0)
  const listening = endpoints.filter((one) => own.has(one.key_id)).length
  return html`<li>
    <div class="grow">
      ${
        ofInstall.some(isTraded)
          ? html`<span class="strong">${install.name}</span>`
          : html`<a class="strong" href="/office/integrations/keys/${install.key_id}">${install.name}</a>`
      }<br />
      <span class="small">${scopesOfInstall(install).map(scopeInWords).join(', ')}</span><br />
      <span class="small soft"
        >Connected ${momentInWords(install.created_at, zone)} ·
        ${install.last_used_at === null ? 'never used' : `last used ${momentInWords(install.last_used_at, zone)}`} ·
        ${counted(use.requests, 'call')} in 30 days, ${refused} failed · ${counted(listening, 'webhook endpoint')}${install.ends_at !== null && html` · ends ${momentInWords(install.ends_at, zone)}`}</span
      >
      ${before.map(
        (key) =>
          html`<br /><span class="small soft"
              >The key of before${key.expires_at !== null && html` works until ${momentInWords(key.expires_at, zone)}`}:
              ${scopesOf(key).map(scopeInWords).join(', ')}</span
            >`,
      )}
    </div>
    <form
      method="post"
      action="/office/integrations/apps/${install.id}/remove"
      data-asks="Remove ${install.name}? It stops working at once. To use it again, connect it again from the app."
    >
      <button class="danger">Remove</button>
    </form>
  </li>`
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
