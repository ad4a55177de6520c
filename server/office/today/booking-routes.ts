import { limits } from '@venue-data/contract/limits.ts'
import { activityOfRecord } from '../../activity/reads.ts'
import { type GuestChoice, guestThatMatches } from '../../guests/actions.ts'
import { type StaffGuestRow, staffGuest } from '../../guests/staff-reads.ts'
import { keepBookingHouse } from '../../house/actions.ts'
import { houseOfBooking, tagsInUse } from '../../house/reads.ts'
import { useFormToken } from '../../http/form-token.ts'
import { type Html, html } from '../../html/html.ts'
import { badRequest, notFound } from '../../kernel/refusal.ts'
import { wallTimeOf } from '../../kernel/venue-clock.ts'
import { readDate } from '../../kernel/written-time.ts'
import { type BookRow, bookedReservation } from '../../reservations/book-row.ts'
import { type Party, bookByStaff } from '../../reservations/bookings.ts'
import { changesToAnswer } from '../../reservations/day-book.ts'
import { deleteReservation } from '../../reservations/delete-reservation.ts'
import { editReservation } from '../../reservations/edits.ts'
import { presentReservation } from '../../reservations/present.ts'
import { serviceDateAt } from '../../reservations/rules/service-now.ts'
import { mayAct } from '../../staff/roles.ts'
import { bookingRulesAround } from '../../venue/rules-store.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go, page } from '../frame/page.ts'
import { type Typed, tokenField, typedIn, versionIn, wholeNumberIn } from '../parts/fields.ts'
import { bookingHouseIn, typedBookingHouse } from '../parts/house-fields.ts'
import { partyIn, partySizeIn, whenIn } from '../parts/party-fields.ts'
import { confirmedField } from '../parts/reasons.ts'
import { warning } from '../parts/said.ts'
import { cityOf, guestsInWords, idIn } from '../parts/time-words.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { type BookingForm, bookingForm, typedOf } from './booking-form.ts'
import { guestFinds, personOf, typedGuest } from './guest-box.ts'
import { changeGuest } from './change-guest.ts'
import { sizeAndDayPads, timeChips } from './times.ts'
import { type BookingSeen, bookingPage } from './booking.ts'
import { liveReasons } from './live-reasons.ts'

