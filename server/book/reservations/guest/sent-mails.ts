import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, sql } from '../../../platform/db/sql.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { mailsWhere } from '../../../mail/guest-mail-kinds.ts'
import { failedLast } from '../../../mail/guest-mail-queue.ts'
import type { VenueId } from '../../../core/venue/venue.ts'

/* The mails about bookings that reached nobody, for staff. */

const bookingMails = mailsWhere({ to: 'guest', record: 'booking' })

const unreachedRow = {
  id: 'int8',
  guest_name: 'text?',
  phone: 'text?',
  date: 'date?',
  time: 'time?',
  status: 'text',
} as const
export type UnreachedRow = RowOf<typeof unreachedRow>

const mostUnreached = 20

/**
 * The bookings from a service date on whose last mail did not reach the guest, soonest first: canceled ones too, since
 * the guest may still come.
 */
export const unreachedGuests = (db: Queries, venue: VenueId, today: LocalDate): Promise<UnreachedRow[]> =>
  db.many(sql(unreachedRow)`
    select r.id, r.guest_name, r.phone, r.date, r.time, r.status from reservation r
     where r.venue_id = ${venue} and r.service_date >= ${today}
       and r.id in (
         select f.record_id from guest_mail f
          where f.venue_id = ${venue} and ${failedLast(venue, bookingMails)})
     order by r.service_date, r.service_minute, r.id limit ${mostUnreached}`)
