import type { Actor } from '../../../core/activity/actor.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import type { Work } from '../../../context.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { notFound, refuse } from '../../../platform/kernel/refusal.ts'
import { queueGuestMail } from '../../../mail/guest-mail-queue.ts'
import { type BookRow, bookedReservation } from '../../day/book-row.ts'
import { keepGuestBooking, newLink, nothingSaid } from './guest-booking.ts'

/* What staff do with a guest's private link: email it for any booking, and end one by making the next. */

type Staff = Actor & { readonly kind: 'staff' }

/** Whether a link to it can be mailed: it is ahead, and has an address. */
export const mayMailLink = (
  { email, status, starts_at }: Pick<BookRow, 'email' | 'status' | 'starts_at'>,
  now: Temporal.Instant,
): boolean =>
  email !== null &&
  (status === 'Requested' || status === 'Confirmed') &&
  starts_at !== null &&
  Temporal.Instant.compare(toInstant(starts_at), now) > 0

/** Emails the guest their private link, for bookings from any source. */
export const mailLink = async (work: Work, staff: Staff, id: number): Promise<void> => {
  const row = await booked(work, id)
  const now = work.now()
  if (!mayMailLink(row, now))
    throw refuse('not-in-state', 'Only an upcoming booking with an email address gets a link.')
  await keepGuestBooking(work.db, work.venue.id, id, nothingSaid)
  await queueLink(work, row, now)
  await recordActivity(work, staff, { action: 'mailLink', record: of(id), before: {}, after: {} }, now)
}

/**
 * Ends the link there is: it opens nothing from now on. The next one goes to the guest, if the booking is ahead;
 * returns whether it did.
 */
export const renewLink = async (work: Work, staff: Staff, id: number): Promise<boolean> => {
  const row = await booked(work, id)
  const now = work.now()
  await keepGuestBooking(work.db, work.venue.id, id, nothingSaid)
  await newLink(work.db, work.venue.id, id)
  const isMailed = mayMailLink(row, now)
  if (isMailed) await queueLink(work, row, now)
  await recordActivity(work, staff, { action: 'renewLink', record: of(id), before: {}, after: {} }, now)
  return isMailed
}

const of = (id: number) => ({ kind: 'reservation', id }) as const

const booked = async ({ db, venue }: Work, id: number): Promise<BookRow> => {
  const row = await bookedReservation(db, venue.id, id)
  if (!row) throw notFound('booking')
  return row
}

const queueLink = ({ db, venue }: Work, { id, starts_at }: BookRow, now: Temporal.Instant): Promise<void> =>
  queueGuestMail(
    db,
    venue.id,
    {
      ...{ kind: 'bookingLink', record: id, byStaff: true },
      ...(starts_at !== null && { until: toInstant(starts_at) }),
    },
    now,
  )
