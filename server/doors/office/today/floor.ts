import { type Html, html } from '../../../platform/html/html.ts'
import type { BookRow } from '../../../book/day/book-row.ts'
import type { DayRow } from '../../../book/reservations/day-book.ts'
import { eachMinute } from '../parts/each-minute.ts'
import { tag } from '../parts/tags.ts'
import { minutesInWords, minutesSince } from '../parts/time-words.ts'
import { type RowPlace, careOf, stateTags, timeAndSize } from './booking-row.ts'
import { moveButton, moveForm, nextStageButton, stageButtons } from '../bookings/move-form.ts'
import { offeredMoves } from '../bookings/offered-moves.ts'
import type { DayBook } from './read-day.ts'

/** The parties in the house, with the stage of their meal and their time at the table against the turn time. */
export const floor = (day: DayBook, place: RowPlace): Html => {
  const seated = day.bookings.filter(({ status }) => status === 'Seated')
  const arrived = day.bookings.filter(
    ({ status, checked_in_at }) => status !== 'Seated' && checked_in_at !== null,
  )
  if (seated.length + arrived.length === 0) {
    return html`<p class="empty">Nobody in the house yet. Parties appear here when they arrive.</p>`
  }
  return html`${
    arrived.length > 0 &&
    html`<h2 class="group">At the door</h2>
      <ul class="tables">
        ${arrived.map((row) => party(row, place))}
      </ul>`
  }
  ${
    seated.length > 0 &&
    html`<h2 class="group">At the table</h2>
      <ul class="tables">
        ${seated.map((row) => party(row, place))}
      </ul>`
  }`
}

const party = (row: DayRow, place: RowPlace): Html => {
  const offered = offeredMoves(row, place)
  const name = row.status === 'Seated' ? 'complete' : 'seat'
  return html`<li id="f${row.id}" class="card table-card">
    <div class="booking">
      ${timeAndSize(row)}
      <div class="who">
        <a class="name" href="/office/bookings/${row.id}">${row.guest_name ?? 'No name'}</a>
        ${row.status === 'Seated' ? atTable(row, place) : stateTags(row, place)}
        ${row.floor_stage !== null && tag(row.floor_stage, 'good')} ${careOf(row)}
      </div>
    </div>
    ${moveForm(
      row,
      place.back,
      html`<div class="steps">
          ${offered.has('setFloorStage') && nextStageButton(row)}
          ${offered.has(name) && moveButton(row, name, { prefix: 'f', primary: name === 'seat' })}
        </div>
        ${
          offered.has('setFloorStage') &&
          html`<details id="fm${row.id}" class="more">
            <summary aria-label="Stage of ${row.guest_name ?? 'this party'}">Stage</summary>
            <div class="stages" role="group" aria-label="Stage">${stageButtons(row)}</div>
          </details>`
        }`,
    )}
  </li>`
}

const atTable = ({ seated_at, duration_minutes }: BookRow, { now }: RowPlace): Html | undefined => {
  if (seated_at === null) return undefined
  const minutes = (at: Temporal.Instant) => Math.max(0, minutesSince(seated_at, at))
  const over = duration_minutes !== null && minutes(now) > duration_minutes
  return html`<span class="${over ? 'overdue' : 'soft'} nowrap"
    >${eachMinute(now, (at) => minutesInWords(minutes(at)))}${duration_minutes !== null && html` of ${minutesInWords(duration_minutes)}`}</span
  >`
}
