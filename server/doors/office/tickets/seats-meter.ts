import { type Html, html } from '../../../platform/html/html.ts'
import { numberInWords } from '../../../platform/kernel/time/in-words.ts'

/** Seats sold against capacity, drawn; the text gives the same figures. */
export const seatsMeter = ({
  taken,
  capacity,
}: {
  readonly taken: number
  readonly capacity: number
}): Html => {
  const left = Math.max(capacity - taken, 0)
  const share = capacity === 0 ? 100 : Math.min(100, Math.round((taken / capacity) * 100))
  const words = left === 0 ? 'sold out' : `${numberInWords(left)} left`
  return html`<div class="seats-meter">
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" class="chart" role="img" aria-label="${taken} of ${capacity} seats sold, ${words}">
      <rect class="bar-soft" x="0" y="0" width="100" height="8"></rect>
      <rect class="${left === 0 ? 'bar-full' : 'bar'}" x="0" y="0" width="${share}" height="8"></rect>
    </svg>
    <span class="small"><span class="strong">${numberInWords(taken)}</span> of ${numberInWords(capacity)} · <span class="${left === 0 ? 'sold-out' : 'soft'}">${words}</span></span>
  </div>`
}
