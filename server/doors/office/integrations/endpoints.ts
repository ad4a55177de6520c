import type { KeyRow } from '../../../integrations/access/keys.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { DeliveryRow } from '../../../integrations/webhooks/deliveries/reads.ts'
import type { OwnersEndpoint, Tried } from '../../../integrations/webhooks/owner.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'

const reasons: Record<string, string> = {
  'too-many-failures': 'disabled after 20 failures in a row',
  gone: 'disabled: it answered 410 Gone',
  'key-revoked': 'stopped: the key that made it was revoked',
  'key-expired': 'on hold: the key that made it has expired',
  'access-withdrawn': 'stopped: access to the API was withdrawn',
}

/** Endpoints and hooks: whether they work, or why not. `shut`: why nothing is being sent. */
export const endpointsPart = (
  endpoints: readonly OwnersEndpoint[],
  zone: string,
  shut: string | undefined,
): Html =>
  html`<section class="card">
    <header><h2>Where events are sent</h2></header>
    ${endpoints.length > 0 && shut !== undefined && html`<p class="hint">${shut}</p>`}
    ${
      endpoints.length === 0
        ? html`<p class="empty">No endpoints yet. Software registers its own address through the API.</p>`
        : html`<ul class="rows">
            ${endpoints.map((one) => endpointRow(one, zone))}
          </ul>`
    }
  </section>`

const endpointRow = (one: OwnersEndpoint, zone: string): Html =>
  html`<li>
    <div class="grow">
      <a class="strong" href="/office/integrations/endpoints/${one.id}">${hostOf(one.url)}</a>
      ${one.kind === 'hook' && html`<span class="tag">automation platform</span>`}<br />
      <span class="small soft">${one.events.join(', ')}</span><br />
      ${one.description !== null && html`<span class="small soft">${one.description}</span><br />`}
      <span class="small soft"
        >${one.last_delivery_at === null ? 'Nothing sent yet' : html`Last attempt ${momentInWords(one.last_delivery_at, zone)}: ${one.last_delivery_status}`}${one.waiting > 0 && html` · ${one.waiting} waiting`}${one.failure_count > 0 && html` · ${one.failure_count} failed in a row`}</span
      >
    </div>
    ${statusTag(one)}
  </li>`

const statusTag = ({ status, disabled_reason: why }: OwnersEndpoint): Html =>
  status === 'active'
    ? html`<span class="tag good">Active</span>`
    : status === 'paused'
      ? html`<span class="tag warn">Paused</span>`
      : html`<span class="tag bad">${reasons[why ?? ''] ?? 'disabled'}</span>`

/** An address may contain a secret in its path; the list shows only the host. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/** One endpoint; `state`: the part of it that changes. Hooks have no `settings`. */
export const endpointPage = (one: OwnersEndpoint, state: Html, settings: Html | false): Html =>
  html`<div class="page-head">
      <h1>${hostOf(one.url)}</h1>
      ${settings && html`<a class="button quiet" href="#settings">Settings</a>`}
      <a class="button quiet" href="/office/integrations">All integrations</a>
    </div>
    <div class="stack">
      ${state} ${settings && html`<div class="stack" id="settings">${settings}</div>`}
    </div>`

export type EndpointLists = {
  readonly deliveries: readonly DeliveryRow[]
  readonly tries: readonly Tried[]
  readonly keys: readonly KeyRow[]
}

