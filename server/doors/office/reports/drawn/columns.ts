import { scaleBand, scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { type Html, html } from '../../../../platform/html/html.ts'
import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { type Layout, drawing, narrowWidth, round, wholeWidth } from './drawing.ts'

/** A day or a week: what there was, and what is compared with it. */
export type Column = {
  /** Below the column, where there is room. */
  readonly tick: string
  /** What is said under the pointer. */
  readonly words: string
  readonly value: number
  /** Of the value: not served yet, but booked. */
  readonly coming: number
  readonly before: number | null
  readonly isClosed: boolean
}

const sizes = {
  wide: { width: wholeWidth, height: 230 },
  narrow: { width: narrowWidth, height: 190 },
} as const
/** On a narrow page what is written in a wide picture is larger, so there is room for it at its side. */
const [top, foot] = [18, 24]
const leftOf = { wide: 52, narrow: 38 } as const
/** Columns up to which each has its number above it. */
const mostNumbers = 14
/** Of a bold digit at the size that the style sheet gives it. */
const digitWidth = 7.5

/** Columns one after another, and what they are compared with as a thin line. */
export const columnsDrawn = (columns: readonly Column[], sentence: string): Html =>
  drawing(sentence, sizes, (layout) => drawnAt(columns, layout))

const drawnAt = (columns: readonly Column[], { width, height: tall, isNarrow }: Layout): Html => {
  const floor = tall - foot
  const left = leftOf[isNarrow ? 'narrow' : 'wide']
  const x = scaleBand<number>()
    .domain(columns.map((_, at) => at))
    .range([left, width])
    .paddingInner(columns.length > 40 ? 0.15 : 0.3)
    .paddingOuter(0.1)
  const highest = Math.max(4, ...columns.flatMap(({ value, before }) => [value, before ?? 0]))
  const y = scaleLinear().domain([0, highest]).range([floor, top]).nice(3)
  const wide = round(x.bandwidth())
  const middle = (at: number): number => round((x(at) ?? 0) + x.bandwidth() / 2)
  const path = line<number | null>()
    .defined((before) => before !== null)
    .x((_, at) => middle(at))
    .y((before) => round(y(before ?? 0)))(columns.map(({ before }) => before))
  const isFew = columns.length <= mostNumbers
  // Numbers that would run together are left out: the axis says how high, and a finger what exactly.
  const longest = Math.max(...columns.map(({ value }) => numberInWords(value).length))
  const hasNumbers = isFew && x.step() >= longest * digitWidth + 4
  const ticks = columns.flatMap(({ tick }, at) => (tick === '' ? [] : at))
  const room = isNarrow ? 36 : 50
  const every = Math.ceil(ticks.length / Math.floor((width - left) / room))
  const some = ticks.filter((_, place) => place % every === 0)
  // A month of which only the last days are there leaves its place to the next.
  const isClear = (at: number, next: number | undefined): boolean =>
    next === undefined || middle(next) - middle(at) >= 0.6 * room
  const shown = new Set(some.filter((at, place) => isClear(at, some[place + 1])))
  return html`${y
    .ticks(3)
    .map(
      (tick) =>
        html`<line class="grid-line" x1="${left}" x2="${width}" y1="${round(y(tick))}" y2="${round(y(tick))}"/><text class="at-end" x="${left - 6}" y="${round(y(tick)) + 4}">${numberInWords(tick)}</text>`,
    )}${columns.map(({ tick, words, value, coming, isClosed }, at) => {
    const from = round(x(at) ?? 0)
    const served = value - coming
    return html`<g><title>${words}</title>${
      isClosed && value === 0
        ? html`<rect class="closed" x="${from}" y="${top}" width="${wide}" height="${floor - top}"/>`
        : html`<rect class="under-pointer" x="${from}" y="${top}" width="${wide}" height="${floor - top}"/>`
    }${served > 0 && html`<rect class="bar" x="${from}" y="${round(y(served))}" width="${wide}" height="${round(floor - y(served))}" rx="2"/>`}${
      coming > 0 &&
      html`<rect class="bar-open" x="${from}" y="${round(y(value))}" width="${wide}" height="${round(y(served) - y(value))}" rx="2"/>`
    }${shown.has(at) && html`<text class="middle" x="${middle(at)}" y="${tall - 6}">${tick}</text>`}</g>`
  })}<line class="floor-line" x1="${left}" x2="${width}" y1="${floor}" y2="${floor}"/>${!isFew && path !== null && html`<path class="before-line" d="${path}"/>`}${columns.map(
    // A line needs two points; of a few columns, each has its own, so that none runs through a number.
    ({ before }, at) =>
      before !== null &&
      (isFew || ((columns[at - 1]?.before ?? null) === null && (columns[at + 1]?.before ?? null) === null)) &&
      html`<line class="before-line" x1="${round(x(at) ?? 0)}" x2="${round((x(at) ?? 0) + wide)}" y1="${round(y(before))}" y2="${round(y(before))}"/>`,
  )}${
    // Above the line.
    hasNumbers &&
    columns.map(
      ({ value, before }, at) =>
        value > 0 &&
        html`<text class="middle number" x="${middle(at)}" y="${numberAt(y(value), y(before ?? 0))}">${numberInWords(value)}</text>`,
    )
  }`
}

/** Above the column, and above the line of what was before where that is in the way. */
const numberAt = (value: number, before: number): number =>
  round((before > value - 20 && before < value ? before : value) - 5)
