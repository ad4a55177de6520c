import { activityOfRecord } from '../../activity/reads.ts'
import { staffGuest } from '../../guests/staff-reads.ts'
import { useFormToken } from '../../http/form-token.ts'
import { html } from '../../html/html.ts'
import { badRequest, notFound } from '../../kernel/refusal.ts'
import { wallTimeOf } from '../../kernel/venue-clock.ts'
import { readDate } from '../../kernel/written-time.ts'
import { type BookRow, bookedReservation } from '../../reservations/book-row.ts'
import { bookByStaff } from '../../reservations/bookings.ts'
import { changesToAnswer } from '../../reservations/day-book.ts'
import { deleteReservation } from '../../reservations/delete-reservation.ts'
import { editReservation } from '../../reservations/edits.ts'
import { serviceDateAt } from '../../reservations/rules/service-now.ts'
import { mayAct } from '../../staff/roles.ts'
import { bookingRulesAround } from '../../venue/rules-store.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go, page } from '../frame/page.ts'
import { tokenField, typedIn, versionIn, wholeNumberIn } from '../parts/fields.ts'
import { partyIn, partySizeIn, whenIn } from '../parts/party-fields.ts'
import { confirmedField } from '../parts/reasons.ts'
import { warning } from '../parts/said.ts'
import { cityOf, guestsInWords, idIn } from '../parts/time-words.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { type BookingForm, bookingForm, typedOf } from './booking-form.ts'
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
      return newPage(work, { seen: { typed: { date, partySize: '2' } } })
    },
  },
  { method: 'GET', path: '/office/bookings/reasons', role: 'host', answer: liveReasons },
  {
    method: 'POST',
    path: '/office/bookings',
    role: 'host',
    answer: async (work, { form }) => {
      const { db, venue, me, now } = work
      const asked = askedIn(work, form)
      if (asked.guestName === null) throw badRequest('Enter a name.')
      if (!(await useFormToken(db, venue.id, 'booking', form.text('token'), now()))) {
        return go(`/office/today?date=${asked.date}`, warning('This booking was already made.'))
      }
      const outcome = await bookByStaff(work, actorOf(me), { ...asked, confirmed: confirmedField(form) })
      if (outcome.kind === 'needs override')
        return newPage(work, { seen: { typed: typedIn(form) }, reasons: outcome.reasons })
      const { id, date, time } = outcome.record
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
      const { date, time, startsAt, partySize, guestName, email, phone, notes } = askedIn(work, form)
      const outcome = await editReservation(work, actorOf(work.me), {
        id: row.id,
        seenVersion: version,
        changes: { when: { date, time, startsAt }, partySize, guestName, email, phone, notes },
        confirmed: confirmedField(form),
      })
      const here = `/office/bookings/${row.id}`
      switch (outcome.kind) {
        case 'done':
          return go(here, 'Saved.')
        case 'unchanged':
          return go(here, outcome.sentence)
        case 'refused':
          // With the current version: what was typed is kept and can be submitted again, knowingly.
          return sentPage(work, outcome.record.id, 409, {
            version: outcome.version,
            seen: {
              typed: typedIn(form),
              mistake: outcome.sentence,
              meanwhile: outcome.version === version ? undefined : typedOf(outcome.record),
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

const newPage = (work: OfficeWork, more: Pick<BookingForm, 'seen' | 'reasons'>): PageAnswer =>
  page(
    'New booking',
    html`<div class="page-head">
        <div>
          <h1>New booking</h1>
          <p class="soft small">Times are ${cityOf(work.venue.timezone)} time.</p>
        </div>
      </div>
      <section class="card">
        ${bookingForm({
          ...more,
          action: '/office/bookings',
          hidden: tokenField(),
        })}
      </section>`,
    more.reasons && 409,
  )

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
  const [rules, guest, [change], activity] = await Promise.all([
    bookingRulesAround(db, venue, wallTimeOf(now, venue.timezone).date),
    row.guest_id === null ? undefined : staffGuest(db, venue.id, row.guest_id),
    changesToAnswer(db, venue.id, now, row.id),
    mayAct(me.staff.role, 'manager') ? activityOfRecord(db, venue.id, 'reservation', row.id) : undefined,
  ])
  const place = {
    actor: actorOf(me),
    now,
    today: serviceDateAt(rules, now),
    back: `/office/bookings/${row.id}`,
    timezone: venue.timezone,
  }
  return { row, guest, place, change, activity }
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
const askedIn = ({ venue, now }: OfficeWork, form: Form) => ({
  ...whenIn(form, venue.timezone, now()),
  partySize: partySizeIn(form),
  ...partyIn(form),
})
