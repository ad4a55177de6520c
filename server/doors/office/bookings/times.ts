import { type Html, html } from '../../../platform/html/html.ts'
import { addDays, weekdayName, weekdayOf } from '../../../platform/kernel/time/calendar.ts'
import { dayInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { type StaffTime, staffTimes } from '../../../book/reservations/availability/availability.ts'
import { icon } from '../parts/icon.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import type { BookRow } from '../../../book/day/book-row.ts'
import { type SheetFor, mayHaveTable, ownOf } from './look-now.ts'

/** A slot with room for so few more than this party is nearly full. */
const tightCovers = 4

/** What is asked of the sheet so far. */
export type Asked = SheetFor & {
  readonly date: LocalDate
  readonly time?: string | undefined
  readonly partySize: number
  /** How long they want their table; absent: as booked, or the turn time. */
  readonly durationMinutes?: number | undefined
  /** The guest it is for, who stays through every choice. */
  readonly guest?: number | undefined
}

/**
 * The times of a day for a party, as chips: open, nearly full with what is left, or refused with why, which staff may
 * still choose. Each is a link without script; with it, a press fills in the time.
 */
export const timeChips = async (
  work: OfficeWork,
  asked: Asked,
  /** The booking that is being changed: the time it has is always open to it. */
  booking?: BookRow,
): Promise<Html> => {
  const { closed, times } = await staffTimes(work, { ...asked, own: ownOf(asked) })
  const isTheirs = (one: StaffTime): boolean =>
    booking !== undefined &&
    mayHaveTable(booking) &&
    one.date === booking.date &&
    one.time === booking.time &&
    asked.partySize === booking.party_size
  const ahead = times.filter(
    (one) => isTheirs(one) || !one.reasons.some(({ reason }) => reason === 'in-the-past'),
  )
  if (ahead.length === 0)
    return html`<p class="soft">
      ${closed ?? 'No service on this day.'} You can still type a time: you will see why not, and can
      book anyway.
    </p>`
  return html`<ul class="times" data-one-stop aria-label="Times on ${dayInWords(asked.date)}">
    ${ahead.map((one) => html`<li>${chip(one, asked, isTheirs(one))}</li>`)}
  </ul>`
}

const chip = (one: StaffTime, asked: Asked, isTheirs: boolean): Html => {
  const { state, words } = isTheirs ? { state: '', words: 'theirs' } : shownOf(one, asked.partySize)
  return html`<a
    class="time ${state} ${one.date !== asked.date && 'next-day'}"
    href="${sheetAddress({ ...asked, date: one.date, time: one.time })}"
    data-fills="time=${timeInWords(one.time)}&amp;date=${one.date}"
    ${one.time === asked.time && one.date === asked.date && html`aria-current="true"`}
    ><b>${timeInWords(one.time)}</b>${state === 'refused' ? icon('ban', 'small') : state === 'tight' ? icon('clock', 'small') : ''}<small
      >${words}</small
    ></a
  >`
}

const shownOf = ({ reasons, left, isOnline, isTableOpen }: StaffTime, size: number) => {
  const [first] = reasons
  if (first)
    return {
      state: 'refused',
      words: first.figure ?? (first.reason === 'tables-full' ? noTableWords(isTableOpen) : first.sentence),
    }
  const more = left === null ? null : left - size
  if (more !== null && more < tightCovers)
    return { state: 'tight', words: more === 0 ? 'exactly full' : `then room for ${more}` }
  return { state: '', words: isOnline ? (more === null ? 'open' : `room for ${left}`) : 'not open online' }
}

const noTableWords = (isTableOpen: boolean): string => (isTableOpen ? 'needed by others' : 'no table')

/** Party sizes and days, each a link; the fields next to them are what is sent. */
export const sizeAndDayPads = (
  asked: Asked,
  today: LocalDate,
): { readonly sizes: Html; readonly days: Html } => ({
  sizes: html`<div class="pad-sizes" data-one-stop role="group" aria-label="Party size">
    ${[1, 2, 3, 4, 5, 6, 7, 8].map(
      (size) =>
        html`<a
          class="button pad-size"
          href="${sheetAddress({ ...asked, partySize: size })}"
          data-fills="partySize=${size}"
          ${size === asked.partySize && html`aria-current="true"`}
          ><span class="hidden-text">Party of </span>${size}</a
        >`,
    )}
  </div>`,
  days: html`<div class="days" data-one-stop role="group" aria-label="Day">
    ${Array.from({ length: 7 }, (_, day) => addDays(today, day)).map(
      (date, day) =>
        html`<a
          class="day-pick"
          href="${sheetAddress({ ...asked, date })}"
          data-fills="date=${date}"
          ${date === asked.date && html`aria-current="true"`}
          ><span>${weekdayName(weekdayOf(date)).slice(0, 3)}</span><b>${Number(date.slice(8))}</b
          ><span>${day === 0 ? 'Today' : day === 1 ? 'Tomorrow' : ''}</span></a
        >`,
    )}
  </div>`,
})

const sheetAddress = ({ date, time, partySize, booking, entry, guest }: Asked): string =>
  booking === undefined
    ? `/office/bookings/new?date=${date}&partySize=${partySize}${time === undefined ? '' : `&time=${encodeURIComponent(time)}`}${entry === undefined ? '' : `&entry=${entry}`}${guest === undefined ? '' : `&guest=${guest}`}`
    : `/office/bookings/${booking}`
