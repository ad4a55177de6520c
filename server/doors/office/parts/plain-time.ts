import { type Html, html } from '../../../platform/html/html.ts'
import { timeParts } from '../../../platform/kernel/time/in-words.ts'
import type { ClockTime } from '../../../platform/kernel/time/written-time.ts'

/**
 * "7:40" where a list in order of time makes the half of the day plain; "PM" is still there for a screen reader.
 */
export const plainTime = (time: ClockTime): Html => {
  const { clock, half } = timeParts(time)
  return html`${clock}${half !== '' && html`<span class="hidden-text">${half}</span>`}`
}
