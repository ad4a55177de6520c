import { type Html, html } from '../../html/html.ts'
import { clockTimeAt } from '../../kernel/written-time.ts'
import type { BookRow } from '../../reservations/book-row.ts'
import { actorOf } from '../actor.ts'
import { slotChart } from '../parts/slot-chart.ts'
import type { OfficeWork } from '../serve-page.ts'
import { answerQueue } from './answer-queue.ts'
import { type RowPlace, bookingRow } from './booking-row.ts'
import { floor } from './floor.ts'
import { type DayBook, type Slot, bookAddress, bookViews, minuteOfDate } from './read-day.ts'
import { timeline } from './timeline.ts'

/**
 * The part of Today that renews itself: it asks once a second whether anything changed and is answered 204 when
 * nothing did, so that a move shows on every screen of the venue a second later.
 */
export const bookPart = (work: OfficeWork, day: DayBook): Html => {
  const address = bookAddress(day.query)
  const place = rowPlaceOf(work, day)
  const slots = slotsAhead(day)
  const asks = `${address}${address.includes('?') ? '&' : '?'}seen=${day.mark}`
  return html`<section
    id="book"
    aria-label="The book"
    hx-get="${asks}"
    hx-trigger="every 700ms"
    hx-target="this"
    hx-swap="outerMorph"
    hx-sync="#book:drop"
  >
    ${answerQueue(day, place)}
    <div class="card day">
      ${figures(day)}
      ${slots.length > 0 && slotChart(slots, 'Guests arriving, by slot')}
      ${day.closed !== null && html`<p class="hint">${day.closed}</p>`} ${blocks(day)}
    </div>
    <nav class="tabs" aria-label="Views of the book">
      ${bookViews.map(
        (view) =>
          html`<a
            href="${bookAddress({ ...day.query, view, page: 0 })}"
            ${view === day.query.view && html`aria-current="page"`}
            >${viewNames[view]}</a
          >`,
      )}
    </nav>
    ${viewOf(day, place)} ${pager(day)}
  </section>`
}

export const rowPlaceOf = (work: OfficeWork, { now, today, query }: DayBook): RowPlace => ({
  actor: actorOf(work.me),
  now,
  today,
  back: bookAddress(query),
  timezone: work.venue.timezone,
})

/** On the day itself the slots that still matter: from an hour ago on. */
const slotsAhead = ({ slots, rules, date, today, now }: DayBook): readonly Slot[] => {
  if (date !== today) return slots
  const since = minuteOfDate(rules, date, now) - 60
  return slots.filter(({ toMinute }) => toMinute > since)
}

const viewNames = { list: 'List', timeline: 'Timeline', floor: 'Floor' } as const

const viewOf = (day: DayBook, place: RowPlace): Html => {
  switch (day.query.view) {
    case 'list':
      return list(day, place)
    case 'timeline':
      return timeline(day)
    case 'floor':
      return floor(day, place)
    default:
      return day.query.view satisfies never
  }
}

const figures = ({ totals, waiting, date, today }: DayBook): Html => {
  const shown: (readonly [number, string])[] = [
    [totals.covers, 'guests'],
    [totals.parties, totals.parties === 1 ? 'party' : 'parties'],
    ...(date > today
      ? []
      : ([
          [totals.here, 'in the house'],
          [totals.toCome, 'to come'],
          [totals.finished, 'left'],
        ] as const)),
  ]
  return html`<div class="figures">
    ${shown.map(([figure, name]) => html`<div class="figure"><strong>${figure}</strong><span>${name}</span></div>`)}
    ${
      date === today &&
      html`<a class="figure" href="/office/waitlist"><strong>${waiting}</strong><span>on the waitlist</span></a>`
    }
  </div>`
}

const blocks = ({ rules, date }: DayBook): Html[] =>
  rules.blocks
    .filter((block) => block.serviceDate === date)
    .map(
      ({ fromMinute, toMinute, scope, publicNote }) =>
        html`<p class="hint">
          Blocked ${clockTimeAt(fromMinute)} to ${clockTimeAt(toMinute)}${scope === 'online' && ' for online bookings'}.
          ${publicNote}
        </p>`,
    )

/** Who is expected or here, by time; below, folded, who is gone. */
const list = (day: DayBook, place: RowPlace): Html => {
  const { bookings, finished, date, today } = day
  const left = finished.filter(({ status }) => status === 'Completed')
  const never = finished.filter(({ status }) => status !== 'Completed')
  const past = date < today
  return html`${
    bookings.length > 0
      ? html`<ul class="bookings">
          ${byService(day).map(
            ({ name, rows }) =>
              html`${name !== null && html`<li class="group"><h3>${name}</h3></li>`}${rows.map((row) => bookingRow(row, place))}`,
          )}
        </ul>`
      : html`<p class="empty">
          ${finished.length > 0 ? 'Nobody else is expected.' : 'Nobody is booked on this day.'}
        </p>`
  }
  ${folded('left', 'Left', left, place, past)} ${folded('never', 'Cancelled and no-shows', never, place, past && left.length === 0)}`
}

/** A heading for each service, where the day has more than one. */
const byService = ({ bookings, periods }: DayBook): { name: string | null; rows: readonly BookRow[] }[] => {
  if (periods.length < 2) return [{ name: null, rows: bookings }]
  const groups = Map.groupBy(bookings, ({ service_minute: at }) =>
    periods.find(({ startMinute, endMinute }) => at !== null && startMinute <= at && at < endMinute),
  )
  return [...groups].map(([period, rows]) => ({
    name: period ? (period.name ?? `From ${clockTimeAt(period.startMinute)}`) : 'Outside the hours',
    rows,
  }))
}

const folded = (
  id: string,
  name: string,
  rows: readonly BookRow[],
  place: RowPlace,
  open: boolean,
): Html | undefined =>
  rows.length === 0
    ? undefined
    : html`<details id="${id}" class="folded" ${open && html`open`}>
        <summary>${name} <span class="tag">${rows.length}</span></summary>
        <ul class="bookings">
          ${rows.map((row) => bookingRow(row, place))}
        </ul>
      </details>`

const pager = ({ query, pages }: DayBook): Html | undefined =>
  pages < 2
    ? undefined
    : html`<nav class="inline pager" aria-label="Pages of the book">
        ${query.page > 0 && html`<a class="button" href="${bookAddress({ ...query, page: query.page - 1 })}">Earlier</a>`}
        <span class="soft">Page ${query.page + 1} of ${pages}</span>
        ${
          query.page + 1 < pages &&
          html`<a class="button" href="${bookAddress({ ...query, page: query.page + 1 })}">Later</a>`
        }
      </nav>`
