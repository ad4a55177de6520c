import { type Html, html } from '../../../platform/html/html.ts'
import type { EventRow, PromoCodeRow } from '../../../tickets/event-reads.ts'
import type { TypedPromoCode } from '../../../tickets/promo-codes.ts'
import type { Form } from '../frame/page.ts'
import {
  type FormSeen,
  type Typed,
  choiceField,
  idOf,
  lineField,
  orNull,
  tickField,
  wholeNumberIn,
} from '../parts/forms/fields.ts'
import { amountText, centsField } from '../parts/money.ts'

export const typedOf = (code: PromoCodeRow): Typed => ({
  kind: code.percent === null ? 'amount' : 'percent',
  off: code.percent === null ? amountText(code.amount_cents ?? 0) : String(code.percent),
  event: code.event_id === null ? '' : String(code.event_id),
  usesMost: code.uses_most === null ? '' : String(code.uses_most),
  validFrom: code.valid_from ?? '',
  validTo: code.valid_to ?? '',
  switchedOff: code.switched_off ? 'yes' : '',
})

export const codeFields = (seen: FormSeen, events: readonly EventRow[], isNew: boolean): Html =>
  html`<div class="fields">
      ${isNew && lineField(seen, { name: 'code', label: 'Code', most: 40, required: true, placeholder: 'CELLAR10', hint: 'Letters, digits, - and _. It cannot be changed later.' })}
      ${lineField(seen, { name: 'off', label: 'Discount', numeric: 'decimal', most: 12, required: true })}
      ${choiceField(seen, {
        name: 'kind',
        label: 'Kind',
        choices: [
          ['percent', 'Percent'],
          ['amount', 'Amount'],
        ],
      })}
      ${choiceField(seen, {
        name: 'event',
        label: 'For',
        choices: [['', 'all events'], ...events.map(({ id, name }) => [String(id), name] as const)],
      })}
      ${lineField(seen, { name: 'usesMost', label: 'Maximum orders', numeric: 'numeric', most: 7, hint: 'Leave empty for no limit.' })}
      ${lineField(seen, { name: 'validFrom', label: 'First day', type: 'date' })}
      ${lineField(seen, { name: 'validTo', label: 'Last day', type: 'date' })}
    </div>
    ${tickField(seen, { name: 'switchedOff', label: 'Turned off' })}`

export const codeIn = (form: Form, code: string): TypedPromoCode => ({
  code,
  discount:
    form.text('kind') === 'amount'
      ? { amountCents: centsField(form, 'off', 'The amount') }
      : { percent: wholeNumberIn(form.text('off')) ?? Number.NaN },
  eventId: form.text('event') === '' ? null : idOf(form.text('event'), 'event'),
  usesMost: form.text('usesMost').trim() === '' ? null : (wholeNumberIn(form.text('usesMost')) ?? Number.NaN),
  validFrom: orNull(form, 'validFrom'),
  validTo: orNull(form, 'validTo'),
  switchedOff: form.text('switchedOff') === 'yes',
})
