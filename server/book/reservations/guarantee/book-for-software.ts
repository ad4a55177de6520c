import type { GuestSettings } from '../../../core/venue/guest-settings-rules.ts'
import type { Work } from '../../../context.ts'
import { queueGuestMail } from '../../../mail/guest-mail-queue.ts'
import { type GuestRequest, judgeAtDoor } from '../guest/book-by-guest.ts'
import type { ReservationRow } from '../../day/book-row.ts'
import { keepGuestBooking, nothingSaid } from '../guest/guest-booking.ts'
import { type Secured, makeRequest } from '../request-reservation.ts'

/**
 * Books a table that was secured on a site of the venue's: what the venue's own page would make of it, but its guest hears of
 * the money alone. The software tells them the rest.
 */
export const bookForSoftware = async (
  work: Work,
  settings: GuestSettings,
  request: GuestRequest,
  secured: Secured,
): Promise<ReservationRow> => {
  const { db, venue } = work
  const as = { source: 'automation', ...secured } as const
  const { passed } = await judgeAtDoor(work, settings, request, as)
  const made = await makeRequest(work, passed, passed.status)
  await Promise.all([
    keepGuestBooking(db, venue.id, made.id, { ...nothingSaid, language: request.said.language }),
    queueGuestMail(db, venue.id, { kind: 'tableReceipt', record: made.id }, work.now()),
  ])
  return made
}
