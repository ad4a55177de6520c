import { type Html, html } from '../../../platform/html/html.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { timeInWords } from '../../../platform/kernel/time/in-words.ts'
import type { ChangeToAnswer } from '../../../book/reservations/day-book.ts'
import { listForm } from '../parts/forms/list-form.ts'
import { dayInSentence, guestsInWords } from '../parts/time-words.ts'
import { type RowPlace, careOf, guestWords, presence, timeAndSize } from './booking-row.ts'

/** A confirmed booking that somebody asks to change, among what needs an answer. */
export const changeRow = (row: ChangeToAnswer, today: LocalDate, place: RowPlace): Html =>
  html`<li id="c${row.id}" class="booking">
    ${timeAndSize(row)}
    <div class="who">
      <a class="name" href="/office/bookings/${row.id}">${row.guest_name ?? 'No name'}</a>
      <span class="strong">${changeWords(row, today)}</span>
      <span class="small soft">${['Confirmed', ...guestWords(row)].join(' · ')}</span>
      ${presence(row, place)} ${careOf(row)}
    </div>
    ${changeForm(row, place.back, html`<div class="steps">${answerButtons(row, 'c')}</div>`)}
  </li>`

/** "Today: asks for 20:00, 5 guests", or "Today: asks for Friday 9 October at 19:00, 4 guests". */
export const changeWords = (
  { date, to_date, to_time, to_party_size }: ChangeToAnswer,
  today: LocalDate,
): string => {
  const day = to_date === date ? '' : `${dayInSentence(to_date, today)} at `
  const from = date === null ? '' : `${dayToAnswer(date, today)}: `
  return `${from}asks for ${day}${timeInWords(to_time)}, ${guestsInWords(to_party_size)}`
}

type Asked = Pick<ChangeToAnswer, 'id' | 'change_id'>

export const answerButtons = ({ id }: Asked, prefix: string): Html[] => [
  html`<button id="${prefix}${id}-accept" name="answer" value="accept" class="primary">Accept</button>`,
  html`<button id="${prefix}${id}-decline-change" name="answer" value="decline" class="danger">Decline</button>`,
]

/** A form around the buttons that answer; `back` is the page to return to. */
export const changeForm = (
  { id, change_id }: Asked,
  back: string,
  buttons: Html | Html[],
  { live = true }: { live?: boolean } = {},
): Html => listForm(`/office/bookings/${id}/change`, { change: change_id, back }, buttons, { live })

export const dayToAnswer = (date: string, today: string): string => {
  const words = dayInSentence(date, today)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
