import { type Html, html } from '../../../platform/html/html.ts'
import { timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'

type Hour = { readonly hour: string; readonly succeeded: number; readonly failed: number }

const hoursShown = 24
const width = 720
const height = 120
const floor = 96

/**
 * Delivery attempts of the last 24 hours as bars (each retry counts), with failures on top in red and the venue's
 * local hour below.
 */
export const triesChart = (hours: readonly Hour[], now: Temporal.Instant, zone: string): Html => {
  const byHour = new Map(hours.map((one) => [one.hour, one]))
  const bars = Array.from({ length: hoursShown }, (_, i) => {
    const moment = now.subtract({ hours: hoursShown - 1 - i })
    const { succeeded = 0, failed = 0 } = byHour.get(moment.toString().slice(0, 13)) ?? {}
    return { succeeded, failed, label: hourOf(moment, zone) }
  })
  const most = Math.max(1, ...bars.map(({ succeeded, failed }) => succeeded + failed))
  const step = width / hoursShown
  const tall = (count: number) => Math.round((count / most) * (floor - 12))
  const total = bars.reduce((sum, { succeeded }) => sum + succeeded, 0)
  const lost = bars.reduce((sum, { failed }) => sum + failed, 0)
  return html`<figure>
    <svg
      class="chart"
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label="${total} attempts succeeded and ${lost} failed in the last 24 hours"
    >
      ${bars.map(({ succeeded, failed, label }, i) => {
        const x = Math.round(i * step) + 3
        const good = tall(succeeded)
        const bad = tall(failed)
        return html`<rect
            class="bar"
            x="${x}"
            y="${floor - good}"
            width="${Math.round(step) - 6}"
            height="${good}"
            rx="2"
          ></rect
          ><rect
            class="bar-full"
            x="${x}"
            y="${floor - good - bad}"
            width="${Math.round(step) - 6}"
            height="${bad}"
            rx="2"
          ></rect
          >${i % 3 === 0 && html`<text x="${x}" y="${height - 8}">${label}</text>`}`
      })}
      <line class="limit" x1="0" y1="${floor}" x2="${width}" y2="${floor}"></line>
    </svg>
    <figcaption class="small soft">${total} succeeded, ${lost} failed; busiest hour: ${most}.</figcaption>
  </figure>`
}

/** The full hour by the venue's clocks. */
const hourOf = (moment: Temporal.Instant, zone: string): string =>
  timeInWords(`${wallTimeOf(moment, zone).time.slice(0, 2)}:00`)
