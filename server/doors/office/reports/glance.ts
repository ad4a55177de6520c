import { isClosedOn } from '../../../book/rules/planned-hours.ts'
import { type Row, compared, guests, parties, perDayOf, total } from '../../../data/reports/in-words.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import {
  addDays,
  dayNumber,
  isoWeekdays,
  weekdayName,
  weekdayOf,
} from '../../../platform/kernel/time/calendar.ts'
import { numberInWords } from '../../../platform/kernel/time/in-words.ts'
import { isBeforeMuchOfIt } from './pictures/covers.ts'
import type { Picture, Shown } from './picture.ts'

/*
 * What somebody reads first, on a phone in half a minute: how it was, which weekdays made the difference, and the first thing
 * that can be done. Only sums: a reason that no figure has is not guessed.
 */

/** Absent where nobody came: the first picture says so. */
export const glance = (shown: Shown, pictures: readonly Picture[]): Html | undefined => {
  const came = total(shown.rows('covers'))
  if (came === 0) return undefined
  const isOver = shown.figures.to < shown.today
  const isCompared = isOver && shown.figures.compared !== null && !isBeforeMuchOfIt(shown)
  const change = isCompared ? compared(came, total(shown.before('covers')), shown.beforeWords) : ''
  const why = change === '' ? '' : differenceInWords(shown)
  const first = pictures.find(({ first: press }) => press !== undefined)?.first
  const so = isOver ? '' : ' so far'
  return html`<section class="card report-glance" aria-label="In short">
    <p class="said-of"><strong>${guests(came)} came${so}${change}</strong>${change !== '' && ','} in ${parties(total(shown.rows('parties')))}.</p>
    ${why !== '' && html`<p>${why}</p>`} ${first && html`<div class="report-first">${first}</div>`}
  </section>`
}

/** Weekdays that are named; the others are one sum. */
const mostNamed = 3

/** "Closed on Thursday: 85 fewer; Friday −41, Saturday −29; the other days together +65." Empty of one day alone. */
export const differenceInWords = (shown: Shown): string => {
  const changes = changesOf(shown)
  const all = changes.reduce((sum, { by }) => sum + by, 0)
  if (changes.length < 2 || all === 0) return ''
  const named = changes
    .filter(({ by }) => Math.sign(by) === Math.sign(all))
    .toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by))
    .slice(0, mostNamed)
  const [closed, open] = [named.filter(({ isClosed }) => isClosed), named.filter((one) => !one.isClosed)]
  const rest = all - named.reduce((sum, { by }) => sum + by, 0)
  const parts = [
    ...closed.map(({ name, by }) => `closed on ${name}: ${numberInWords(-by)} fewer`),
    ...(open.length > 0
      ? [
          open
            .map(({ name, by, isNew }) => `${name} ${signed(by)}${isNew ? ' (nobody before)' : ''}`)
            .join(', '),
        ]
      : []),
    ...(rest === 0 ? [] : [`the other days together ${signed(rest)}`]),
  ]
  return `What made the difference: ${parts.join('; ')}.`
}

type Change = {
  readonly name: string
  readonly by: number
  readonly isClosed: boolean
  /** Nobody came on that weekday before. */
  readonly isNew: boolean
}

/** How many guests more or fewer each weekday had. */
const changesOf = (shown: Shown): Change[] => {
  const { from, to } = shown.figures
  const isWeek = dayNumber(to) - dayNumber(from) < 7
  return isoWeekdays
    .map((_, at) => ((shown.firstWeekday - 1 + at) % 7) + 1)
    .map((weekday) => {
      const of = (rows: readonly Row[]) =>
        perDayOf(rows.filter(({ key }) => weekdayOf(String(key['date'])) === weekday))
      const [now, before] = [of(shown.rows('covers')), of(shown.before('covers'))]
      const date = addDays(from, (weekday - weekdayOf(from) + 7) % 7)
      return {
        name: `${weekdayName(weekday)}${isWeek ? '' : 's'}`,
        by: now.guests - before.guests,
        isNew: before.days === 0,
        isClosed: isWeek && now.days === 0 && before.days > 0 && date <= to && isClosedOn(shown.rules, date),
      }
    })
    .filter(({ by }) => by !== 0)
}

const signed = (n: number): string => `${n > 0 ? '+' : '−'}${numberInWords(Math.abs(n))}`
