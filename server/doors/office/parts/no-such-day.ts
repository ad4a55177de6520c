import { type Html, html } from '../../../platform/html/html.ts'
import { readDate } from '../../../platform/kernel/time/written-time.ts'

/** On a page that shows today because its address names a day that there is not. */
export const noSuchDay = (query: URLSearchParams): Html | undefined => {
  const asked = query.get('date') ?? ''
  return asked === '' || readDate(asked) !== undefined
    ? undefined
    : html`<p class="hint" role="status">There is no such day as ${asked}. This is today.</p>`
}
