import { mergesOfGuest } from '../../../crm/guests/staff-reads.ts'
import type { StaffGuestRow } from '../../../crm/guests/guest.ts'
import { type GuestHistory, guestHistory } from './history.ts'
import { houseOfGuest } from '../../../crm/house/reads.ts'
import { type GuestProfile, birthdayForStaff, hasLapsed } from '../../../crm/house/rules.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { dateInWords, momentInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { mayAct } from '../../../core/staff/roles.ts'
import { mistakePart } from '../parts/forms/fields.ts'
import { money } from '../parts/money.ts'
import { counted } from '../parts/pager.ts'
import { reservationTag, tag } from '../parts/tags.ts'
import { icon } from '../parts/icon.ts'
import { guestsInWords, minutesInWords } from '../parts/time-words.ts'
import { habitsOf, visitStrip } from './visits.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { chips } from '../service/chips.ts'
import { orderTag } from '../tickets/order-words.ts'
import { nameOf } from './list.ts'
import { staffNotes } from './staff-notes.ts'
import { phoneLink } from '../texts/phone-link.ts'

const home = '/office/guests'

/** A note that was refused. */
type Sent = { readonly mistake: string; readonly note: string }

/** One guest: first what to know at the door, then counters, history and notes. */
export const guestPage = async (
  { db, venue, me, now }: OfficeWork,
  guest: StaffGuestRow,
  sent?: Sent,
): Promise<Html> => {
  const [history, merges, house] = await Promise.all([
    guestHistory(db, venue.id, guest),
    mergesOfGuest(db, venue.id, guest.id),
    houseOfGuest(db, venue.id, guest.id),
  ])
  const isManager = mayAct(me.staff.role, 'manager')
  const today = wallTimeOf(now(), venue.timezone).date
  const habits = habitsOf(history.reservations)
  return html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}">‹ Guests</a></p>
        <h1 class="breaks">${nameOf(guest)}</h1>
        ${marks(guest, house, today)}
        <p class="soft contact">
          ${guest.email !== null && html`<a class="breaks" href="mailto:${guest.email}">${guest.email}</a>`}
          ${guest.phone !== null && phoneLink(guest.phone, 'nowrap')}
        </p>
      </div>
      <div class="inline">
        ${isManager && html`<a class="button" href="${home}/${guest.id}/merge">Merge…</a>`}
        <a class="button" href="${home}/${guest.id}/edit">Edit</a>
        <a class="button primary" href="/office/bookings/new?guest=${guest.id}"
          >${icon('calendar-plus')}Book for ${guest.name?.split(' ')[0] ?? 'them'}</a
        >
      </div>
    </div>
    ${
      guest.allergies !== null &&
      html`<section class="hint allergies">
        <h2>Allergies and dietary needs</h2>
        <p class="lines">${guest.allergies}</p>
      </section>`
    }
    <div class="with-side">
      <div class="stack">
        <section class="card" aria-labelledby="visits-head">
          <h2 id="visits-head">Visits</h2>
          ${visitStrip(history.reservations, today)}
          <div class="figures">
          ${figure(guest.visit_count, guest.visit_count === 1 ? 'visit' : 'visits')} ${figure(guest.no_show_count, guest.no_show_count === 1 ? 'no-show' : 'no-shows')}
          ${figure(guest.cancellation_count, 'cancelled by guest')}
          ${habits.size !== null && figure(habits.size, 'usual party')}
          ${habits.covers > 0 && figure(habits.covers, 'total covers')}
          ${habits.stayMinutes !== null && figure(minutesInWords(habits.stayMinutes), 'usual stay', 'date')}
          ${habits.lastTable !== null && figure(habits.lastTable, 'last table')}
          ${figure(guest.last_visit_date === null ? '–' : dateInWords(guest.last_visit_date), 'last visit', 'date')}
          </div>
        </section>
        ${bookings(history)} ${inquiries(history, venue.timezone, isManager)} ${tickets(history)}
      </div>
      <div class="stack">
        <section class="card" id="notes">
          <h2>Staff notes</h2>
          ${sent && mistakePart(sent)} ${staffNotes(guest.staff_notes)}
          <form class="search" method="post" action="${home}/${guest.id}/notes">
            <input name="note" value="${sent?.note ?? ''}" maxlength="500" aria-label="Add a note" placeholder="Add a note" autocomplete="off" required />
            <button>Add</button>
          </form>
        </section>
        <section class="card">
          <h2>Details</h2>
          <dl class="facts">
            <dt>Seating preference</dt>
            <dd>${guest.seating_preference ?? html`<span class="soft">not given</span>`}</dd>
            <dt>Heard about us</dt>
            <dd>${guest.referral_source ?? html`<span class="soft">not given</span>`}</dd>
            <dt>Birthday</dt>
            <dd>${house.birthday === null ? html`<span class="soft">not given</span>` : birthdayForStaff(house.birthday)}</dd>
            <dt>Guest since</dt>
            <dd>${momentInWords(guest.created_at, venue.timezone)}</dd>
            <dt>Guest number</dt>
            <dd>${guest.id}</dd>
          </dl>
        </section>
        ${
          merges.length > 0 &&
          html`<section class="card">
            <h2>Merged</h2>
            <ul class="rows">
              ${merges.map(
                (merge) =>
                  html`<li>
                    <div class="grow small">
                      Guest ${merge.gone_id} was merged into this one<br /><span class="soft"
                        >${momentInWords(merge.merged_at, venue.timezone)}${merge.undone_at !== null && ', undone'}</span
                      >
                    </div>
                    ${
                      merge.undone_at === null &&
                      isManager &&
                      html`<form
                        method="post"
                        action="${home}/${guest.id}/merges/${merge.id}/undo"
                        data-asks="Undo this merge? They become two guests again."
                      >
                        <button>Undo</button>
                      </form>`
                    }
                  </li>`,
              )}
            </ul>
          </section>`
        }
      </div>
    </div>`
}

/** What to know at a glance: the allergies are below it, in full. */
const marks = (guest: StaffGuestRow, house: GuestProfile, today: LocalDate): Html => {
  const { visit_count } = guest
  const shown = chips({ ...house, visit_count, allergies: null, notes: null, seating_preference: null })
  return html`<p class="chips">
    ${shown}${hasLapsed(guest, today) && html`<span class="badge">Lapsed</span>`}
  </p>`
}

const figure = (value: number | string, words: string, kind?: 'date'): Html =>
  html`<div class="figure ${kind}"><strong>${value}</strong><span>${words}</span></div>`

const shownAtOnce = 8

/** The first few, with the rest collapsed. */
const folded = (rows: readonly Html[]): Html =>
  html`<ul class="rows">
      ${rows.slice(0, shownAtOnce)}
    </ul>
    ${
      rows.length > shownAtOnce &&
      html`<details>
        <summary>${counted(rows.length - shownAtOnce, 'more', 'more')}</summary>
        <ul class="rows">
          ${rows.slice(shownAtOnce)}
        </ul>
      </details>`
    }`

const bookings = ({ reservations }: GuestHistory): Html =>
  html`<section class="card">
    <h2>Bookings</h2>
    ${
      reservations.length === 0
        ? html`<p class="soft">No bookings yet.</p>`
        : folded(
            reservations.map(
              (row) =>
                html`<li>
                  <div class="grow">
                    <a class="row-link" href="/office/bookings/${row.id}"
                      >${row.date === null ? 'No date' : dateInWords(row.date)}${row.time !== null && `, ${timeInWords(row.time)}`}</a
                    >
                    <span class="small soft"
                      >${guestsInWords(row.party_size)}${row.tables.length > 0 && ` · table ${row.tables.join(' + ')}`}${row.notes !== null && html` · <span class="breaks">${row.notes}</span>`}</span
                    >
                  </div>
                  ${reservationTag(row.status)}
                </li>`,
            ),
          )
    }
  </section>`

const inquiries = ({ leads }: GuestHistory, zone: string, isManager: boolean): Html | undefined =>
  leads.length === 0
    ? undefined
    : html`<section class="card">
        <h2>Inquiries</h2>
        ${folded(
          leads.map((lead) => {
            const name = lead.event_name ?? lead.occasion ?? 'An event'
            return html`<li>
              <div class="grow">
                ${isManager ? html`<a class="row-link" href="/office/leads/${lead.id}">${name}</a>` : html`<span class="strong">${name}</span>`}
                <span class="small soft">${momentInWords(lead.created_at, zone)}</span>
              </div>
              ${tag(lead.stage, 'accent')}
            </li>`
          }),
        )}
      </section>`

const tickets = ({ ticketOrders }: GuestHistory): Html | undefined =>
  ticketOrders.length === 0
    ? undefined
    : html`<section class="card">
        <h2>Tickets</h2>
        ${folded(
          ticketOrders.map(
            (order) =>
              html`<li>
                <div class="grow">
                  <a class="row-link" href="/office/tickets/orders/${order.id}">${order.event_name}</a>
                  <span class="small soft"
                    >${dateInWords(order.event_date)} · ${counted(order.seats, 'seat')} · ${money(order.total_cents)} ·
                    ${order.order_number}</span
                  >
                </div>
                ${orderTag(order)}
              </li>`,
          ),
        )}
      </section>`
