import { scaleLinear } from 'd3-scale'
import { type Html, html } from '../../../../platform/html/html.ts'
import { type Layout, drawing, halfWidth, narrowWidth, round } from './drawing.ts'

/** One line of a picture: a bar with what it says at its end. */
export type Line = {
  readonly name: string
  /** What the line's bar is as long as; null: too few cases for a bar. */
  readonly value: number | null
  /** A mark across the line: what it is compared with. */
  readonly mark?: number | null
  readonly words: string
}

/** Lines that belong together, under a name of their own. */
export type Lines = { readonly name?: string | undefined; readonly lines: readonly Line[] }

const [lineHeight, headHeight, barHeight] = [30, 28, 16]

/** Bars from left to right, one below the other; all of one picture on one scale that begins at 0. */
export const linesDrawn = (groups: readonly Lines[], sentence: string): Html =>
  drawn(groups, scaleOf(groups), sentence)

/** Many groups, on one scale too, but each a picture by itself, as they find their places next to each other. */
export const groupsDrawn = (groups: readonly Lines[], sentence: string): Html =>
  html`<div class="report-groups">${groups.map((group) => html`<div>${drawn([group], scaleOf(groups), group.name ?? sentence)}</div>`)}</div>`

type Scale = { readonly names: number; readonly words: number; readonly highest: number }

const scaleOf = (groups: readonly Lines[]): Scale => {
  const all = groups.flatMap(({ lines }) => lines)
  const longest = (texts: readonly string[]): number => Math.max(0, ...texts.map(signsOf))
  return {
    names: longest(all.map(({ name }) => name)),
    words: longest(all.map(({ words }) => words)),
    highest: highestOf(groups) || 1,
  }
}

/** What a bar over the whole of its track is. */
export const highestOf = (groups: readonly Lines[]): number =>
  Math.max(...groups.flatMap(({ lines }) => lines.flatMap(({ value, mark }) => [value ?? 0, mark ?? 0])), 0)

/** Capitals are wider. */
const signsOf = (text: string): number => text.length + 0.25 * (text.match(/[A-Z]/g)?.length ?? 0)

const drawn = (groups: readonly Lines[], scale: Scale, sentence: string): Html => {
  const height = groups.reduce(
    (sum, { name, lines }) => sum + lines.length * lineHeight + (name === undefined ? 0 : headHeight),
    4,
  )
  return drawing(
    sentence,
    { wide: { width: halfWidth, height }, narrow: { width: narrowWidth, height } },
    (layout) => drawnAt(groups, scale, layout),
  )
}

const drawnAt = (groups: readonly Lines[], scale: Scale, { width, isNarrow }: Layout): Html => {
  const sign = isNarrow ? 6.2 : 6.6
  const left = Math.min(width * 0.38, scale.names * sign + 10)
  const right = Math.min(width * 0.42, scale.words * sign + 10)
  const x = scaleLinear()
    .domain([0, scale.highest])
    .range([0, width - left - right])
  let y = 0
  return html`${groups.map(({ name, lines }) => {
    const head =
      name !== undefined && html`<text class="group" x="0" y="${(y += headHeight) - 8}">${name}</text>`
    return html`${head}${lines.map((line) => {
      const middle = y + lineHeight / 2
      y += lineHeight
      const long = round(x(line.value ?? 0))
      const mark = line.mark === undefined || line.mark === null ? undefined : round(left + x(line.mark))
      return html`<g><title>${line.name}: ${line.words}</title><text class="name" x="0" y="${middle + 4}">${cut(line.name, Math.floor(left / sign))}</text>${
        line.value === null
          ? html`<line class="too-few" x1="${round(left)}" x2="${round(width - right)}" y1="${middle}" y2="${middle}"/>`
          : html`<rect class="track" x="${round(left)}" y="${middle - barHeight / 2}" width="${round(width - left - right)}" height="${barHeight}" rx="3"/><rect class="bar" x="${round(left)}" y="${middle - barHeight / 2}" width="${line.value > 0 ? Math.max(long, 2) : 0}" height="${barHeight}" rx="3"/>`
      }${mark !== undefined && html`<line class="mark" x1="${mark}" x2="${mark}" y1="${middle - 11}" y2="${middle + 11}"/>`}<text class="at-end" x="${width}" y="${middle + 4}">${line.words}</text></g>`
    })}`
  })}`
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`
