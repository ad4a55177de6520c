import { randomUUID } from 'node:crypto'
import { activityOfRecord } from '../../activity/reads.ts'
import { useFormToken } from '../../http/form-token.ts'
import { html } from '../../html/html.ts'
import { Refusal, badRequest, notFound } from '../../kernel/refusal.ts'
import { wallTimeOf } from '../../kernel/venue-clock.ts'
import { readDate } from '../../kernel/written-time.ts'
import { type BookRow, bookedReservation } from '../../reservations/book-row.ts'
import { bookByStaff } from '../../reservations/bookings.ts'
import { deleteReservation } from '../../reservations/delete-reservation.ts'
import { editReservation } from '../../reservations/edits.ts'
import { serviceDateAt } from '../../reservations/rules/service-now.ts'
import { readWhen } from '../../reservations/when.ts'
import { mayAct } from '../../staff/roles.ts'
import { bookingRulesAround } from '../../venue/rules-store.ts'
import { actorOf } from '../actor.ts'
import { type Form, type PageAnswer, go, page } from '../page.ts'
import { partyFields, partySizeField, wholeNumberIn } from '../parts/form-fields.ts'
import { confirmedField } from '../parts/reasons.ts'
import { warning } from '../parts/said.ts'
import { cityOf, guestsInWords, idIn } from '../parts/time-words.ts'
import type { OfficeWork, VenuePage } from '../serve-page.ts'
import { type BookingForm, type Typed, bookingForm, emptyBooking, typedOf } from './booking-form.ts'
import { type BookingSeen, bookingPage } from './booking-page.ts'
import { liveReasons } from './live-reasons.ts'

/** Taking a booking by telephone, and one booking by itself. */
export const bookingPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: '/office/bookings/new',
    role: 'host',
    answer: async (work, { query }) => {
      const date = readDate(query.get('date') ?? '') ?? wallTimeOf(work.now(), work.venue.timezone).date
      return newPage(work, { typed: { ...emptyBooking, date } })
    },
  },
  { method: 'GET', path: '/office/bookings/reasons', role: 'host', answer: liveReasons },
  {
    method: 'POST',
    path: '/office/bookings',
    role: 'host',
    answer: async (work, { form }) => {
      const { db, venue, me, now } = work
      const typed = typedIn(form)
      const asked = readAsked(work, form)
      if (asked instanceof Refusal) return newPage(work, { typed, mistake: asked.message })
      if (asked.guestName === null) return newPage(work, { typed, mistake: 'Say who it is for.' })
      if (!(await useFormToken(db, venue.id, 'booking', form.text('token'), now()))) {
        return go(`/office/today?date=${asked.date}`, warning('This booking was made already.'))
      }
      const outcome = await bookByStaff(work, actorOf(me), { ...asked, confirmed: confirmedField(form) })
      if (outcome.kind === 'needs override') return newPage(work, { typed, reasons: outcome.reasons })
      const { id, date, time } = outcome.record
      const row = await bookedReservation(db, venue.id, id)
      return go(
        `/office/today?date=${row?.service_date ?? date}#b${id}`,
        `${asked.guestName}, ${guestsInWords(asked.partySize)} at ${time}: booked.`,
      )
    },
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
      const version = wholeNumberIn(form.text('version'))
      if (version === undefined) throw badRequest('This form is incomplete; open the page again.')
      const typed = typedIn(form)
      const again = async (status: number, more: Partial<NonNullable<BookingSeen['sent']>>) =>
        page(
          row.guest_name ?? 'Booking',
          bookingPage(work, { ...(await seenOf(work, row)), sent: { typed, version, ...more } }),
          status,
        )
      const asked = readAsked(work, form)
      if (asked instanceof Refusal) return again(400, { mistake: asked.message })
      const { date, time, startsAt, partySize, guestName, email, phone, notes } = asked
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
          // With the version it is now: what was typed is still there to be sent, knowingly.
          return again(409, {
            version: outcome.version,
            mistake: `${outcome.sentence} Nothing was saved.`,
            differs: differences(typedOf(outcome.record), typed),
          })
        case 'needs override':
          return again(409, { reasons: outcome.reasons })
        default:
          return outcome satisfies never
      }
    },
  },
  {
    method: 'POST',
    path: '/office/bookings/:id/delete',
    role: 'manager',
    answer: async (work, { params, form }) => {
      const row = await bookingOf(work, params.id)
      if (wholeNumberIn(form.text('version')) !== row.version) {
        return go(
          `/office/bookings/${row.id}`,
          warning('This booking was changed meanwhile, so it was not deleted. Look at it again.'),
        )
      }
      await deleteReservation(work, actorOf(work.me), row.id)
      return go(`/office/today?date=${row.service_date ?? ''}`, 'The booking was deleted.')
    },
  },
]

