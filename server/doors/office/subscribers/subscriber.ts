import { type Html, html } from '../../../platform/html/html.ts'
import { type ListedSubscriber, evidenceOf } from '../../../marketing/subscribers/staff-reads.ts'
import { wordTag } from '../parts/tags.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { reasonTag, sourceWords, subscriberTag } from './words.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'

const home = '/office/subscribers'

/** One subscriber: their state, proof of consent, and ways off the list. */
export const subscriberPage = async ({ db, venue }: OfficeWork, row: ListedSubscriber): Promise<Html> => {
  const evidence = await evidenceOf(db, venue.id, row.id)
  const zone = venue.timezone
  const moments: readonly (readonly [string, string | null])[] = [
    ['Agreed', row.consent_at && momentInWords(row.consent_at, zone)],
    ['Confirmed', row.confirmed_at && momentInWords(row.confirmed_at, zone)],
    ['Unsubscribed', row.unsubscribed_at && momentInWords(row.unsubscribed_at, zone)],
    ['Recorded', momentInWords(row.created_at, zone)],
    ['By', sourceWords[row.source] ?? row.source],
    [
      'Birthday',
      row.birth_month === null
        ? null
        : [row.birth_day, row.birth_month].filter((one) => one !== null).join('.'),
    ],
    ['Number', String(row.id)],
  ]
  return html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}">‹ Subscribers</a></p>
        <h1 class="breaks">${row.first_name ?? row.email}</h1>
        <p class="inline">
          <span class="soft breaks">${row.email}</span> ${subscriberTag(row.status)}
          ${row.suppression !== null && reasonTag(row.suppression)} ${row.tags.map((name) => wordTag(name, 'accent'))}
        </p>
      </div>
    </div>
    <div class="with-side">
      <section class="card">
        <h2>Proof of consent</h2>
        ${
          evidence.length === 0
            ? html`<p class="soft">No consent was recorded.</p>`
            : html`<ul class="rows">
                ${evidence.map(
                  (one) =>
                    html`<li>
                      <div class="grow">
                        <span class="strong breaks">${one.source}</span>
                        <span class="small soft"
                          >${momentInWords(one.agreed_at, zone)}, recorded by ${sourceWords[one.recorded_via] ?? one.recorded_via}</span
                        >
                        ${one.statement !== null && html`<blockquote class="lines">${one.statement}</blockquote>`}
                        ${one.page_url !== null && html`<p class="small soft breaks">${one.page_url}</p>`}
                      </div>
                    </li>`,
                )}
              </ul>`
        }
      </section>
      <div class="stack">
        <section class="card">
          <h2>Details</h2>
          <dl class="facts">
            ${moments.flatMap(([name, value]) => (value === null ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`]))}
          </dl>
        </section>
        <section class="card">
          <h2>Unsubscribe or block</h2>
          ${
            row.status === 'unsubscribed'
              ? html`<p class="small soft">They are off the list. Only they can sign up again.</p>`
              : html`<form method="post" action="${home}/${row.id}/unsubscribe" data-asks="Take them off the list? Only they themselves can sign up again.">
                  <button class="danger">Unsubscribe</button>
                </form>`
          }
          ${
            row.suppression === null &&
            html`<form method="post" action="${home}/do-not-email" data-asks="Never email this address again?">
              <input type="hidden" name="email" value="${row.email}" /><input type="hidden" name="reason" value="staff_removal" />
              <button class="danger">Never email</button>
            </form>`
          }
        </section>
      </div>
    </div>`
}
