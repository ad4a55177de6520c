import { scaleSqrt } from 'd3-scale'
import { type Html, html } from '../../../../platform/html/html.ts'
import { weekdayName } from '../../../../platform/kernel/time/calendar.ts'
import { minuteInWords } from '../../../../platform/kernel/time/in-words.ts'
import { type Layout, drawing, narrowWidth, round, wholeWidth } from './drawing.ts'

/** What there is on one weekday in one quarter of an hour. */
export type Dot = {
  readonly weekday: number
  readonly quarter: number
  readonly value: number
  readonly words: string
}

/**
 * A week as dots, the larger the more: size says it, not color. On a wide page the hours run to the right; on a phone they run
 * down, with a column for each day.
 */
export const weekDrawn = (dots: readonly Dot[], weekdays: readonly number[], sentence: string): Html => {
  const used = hoursOf(dots).flatMap((hour) => [0, 1, 2, 3].map((at) => hour * 4 + at))
  const largest = Math.max(...dots.map(({ value }) => value))
  return drawing(
    sentence,
    {
      wide: { width: wholeWidth, height: weekdays.length * 34 + 26 },
      narrow: { width: narrowWidth, height: used.length * 19 + 26 },
    },
    (layout) => drawnAt(dots, weekdays, { used, largest }, layout),
  )
}

/** The hours in which anybody comes: one that nobody comes in takes no room. */
const hoursOf = (dots: readonly Dot[]): number[] =>
  [...new Set(dots.map(({ quarter }) => Math.floor(quarter / 4)))].toSorted((a, b) => a - b)

const drawnAt = (
  dots: readonly Dot[],
  weekdays: readonly number[],
  { used, largest }: { readonly used: readonly number[]; readonly largest: number },
  { width, height, isNarrow }: Layout,
): Html => {
  const [left, top] = isNarrow ? [62, 26] : [52, 26]
  const across = (width - left) / (isNarrow ? weekdays.length : used.length)
  const down = (height - top) / (isNarrow ? used.length : weekdays.length)
  const radius = scaleSqrt()
    .domain([0, largest])
    .range([0, Math.min(across, down, 32) / 2 - 0.5])
  const place = (weekday: number, quarter: number): readonly [x: number, y: number] => {
    const [day, hour] = [weekdays.indexOf(weekday), used.indexOf(quarter)]
    const [column, row] = isNarrow ? [day, hour] : [hour, day]
    return [round(left + (column + 0.5) * across), round(top + (row + 0.5) * down)]
  }
  const hours = used.filter((quarter) => quarter % 4 === 0)
  const every = isNarrow ? 1 : Math.ceil(hours.length / 11)
  return html`${weekdays.map((weekday) => {
    const [x, y] = place(weekday, used[0] ?? 0)
    const name = weekdayName(weekday).slice(0, 3)
    return isNarrow
      ? html`<text class="middle" x="${x}" y="14">${name}</text>`
      : html`<text class="name" x="0" y="${y + 4}">${name}</text><line class="grid-line" x1="${left}" x2="${width}" y1="${y}" y2="${y}"/>`
  })}${hours.map((quarter, at) => {
    const [x, y] = place(weekdays[0] ?? 1, quarter)
    return (
      at % every === 0 &&
      (isNarrow
        ? html`<text class="name" x="0" y="${y + 4}">${minuteInWords(quarter * 15)}</text><line class="grid-line" x1="${left}" x2="${width}" y1="${y}" y2="${y}"/>`
        : html`<text class="middle" x="${x}" y="14">${minuteInWords(quarter * 15)}</text>`)
    )
  })}${
    isNarrow
      ? html`<path class="bar" d="${dots.map((dot) => circleAt(place(dot.weekday, dot.quarter), round(Math.max(1, radius(dot.value))))).join('')}"/>`
      : dots.map((dot) => {
          const [x, y] = place(dot.weekday, dot.quarter)
          return html`<circle class="bar" cx="${x}" cy="${y}" r="${round(Math.max(1, radius(dot.value)))}"><title>${dot.words}</title></circle>`
        })
  }`
}

/** A circle as a part of one path for all: without a title of its own it needs no element. */
const circleAt = ([x, y]: readonly [number, number], r: number): string =>
  `M${round(x - r)} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`