const newPage = (work: OfficeWork, more: Pick<BookingForm, 'typed' | 'mistake' | 'reasons'>): PageAnswer =>
  page(
    'New booking',
    html`<div class="page-head">
        <div>
          <h1>New booking</h1>
          <p class="soft small">Times are those of ${cityOf(work.venue.timezone)}.</p>
        </div>
      </div>
      <section class="card">
        ${bookingForm({
          ...more,
          action: '/office/bookings',
          hidden: html`<input type="hidden" name="token" value="${randomUUID()}" />`,
          button: 'Book',
        })}
      </section>`,
    more.mistake === undefined ? (more.reasons === undefined ? undefined : 409) : 400,
  )

/** The booking of an address: another venue's is not there. */
const bookingOf = async ({ db, venue }: OfficeWork, text: string | undefined): Promise<BookRow> => {
  const id = idIn(text)
  const row = id === undefined ? undefined : await bookedReservation(db, venue.id, id)
  if (!row) throw notFound('booking')
  return row
}

const seenOf = async (work: OfficeWork, row: BookRow): Promise<BookingSeen> => {
  const { db, venue, me } = work
  const now = work.now()
  const [rules, activity] = await Promise.all([
    bookingRulesAround(db, venue, wallTimeOf(now, venue.timezone).date),
    mayAct(me.staff.role, 'manager') ? activityOfRecord(db, venue.id, 'reservation', row.id) : undefined,
  ])
  const place = {
    actor: actorOf(me),
    now,
    today: serviceDateAt(rules, now),
    back: `/office/bookings/${row.id}`,
    timezone: venue.timezone,
  }
  return { row, place, activity }
}

/** What was typed, as a booking; a mistake is a value, since the form is shown again with it. */
const readAsked = ({ venue, now }: OfficeWork, form: Form) => {
  try {
    const written = { date: form.text('date'), time: form.text('time'), startsAt: undefined }
    return {
      ...readWhen(written, venue.timezone, now()),
      partySize: partySizeField(form),
      ...partyFields(form),
    }
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return error
    throw error
  }
}

/** What somebody else wrote meanwhile, beside what was typed here: to save again is to decide. */
const differences = (now: Typed, typed: Typed): string[] =>
  (Object.keys(now) as (keyof Typed)[])
    .filter((field) => now[field] !== typed[field].trim())
    .map((field) => `${fieldNames[field]}: now “${now[field]}”, you typed “${typed[field].trim()}”`)

const fieldNames: Record<keyof Typed, string> = {
  date: 'Date',
  time: 'Time',
  partySize: 'Guests',
  guestName: 'Name',
  phone: 'Telephone',
  email: 'E-mail',
  notes: 'Wishes',
}

const typedIn = (form: Form): Typed => ({
  date: form.text('date'),
  time: form.text('time'),
  partySize: form.text('partySize'),
  guestName: form.text('guestName'),
  phone: form.text('phone'),
  email: form.text('email'),
  notes: form.text('notes'),
})
