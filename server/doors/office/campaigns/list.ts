import { type ListedCampaign, campaignsPage } from '../../../marketing/campaigns/staff-reads.ts'
import { errorSentence } from '../../../marketing/campaigns/reasons-to-wait.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { listFoot, pageRows } from '../parts/pager.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { home, seriesWords, statusTag, whenWords } from './words.ts'
import { numberInWords } from '../../../platform/kernel/time/in-words.ts'

/** Every campaign with its results, newest first. */
export const campaignList = async ({ db, venue }: OfficeWork, after: string | null): Promise<Html> => {
  const list = await campaignsPage(db, venue.id, { limit: pageRows, after })
  return html`<div class="page-head">
      <h1>Campaigns</h1>
      <a class="button primary" href="${home}/new">New campaign</a>
    </div>
    <section class="card list-card">
      ${
        list.rows.length === 0
          ? html`<p class="empty">
              ${after === null ? 'No campaigns yet. The first takes about 15 minutes: write it, choose people, send yourself a test, and send.' : 'Nothing more.'}
            </p>`
          : table(list.rows, venue.timezone)
      }
      ${listFoot({ path: home, after, next: list.next })}
    </section>`
}

const table = (rows: readonly ListedCampaign[], zone: string): Html =>
  html`<table class="table as-cards campaigns">
    <thead>
      <tr>
        <th scope="col">Campaign</th>
        <th scope="col">State</th>
        ${['People', 'Sent', 'Failed', 'Bounced', 'Unsubscribed'].map((name) => html`<th scope="col" class="right">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => {
        const series = seriesWords(row)
        return html`<tr>
          <td class="row-head">
            <div>
              <a class="row-link breaks" href="${home}/${row.id}">${row.name}</a>
              <span class="small soft breaks">${row.subject}${series !== null && ` · series ${series}`}</span>
            </div>
          </td>
          <td data-label="State">
            <span class="state"
              >${statusTag(row.status)}<span class="small soft">${whenWords(row, zone)}</span
              >${row.last_error !== '' && row.status !== 'sent' && html`<span class="small trouble">${errorSentence(row)}</span>`}</span
            >
          </td>
          ${figure('People', row.composed_at === null ? null : row.row_count - row.held_count)}
          ${figure('Sent', row.started_at === null ? null : row.sent_count)}
          ${figure('Failed', row.started_at === null ? null : row.failed_count, true)}
          ${figure('Bounced', row.started_at === null ? null : row.hard + row.soft, true)}
          ${figure('Unsubscribed', row.started_at === null ? null : row.left)}
        </tr>`
      })}
    </tbody>
  </table>`

/** A campaign's figure; a dash where there cannot be one yet. */
const figure = (label: string, count: number | null, isTrouble = false): Html =>
  html`<td class="right ${count === null && 'none'}" data-label="${label}">
    ${count === null ? html`<span class="soft">–</span>` : html`<span class="${isTrouble && count > 0 && 'trouble'}">${numberInWords(count)}</span>`}
  </td>`