/** Taking a booking over the phone, and one booking's own page. */
export const bookingPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: '/office/bookings/new',
    role: 'host',
    answer: async (work, { query }) => {
      const date = readDate(query.get('date') ?? '') ?? wallTimeOf(work.now(), work.venue.timezone).date
      const id = idIn(query.get('guest') ?? undefined)
      const guest = id === undefined ? undefined : await staffGuest(work.db, work.venue.id, id)
      return newPage(work, {
        seen: {
          typed: {
            date,
            partySize: query.get('partySize') ?? '2',
            time: query.get('time') ?? '',
            ...(guest && typedGuest(guest)),
          },
        },
      })
    },
  },
  { method: 'GET', path: '/office/bookings/reasons', role: 'host', answer: liveReasons },
  { method: 'GET', path: '/office/bookings/guests', role: 'host', answer: guestFinds },
  { method: 'POST', path: '/office/bookings/:id/guest', role: 'host', answer: changeGuest },
  {
    method: 'POST',
    path: '/office/bookings',
    role: 'host',
    answer: async (work, { form }) => {
      const { db, venue, me, now } = work
      const party = await askedIn(work, form)
      const house = bookingHouseIn(form)
      if (party.guestName === null) throw badRequest('Enter a name.')
      const choice = await choiceIn(work, form)
      const other = choice === undefined ? await otherGuest(work, party) : undefined
      if (other) return askWhom(form, other, await personOf(work, other))
      const asked = { ...party, guest: choice }
      if (!(await useFormToken(db, venue.id, 'booking', form.text('token'), now()))) {
        return go(`/office/today?date=${asked.date}`, warning('This booking was already made.'))
      }
      const outcome = await bookByStaff(work, actorOf(me), { ...asked, confirmed: confirmedField(form) })
      if (outcome.kind === 'needs override')
        return newPage(work, { seen: { typed: typedIn(form) }, reasons: outcome.reasons })
      const { id, date, time } = outcome.record
      if (house) await keepBookingHouse(work, actorOf(me), id, house)
      const row = await bookedReservation(db, venue.id, id)
      return go(
        `/office/today?date=${row?.service_date ?? date}#b${id}`,
        `${asked.guestName}, ${guestsInWords(asked.partySize)} at ${time}: booked.`,
      )
    },
    again: async (work, { form }, refusal) =>
      newPage(work, { seen: { typed: typedIn(form), mistake: refusal.message } }),
  },
  {
    method: 'GET',
    path: '/office/bookings/:id',
    role: 'host',
    answer: async (work, { params }) => {
      const row = await bookingOf(work, params.id)
      return page(row.guest_name ?? 'Booking', bookingPage(work, await seenOf(work, row)))
    },
  },
  {
    method: 'POST',
    path: '/office/bookings/:id/edits',
    role: 'host',
    answer: async (work, { params, form }) => {
      const row = await bookingOf(work, params.id)
      const version = versionIn(form)
      const { date, time, startsAt, partySize, guestName, email, phone, notes } = await askedIn(work, form)
      const house = bookingHouseIn(form)
      const outcome = await editReservation(work, actorOf(work.me), {
        id: row.id,
        seenVersion: version,
        changes: { when: { date, time, startsAt }, partySize, guestName, email, phone, notes },
        confirmed: confirmedField(form),
      })
      const here = `/office/bookings/${row.id}`
      const isWritten = outcome.kind === 'done' || outcome.kind === 'unchanged'
      const isKept = isWritten && house && (await keepBookingHouse(work, actorOf(work.me), row.id, house))
      switch (outcome.kind) {
        case 'done':
          return go(here, 'Saved.')
        case 'unchanged':
          return go(here, isKept ? 'Saved.' : outcome.sentence)
        case 'refused':
          // With the current version: what was typed is kept and can be submitted again, knowingly.
          return sentPage(work, outcome.record.id, 409, {
            version: outcome.version,
            seen: {
              typed: typedIn(form),
              mistake: outcome.sentence,
              meanwhile:
                outcome.version === version
                  ? undefined
                  : {
                      ...typedOf(outcome.record),
                      ...typedBookingHouse(await houseOfBooking(work.db, work.venue.id, row.id)),
                    },
            },
          })
        case 'needs override':
          return sentPage(work, row.id, 409, {
            version,
            seen: { typed: typedIn(form) },
            reasons: outcome.reasons,
          })
        default:
          return outcome satisfies never
      }
    },
    again: async (work, { params, form }, { status, message }) => {
      const { id, version } = await bookingOf(work, params.id)
      return sentPage(work, id, status, {
        version: wholeNumberIn(form.text('version')) ?? version,
        seen: { typed: typedIn(form), mistake: message },
      })
    },
  },
  {
    method: 'POST',
    path: '/office/bookings/:id/delete',
    role: 'manager',
    answer: async (work, { params, form }) => {
      const row = await bookingOf(work, params.id)
      await deleteReservation(work, actorOf(work.me), row.id, versionIn(form))
      return go(`/office/today?date=${row.service_date ?? ''}`, 'Booking deleted.')
    },
    again: async (_work, { params }, { message }) =>
      go(`/office/bookings/${params.id}`, warning(`${message} It was not deleted.`)),
  },
]

const tagNames = async ({ db, venue }: OfficeWork): Promise<string[]> =>
  (await tagsInUse(db, venue.id)).map(({ name }) => name)

const newPage = async (
  work: OfficeWork,
  more: Pick<BookingForm, 'seen' | 'reasons'>,
): Promise<PageAnswer> => {
  const id = idIn(more.seen.typed.guest)
  const guest = id === undefined ? undefined : await staffGuest(work.db, work.venue.id, id)
  return page(
    'New booking',
    html`<div class="page-head">
        <div>
          <h1>New booking</h1>
          <p class="soft small">Times are ${cityOf(work.venue.timezone)} time.</p>
        </div>
      </div>
      <section class="card sheet">
        ${bookingForm({
          ...more,
          action: '/office/bookings',
          hidden: tokenField(),
          pads: await padsOf(work, more.seen.typed),
          person: guest && (await personOf(work, guest)),
          tags: await tagNames(work),
        })}
      </section>`,
    more.reasons && 409,
  )
}

/** The booking of a path; another venue's booking is not found. */
const bookingOf = async ({ db, venue }: OfficeWork, text: string | undefined): Promise<BookRow> => {
  const id = idIn(text)
  const row = id === undefined ? undefined : await bookedReservation(db, venue.id, id)
  if (!row) throw notFound('booking')
  return row
}

