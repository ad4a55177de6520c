import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { OccurrenceRow } from '../../../tickets/event-reads.ts'
import type { TypedOccurrence } from '../../../tickets/events.ts'
import type { Form } from '../frame/page.ts'
import { type FormSeen, type Typed, lineField, orNull, wholeNumberIn } from '../parts/forms/fields.ts'
import { amountText, centsField } from '../parts/money.ts'
import { type Moment, toInstant } from '../../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { timeInWords } from '../../../platform/kernel/time/in-words.ts'

export const typedOf = (date: OccurrenceRow, zone: string): Typed => ({
  date: date.date,
  startTime: date.start_time === null ? '' : timeInWords(date.start_time.slice(0, 5)),
  title: date.title ?? '',
  capacity: String(date.capacity),
  price: amountText(date.price_cents),
  onlineFrom: wallText(date.online_from, zone),
  onlineUntil: wallText(date.online_until, zone),
})

/** A moment as browsers fill it in. */
const wallText = (moment: Moment | null, zone: string): string => {
  if (moment === null) return ''
  const { date, time } = wallTimeOf(toInstant(moment), zone)
  return `${date}T${time}`
}

export const dateFields = (seen: FormSeen): Html =>
  html`<div class="fields">
    ${lineField(seen, { name: 'date', label: 'Date', type: 'date', required: true })}
    ${lineField(seen, { name: 'startTime', label: 'Starts', most: limits.timeCharacters, placeholder: '19:30 or 7:30 pm' })}
    ${lineField(seen, { name: 'capacity', label: 'Seats', numeric: 'numeric', most: 6, required: true })}
    ${lineField(seen, { name: 'price', label: 'Price per seat', numeric: 'decimal', most: 12, required: true, placeholder: '95.00', hint: '0 for a free event.' })}
    ${lineField(seen, { name: 'title', label: 'Name of this date', most: limits.nameCharacters, placeholder: 'Late seating', hint: 'If an event has several in one evening.' })}
  </div>
  <div class="fields broad">
    ${lineField(seen, { name: 'onlineFrom', label: 'Sold online from', type: 'datetime-local', hint: 'Empty: at once.' })}
    ${lineField(seen, { name: 'onlineUntil', label: 'Sold online until', type: 'datetime-local', hint: 'Empty: until it begins. On its day at the latest.' })}
  </div>`

export const dateIn = (form: Form): TypedOccurrence => ({
  title: orNull(form, 'title'),
  date: form.text('date'),
  startTime: orNull(form, 'startTime'),
  capacity: wholeNumberIn(form.text('capacity')) ?? Number.NaN,
  priceCents: centsField(form, 'price', 'The price'),
  onlineFrom: orNull(form, 'onlineFrom'),
  onlineUntil: orNull(form, 'onlineUntil'),
})
