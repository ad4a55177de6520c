import type { CampaignRow } from '../../../marketing/campaigns/reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { tabs } from '../parts/pager.ts'
import { home, seriesWords, statusTag, whenWords } from './words.ts'

export type Place = 'write' | 'people' | 'send' | 'report'

/** The head of every page of one campaign: its name, its status, and the steps from writing to report. */
export const campaignHead = (row: CampaignRow, current: Place, zone: string, button?: Html | false): Html => {
  const here = `${home}/${row.id}`
  const isDraft = row.status === 'draft'
  const series = seriesWords(row)
  return html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}">‹ Campaigns</a></p>
        <h1 class="breaks">${row.name}</h1>
        <p class="soft small inline">
          ${statusTag(row.status)} <span>${whenWords(row, zone)}</span>
          ${series !== null && html`<span class="breaks">· series ${series}</span>`}
        </p>
      </div>
      ${button}
    </div>
    ${tabs('Campaign', `${here}/${current}`, [
      [`${here}/write`, isDraft ? '1 · Write' : 'Email'],
      [`${here}/people`, isDraft ? '2 · People' : 'People'],
      [`${here}/send`, isDraft ? '3 · Test and send' : 'Sending'],
      ...(isDraft ? [] : [[`${here}/report`, 'Report'] as const]),
    ])}`
}
