import type { StaffGuestRow } from '../../../crm/guests/guest.ts'
import { staffGuest } from '../../../crm/guests/staff-reads.ts'
import { partBooking } from '../../../crm/guests/part-booking.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import { type BookRow, bookedReservationForUpdate } from '../../../book/day/book-row.ts'
import { actorOf } from '../frame/actor.ts'
import { type PageAnswer, page, part } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { idIn } from '../parts/time-words.ts'
import { bookingOf, whoOf } from './booking-press.ts'
import { foundGuests, leastTyped } from './guest-box.ts'
import { phoneInWords } from '../../../platform/kernel/phone/shown-phone.ts'

/*
 * A booking that was tied to the wrong guest goes to another, found by name or phone, or to a new one; the answer says
 * whose it is now, and has its undo.
 */

const addressOf = (id: number): string => `/office/bookings/${id}/guest`

/** In the card of the guest whose booking it is not. */
export const otherGuestPart = ({ id, guest_name }: BookRow, guest: StaffGuestRow): Html =>
  html`<details>
    <summary>Not their booking?</summary>
    <div class="form">
    <p class="small soft">The booking will count for the other guest, and no longer for ${guest.name ?? 'this one'}.</p>
    ${findForm(id, '')}
    <form class="form" method="post" action="${addressOf(id)}">
      <button name="guest" value="new">Make a new guest: ${guest_name ?? 'no name'}</button>
    </form>
    </div>
  </details>`

/** Without script the finds come on a page of their own. */
const findForm = (id: number, typed: string, found?: Html): Html =>
  html`<form class="form" method="get" action="${addressOf(id)}">
      <label class="field"
        ><span>Name or phone of the other guest</span
        ><input name="q" type="search" autocomplete="off" maxlength="254" value="${typed}" data-finds="other-guest"
      /></label>
      <div class="inline"><button>Find</button></div>
    </form>
    <div id="other-guest" role="status">${found}</div>`

/** Guests by name or phone: a press gives the booking to one of them. */
export const findOtherGuest = async (
  work: OfficeWork,
  { params, query, partOnly }: OfficeRequest,
): Promise<PageAnswer> => {
  const row = await bookingOf(work, idIn(params.id))
  const typed = query.get('q') ?? ''
  const guests = await foundGuests(
    work,
    typed,
    ({ id }, shown) => html`<button name="guest" value="${id}">${shown}</button>`,
    { but: row.guest_id },
  )
  const found = guests
    ? html`<form class="guest-found" method="post" action="${addressOf(row.id)}">${guests}</form>`
    : typed.trim().length >= leastTyped && html`<p class="soft">No other guest has this name or phone.</p>`
  if (partOnly) return part(html`${found}`)
  return page(
    'Whose booking?',
    html`<div class="page-head"><h1>Whose booking?</h1></div>
      <section class="card">
        <p>${whoOf(row)}</p>
        ${findForm(row.id, typed, html`${found}`)}
        <div class="inline"><a class="button" href="/office/bookings/${row.id}">Back to the booking</a></div>
      </section>`,
  )
}

export const changeGuest = async (work: OfficeWork, { params, form }: OfficeRequest): Promise<PageAnswer> => {
  const id = idIn(params.id)
  if (id === undefined) throw notFound('booking')
  const choice = form.text('guest')
  const to = choice === 'new' ? choice : idIn(choice)
  if (to === undefined) throw badRequest('Choose a guest from the list, or make a new one.')
  const { from, to: now } = await partBooking(work, actorOf(work.me), { id, to }, bookedReservationForUpdate)
  const [before, after] = [from === null ? undefined : await nameOf(work, from), await nameOf(work, now)]
  const isUndo = form.has('undo')
  const link = html`<a href="/office/guests/${now}">${after}</a>`
  const title = from === now ? 'Nothing changed' : isUndo ? `Back with ${after}` : `Moved to ${after}`
  return page(
    title,
    html`<div class="page-head"><h1>${title}</h1></div>
      <section class="card">
        <p role="status">${
          from === now
            ? html`The booking counts for ${link} already.`
            : html`The booking counts for ${link} ${isUndo ? 'again' : 'now'}${before !== undefined && html`, and no longer for ${before}`}.`
        }</p>
        <div class="inline">
          <a class="button primary" href="/office/bookings/${id}">Back to the booking</a>
          ${
            from !== null &&
            from !== now &&
            html`<form method="post" action="${addressOf(id)}">
              ${!isUndo && html`<input type="hidden" name="undo" value="yes" />`}
              <button name="guest" value="${from}">Undo</button>
            </form>`
          }
        </div>
      </section>`,
  )
}

const nameOf = async ({ db, venue }: OfficeWork, id: number): Promise<string> => {
  const guest = await staffGuest(db, venue.id, id)
  return guest?.name ?? phoneInWords(guest?.phone ?? null) ?? guest?.email ?? 'a guest without a name'
}
