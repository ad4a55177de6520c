import { type Html, html } from '../../../platform/html/html.ts'
import type { ActivityRow } from '../../../core/activity/reads.ts'
import type { BookingProfile } from '../../../crm/house/rules.ts'
import type { StaffGuestRow } from '../../../crm/guests/guest.ts'
import { phoneLink } from '../texts/phone-link.ts'
import { type BookRow, presentReservation } from '../../../book/day/book-row.ts'
import type { ChangeToAnswer } from '../../../book/reservations/day-book.ts'
import { mayAct } from '../../../core/staff/roles.ts'
import { type FormSeen, versionField } from '../parts/forms/fields.ts'
import type { Called } from '../activity/who.ts'
import { typedBookingHouse } from '../parts/forms/house-fields.ts'
import { guestsInWords, minutesInWords } from '../parts/time-words.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { type BookingForm, bookingForm, typedOf } from './booking-form.ts'
import { sourceWords } from '../../../book/reservations/staff-sentences.ts'
import { type RowPlace, careOf, stateTags, whenInWords } from '../today/booking-row.ts'
import { answerButtons, changeForm, changeWords } from '../today/change-row.ts'
import { otherGuestPart } from './change-guest.ts'
import { type AskSeen, askForm } from './guarantee/ask-form.ts'
import { type GuaranteeSeen, chargeLink, guaranteeCard } from './guarantee/card.ts'
import { type GuestSaid, guestSaidCard } from './guest-said.ts'
import { asideButtons, moveForm, stageButtons, stepButtons } from './move-form.ts'
import { offeredMoves } from './offered-moves.ts'
import type { StaffReason } from '../../../book/reservations/staff-reasons.ts'
import { trail } from './history-of-record.ts'
import { dateInWords, momentInWords } from '../../../platform/kernel/time/in-words.ts'

export type BookingSeen = {
  readonly row: BookRow
  /** The guest it was matched to. */
  readonly guest: StaffGuestRow | undefined
  /** What staff say of the booking among themselves, and the tags there are. */
  readonly house: BookingProfile
  readonly tags: readonly string[]
  readonly place: RowPlace
  /** What the guest said online, and the mail and link they have. */
  readonly online: GuestSaid
  /** What the venue is asked to change. */
  readonly change: ChangeToAnswer | undefined
  /** The card or the deposit behind it. */
  readonly guarantee: GuaranteeSeen | undefined
  /** Where one may be asked for. */
  readonly ask: AskSeen | undefined
  /** For managers; undefined for others. */
  readonly activity: readonly ActivityRow[] | undefined
  /** What staff are called. */
  readonly called: Called
  /** What can be pressed in its form. */
  readonly pads: BookingForm['pads']
  /** A form that was submitted and refused. */
  readonly sent?: {
    readonly seen: FormSeen
    readonly version: number
    readonly reasons?: readonly StaffReason[] | undefined
    /** Who has the table that was chosen. */
    readonly taken?: string | undefined
  }
}

