import { type Html, html } from '../../../platform/html/html.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { monthInWords, numberInWords } from '../../../platform/kernel/time/in-words.ts'
import type { MonthOfList } from '../../../marketing/subscribers/growth.ts'

const width = 960
const height = 190
const top = 26
const floor = 150

/** The first day of each of the last twelve months, this one included. */
export const monthsUntil = (today: LocalDate, count: number): LocalDate[] => {
  const first = Temporal.PlainDate.from(today).with({ day: 1 })
  return Array.from({ length: count }, (_, i) => first.subtract({ months: count - 1 - i }).toString())
}

/** People on the list at the end of each month as bars with the count, and how many joined and left below. */
export const growthChart = (
  before: number,
  changes: readonly MonthOfList[],
  months: readonly LocalDate[],
): Html => {
  const byMonth = new Map(changes.map((one) => [one.month, one]))
  let people = before
  const bars = months.map((month) => {
    const { joined = 0, left = 0 } = byMonth.get(month) ?? {}
    people += joined - left
    return { month, joined, left, people }
  })
  const highest = Math.max(1, ...bars.map((bar) => bar.people))
  const step = width / bars.length
  const tall = (count: number) => Math.round((Math.max(count, 0) / highest) * (floor - top))
  const joined = bars.reduce((sum, bar) => sum + bar.joined, 0)
  const left = bars.reduce((sum, bar) => sum + bar.left, 0)
  return html`<figure>
    <div class="scroll growth-months" tabindex="0" role="region" aria-label="People on the list by month">
      <svg
        class="chart growth"
        viewBox="0 0 ${width} ${height}"
        role="img"
        aria-label="People on the list at the end of each month: ${bars.map((bar) => `${monthName(bar.month)} ${bar.people}`).join(', ')}"
      >
        ${bars.map((bar, i) => {
          const x = Math.round(i * step)
          const middle = x + Math.round(step / 2)
          const fresh = Math.min(tall(bar.joined), tall(bar.people))
          return html`<g
            ><title>${monthInWords(bar.month)}: ${numberInWords(bar.people)} people, ${bar.joined} joined, ${bar.left} left</title
            ><rect class="bar-soft" x="${x + 6}" y="${floor - tall(bar.people)}" width="${Math.round(step) - 12}" height="${tall(bar.people)}" rx="3"></rect
            ><rect class="bar" x="${x + 6}" y="${floor - tall(bar.people)}" width="${Math.round(step) - 12}" height="${fresh}" rx="3"></rect
            ><text class="middle strong" x="${middle}" y="${floor - tall(bar.people) - 6}">${numberInWords(bar.people)}</text
            ><text class="middle" x="${middle}" y="${floor + 16}">${monthName(bar.month)}</text
            ><text class="middle" x="${middle}" y="${floor + 32}">${bar.joined === 0 ? '·' : `+${bar.joined}`} ${bar.left > 0 && `−${bar.left}`}</text></g
          >`
        })}
        <line class="limit" x1="0" y1="${floor}" x2="${width}" y2="${floor}"></line>
      </svg>
    </div>
    <figcaption class="small soft">
      In twelve months ${numberInWords(joined)} joined (the top of each bar) and ${numberInWords(left)} left.
    </figcaption>
  </figure>`
}

const monthName = (month: LocalDate): string => monthInWords(month).slice(0, 3)
