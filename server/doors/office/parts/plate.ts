import { type Html, html } from '../../../platform/html/html.ts'

/** The state of a party, as the rim of its plate shows it; the row says it in words, too. */
export type PlateState = 'expected' | 'asked' | 'late' | 'waiting' | 'here' | 'seated' | 'over' | 'paid'

/**
 * The plate: how many, in a circle whose rim is the state. `share` is the part of the stay that is used, 0 to 1, for a
 * party at its table.
 */
export const plate = (size: number | null, state: PlateState, share = 0): Html =>
  html`<svg class="plate ${state}" viewBox="0 0 40 40" aria-hidden="true">
    <circle class="rim" cx="20" cy="20" r="17" />
    ${
      state === 'seated' &&
      html`<circle
        class="arc"
        cx="20"
        cy="20"
        r="17"
        pathLength="100"
        stroke-dasharray="${Math.round(Math.min(1, Math.max(0, share)) * 100)} 100"
        transform="rotate(-90 20 20)"
      />`
    }
    ${state === 'over' && html`<path class="notch" d="M15 0h10l-5 7z" />`}
    ${state === 'paid' && html`<path class="tick" d="m28 8 4 4 7-8" />`}
    <text x="20" y="25.5">${size ?? '?'}</text>
  </svg>`
