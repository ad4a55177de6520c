import { limits } from '@venue-data/contract/limits.ts'
import type { Reservation } from '@venue-data/contract/reservation.ts'
import { type Html, html } from '../../html/html.ts'
import type { StaffReason } from '../../reservations/staff-reasons.ts'
import { type FormSeen, type Typed, areaField, mistakePart } from '../parts/fields.ts'
import { emailField, nameField, phoneField, whenFields } from '../parts/party-fields.ts'
import { overrideButton, reasonsList } from '../parts/reasons.ts'

/** A booking as its form holds it. */
export const typedOf = (
  record: Pick<Reservation, 'date' | 'time' | 'partySize' | 'guestName' | 'phone' | 'email' | 'notes'>,
): Typed => ({
  date: record.date ?? '',
  time: record.time ?? '',
  partySize: record.partySize === null ? '' : String(record.partySize),
  guestName: record.guestName ?? '',
  phone: record.phone ?? '',
  email: record.email ?? '',
  notes: record.notes ?? '',
})

export type BookingForm = {
  readonly action: string
  readonly seen: FormSeen
  /** The version or the token. */
  readonly hidden: Html
  /** The booking that is edited, for its own guests do not count against it. */
  readonly booking?: number
  /** Reasons that were found when it was sent; it was not done. */
  readonly reasons?: readonly StaffReason[] | undefined
}

/**
 * The fields of a booking. What speaks against it shows while one types, and again when it is sent; then the button at
 * the end says so and goes against it knowingly. The first button is the one that Enter presses: it never overrides a
 * reason.
 */
export const bookingForm = ({ action, seen, hidden, booking, reasons = [] }: BookingForm): Html => {
  const live =
    booking === undefined ? '/office/bookings/reasons' : `/office/bookings/reasons?booking=${booking}`
  return html`<form id="booking-form" class="form" method="post" action="${action}">
    ${hidden}<button class="hidden-text" tabindex="-1" aria-hidden="true">Send</button>
    ${mistakePart(seen)} ${whenFields(seen)}
    <div
      id="reasons"
      class="live"
      aria-live="polite"
      hx-get="${live}"
      hx-trigger="${reasons.length === 0 && 'load, '}input from:.when-fields delay:250ms"
      hx-include=".when-fields"
      hx-sync="this:replace"
    >
      ${reasons.length > 0 && html`<div class="hint against">${reasonsList(reasons)}</div>`}
    </div>
    <div class="fields">
      ${nameField(seen, { required: booking === undefined })} ${phoneField(seen)} ${emailField(seen)}
    </div>
    ${areaField(seen, {
      name: 'notes',
      label: 'Wishes',
      rows: 3,
      most: limits.notesCharacters,
      hint: 'The booking’s own note. Integrations can read it; notes about the guest belong to the guest.',
    })}
    ${sendPart(booking !== undefined, reasons)}
  </form>`
}

/** The button of the form: the plain one, or where reasons speak against it the one that overrides just those. */
export const sendPart = (
  isEdit: boolean,
  reasons: readonly StaffReason[],
  { renewed = false }: { renewed?: boolean } = {},
): Html =>
  html`<div id="send" class="inline" ${renewed && html`hx-swap-oob="true"`}>
    ${
      reasons.length === 0
        ? html`<button class="primary">${isEdit ? 'Save' : 'Book'}</button>`
        : overrideButton(reasons, isEdit ? 'Save anyway' : 'Book anyway')
    }
  </div>`
