import type { KeyRow } from '../../../integrations/access/keys.ts'
import { presentUse } from '../../../integrations/access/present.ts'
import type { UsageRow } from '../../../integrations/access/usage-reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'

/** What each key was used for in the last 30 days, the busiest first; nothing while none was used. */
export const useOfKeysPart = (keys: readonly KeyRow[], usage: readonly UsageRow[]): Html | false => {
  const used = [...Map.groupBy(usage, (row) => row.key_id)].flatMap(([id, rows]) => {
    const key = keys.find((one) => one.id === id)
    return key ? [{ key, use: presentUse(rows) }] : []
  })
  if (used.length === 0) return false
  return html`<section class="card">
    <header><h2>Use in the last 30 days</h2></header>
    ${useTable(
      'Key',
      used
        .toSorted((one, other) => other.use.requests - one.use.requests)
        .map(({ key, use }) => ({
          name: html`<a class="row-link" href="/office/integrations/keys/${key.id}">${key.name}</a>`,
          use,
        })),
    )}
  </section>`
}

type Use = Pick<ReturnType<typeof presentUse>, 'requests' | 'byStatus' | 'deliveries'>

/** Lines of use: the days of a key, or the keys of a venue. */
export const useTable = (
  what: string,
  lines: readonly { readonly name: string | Html; readonly use: Use }[],
): Html =>
  html`<div class="scroll"><table class="table as-cards">
      <thead>
        <tr>
          <th scope="col">${what}</th>
          <th scope="col">Requests</th>
          <th scope="col">Refused</th>
          <th scope="col">Over the limit</th>
          <th scope="col">Deliveries</th>
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ({ name, use: { requests, byStatus, deliveries } }) =>
            html`<tr>
              <td data-label="${what}">${name}</td>
              <td data-label="Requests">${requests}</td>
              <td data-label="Refused">${byStatus['4xx'] ?? 0}</td>
              <td data-label="Over the limit">${byStatus['429'] ?? 0}</td>
              <td data-label="Deliveries">
                ${deliveries.delivered}${deliveries.failed > 0 && html`, ${deliveries.failed} failed`}
              </td>
            </tr>`,
        )}
      </tbody>
    </table></div>`
