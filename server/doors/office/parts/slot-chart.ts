import { type Html, html } from '../../../platform/html/html.ts'
import { timeInWords, timeParts } from '../../../platform/kernel/time/in-words.ts'

/** Arrivals within one pacing bucket. */
export type SlotFigure = {
  /** "19:00". */
  readonly time: string
  readonly covers: number
  readonly parties: number
  readonly mostCovers: number | null
  readonly mostParties: number | null
}

const width = 46
const height = 60
const top = 16

/**
 * Covers against pacing, slot by slot: a bar for each, its cap as a line, "8/10" above. One fixed scale for every
 * screen; a long evening scrolls sideways. A full slot is shown by its figure, its color and the text for screen
 * readers.
 */
export const slotChart = (slots: readonly SlotFigure[], caption: string): Html => {
  const highest = Math.max(1, ...slots.flatMap(({ covers, mostCovers }) => [covers, mostCovers ?? 0]))
  const y = (covers: number) => top + height - Math.round((covers / highest) * height)
  return html`<div class="slots" tabindex="0" role="region" aria-label="${caption}">
    <svg
      class="chart"
      width="${slots.length * width}"
      height="${top + height + 20}"
      role="img"
      aria-label="${caption}: ${slots.map((slot) => `${timeInWords(slot.time)} ${figureOf(slot)}`).join(', ')}"
    >
      ${slots.map((slot, i) => {
        const x = i * width
        const cap = slot.mostCovers
        return html`${
          cap !== null &&
          html`<rect class="bar-soft" x="${x + 6}" y="${y(cap)}" width="${width - 12}" height="${top + height - y(cap)}" rx="3"/>`
        }<rect
            class="${isFull(slot) ? 'bar-full' : 'bar'}"
            x="${x + 6}"
            y="${y(slot.covers)}"
            width="${width - 12}"
            height="${top + height - y(slot.covers)}"
            rx="3"
          /><text class="figure-of-slot" x="${x + width / 2}" y="${Math.min(y(slot.covers), cap === null ? 999 : y(cap)) - 4}">${figureOf(slot)}</text
          ><text x="${x + width / 2}" y="${top + height + 15}">${timeParts(slot.time).clock}</text>`
      })}
    </svg>
  </div>`
}

/** "8/10", or "8" without a cap. */
export const figureOf = ({ covers, mostCovers }: SlotFigure): string =>
  mostCovers === null ? String(covers) : `${covers}/${mostCovers}`

export const isFull = ({ covers, parties, mostCovers, mostParties }: SlotFigure): boolean =>
  (mostCovers !== null && covers >= mostCovers) || (mostParties !== null && parties >= mostParties)
