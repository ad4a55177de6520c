import { dayInWords, byDate, counted } from '../../../data/reports/in-words.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { type Shown } from './picture.ts'

/** To each day with bookings that nobody marked: its book is where that is done. */
export const unmarkedLinks = (shown: Shown): Html | undefined => {
  const days = [...byDate(shown.rows('open_ends'))].toSorted(([one], [other]) => (one < other ? 1 : -1))
  const links = days.map(
    ([date, bookings]) =>
      html`<a href="/office/today?date=${date}">${dayInWords(shown, date)}: ${counted(bookings, 'booking')}</a>`,
  )
  return days.length === 0
    ? undefined
    : html`<details class="report-jumps" ${days.length <= mostUnfolded && html`open`}>
        <summary>Mark them: ${counted(days.length, 'day')}</summary>
        <nav aria-label="Days with bookings to mark">${links}</nav>
      </details>`
}

/** More would push what the report says out of sight. */
const mostUnfolded = 7
