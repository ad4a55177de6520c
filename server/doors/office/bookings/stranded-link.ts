import { type Html, html } from '../../../platform/html/html.ts'
import { counted } from '../parts/pager.ts'

/** Where staff write to the guests of bookings that were left without a service. */
export const strandedPath = '/office/bookings/stranded'

/** What says on the first screen that there are some. */
export const strandedPart = (count: number): Html | undefined =>
  count === 0
    ? undefined
    : html`<p class="card warn">
        <a href="${strandedPath}">${counted(count, 'booking')} without a service: write to the guests, or call them</a>
      </p>`
