import type { Reservation } from '@venue-data/contract/reservation.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../html/html.ts'
import { type StaffReason } from '../../reservations/staff-reasons.ts'
import { overrideButton, reasonsList } from '../parts/reasons.ts'

/** What a booking's form holds, as it was typed. */
export type Typed = {
  readonly date: string
  readonly time: string
  readonly partySize: string
  readonly guestName: string
  readonly phone: string
  readonly email: string
  readonly notes: string
}

export const emptyBooking: Typed = {
  date: '',
  time: '',
  partySize: '2',
  guestName: '',
  phone: '',
  email: '',
  notes: '',
}

export const typedOf = (record: Pick<Reservation, keyof Typed>): Typed => ({
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
  readonly typed: Typed
  /** Hidden fields: the version or the token. */
  readonly hidden: Html
  /** The booking that is edited, for its own guests do not count against it. */
  readonly booking?: number
  readonly button: string
  readonly mistake?: string | undefined
  readonly differs?: readonly string[] | undefined
  /** Reasons that were found when it was sent; it was not done. */
  readonly reasons?: readonly StaffReason[]
}

/** The fields of a booking. The first button is the one that Enter presses: it never overrides a reason. What speaks against it shows while one types, and again when it is sent. */
export const bookingForm = ({
  action,
  typed,
  hidden,
  booking,
  button,
  mistake,
  differs = [],
  reasons = [],
}: BookingForm): Html => {
  const live =
    booking === undefined ? '/office/bookings/reasons' : `/office/bookings/reasons?booking=${booking}`
  return html`<form id="booking-form" class="form" method="post" action="${action}">
    ${hidden}<button class="hidden-text" tabindex="-1" aria-hidden="true">${button}</button>
    ${mistake && html`<p class="mistake" role="alert">${mistake}</p>`}
    ${
      differs.length > 0 &&
      html`<div class="hint">
        <p>What you typed is still below. Saving again puts it in place of what it says now:</p>
        <ul>
          ${differs.map((line) => html`<li>${line}</li>`)}
        </ul>
      </div>`
    }
    <div class="fields when-fields">
      <label class="field"
        ><span>Date</span
        ><input id="asked-date" name="date" type="date" value="${typed.date}" required
      /></label>
      <label class="field"
        ><span>Time</span
        ><input
          id="asked-time"
          name="time"
          value="${typed.time}"
          placeholder="19:30 or 7:30 pm"
          autocomplete="off"
          required
      /></label>
      <label class="field"
        ><span>Guests</span
        ><input
          id="asked-size"
          name="partySize"
          type="number"
          inputmode="numeric"
          min="1"
          max="999999999"
          value="${typed.partySize}"
          required
      /></label>
    </div>
    <div
      id="reasons"
      class="live"
      aria-live="polite"
      hx-get="${live}"
      hx-trigger="${reasons.length === 0 && 'load, '}input from:#booking-form delay:250ms"
      hx-include="#asked-date,#asked-time,#asked-size"
      hx-sync="this:replace"
    >
      ${reasons.length > 0 && reasonsPart(reasons, booking === undefined ? 'Book anyway' : 'Save anyway')}
    </div>
    <div class="fields">
      <label class="field"
        ><span>Name</span
        ><input
          name="guestName"
          value="${typed.guestName}"
          maxlength="${limits.nameCharacters}"
          autocomplete="off"
          ${booking === undefined && html`required`}
      /></label>
      <label class="field"
        ><span>Telephone</span
        ><input
          name="phone"
          type="tel"
          value="${typed.phone}"
          maxlength="${limits.phoneCharacters}"
          autocomplete="off"
      /></label>
      <label class="field"
        ><span>E-mail</span
        ><input
          name="email"
          type="email"
          value="${typed.email}"
          maxlength="${limits.emailCharacters}"
          autocomplete="off"
      /></label>
    </div>
    <label class="field"
      ><span>Wishes</span
      ><textarea name="notes" rows="3" maxlength="${limits.notesCharacters}">${typed.notes}</textarea>
      <small>The booking’s own note. Integrations can read it; notes about the guest belong to the guest.</small>
    </label>
    <div class="inline"><button class="primary">${button}</button></div>
  </form>`
}

/** What speaks against it, and the way to do it all the same. */
export const reasonsPart = (reasons: readonly StaffReason[], anyway: string): Html =>
  html`<div class="hint against">
    ${reasonsList(reasons)}
    <div>${overrideButton(reasons, anyway)}</div>
  </div>`
