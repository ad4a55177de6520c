import { type Html, html } from '../../../platform/html/html.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { type LineSeen } from './read-line.ts'
import { live } from '../parts/live.ts'
import { dayInSentence } from '../parts/time-words.ts'
import type { EntryRow } from '../../../book/day/entry-row.ts'
import { type LinePlace, entryRow } from './entry.ts'

/** The part of the waitlist that refreshes itself, as the book does. */
export const linePart = (seen: LineSeen): Html => {
  const { inLine, out, more, page, mark, place } = seen
  const tonight = inLine.filter((row) => dayOf(row) <= place.serviceDateNow)
  const later = [
    ...Map.groupBy(
      inLine.filter((row) => dayOf(row) > place.serviceDateNow),
      dayOf,
    ),
  ]
  const booked = out.filter(({ status }) => status === 'booked')
  const left = out.filter(({ status }) => status === 'cancelled')
  const expired = out.filter(({ status }) => status === 'expired')
  return html`<section ${live({ id: 'line', address: `/office/waitlist?page=${page}`, mark, now: place.now })} class="stack" aria-label="The line">
    ${
      tonight.length > 0
        ? html`<ul class="bookings">
            ${tonight.map((row) => entryRow(row, place))}
          </ul>`
        : html`<p class="card empty">Nobody is waiting. Parties you add appear here, longest wait first.</p>`
    }
    ${later.map(
      ([day, rows]) =>
        html`<h2 class="group">Waiting for ${dayInSentence(day, place.serviceDateNow)}</h2>
          <ul class="bookings">
            ${rows.map((row) => entryRow(row, place))}
          </ul>`,
    )}
    ${
      (more || page > 0) &&
      html`<nav class="inline pager" aria-label="Pages of the line">
        ${page > 0 && html`<a class="button" href="/office/waitlist?page=${page - 1}">Earlier in line</a>`}
        ${more && html`<a class="button" href="/office/waitlist?page=${page + 1}">Further back in line</a>`}
      </nav>`
    }
    ${folded('got', 'Seated or booked', booked, place)} ${folded('gone', 'Left', left, place)}
    ${folded('expired', 'Expired', expired, place)}
  </section>`
}

const folded = (id: string, name: string, rows: readonly EntryRow[], place: LinePlace): Html | undefined =>
  rows.length === 0
    ? undefined
    : html`<details id="${id}" class="folded">
        <summary>${name} <span class="tag">${rows.length}</span></summary>
        <ul class="bookings">
          ${rows.map((row) => entryRow(row, place))}
        </ul>
      </details>`

const dayOf = ({ service_date, date }: EntryRow): LocalDate => service_date ?? date ?? ''