/** One booking: its status, what can be done, its details to edit, and who did what. */
export const bookingPage = (
  { me, venue }: OfficeWork,
  {
    row,
    guest,
    house,
    tags,
    called,
    place,
    online,
    change,
    guarantee,
    ask,
    activity,
    pads,
    sent,
  }: BookingSeen,
): Html => {
  const offered = offeredMoves(row, place)
  const charge = chargeLink(guarantee)
  const day = row.service_date === null ? '/office/today' : `/office/today?date=${row.service_date}`
  return html`<div class="page-head">
      <div>
        <p class="small"><a href="${day}#b${row.id}">‹ The book</a></p>
        <h1>${row.guest_name ?? 'No name'}</h1>
        <p class="soft">
          ${whenInWords(row, place.today)} · ${guestsInWords(row.party_size)} · ${stateTags(row, place)}
        </p>
        ${row.phone !== null && html`<p class="soft contact">${phoneLink(row.phone, 'nowrap')}</p>`}
        ${careOf({ allergies: guest?.allergies ?? null, notes: row.notes, private_note: house.note ?? null })}
      </div>
    </div>
    <div class="with-side">
      <div class="stack">
        ${
          change &&
          html`<section class="card answer" aria-labelledby="change-head">
            <h2 id="change-head">Change requested</h2>
            <p>${changeWords(change, place.today)}</p>
            ${changeForm(change, place.back, answerButtons(change, 'c'), { live: false })}
          </section>`
        }
        ${
          (offered.size > 0 || charge) &&
          html`<section class="card" aria-label="Moves">
            ${
              offered.size > 0 &&
              moveForm(
                row,
                place.back,
                html`<div class="steps">${stepButtons(row, offered, place.today)} ${asideButtons(row, offered, place)}</div>
                  ${offered.has('setFloorStage') && html`<div class="stages" role="group" aria-label="Stage">${stageButtons(row)}</div>`}`,
                { live: false },
              )
            }
            ${charge}
          </section>`
        }
        <section id="change" class="card sheet">
          <h2>Change booking</h2>
          ${bookingForm({
            action: `/office/bookings/${row.id}/edits`,
            seen: sent?.seen ?? {
              typed: { ...typedOf(presentReservation(row)), ...typedBookingHouse(house) },
            },
            hidden: versionField(sent?.version ?? row.version),
            booking: row.id,
            reasons: sent?.reasons,
            taken: sent?.taken,
            pads,
            tags,
          })}
        </section>
        ${activity && trail(activity, venue.timezone, called)}
      </div>
      <div class="stack">
        ${guarantee && guaranteeCard(guarantee, venue.timezone)} ${ask && askForm(ask)} ${guest && guestCard(guest, row)}
        ${guestSaidCard(row, online, place)}
        <section class="card">
          <h2>Details</h2>
          ${facts(row, venue.timezone)}
        </section>
        ${
          mayAct(me.staff.role, 'manager') &&
          html`<section class="card">
            <h2>Made by mistake?</h2>
            <p class="small soft">
              Delete only mistakes: the booking is removed from the guest’s counts, and connected software is notified that it is cancelled. If plans changed, cancel it instead.
            </p>
            <form
              method="post"
              action="/office/bookings/${row.id}/delete"
              data-asks="Delete this booking for good?"
            >
              <input type="hidden" name="version" value="${row.version}" /><button class="danger">
                Delete permanently
              </button>
            </form>
          </section>`
        }
      </div>
    </div>`
}

/** What to know about a guest before they sit down; the rest is a click away. */
const guestCard = (guest: StaffGuestRow, row: BookRow): Html => {
  const shown: (readonly [string, string | null])[] = [
    ['Visits', String(guest.visit_count)],
    ['Last visit', guest.last_visit_date === null ? null : dateInWords(guest.last_visit_date)],
    ['No-shows', guest.no_show_count === 0 ? null : String(guest.no_show_count)],
    ['Seating preference', guest.seating_preference],
    ['Allergies', guest.allergies],
  ]
  return html`<section class="card">
    <h2>Guest</h2>
    ${factsList(shown)} ${guest.staff_notes !== '' && html`<p class="lines small">${guest.staff_notes}</p>`}
    <p><a class="button" href="/office/guests/${guest.id}">${guest.name ?? 'No name'}</a></p>
    ${otherGuestPart(row, guest)}
  </section>`
}

const facts = (row: BookRow, zone: string): Html => {
  const shown: (readonly [string, string | null])[] = [
    ['Booked', momentInWords(row.created_at, zone)],
    ['Source', sourceWords(row.source)],
    ['Type', row.booking_type],
    ['Turn time', row.duration_minutes === null ? null : minutesInWords(row.duration_minutes)],
    ['Arrived', row.checked_in_at && momentInWords(row.checked_in_at, zone)],
    ['Seated', row.seated_at && momentInWords(row.seated_at, zone)],
    ['Left', row.completed_at && momentInWords(row.completed_at, zone)],
    ['No-show', row.no_show_at && momentInWords(row.no_show_at, zone)],
    ['Cancelled', row.cancelled_at && momentInWords(row.cancelled_at, zone)],
    ['Cancelled by', row.cancelled_by && (row.cancelled_by === 'guest' ? 'the guest' : 'the venue')],
    ['Message', row.cancel_message],
    ['Booking number', String(row.id)],
  ]
  return factsList(shown)
}

const factsList = (shown: readonly (readonly [string, string | null])[]): Html =>
  html`<dl class="facts">
    ${shown.flatMap(([name, value]) => (value === null ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`]))}
  </dl>`
