import type { Reservation } from '@venue-data/contract/records/reservation.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import type { Work } from '../../../context.ts'
import type { GuestSettings } from '../../../core/venue/guest-settings-rules.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { mailStaff } from '../../../mail/mail-staff.ts'
import { type ReservationRequest, type Secured, requestReservation } from '../request-reservation.ts'
import type { Placement } from '../../rules/placement.ts'
import { bookedReservation, presentReservation } from '../../day/book-row.ts'
import { type NewGuestBooking, bookingOfForm, keepGuestBooking } from './guest-booking.ts'
import { hasTwoAtOnce } from './overlapping.ts'
import { mailGuest, remindGuest } from './booking-mails.ts'
import { reservationById } from '../reads.ts'

export type GuestRequest = Omit<ReservationRequest, 'externalId'> & {
  readonly said: NewGuestBooking & { readonly formToken: string }
}

/** Whether the venue confirms such a booking by itself. */
export const isConfirmedAtOnce = (
  { confirmUpTo, confirmServices }: GuestSettings,
  partySize: number,
  service: string | null,
): boolean =>
  confirmUpTo !== null &&
  partySize <= confirmUpTo &&
  (confirmServices.length === 0 || (service !== null && confirmServices.includes(service)))

/** What the venue's own page would make of it, and whether the guest has two open bookings at that time already. */
export const statusAtDoor = async (
  work: Work,
  settings: GuestSettings,
  request: Omit<GuestRequest, 'said'>,
  { periodName, durationMinutes }: Placement,
): Promise<{ status: 'Confirmed' | 'Requested'; twoAtOnce: boolean }> => {
  const twoAtOnce = await hasTwoAtOnce(work, request, durationMinutes)
  const isAtOnce = isConfirmedAtOnce(settings, request.partySize, periodName)
  return { status: isAtOnce && !twoAtOnce ? 'Confirmed' : 'Requested', twoAtOnce }
}

/**
 * Books for a guest on the venue's own page: a request, or Confirmed where the venue says so. Judged by every rule like
 * a request by API, and refused like one.
 */
export const bookByGuest = async (
  work: Work,
  settings: GuestSettings,
  { said, ...request }: GuestRequest,
  secured: Secured = {},
): Promise<Reservation> => {
  const { db, venue } = work
  const chosen = { twoAtOnce: false }
  const made = await requestReservation(
    work,
    { ...request, externalId: null },
    {
      source: 'public',
      origin: 'public',
      ...secured,
      seating: said.seating,
      statusOf: async (placement) => {
        const { status, ...more } = await statusAtDoor(work, settings, request, placement)
        Object.assign(chosen, more)
        return status
      },
    },
  )
  await keepGuestBooking(db, venue.id, made.id, { ...said, ...chosen })
  const now = work.now()
  const row = await bookedReservation(db, venue.id, made.id)
  if (!row) throw notFound('booking')
  await recordActivity(
    work,
    { kind: 'guest' },
    { action: 'book', record: { kind: 'reservation', id: made.id }, before: null, after: row },
    now,
  )
  await mailGuest(work, row, made.status === 'Confirmed' ? 'bookingConfirmed' : 'bookingReceived', now)
  if (made.status === 'Confirmed') await remindGuest(work, row, now)
  else
    await mailStaff(
      work,
      'staffBooking',
      row.id,
      now,
      row.starts_at === null ? undefined : toInstant(row.starts_at),
    )
  return made
}

/** The booking that a form made; undefined where it made none. */
export const bookedByForm = async (
  { db, venue }: Work,
  formToken: string,
): Promise<Reservation | undefined> => {
  const id = await bookingOfForm(db, venue.id, formToken)
  const row = id === undefined ? undefined : await reservationById(db, venue.id, id)
  return row && presentReservation(row)
}