/** An endpoint's state, its deliveries and the log of attempts. `shut`: why nothing is being sent. */
export const endpointState = (
  one: OwnersEndpoint,
  { deliveries, tries, keys }: EndpointLists,
  zone: string,
  shut: string | undefined,
): Html =>
  html`
      <section class="card">
        <header>
          <h2>State</h2>
          ${statusTag(one)}
        </header>
        ${shut !== undefined && html`<p class="hint">${shut}</p>`}
        ${
          one.address_in_doubt &&
          html`<p class="hint">
            Paused, because the key that last set this address no longer works. Resume only if you know the
            address.
          </p>`
        }
        <dl class="facts">
          <dt>Address</dt>
          <dd>${one.url}</dd>
          <dt>Address set by</dt>
          <dd>${keyIn(keys, one.address_key_id ?? one.key_id)}</dd>
          <dt>Events</dt>
          <dd>${one.events.join(', ')}</dd>
          <dt>Added</dt>
          <dd>
            ${momentInWords(one.created_at, zone)}${one.address_key_id !== null && html` by ${keyIn(keys, one.key_id)}`}
          </dd>
          ${
            one.status === 'paused' &&
            one.paused_at !== null &&
            html`<dt>Paused</dt>
              <dd>${momentInWords(one.paused_at, zone)}; what happens is held for 48 hours</dd>`
          }
          <dt>Failed in a row</dt>
          <dd>${one.failure_count}</dd>
          <dt>Waiting</dt>
          <dd>${one.waiting}</dd>
        </dl>
        <div class="inline">
          ${
            (one.disabled_reason === 'too-many-failures' || one.disabled_reason === 'gone') &&
            html`<form method="post" action="/office/integrations/endpoints/${one.id}/enable">
              <button class="primary">Enable again</button>
            </form>`
          }
          ${
            one.status === 'paused' &&
            html`<form method="post" action="/office/integrations/endpoints/${one.id}/enable">
              <button class="primary">Resume</button>
            </form>`
          }
          ${
            one.status === 'active' &&
            one.kind === 'webhook' &&
            html`<form method="post" action="/office/integrations/endpoints/${one.id}/pause">
              <button>Pause</button>
            </form>`
          }
          ${
            one.status === 'active' &&
            html`<form
              class="inline"
              method="post"
              action="/office/integrations/endpoints/${one.id}/send-all"
            >
              <label class="inline"
                ><span class="small">Resend everything from the last</span>
                <select name="hours">
                  <option value="1">hour</option>
                  <option value="6">6 hours</option>
                  <option value="24">24 hours</option>
                  <option value="48">48 hours</option>
                </select></label
              ><button>Send again</button>
            </form>`
          }
        </div>
      </section>
      <section class="card">
        <header>
          <h2>Deliveries</h2>
          <span class="small soft">Latest 50</span>
        </header>
        ${
          deliveries.length === 0
            ? html`<p class="empty">No events since this address was added.</p>`
            : html`<div class="scroll">
                <table class="table as-cards">
                  <thead>
                    <tr>
                      <th>Event</th>
                      <th>Happened</th>
                      <th>State</th>
                      <th>Attempts</th>
                      <th><span class="hidden-text">Action</span></th>
                    </tr>
                  </thead>
                  <tbody>
                    ${deliveries.map(
                      (delivery) =>
                        html`<tr id="d-${delivery.id}">
                          <td data-label="Event">${delivery.name}</td>
                          <td data-label="Happened">${momentInWords(delivery.occurred_at, zone)}</td>
                          <td data-label="State">${stateOf(delivery, zone)}</td>
                          <td data-label="Tries">${delivery.tries}</td>
                          <td class="right">
                            ${one.status === 'active' && html`<form method="post" action="/office/integrations/endpoints/${one.id}/send"><input type="hidden" name="delivery" value="${delivery.id}" /><button class="quiet">Send again</button></form>`}
                          </td>
                        </tr>`,
                    )}
                  </tbody>
                </table>
              </div>`
        }
      </section>
      <section class="card">
        <header>
          <h2>Delivery attempts</h2>
          <span class="small soft">Latest 50, kept for 30 days</span>
        </header>
        ${
          tries.length === 0
            ? html`<p class="empty">Nothing has been sent yet.</p>`
            : html`<ul class="rows">
                ${tries.map(
                  (tried) =>
                    html`<li id="t-${tried.delivery_id}-${tried.started_at}">
                      <div class="grow">
                        ${momentInWords(tried.started_at, zone)}
                        <span class="soft small">${tried.duration_ms} ms · ${tried.delivery_id}</span>${
                          tried.answer !== null &&
                          tried.answer.length > 0 &&
                          html`<details>
                            <summary class="small">Response</summary>
                            <pre class="code">${tried.answer.toString('utf8')}</pre>
                          </details>`
                        }
                      </div>
                      <span class="${tried.result.startsWith('ok') ? 'tag good' : 'tag bad'}"
                        >${tried.result}</span
                      >
                    </li>`,
                )}
              </ul>`
        }
      </section>`

const keyIn = (keys: readonly KeyRow[], id: number): Html | string => {
  const key = keys.find((one) => one.id === id)
  if (!key) return 'a key that is no longer known'
  return html`<a href="/office/integrations/keys/${id}">${key.name}</a> (…${key.last_four})${key.revoked_at !== null && ', revoked'}`
}

const stateOf = ({ outcome, due_at }: DeliveryRow, zone: string): Html => {
  switch (outcome) {
    case 'delivered':
      return html`<span class="tag good">delivered</span>`
    case null:
      return html`<span class="tag warn">due ${momentInWords(due_at, zone)}</span>`
    default:
      return html`<span class="tag bad">${outcome}</span>`
  }
}
