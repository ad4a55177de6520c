import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../../platform/db/sql.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { type GuestMailKind, failedLast, guestMailKinds } from '../../../mail/guest-mail-queue.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { BookingMail } from './booking-mails.ts'

/* The mails about bookings, for staff: which went out, which wait, and which reached nobody. */

const isOfBooking = (kind: GuestMailKind): kind is BookingMail => kind.startsWith('booking')
const bookingMails = guestMailKinds.filter(isOfBooking)

/** About its card or deposit; the mail about money that went back is named by its refund. */
const moneyMails = ['tableAsked', 'tableSecured', 'tableCharged', 'tableReceipt'] as const
export type MailOfBooking = BookingMail | (typeof moneyMails)[number] | 'tableRefunded'

const bookingMailRow = {
  kind: 'text',
  state: 'text',
  made_at: 'timestamptz',
  due_at: 'timestamptz?',
  ended_at: 'timestamptz?',
  tries: 'int4',
  answer: 'text?',
} as const
export type BookingMailRow = Omit<RowOf<typeof bookingMailRow>, 'kind' | 'state'> & {
  readonly kind: MailOfBooking
  readonly state: 'waiting' | 'sent' | 'failed' | 'dropped'
}

const mostMails = 20

/** The newest mails about a booking, the newest first. */
export const mailsOfBooking = async (
  db: Queries,
  venue: VenueId,
  booking: number,
): Promise<BookingMailRow[]> =>
  (await db.many(sql(bookingMailRow)`
    select ${columnsOf(bookingMailRow)} from guest_mail
     where venue_id = ${venue}
       and (kind = any(${[...bookingMails, ...moneyMails]}) and record_id = ${booking}
         or kind = 'tableRefunded' and record_id in (
           select r.id from refund r
             join guarantee g on g.venue_id = ${venue} and g.id = r.guarantee_id and g.reservation_id = ${booking}
            where r.venue_id = ${venue}))
     order by id desc limit ${mostMails}`)) as BookingMailRow[]

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
