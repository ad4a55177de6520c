import type { Work } from '../../../context.ts'
import { emailKey } from '../../../platform/kernel/email.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { phoneKey } from '../../../platform/kernel/phone/phone.ts'
import type { ReservationRequest } from '../request-reservation.ts'
import { reservationsOfContact } from '../reads.ts'

/** Two tables at once are a large family; a third is asked about by the venue. */
const mostAtOnce = 2

/**
 * Whether a contact, by address or phone, already has two open bookings at the time of another. Called under the day's
 * lock, so that of several at once none is missed.
 */
export const hasTwoAtOnce = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  { email, phone, startsAt }: Pick<ReservationRequest, 'email' | 'phone' | 'startsAt'>,
  durationMinutes: number,
): Promise<boolean> => {
  const contact = {
    emailKey: email === null ? undefined : emailKey(email),
    phone: phone === null ? undefined : phoneKey(phone),
  }
  const [from, until] = [
    startsAt.epochMilliseconds,
    startsAt.add({ minutes: durationMinutes }).epochMilliseconds,
  ]
  const open = (await reservationsOfContact(db, venue.id, contact, undefined)).filter((row) => {
    if ((row.status !== 'Requested' && row.status !== 'Confirmed') || row.starts_at === null) return false
    const starts = toInstant(row.starts_at).epochMilliseconds
    return starts < until && starts + (row.duration_minutes ?? durationMinutes) * 60_000 > from
  })
  return open.length >= mostAtOnce
}
