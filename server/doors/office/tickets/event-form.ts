import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { EventRow } from '../../../tickets/event-reads.ts'
import { type TypedEvent, eventLimits } from '../../../tickets/events.ts'
import type { Form } from '../frame/page.ts'
import {
  type FormSeen,
  type Typed,
  areaField,
  lineField,
  orNull,
  tickField,
  wholeNumberIn,
} from '../parts/forms/fields.ts'

/* An event's own fields: what its page says, and what buyers may do there. */

export const typedOfEvent = (event: EventRow): Typed => ({
  name: event.name,
  text: event.text ?? '',
  orderMost: event.order_most === null ? '' : String(event.order_most),
  returnHours: event.return_hours === null ? '' : String(event.return_hours),
  ...(event.return_keeps_fee && { returnKeepsFee: 'yes' }),
})

export const eventFields = (seen: FormSeen): Html =>
  html`${lineField(seen, { name: 'name', label: 'Name', most: limits.nameCharacters, required: true })}
    ${areaField(seen, { name: 'text', label: 'What its page says', most: eventLimits.textCharacters, rows: 4, hint: 'Guests read it under the name; search engines, too.' })}
    <div class="fields">
      ${lineField(seen, { name: 'orderMost', label: 'Most tickets in one order', numeric: 'numeric', most: 3, hint: `Online. Empty: ${limits.seatsOfOrder}.` })}
      ${lineField(seen, { name: 'returnHours', label: 'Buyers return seats until', numeric: 'numeric', most: 3, hint: 'Hours before it begins. Empty: they ask you.' })}
    </div>
    ${tickField(seen, { name: 'returnKeepsFee', label: 'You keep the fee of returned seats' })}`

export const eventIn = (form: Form): TypedEvent => ({
  name: form.text('name'),
  text: orNull(form, 'text'),
  orderMost: numberOrNull(form, 'orderMost'),
  returnHours: numberOrNull(form, 'returnHours'),
  returnKeepsFee: form.text('returnKeepsFee') === 'yes',
})

const numberOrNull = (form: Form, name: string): number | null =>
  form.text(name).trim() === '' ? null : (wholeNumberIn(form.text(name)) ?? Number.NaN)
