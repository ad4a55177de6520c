import { type Html, html } from '../../../platform/html/html.ts'
import { weekdayName, weekdayOf } from '../../../platform/kernel/time/calendar.ts'
import { dayAndYearInWords, dayInWords } from '../../../platform/kernel/time/in-words.ts'
import { counted } from '../parts/pager.ts'
import type { DayFigure } from './read-weeks.ts'

/** Pixels. Four weeks fit a desktop screen; on narrower ones they scroll sideways, as the slots do. */
const width = 34
const height = 120
const top = 18
const foot = 36

/**
 * Guests booked on each of the coming days, drawn as bars that link to their day, and the same in a table. A closed
 * day is shown by a pattern and a word, not by color alone.
 */
export const weeks = (days: readonly DayFigure[]): Html => {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return html``
  const highest = Math.max(1, ...days.map(({ covers }) => covers))
  const total = days.reduce((sum, { covers }) => sum + covers, 0)
  const name = `Guests booked from ${dayInWords(first.date)} to ${dayInWords(last.date)}`
  return html`<section class="card weeks" aria-labelledby="weeks-head">
    <header>
      <h2 id="weeks-head">Four weeks</h2>
      <span class="soft">${counted(total, 'guest')} booked</span>
    </header>
    <div class="slots" tabindex="0" role="region" aria-label="${name}">
      <svg
        class="chart"
        width="${days.length * width}"
        height="${top + height + foot}"
        aria-labelledby="weeks-title weeks-desc"
      >
        <title id="weeks-title">${name}</title>
        <desc id="weeks-desc">One bar for each day; the table below has the same figures.</desc>
        ${days.map((day, i) => barOf(day, i * width, highest))}
      </svg>
    </div>
    <details id="weeks-table" class="folded">
      <summary>Show as table</summary>
      <div class="scroll"><table class="table">
        <thead>
          <tr><th scope="col">Day</th><th scope="col">Guests</th><th scope="col">Parties</th><th scope="col">Note</th></tr>
        </thead>
        <tbody>
          ${days.map(
            ({ date, covers, parties, closed }) =>
              html`<tr>
                <th scope="row"><a href="${dayAddress(date)}">${dayInWords(date)}</a></th>
                <td>${covers}</td>
                <td>${parties}</td>
                <td>${closed}</td>
              </tr>`,
          )}
        </tbody>
      </table></div>
    </details>
  </section>`
}

const barOf = ({ date, covers, parties, closed }: DayFigure, x: number, highest: number): Html => {
  const tall = Math.round((covers / highest) * height)
  const y = top + height - tall
  const middle = x + width / 2
  const says = `${dayAndYearInWords(date)}: ${counted(covers, 'guest')} in ${counted(parties, 'party', 'parties')}${closed === null ? '' : `. ${closed}`}`
  return html`<a href="${dayAddress(date)}"
    ><title>${says}</title><rect class="day-field" x="${x}" y="0" width="${width}" height="${top + height + foot}" rx="6" />${
      closed !== null &&
      html`<rect class="day-closed" x="${x + 5}" y="${top}" width="${width - 10}" height="${height}" rx="3" />`
    }<rect class="bar" x="${x + 5}" y="${y}" width="${width - 10}" height="${tall}" rx="3" /><text
      class="figure-of-slot"
      x="${middle}"
      y="${y - 5}"
      >${covers === 0 && closed !== null ? 'closed' : covers}</text
    ><text x="${middle}" y="${top + height + 15}">${weekdayName(weekdayOf(date)).slice(0, 2)}</text
    ><text class="${weekdayOf(date) === 1 ? 'figure-of-slot' : ''}" x="${middle}" y="${top + height + 31}">${Number(date.slice(8))}</text></a
  >`
}

const dayAddress = (date: string): string => `/office/today?date=${date}`
