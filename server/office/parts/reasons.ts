import { bookingReasons } from '@venue-data/contract/reasons.ts'
import { type Html, html } from '../../html/html.ts'
import type { StaffReason, StaffReasonCode } from '../../reservations/staff-reasons.ts'
import type { Form } from '../page.ts'

/** Every rule against a booking, each with its sentence and, where it counts, "12 of 10". */
export const reasonsList = (reasons: readonly StaffReason[]): Html =>
  html`<ul class="reasons">
    ${reasons.map(
      ({ sentence, figure }) =>
        html`<li>
          ${figure !== null && html`<strong class="nowrap">${figure}</strong>`} <span>${sentence}</span>
        </li>`,
    )}
  </ul>`

/** The button that confirms just the reasons that were shown: one that comes up later is asked anew. */
export const overrideButton = (reasons: readonly StaffReason[], label: string): Html =>
  html`<button name="confirmed" value="${reasons.map(({ reason }) => reason).join(' ')}">${label}</button>`

/** The reasons that staff confirmed. Words that are no reason are ignored. */
export const confirmedField = (form: Form): readonly StaffReasonCode[] =>
  form
    .all('confirmed')
    .flatMap((words) => words.split(' '))
    .filter((word): word is StaffReasonCode => word === 'another-day' || Object.hasOwn(bookingReasons, word))
