import type { Queries } from '../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../platform/db/sql.ts'
import type { VenueId } from '../core/venue/venue.ts'
import { type GuestMailKind, mailsWhere } from './guest-mail-kinds.ts'

/* Every mail to a guest about a booking or an order of tickets, with what became of it: for the office, and for a bank that asks. */

const sentMailRow = {
  kind: 'text',
  state: 'text',
  made_at: 'timestamptz',
  due_at: 'timestamptz?',
  ended_at: 'timestamptz?',
  tries: 'int4',
  answer: 'text?',
} as const
export type SentMail = Omit<RowOf<typeof sentMailRow>, 'kind' | 'state'> & {
  readonly kind: GuestMailKind
  readonly state: 'waiting' | 'sent' | 'failed' | 'dropped'
}

/** What is mailed to the guest of a booking; the mails about its money name the refund, or the checkout that led to it. */
export const mailsOfBooking = [
  ...mailsWhere({ to: 'guest', record: 'booking' }),
  ...mailsWhere({ record: 'table' }),
]
const ofOrder = mailsWhere({ record: 'order' })
const ofRefund = mailsWhere({ record: 'refund' })
const ofCheckout = mailsWhere({ record: 'checkout' })

const mostMails = 50

/** The newest mails about it, the newest first; exactly one of the two is named. */
export const mailsAbout = async (
  db: Queries,
  venue: VenueId,
  { booking = null, order = null }: { readonly booking?: number | null; readonly order?: number | null },
): Promise<SentMail[]> =>
  (await db.many(sql(sentMailRow)`
    select ${columnsOf(sentMailRow)} from guest_mail
     where venue_id = ${venue}
       and (kind = any(${mailsOfBooking}) and record_id = ${booking}::bigint
         or kind = any(${ofOrder}) and record_id = ${order}::bigint
         or kind = any(${ofRefund}) and record_id = any(array(
           select r.id from refund r
            where r.venue_id = ${venue} and (r.order_id = ${order}::bigint or r.guarantee_id = (
              select g.id from guarantee g where g.venue_id = ${venue} and g.reservation_id = ${booking}::bigint))))
         or kind = any(${ofCheckout}) and record_id = any(array(
           select c.id from checkout c
            where c.venue_id = ${venue} and (c.order_id = ${order}::bigint or c.reservation_id = ${booking}::bigint))))
     order by id desc limit ${mostMails}`)) as SentMail[]

const names: Partial<Record<GuestMailKind, string>> = {
  bookingReceived: 'Request received',
  bookingConfirmed: 'Confirmed',
  bookingDeclined: 'Declined',
  bookingChanged: 'Changed',
  bookingChangeDeclined: 'Change declined',
  bookingCancelled: 'Cancelled by the venue',
  bookingCancelledByGuest: 'Cancelled by the guest',
  bookingReminder: 'Reminder',
  bookingLink: 'Link',
  bookingStranded: 'Left without a service',
  tableReceipt: 'Receipt',
  tableAsked: 'Asked for a card or a payment',
  tableSecured: 'Table secured',
  tableCharged: 'Charge of the card',
  tableRefused: 'Payment or card not taken',
  tickets: 'Tickets',
  ticketsRefused: 'Payment not taken',
  ticketsRefunded: 'Money that went back',
  tableRefunded: 'Money that went back',
}

/** What staff call a mail. */
export const mailName = (kind: GuestMailKind): string => names[kind] ?? kind
