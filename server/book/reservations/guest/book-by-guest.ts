import type { Reservation } from '@venue-data/contract/records/reservation.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import type { Work } from '../../../context.ts'
import type { GuestSettings } from '../../../core/venue/guest-settings-rules.ts'
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
  const [row] = await Promise.all([
    bookedReservation(db, venue.id, made.id),
    keepGuestBooking(db, venue.id, made.id, { ...said, ...chosen }),
  ])
  if (!row) throw notFound('booking')
  const now = work.now()
  const record = { kind: 'reservation', id: made.id } as const
  const isConfirmed = made.status === 'Confirmed'
  await Promise.all([
    recordActivity(work, { kind: 'guest' }, { action: 'book', record, before: null, after: row }, now),
    mailGuest(work, row, isConfirmed ? 'bookingConfirmed' : 'bookingReceived', now),
    isConfirmed
      ? remindGuest(work, row, now)
      : mailStaff(work, settings, 'staffBooking', made.id, request.startsAt),
  ])
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
