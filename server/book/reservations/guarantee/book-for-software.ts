import type { Reservation } from '@venue-data/contract/records/reservation.ts'
import type { GuestSettings } from '../../../core/venue/guest-settings-rules.ts'
import type { Work } from '../../../context.ts'
import { queueGuestMail } from '../../../mail/guest-mail-queue.ts'
import { type GuestRequest, statusAtDoor } from '../guest/book-by-guest.ts'
import { keepGuestBooking, nothingSaid } from '../guest/guest-booking.ts'
import { type Secured, requestReservation } from '../request-reservation.ts'

/**
 * Books a table that was secured on a site of the venue's: what the venue's own page would make of it, but its guest hears of
 * the money alone. The software tells them the rest.
 */
export const bookForSoftware = async (
  work: Work,
  settings: GuestSettings,
  { said, ...request }: GuestRequest,
  secured: Secured,
): Promise<Reservation> => {
  const { db, venue } = work
  const made = await requestReservation(
    work,
    { ...request, externalId: null },
    {
      ...{ source: 'automation', origin: 'automation' },
      ...secured,
      statusOf: async (placement) => (await statusAtDoor(work, settings, request, placement)).status,
    },
  )
  await keepGuestBooking(db, venue.id, made.id, { ...nothingSaid, language: said.language })
  await queueGuestMail(db, venue.id, { kind: 'tableReceipt', record: made.id }, work.now())
  return made
}
