import { type Html, html } from '../../../platform/html/html.ts'
import type { DayRow } from '../../../book/reservations/day-book.ts'
import { actorOf } from '../frame/actor.ts'
import { live } from '../parts/live.ts'
import { slotChart } from '../parts/slot-chart.ts'
import { tablesShown } from '../parts/table-cell.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { answerQueue, toAnswer } from './answer-queue.ts'
import { type RowPlace, bookingRow } from './booking-row.ts'
import { dayName, daySteps } from './day-steps.ts'
import { floor } from './floor.ts'
import {
  type BookView,
  type DayBook,
  type Slot,
  bookAddress,
  bookQueryIn,
  bookViews,
  isEvening,
  minuteOfDate,
  readDay,
} from './read-day.ts'
import { clock } from '../service/evening-clock.ts'
import { servicePart } from '../service/lists.ts'
import { timeline } from './timeline.ts'
import { weeks } from './weeks.ts'
import { minuteInWords } from '../../../platform/kernel/time/in-words.ts'

/** The part of Today that renews itself, so that a move shows on every screen of the venue within a second. */
export const bookPart = (work: OfficeWork, day: DayBook): Html => {
  if (isEvening(day.query.view)) return servicePart(day, rowPlaceOf(work, day))
  const place = rowPlaceOf(work, day)
  const { view } = day.query
  return html`<section ${live({ id: 'book', address: bookAddress(day.query), mark: day.mark, now: day.now })} class="view-${view}" aria-label="The book">
    <nav class="tabs" aria-label="Views of the book">
      ${bookViews
        .filter((one) => one === view || isOffered(one, day))
        .map(
          (one) =>
            html`<a
              href="${bookAddress({ ...day.query, view: one, page: 0 })}"
              class="tab-${one}"
              ${one === view && html`aria-current="page"`}
              >${viewNames[one]}${one === 'answer' && html`<span class="tag warn">${toAnswer(day)}${day.moreRequests && '+'}</span>`}</a
            >`,
        )}
    </nav>
    ${isOfDay(view) && answerQueue(day, place)} ${view !== 'weeks' && dayCard(day)} ${viewOf(day, place)}
    ${isOfDay(view) && pager(day)}
  </section>`
}

/** The stages of the meal have a page of their own where tables decide. */
const isOffered = (view: BookView, day: DayBook): boolean =>
  view === 'answer' ? toAnswer(day) > 0 : view !== 'floor' || day.rules.floor === null

/** Views that show the day's bookings, below its requests. */
const isOfDay = (view: BookView): boolean => view !== 'weeks' && view !== 'answer'

/** The day in figures, and slot by slot in views about arrivals. */
const dayCard = (day: DayBook): Html => {
  const slots = day.query.view === 'list' || day.query.view === 'timeline' ? slotsAhead(day) : []
  return html`<div class="card day">
    ${figures(day)} ${slots.length > 0 && slotChart(slots, 'Guests arriving, by slot')}
    ${day.closed !== null && html`<p class="hint">${day.closed}</p>`} ${blocks(day)}
  </div>`
}

/** The refreshed book, together with the head of the page. */
export const renewedBook = (work: OfficeWork, day: DayBook): Html =>
  isEvening(day.query.view)
    ? html`${bookPart(work, day)}${clock(day, work.venue.timezone, { renewed: true })}`
    : html`${bookPart(work, day)}${dayName(day, work.venue.timezone, { renewed: true })}${daySteps(day, { renewed: true })}`

/** The same of the page with this address. */
export const bookAt = async (work: OfficeWork, address: string): Promise<Html> =>
  renewedBook(work, await readDay(work, bookQueryIn(address)))

export const rowPlaceOf = (
  work: OfficeWork,
  {
    now,
    today,
    query,
    evening,
    texts,
    bookingTexts,
    moneyAside,
    mayText,
    unreached,
    paged,
    offers,
    likely,
    instead,
    stayTo,
    rules,
    servers,
  }: DayBook,
): RowPlace => ({
  actor: actorOf(work.me),
  now,
  today,
  back: bookAddress(query),
  timezone: work.venue.timezone,
  texts,
  bookingTexts,
  moneyAside,
  mayText,
  unreached: new Set(unreached.map(({ id }) => id)),
  paged,
  offers,
  likely,
  instead,
  stays: stayTo && { rules, to: stayTo },
  tables: evening && tablesShown(evening),
  servers,
  onlyServer: query.server,
})

/** Today, only the slots that still matter: from an hour ago on. */
const slotsAhead = ({ slots, rules, date, today, now }: DayBook): readonly Slot[] => {
  if (date !== today) return slots
  const since = minuteOfDate(rules, date, now) - 60
  return slots.filter(({ toMinute }) => toMinute > since)
}

const viewNames = {
  list: 'List',
  answer: 'Answer',
  timeline: 'Timeline',
  floor: 'Floor',
  weeks: 'Weeks',
} as const satisfies Record<(typeof bookViews)[number], string>

const viewOf = (day: DayBook, place: RowPlace): Html => {
  switch (day.query.view) {
    case 'list':
      return list(day, place)
    case 'timeline':
      return timeline(day)
    case 'floor':
      return floor(day, place)
    case 'weeks':
      return weeks(day.days)
    case 'answer':
      return answerQueue(day, place) ?? html`<p class="empty">Nothing to answer.</p>`
    case 'service':
    case 'rooms':
      return servicePart(day, place)
    default:
      return day.query.view satisfies never
  }
}

const figures = ({ totals, waiting, date, today }: DayBook): Html => {
  const shown: (readonly [number, string])[] = [
    [totals.covers, totals.covers === 1 ? 'guest' : 'guests'],
    [totals.parties, totals.parties === 1 ? 'party' : 'parties'],
    ...(date > today
      ? []
      : ([
          [totals.here, 'in the house'],
          [totals.toCome, 'expected'],
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
          Blocked ${minuteInWords(fromMinute)} to ${minuteInWords(toMinute)}${scope === 'online' && ' for online bookings'}.
          ${publicNote}
        </p>`,
    )

/** Parties expected or here, by time; below, collapsed, those who have left. */
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
              html`${name !== null && html`<li class="group"><h2>${name}</h2></li>`}${rows.map((row) => bookingRow(row, place))}`,
          )}
        </ul>`
      : html`<p class="empty">
          ${finished.length > 0 ? 'No more parties expected.' : 'No bookings on this day.'}
        </p>`
  }
  ${folded('left', 'Left', left, place, past)} ${folded('never', 'Cancelled and no-shows', never, place, past && left.length === 0)}`
}

/** A heading for each service, if the day has more than one. */
const byService = ({ bookings, periods }: DayBook): { name: string | null; rows: readonly DayRow[] }[] => {
  if (periods.length < 2) return [{ name: null, rows: bookings }]
  const groups = Map.groupBy(bookings, ({ service_minute: at }) =>
    periods.find(({ startMinute, endMinute }) => at !== null && startMinute <= at && at < endMinute),
  )
  return [...groups].map(([period, rows]) => ({
    name: period ? (period.name ?? `From ${minuteInWords(period.startMinute)}`) : 'Outside hours',
    rows,
  }))
}

const folded = (
  id: string,
  name: string,
  rows: readonly DayRow[],
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