const seenOf = async (work: OfficeWork, row: BookRow): Promise<BookingSeen> => {
  const { db, venue, me } = work
  const now = work.now()
  const [rules, guest, [change], house, tags, activity] = await Promise.all([
    bookingRulesAround(db, venue, wallTimeOf(now, venue.timezone).date),
    row.guest_id === null ? undefined : staffGuest(db, venue.id, row.guest_id),
    changesToAnswer(db, venue.id, now, row.id),
    houseOfBooking(db, venue.id, row.id),
    tagNames(work),
    mayAct(me.staff.role, 'manager') ? activityOfRecord(db, venue.id, 'reservation', row.id) : undefined,
  ])
  const place = {
    actor: actorOf(me),
    now,
    today: serviceDateAt(rules, now),
    back: `/office/bookings/${row.id}`,
    timezone: venue.timezone,
  }
  const pads = await padsOf(work, typedOf(presentReservation(row)), row.id)
  return { row, guest, house, tags, place, change, activity, pads }
}

/** A refused form, on the page of the booking as it is now. */
const sentPage = async (
  work: OfficeWork,
  id: number,
  status: number,
  sent: NonNullable<BookingSeen['sent']>,
): Promise<PageAnswer> => {
  const row = await bookingOf(work, String(id))
  return page(row.guest_name ?? 'Booking', bookingPage(work, { ...(await seenOf(work, row)), sent }), status)
}

/** What was typed, as a booking; 400 with a sentence for anything that cannot be read. */
const askedIn = async (work: OfficeWork, form: Form) => ({
  ...(await whenIn(work, form)),
  partySize: partySizeIn(form),
  ...partyIn(form),
})

/** Staff's answer to whom a booking is for: a guest of the book, or somebody new; undefined where nobody was asked. */
const choiceIn = async ({ db, venue }: OfficeWork, form: Form): Promise<GuestChoice | undefined> => {
  const text = form.text('guest')
  if (text === '') return undefined
  if (text === 'new') return 'new'
  const id = idIn(text)
  if (id === undefined || !(await staffGuest(db, venue.id, id))) throw notFound('guest')
  return id
}

/** The guest whose contact was given under another name: it may be them, or somebody who shares their phone. */
const otherGuest = async (
  work: OfficeWork,
  { guestName, email, phone }: Pick<Party, 'guestName' | 'email' | 'phone'>,
): Promise<StaffGuestRow | undefined> => {
  const id = await guestThatMatches(work, { email: email ?? undefined, phone: phone ?? undefined })
  const guest = id === undefined ? undefined : await staffGuest(work.db, work.venue.id, id)
  if (!guest || guest.name === null || guestName === null) return undefined
  return isSameName(guest.name, guestName) ? undefined : guest
}

const isSameName = (a: string, b: string): boolean => plainName(a) === plainName(b)
const plainName = (name: string): string =>
  name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/\s+/g, ' ').trim().toLowerCase()

/** Asked before anything is made: book for the guest who is known, or make a new one. Nothing that was typed is lost. */
const askWhom = (form: Form, guest: StaffGuestRow, person: Html): PageAnswer =>
  page(
    'Whose booking?',
    html`<div class="page-head"><h1>${guest.name ?? 'A guest'} has this phone or email</h1></div>
      <section class="card sheet">
        ${person}
        <p>Is the booking for them, or for somebody new?</p>
        <form class="inline" method="post" action="/office/bookings">
          ${form
            .names()
            .filter((name) => name !== 'guest')
            .map((name) =>
              form.all(name).map((value) => html`<input type="hidden" name="${name}" value="${value}" />`),
            )}
          <button class="primary" name="guest" value="${guest.id}">Book for ${guest.name ?? 'them'}</button>
          <button name="guest" value="new">Make a new guest: ${form.text('guestName')}</button>
        </form>
        ${
          guest.email !== null &&
          form.text('email').trim() !== '' &&
          html`<p class="soft small">An email address belongs to one guest. For a new guest, go back and leave the email off.</p>`
        }
      </section>`,
    409,
  )

const padsOf = async (work: OfficeWork, typed: Typed, booking?: number): Promise<BookingForm['pads']> => {
  const { venue, now } = work
  const wall = wallTimeOf(now(), venue.timezone)
  const size = wholeNumberIn(typed.partySize ?? '') ?? 2
  const asked = {
    date: readDate(typed.date ?? '') ?? wall.date,
    time: typed.time === '' ? undefined : typed.time,
    partySize: size < 1 || size > limits.partyGuests ? 2 : size,
    booking,
  }
  const [{ sizes, days }, times] = [sizeAndDayPads(asked, wall.date), await timeChips(work, asked)]
  return { sizes, days, times }
}
