import { type Html, html } from '../../../platform/html/html.ts'
import { minuteInWords } from '../../../platform/kernel/time/in-words.ts'
import { type Count, type Counted, byHour } from '../../../book/servers/by-hour.ts'
import type { ServerRow } from '../../../book/servers/server.ts'
import { counted } from '../parts/pager.ts'
import { serverChip } from '../parts/server-chip.ts'

/** "12 covers, 5 parties" by server and hour, as a card of a sheet. Figures of people: for managers only. */
export const byHourPart = (
  title: string,
  parties: readonly Counted[],
  all: ReadonlyMap<number, ServerRow>,
): Html | undefined => {
  const figures = byHour(parties)
  if (parties.length === 0) return undefined
  const rows = [...figures.servers].toSorted((a, b) => nameOf(all, a).localeCompare(nameOf(all, b)))
  return html`<section class="card list-card">
    <h2>${title}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="${title}">
      <table class="table">
        <caption class="hidden-text">Covers and parties of each server by hour</caption>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col" class="right">Total</th>
            ${figures.hours.map((hour) => html`<th scope="col" class="right nowrap">${minuteInWords(hour * 60)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (server) =>
              html`<tr>
                <th scope="row" class="nowrap">${chipOf(all, server)} ${nameOf(all, server)}</th>
                <td class="right nowrap"><strong>${countWords(figures.of(server))}</strong></td>
                ${figures.hours.map((hour) => html`<td class="right">${countWords(figures.of(server, hour))}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`
}

const nameOf = (all: ReadonlyMap<number, ServerRow>, server: number | null): string =>
  (server !== null && all.get(server)?.name) || 'No server'

const chipOf = (all: ReadonlyMap<number, ServerRow>, server: number | null): Html | undefined => {
  const row = server === null ? undefined : all.get(server)
  return row && serverChip(row)
}

const countWords = ({ covers, parties }: Count): string =>
  parties === 0 ? '–' : `${counted(covers, 'cover')}, ${counted(parties, 'party', 'parties')}`
