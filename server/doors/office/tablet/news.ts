import { type Html, html } from '../../../platform/html/html.ts'
import { guestsInWords, minutesSince } from '../parts/time-words.ts'
import { shortDayNear, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import type { Moment } from '../../../platform/kernel/time/moment.ts'
import type { DayRow } from '../../../book/reservations/day-book.ts'
import type { DayBook } from '../today/read-day.ts'

/*
 * What guests and their programs did a moment ago, for tablets that are asked to say it (tablet.js): a new booking or
 * request, a cancellation, a party that says it is on its way. It comes with the lists, from rows that are read anyway.
 */

/** A screen that was away for longer shows the lists, which say it all. */
const shownMinutes = 2

/** Sources of bookings that come by themselves: of files that are imported staff know. */
const notByStaff: ReadonlySet<string> = new Set(['public', 'automation'])

type Party = {
  readonly id: number
  readonly guest_name: string | null
  readonly party_size: number | null
}

export const newsPart = ({ bookings, finished, requests, line, now, today }: DayBook): Html => {
  const isNew = (at: Moment | null): at is Moment => at !== null && minutesSince(at, now) < shownMinutes
  const made = [...bookings.filter(({ status }) => status !== 'Requested'), ...requests].filter(
    (row) => isNew(row.created_at) && notByStaff.has(row.source),
  )
  const cancelled = finished.filter((row) => row.cancelled_by === 'guest' && isNew(row.cancelled_at))
  const coming = line.filter((row) => isNew(row.coming_at))
  /** "at 7:30 PM", "on Sat, Oct 10 at 7:30 PM". */
  const when = ({ time, service_date: date }: Pick<DayRow, 'time' | 'service_date'>): string =>
    (date === null || date === today ? '' : ` on ${shortDayNear(date, today)}`) +
    (time === null ? '' : ` at ${timeInWords(time)}`)
  return html`<ul id="news" hidden>
    ${made.map((row) => item(`made-${row.id}`, row.status === 'Requested' ? 'New request' : 'New booking', row, when(row)))}
    ${cancelled.map((row) => item(`cancelled-${row.id}-${row.cancelled_at}`, 'Cancelled by the guest', row, when(row)))}
    ${coming.map((row) => item(`coming-${row.id}`, 'On their way', row))}
  </ul>`
}

const item = (key: string, what: string, { guest_name, party_size }: Party, when = ''): Html =>
  html`<li data-news="${key}">${what}: ${guest_name ?? 'no name'}, ${guestsInWords(party_size)}${when}</li>`
