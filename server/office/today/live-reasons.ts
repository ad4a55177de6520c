import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../html/html.ts'
import { dayInWords } from '../../kernel/calendar.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type LocalDate, clockTimeAt, readDate } from '../../kernel/written-time.ts'
import { bookedReservation } from '../../reservations/book-row.ts'
import { sumsOfDay } from '../../reservations/day-book.ts'
import { reasonsNow } from '../../reservations/reasons-now.ts'
import { openPeriodsOn } from '../../reservations/rules/resolve-service.ts'
import { readWhen } from '../../reservations/when.ts'
import type { BookingRules } from '../../venue/booking-rules.ts'
import { bookingRulesAround } from '../../venue/rules-store.ts'
import { type PageAnswer, part } from '../frame/page.ts'
import { wholeNumberIn } from '../parts/fields.ts'
import { tooManyGuests } from '../parts/party-fields.ts'
import { reasonsList } from '../parts/reasons.ts'
import { slotChart } from '../parts/slot-chart.ts'
import { idIn } from '../parts/time-words.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { sendPart } from './booking-form.ts'
import { slotsOf } from './read-day.ts'

/**
 * Reasons against the booking being typed, and the slots of its evening. The request carries only date, time and
 * size: nothing about the guest goes into a URL.
 */
export const liveReasons = async (work: OfficeWork, { query }: OfficeRequest): Promise<PageAnswer> => {
  const partySize = wholeNumberIn(query.get('partySize') ?? '')
  if (partySize !== undefined && partySize > limits.partyGuests)
    return part(
      html`<p class="soft">${tooManyGuests}</p>${sendPart(query.has('booking'), [], { renewed: true })}`,
    )
  const [date, time] = [query.get('date') ?? '', query.get('time') ?? '']
  const { db, venue, now } = work
  const isEdit = query.has('booking')
  const plain = sendPart(isEdit, [], { renewed: true })
  if (date === '' || time === '' || !partySize) return part(html`${await stillToSay(work, date)}${plain}`)
  try {
    const when = readWhen({ date, time, startsAt: undefined }, venue.timezone, now())
    const edited = idIn(query.get('booking') ?? undefined)
    const booking = edited === undefined ? undefined : await bookedReservation(db, venue.id, edited)
    const { reasons, day, covers, mostCovers } = await reasonsNow(work, { ...when, partySize }, booking)
    const { rules, place } = day
    const evening =
      place.serviceDate === when.date ? '' : `, in the book for ${dayInWords(place.serviceDate)}`
    return part(
      html`${
        reasons.length > 0
          ? html`<div class="hint against">${reasonsList(reasons)}</div>`
          : html`<p class="${mostCovers !== null && covers > mostCovers ? 'hint' : 'notice'}">
              ${clockTimeAt(place.serviceMinute)} on ${dayInWords(when.date)}${evening}:
              ${mostCovers === null ? 'there is room' : `${covers} of ${mostCovers} guests with this party`}.
            </p>`
      }
        ${await slotsOfDay(work, rules, place.serviceDate, place.serviceMinute)}${sendPart(isEdit, reasons, { renewed: true })}`,
    )
  } catch (error) {
    if (error instanceof Refusal && error.status === 400)
      return part(html`<p class="soft">${error.message}</p>${plain}`)
    throw error
  }
}

/** Before a time is entered, the day's slots help choose one. */
const stillToSay = async (work: OfficeWork, text: string): Promise<Html> => {
  const date = readDate(text)
  const { db, venue } = work
  const slots = date && (await slotsOfDay(work, await bookingRulesAround(db, venue, date), date))
  return html`<p class="soft">Enter a time and a party size.</p>${slots}`
}

const slotsOfDay = async (
  { db, venue }: OfficeWork,
  rules: BookingRules,
  date: LocalDate,
  /** The minute requested: the slots around it are shown. */
  around?: number,
): Promise<Html | undefined> => {
  const all = slotsOf(rules, date, openPeriodsOn(rules, date), await sumsOfDay(db, venue.id, date))
  const slots = all.filter(
    ({ fromMinute }) => around === undefined || (fromMinute > around - 120 && fromMinute < around + 180),
  )
  return slots.length > 0 ? slotChart(slots, `Guests arriving on ${dayInWords(date)}`) : undefined
}
