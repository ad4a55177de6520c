import { type Html, html } from '../../../platform/html/html.ts'
import { timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import type { BookRow } from '../../../book/day/book-row.ts'
import { sourceWords } from '../../../book/reservations/staff-sentences.ts'
import type { DayRow } from '../../../book/reservations/day-book.ts'
import type { RefundToAnswer } from '../../../tickets/refund-request-store.ts'
import { listForm } from '../parts/forms/list-form.ts'
import { money } from '../parts/money.ts'
import { figureOf } from '../parts/slot-chart.ts'
import { buyerOf } from '../tickets/order-table.ts'
import { cancelButtons, moveButton, moveForm } from '../bookings/move-form.ts'
import { type RowPlace, careOf, guestWords, presence, timeAndSize } from './booking-row.ts'
import type { DayBook } from './read-day.ts'
import { tag } from '../parts/tags.ts'
import { changeRow, dayToAnswer } from './change-row.ts'

/** Requests within this many days are shown; the others are a tap away. */
const nearDays = 2

/** How many wait for an answer. */
export const toAnswer = ({ requests, changes, refunds }: DayBook): number =>
  requests.length + changes.length + refunds.length

/** Requests, changes and refunds awaiting a decision, for every day, above everything else. Empty if nothing is waiting. */
export const answerQueue = (day: DayBook, place: RowPlace): Html | undefined => {
  const { requests, changes, refunds, moreRequests, date, today } = day
  if (toAnswer(day) === 0) return undefined
  const isNear = ({ service_date: of }: BookRow) =>
    of === date || (of !== null && of >= today && of <= addDays(today, nearDays))
  const shown = [
    ...changes.map((row) => ({ row, html: changeRow(row, today, place) })),
    ...requests.map((row) => ({ row, html: requestRow(row, day, place) })),
  ]
  const near = shown.filter(({ row }) => isNear(row)).map((one) => one.html)
  const others = shown.filter(({ row }) => !isNear(row)).map((one) => one.html)
  return html`<section class="card answer" aria-labelledby="answer-head">
    <header>
      <h2 id="answer-head">Needs an answer</h2>
      <span class="tag warn">${toAnswer(day)}${moreRequests && '+'}</span>
    </header>
    ${
      near.length > 0 &&
      html`<ul class="bookings">
        ${near}
      </ul>`
    }
    ${
      refunds.length > 0 &&
      html`<ul class="rows">
        ${refunds.map(refundRow)}
      </ul>`
    }
    ${
      others.length > 0 &&
      html`<details id="other-requests" class="folded">
        <summary>Other days <span class="tag">${others.length}${moreRequests && '+'}</span></summary>
        <ul class="bookings">
          ${others}
        </ul>
      </details>`
    }
  </section>`
}

/** Answered on the page of its order, which shows what was paid and given back. */
const refundRow = (row: RefundToAnswer): Html =>
  html`<li>
    <div class="grow">
      <a class="row-link breaks" href="/office/tickets/orders/${row.order_id}#refund-requests">${buyerOf(row)}</a>
      <span class="small soft breaks"
        >asks for a refund of order ${row.order_number}${row.reason !== null && `: “${row.reason}”`}</span
      >
    </div>
    <span class="strong">${money(row.amount_cents)}</span>
    <a class="button" href="/office/tickets/orders/${row.order_id}#refund-requests">Open order</a>
  </li>`

const requestRow = (row: DayRow, day: DayBook, place: RowPlace): Html =>
  html`<li id="q${row.id}" class="booking">
    ${timeAndSize(row)}
    <div class="who">
      <a class="name" href="/office/bookings/${row.id}">${row.guest_name ?? 'No name'}</a>
      <span class="strong">${row.service_date !== null && dayToAnswer(row.service_date, day.today)}</span>
      <span class="small soft">${[...slotWords(row, day), sourceWords(row.source), ...guestWords(row)].join(' · ')}</span>
      ${
        row.service_date !== null && row.service_date < day.today
          ? tag('Date has passed', 'bad')
          : presence(row, place)
      }
      ${row.two_at_once && tag('Third booking at that time', 'warn')} ${careOf(row)}
    </div>
    ${
      row.service_date !== null && row.service_date < day.today
        ? archiveForm(row, place.back)
        : moveForm(
            row,
            place.back,
            html`<div class="steps">
              ${moveButton(row, 'confirm', { prefix: 'q', primary: true })}${cancelButtons(row, place, 'q')}
            </div>`,
          )
    }
  </li>`

/** Its slot's count including this party, if the page knows it: "12/14 at 19:00 with them". */
const slotWords = ({ service_date, service_minute }: BookRow, { date, slots }: DayBook): string[] => {
  const slot =
    service_date === date && service_minute !== null
      ? slots.find(({ fromMinute, toMinute }) => fromMinute <= service_minute && service_minute < toMinute)
      : undefined
  return slot ? [`${figureOf(slot)} at ${timeInWords(slot.time)} with them`] : []
}

/** A request of a past day is only taken off the queue: nobody can be seated, and no one is notified. */
const archiveForm = ({ id }: Pick<BookRow, 'id'>, back: string): Html =>
  listForm(
    `/office/bookings/${id}/archive`,
    { back },
    html`<button name="do" value="archive">Archive</button>`,
  )
