import { limits } from '@venue-data/contract/limits.ts'
import type { Reservation } from '@venue-data/contract/records/reservation.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { StaffReason } from '../../../book/reservations/staff-reasons.ts'
import { type FormSeen, type Typed, areaField, lineField, mistakePart } from '../parts/forms/fields.ts'
import { bookingProfilePart, seatingField } from '../parts/forms/house-fields.ts'
import { emailField, guestsField, nameField, phoneField } from '../parts/forms/party-fields.ts'
import { overrideButton, reasonsList } from '../parts/reasons.ts'
import { type TablesSeen, tablePicks, tableSentence } from './table-picks.ts'
import { timeInWords } from '../../../platform/kernel/time/in-words.ts'

/** A booking as its form shows it. */
export const typedOf = (
  record: Pick<Reservation, 'date' | 'time' | 'partySize' | 'guestName' | 'phone' | 'email' | 'notes'>,
): Typed => ({
  date: record.date ?? '',
  time: record.time === null ? '' : timeInWords(record.time),
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
  /** The booking being edited; its own guests do not count against it. */
  readonly booking?: number
  /** The party of the waitlist that it is for. */
  readonly entry?: number | undefined
  /** Reasons found when it was submitted; it was not done. */
  readonly reasons?: readonly StaffReason[] | undefined
  /** Sizes and days to press, and the times of the day that is chosen. */
  readonly pads: {
    readonly sizes: Html
    readonly days: Html
    readonly times: Html
    /** Where tables decide: which are free, and for how long they are to have it. */
    readonly tables?: TablesSeen | undefined
    readonly length?: Html | undefined
    /** What goes with the table, where the venue has experiences. */
    readonly experience?: Html | undefined
    /** What the venue's tables have that a party may wish for. */
    readonly features: readonly string[]
  }
  /** Who has the table that was chosen, found when it was submitted. */
  readonly taken?: string | undefined
  /** The guest it is for, once that is known. */
  readonly person?: Html | undefined
  /** The venue's own tags there are. */
  readonly tags: readonly string[]
}

/**
 * The booking sheet: how many, which day, what time, who. Everything can be typed, and everything usual can be pressed.
 * Reasons against it are shown at the button while typing, and again on submit; then the button says so and overrides them
 * knowingly. The first button is the one Enter presses: it never overrides a reason.
 */
export const bookingForm = ({
  action,
  seen,
  hidden,
  booking,
  entry,
  reasons = [],
  pads,
  person,
  tags,
  taken,
}: BookingForm): Html => {
  const about = booking !== undefined ? `?booking=${booking}` : entry !== undefined ? `?entry=${entry}` : ''
  return html`<form id="booking-form" class="form booking-sheet" method="post" action="${action}">
    ${hidden}<button class="hidden-text" tabindex="-1" aria-hidden="true">Send</button>
    ${mistakePart(seen)}
    <div class="when-fields form">
      <div class="sheet-block">
        ${guestsField(seen)} ${pads.sizes}
      </div>
      <div class="sheet-block">
        ${lineField(seen, { name: 'date', label: 'Date', type: 'date', required: true })} ${pads.days}
      </div>
      <div class="sheet-block">
        ${lineField(seen, { name: 'time', label: 'Time', placeholder: '8, 830 or 8:30 pm', required: true })}
        <div
          id="reasons"
          class="live"
          aria-live="polite"
          hx-get="/office/bookings/reasons${about}"
          hx-trigger="${reasons.length === 0 && !taken && 'load, '}input from:.when-fields delay:250ms"
          hx-include=".when-fields"
          hx-sync="this:replace"
        >
          ${pads.times}
        </div>
      </div>
      ${pads.length && tablePicks(pads.tables)}
      <div class="fields how-long">${pads.length} ${seatingField(seen, pads.features)} ${pads.experience}</div>
    </div>
    <div class="sheet-block guest-block">
      <input type="hidden" name="guest" value="${seen.typed.guest}" />
      <div class="fields">
        ${nameField(seen, { required: booking === undefined })} ${phoneField(seen)} ${emailField(seen)}
      </div>
      <div id="guest-found" class="guest-found" role="status">${person}</div>
    </div>
    ${bookingProfilePart(seen, tags)}
    ${areaField(seen, {
      name: 'notes',
      label: 'Notes',
      rows: 2,
      most: limits.notesCharacters,
      hint: 'About this booking; integrations can read them. Notes about the guest belong on the guest’s page.',
    })}
    ${sendPart(booking !== undefined, reasons, { taken, tables: pads.tables })}
  </form>`
}

/** The form's button: the plain one, or if there are reasons against it, what they are and the one that overrides just those. */
export const sendPart = (
  isEdit: boolean,
  reasons: readonly StaffReason[],
  {
    renewed = false,
    taken,
    tables,
  }: {
    readonly renewed?: boolean
    readonly taken?: string | undefined
    readonly tables?: TablesSeen | undefined
  } = {},
): Html => {
  const [done, verb] = isEdit ? ['saved', 'saves'] : ['booked', 'books']
  const table = tables && tableSentence(tables)
  // Then no table is given, whatever is open: they can be chosen above, or given one later.
  const isWithout = reasons.some(({ reason }) => reason === 'tables-full')
  const how = isWithout ? 'without a table' : 'anyway'
  return html`<div id="send" class="send" ${renewed && html`hx-swap-oob="true"`}>
    ${
      (taken !== undefined || reasons.length > 0) &&
      html`<div class="hint against" role="alert">
        ${taken !== undefined && html`<p>${taken}</p>`} ${reasons.length > 0 && reasonsList(reasons)}
        <p class="small">
          Nothing is ${done} yet.
          ${reasons.length > 0 ? `The button below ${verb} it ${how}.` : table ? `The button below ${verb} it with this one:` : 'Choose another table above.'}
        </p>
      </div>`
    }
    ${table && html`<p class="small soft">${table}</p>`}
    ${
      reasons.length > 0
        ? overrideButton(reasons, `${isEdit ? 'Save' : 'Book'} ${how}`)
        : html`<button class="primary">${isEdit ? 'Save' : 'Book'}</button>`
    }
  </div>`
}
