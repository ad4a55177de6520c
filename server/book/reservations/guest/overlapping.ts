import type { Work } from '../../../context.ts'
import { emailKey } from '../../../platform/kernel/email.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { phoneKey } from '../../../platform/kernel/phone/phone.ts'
import type { ReservationRequest } from '../request-reservation.ts'
import { type FoundReservation, reservationsOfContact } from '../reads.ts'
import type { Placement } from '../../rules/placement.ts'

/** Two tables at once are a large family; a third is asked about by the venue. */
const mostAtOnce = 2

type Guest = Pick<ReservationRequest, 'email' | 'phone'>

/**
 * All bookings of a contact, by address or phone. Read under the day's lock, so that of several at once none is missed.
 */
export const bookingsOfContact = (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  { email, phone }: Guest,
): Promise<FoundReservation[]> => {
  const contact = {
    emailKey: email === null ? undefined : emailKey(email),
    phone: phone === null ? undefined : phoneKey(phone),
  }
  return reservationsOfContact(db, venue.id, contact, undefined)
}

/** Whether two of a contact's bookings are open at the time of another. */
export const areTwoAtOnce = (
  bookings: readonly FoundReservation[],
  { startsAt }: Pick<ReservationRequest, 'startsAt'>,
  { durationMinutes }: Pick<Placement, 'durationMinutes'>,
): boolean => {
  const [from, until] = [
    startsAt.epochMilliseconds,
    startsAt.add({ minutes: durationMinutes }).epochMilliseconds,
  ]
  const open = bookings.filter((row) => {
    if ((row.status !== 'Requested' && row.status !== 'Confirmed') || row.starts_at === null) return false
    const starts = toInstant(row.starts_at).epochMilliseconds
    return starts < until && starts + (row.duration_minutes ?? durationMinutes) * 60_000 > from
  })
  return open.length >= mostAtOnce
}
