import { recordActivity } from '../../../core/activity/record.ts'
import type { Work } from '../../../context.ts'
import type { GuestSettings } from '../../../core/venue/guest-settings-rules.ts'
import { toMoment } from '../../../platform/kernel/time/moment.ts'
import { mailStaff } from '../../../mail/mail-staff.ts'
import {
  type PassedRequest,
  type ReservationRequest,
  type Secured,
  type TakenAs,
  judgeRequest,
  makeRequest,
} from '../request-reservation.ts'
import type { ReservationRow } from '../../day/book-row.ts'
import { type NewGuestBooking, keepGuestBooking } from './guest-booking.ts'
import { areTwoAtOnce, bookingsOfContact } from './overlapping.ts'
import { mailGuest, remindGuest } from './booking-mails.ts'
import { type BookingNetwork, needsProof } from './booking-networks.ts'

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

/** A request that every rule takes, and what the venue's own page makes of it. */
export type PassedAtDoor = PassedRequest & {
  readonly status: 'Confirmed' | 'Requested'
  /** The guest has two open bookings at that time already: the venue is asked, even if it confirms such bookings by itself. */
  readonly twoAtOnce: boolean
}

/** Judges a request as the venue's own page does. `isOver`: it takes one of the guest's networks over what it may. */
export const judgeAtDoor = async (
  work: Work,
  settings: GuestSettings,
  { said, ...request }: GuestRequest,
  as: TakenAs,
  networks: readonly BookingNetwork[] = [],
): Promise<{ readonly passed: PassedAtDoor; readonly isOver: boolean }> => {
  const [judged, [bookings, isOver]] = await judgeRequest(
    work,
    { ...request, externalId: null },
    { ...as, seating: said.seating },
    () => Promise.all([bookingsOfContact(work, request), needsProof(work, networks, request)]),
  )
  const twoAtOnce = areTwoAtOnce(bookings, request, judged.placement)
  const isAtOnce = isConfirmedAtOnce(settings, request.partySize, judged.placement.periodName)
  const status = isAtOnce && !twoAtOnce ? 'Confirmed' : 'Requested'
  return { passed: { ...judged, status, twoAtOnce }, isOver }
}

/**
 * Books for a guest on the venue's own page: a request, or Confirmed where the venue says so. Judged by every rule like
 * a request by API, and refused like one.
 */
export const bookByGuest = async (
  work: Work,
  settings: GuestSettings,
  request: GuestRequest,
  secured: Secured = {},
): Promise<ReservationRow> => {
  const as = { source: 'public', ...secured } as const
  const { passed } = await judgeAtDoor(work, settings, request, as)
  return makeByGuest(work, settings, passed, request.said)
}

/** Writes what passed at the door, with what its form said, and mails who is to hear of it. */
export const makeByGuest = async (
  work: Work,
  settings: GuestSettings,
  { status, twoAtOnce, ...passed }: PassedAtDoor,
  said: GuestRequest['said'],
): Promise<ReservationRow> => {
  const { db, venue } = work
  const { startsAt } = passed.request
  const row = await makeRequest(work, passed, status)
  const now = work.now()
  const record = { kind: 'reservation', id: row.id } as const
  const mailed = { ...row, starts_at: toMoment(startsAt) }
  const isConfirmed = status === 'Confirmed'
  await Promise.all([
    keepGuestBooking(db, venue.id, row.id, { ...said, twoAtOnce }),
    recordActivity(work, { kind: 'guest' }, { action: 'book', record, before: null, after: row }, now),
    mailGuest(work, mailed, isConfirmed ? 'bookingConfirmed' : 'bookingReceived', now, { hasLink: true }),
    isConfirmed
      ? remindGuest(work, mailed, now, { hasLink: true, settings })
      : mailStaff(work, settings, 'staffBooking', row.id, startsAt),
  ])
  return row
}
