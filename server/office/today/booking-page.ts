import { type Html, html } from '../../html/html.ts'
import type { ActivityRow } from '../../activity/reads.ts'
import type { BookRow } from '../../reservations/book-row.ts'
import { presentReservation } from '../../reservations/present.ts'
import { mayAct } from '../../staff/roles.ts'
import { guestsInWords, minutesInWords } from '../parts/time-words.ts'
import { momentInWords } from '../parts/words.ts'
import type { OfficeWork } from '../serve-page.ts'
import { type Typed, bookingForm, typedOf } from './booking-form.ts'
import { type RowPlace, sourceWords, stateTags, whenInWords } from './booking-row.ts'
import { asideButtons, moveForm, stageButtons, stepButtons } from './move-form.ts'
import { offeredMoves } from './offered-moves.ts'
import type { StaffReason } from '../../reservations/staff-reasons.ts'
import { trail } from './trail.ts'

export type BookingSeen = {
  readonly row: BookRow
  readonly place: RowPlace
  /** For managers; undefined for others. */
  readonly activity: readonly ActivityRow[] | undefined
  /** A form that was sent and not taken. */
  readonly sent?: {
    readonly typed: Typed
    readonly version: number
    readonly mistake?: string
    /** What it says now and what was typed, field by field. */
    readonly differs?: readonly string[]
    readonly reasons?: readonly StaffReason[]
  }
}

/** One booking: how it stands, what can be done, its details to change, and who did what. */
export const bookingPage = ({ me, venue }: OfficeWork, { row, place, activity, sent }: BookingSeen): Html => {
  const offered = offeredMoves(row, place)
  const day = row.service_date === null ? '/office/today' : `/office/today?date=${row.service_date}`
  return html`<div class="page-head">
      <div>
        <p class="small"><a href="${day}#b${row.id}">‹ The book</a></p>
        <h1>${row.guest_name ?? 'No name'}</h1>
        <p class="soft">
          ${whenInWords(row)} · ${guestsInWords(row.party_size)} · ${stateTags(row, place)}
        </p>
      </div>
    </div>
    <div class="with-side">
      <div class="stack">
        <section class="card" aria-label="Moves">
          ${moveForm(
            row,
            place.back,
            html`<div class="steps">${stepButtons(row, offered)} ${asideButtons(row, offered)}</div>
              ${offered.has('setFloorStage') && html`<div class="stages" role="group" aria-label="Stage">${stageButtons(row)}</div>`}`,
            { live: false },
          )}
        </section>
        <section class="card">
          <h2>Details</h2>
          ${bookingForm({
            action: `/office/bookings/${row.id}/edits`,
            typed: sent?.typed ?? typedOf(presentReservation(row)),
            hidden: html`<input type="hidden" name="version" value="${sent?.version ?? row.version}" />`,
            booking: row.id,
            button: 'Save',
            mistake: sent?.mistake,
            differs: sent?.differs,
            ...(sent?.reasons && { reasons: sent.reasons }),
          })}
        </section>
        ${activity && trail(activity, venue.timezone)}
      </div>
      <div class="stack">
        <section class="card">
          <h2>About it</h2>
          ${facts(row, venue.timezone)}
          ${row.guest_id !== null && html`<p><a class="button" href="/office/guests/${row.guest_id}">The guest</a></p>`}
        </section>
        ${
          mayAct(me.staff.role, 'manager') &&
          html`<section class="card">
            <h2>Made by mistake?</h2>
            <p class="small soft">
              Deleting is for mistakes: nobody is told, and the guest’s counters forget it. To call a booking off,
              cancel it.
            </p>
            <form
              method="post"
              action="/office/bookings/${row.id}/delete"
              data-asks="Delete this booking for good?"
            >
              <input type="hidden" name="version" value="${row.version}" /><button class="danger">
                Delete for good
              </button>
            </form>
          </section>`
        }
      </div>
    </div>`
}

const facts = (row: BookRow, zone: string): Html => {
  const shown: (readonly [string, string | null])[] = [
    ['Booked', momentInWords(row.created_at, zone)],
    ['From', sourceWords(row.source)],
    ['Kind', row.booking_type],
    ['Table held', row.duration_minutes === null ? null : minutesInWords(row.duration_minutes)],
    ['Arrived', row.checked_in_at && momentInWords(row.checked_in_at, zone)],
    ['Seated', row.seated_at && momentInWords(row.seated_at, zone)],
    ['Left', row.completed_at && momentInWords(row.completed_at, zone)],
    ['No-show', row.no_show_at && momentInWords(row.no_show_at, zone)],
    ['Cancelled', row.cancelled_at && momentInWords(row.cancelled_at, zone)],
    ['Decided by', row.cancelled_by && (row.cancelled_by === 'guest' ? 'the guest' : 'the venue')],
    ['Number', String(row.id)],
  ]
  return html`<dl class="facts">
    ${shown.flatMap(([name, value]) => (value === null ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`]))}
  </dl>`
}
