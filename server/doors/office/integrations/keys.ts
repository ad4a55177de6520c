import type { KeyKind } from '@venue-data/contract/records/account.ts'
import type { Obstacle } from '../../../integrations/access/key-check.ts'
import { type KeyRow, isOver } from '../../../integrations/access/keys.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { type FormSeen, type Typed, mistakePart, tokenField } from '../parts/forms/fields.ts'
import { accessField, limitsOfKey, scopeTicks } from './key-fields.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'

export type KeysPart = {
  readonly kind: KeyKind
  readonly keys: readonly KeyRow[]
  /** Why a key of this kind cannot be created now; undefined if it can. */
  readonly obstacle: Obstacle | undefined
  readonly zone: string
  /** What was typed, if a form came back. */
  readonly seen: FormSeen
  /** The most requests in a minute that an owner may choose. */
  readonly mostPerMinute: number
  readonly now: Temporal.Instant
}

const words = {
  api: {
    title: 'Keys for your own software',
    about: "Keep keys in a server's settings, never in a page or app that guests can open.",
    empty: 'No keys yet.',
  },
  automation: {
    title: 'Keys for the automation platform',
    about: 'Only for the connection to your automation platform. These keys do not need a request.',
    empty: 'The automation platform is not connected.',
  },
} as const

const closed: Record<Obstacle, Record<KeyKind, string>> = {
  plan: {
    api: 'The plan does not include the API.',
    automation: 'The plan does not include the automation platform.',
  },
  withdrawn: {
    api: 'Access was turned off. You can create keys once it is approved again.',
    automation:
      'Access was turned off, which includes the automation platform. You can create keys once access is approved again.',
  },
  'not-approved': {
    api: 'You can create keys once access is approved.',
    automation: 'You can create keys once access is approved.',
  },
}

/** The keys of one kind, live ones first, and the form for a new one. */
export const keysPart = ({ kind, keys, obstacle, zone, seen, mostPerMinute, now }: KeysPart): Html => {
  const own = seen.typed.kind === kind ? seen : { typed: {} as Typed, mistake: undefined }
  const { typed, mistake } = own
  const ofKind = keys.filter((key) => key.kind === kind)
  const live = ofKind.filter((key) => key.revoked_at === null)
  const revoked = ofKind.filter((key) => key.revoked_at !== null)
  return html`<section class="card">
    <header><h2>${words[kind].title}</h2></header>
    <p class="soft">${obstacle ? closed[obstacle][kind] : words[kind].about}</p>
    ${obstacle && mistakePart({ mistake })}
    ${
      live.length > 0
        ? html`<ul class="rows">
            ${live.map((key) => keyRow(key, zone, now))}
          </ul>`
        : !obstacle && html`<p class="empty">${words[kind].empty}</p>`
    }
    ${
      revoked.length > 0 &&
      html`<details>
        <summary>${revoked.length} revoked</summary>
        <ul class="rows">
          ${revoked.map((key) => keyRow(key, zone, now))}
        </ul>
      </details>`
    }
    ${
      !obstacle &&
      html`<details ${mistake !== undefined && html`open`}>
        <summary class="strong">Create a key</summary>
        ${mistakePart({ mistake })}
        <form class="form" method="post" action="/office/integrations/keys">
          <input type="hidden" name="kind" value="${kind}" />${tokenField(typed.token)}
          <div class="fields">
            <label class="field"
              ><span>Name</span><input
                name="name"
                required
                maxlength="100"
                placeholder="Booking widget"
                value="${typed.name ?? ''}"
            /></label>
            ${accessField(typed)}
            <label class="field"
              ><span>Your password or a code</span
              ><input name="password" type="password" autocomplete="current-password" required
            /></label>
          </div>
          <details>
            <summary>Limit what it may do, until when and from where</summary>
            ${scopeTicks(kind, own)} ${limitsOfKey(own, mostPerMinute)}
          </details>
          <div><button class="primary">Create key</button></div>
        </form>
      </details>`
    }
  </section>`
}

const keyRow = (key: KeyRow, zone: string, now: Temporal.Instant): Html =>
  html`<li>
    <div class="grow">
      <a class="strong" href="/office/integrations/keys/${key.id}">${key.name}</a>
      <span class="soft nowrap">…${key.last_four}</span><br />
      <span class="small soft"
        >${key.scope === 'read' ? 'Read only' : 'Read and write'} · created
        ${momentInWords(key.created_at, zone)} by ${key.created_by} ·
        ${key.last_used_at === null ? 'never used' : `last used ${momentInWords(key.last_used_at, zone)}`}${key.expires_at !== null && html` · ${isOver(key, now) ? 'ended' : 'ends'} ${momentInWords(key.expires_at, zone)}`}</span
      >
    </div>
    ${
      key.revoked_at === null
        ? html`<form
            method="post"
            action="/office/integrations/keys/${key.id}/revoke"
            data-asks="Revoke ${key.name}? Software that uses it stops working at once. This cannot be undone."
          >
            <button class="danger">Revoke</button>
          </form>`
        : html`<span class="tag bad">Revoked ${momentInWords(key.revoked_at, zone)}</span>`
    }
  </li>`
