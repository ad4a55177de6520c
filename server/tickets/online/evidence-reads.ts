import { type GuestMailKind, guestMailKinds } from '../../mail/guest-mail-queue.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'

/* What was agreed on and what became of it, for a bank that asks. */

const paidRow = {
  amount_cents: 'int4',
  currency: 'text',
  sentence: 'text?',
  asked_at: 'timestamptz',
  settled_at: 'timestamptz',
} as const

/** The payments of an order or a guarantee, each with the page on which it was agreed to. */
export const paidBy = (
  db: Queries,
  venue: VenueId,
  { order = null, guarantee = null }: { readonly order?: number | null; readonly guarantee?: number | null },
): Promise<RowOf<typeof paidRow>[]> =>
  db.many(sql(paidRow)`
    select p.amount_cents, p.currency, c.sentence, coalesce(c.made_at, p.made_at) as asked_at, p.settled_at
      from payment p left join checkout c on c.venue_id = p.venue_id and c.id = p.checkout_id
     where p.venue_id = ${venue} and p.state = 'succeeded'
       and (p.order_id = ${order}::bigint or p.guarantee_id = ${guarantee}::bigint) order by p.id`)

const mailRow = {
  kind: 'text',
  state: 'text',
  made_at: 'timestamptz',
  ended_at: 'timestamptz?',
  answer: 'text?',
} as const
export type MailFate = RowOf<typeof mailRow>

const ofBooking: readonly GuestMailKind[] = [
  ...guestMailKinds.filter((kind) => kind.startsWith('booking')),
  ...(['tableAsked', 'tableSecured', 'tableCharged', 'tableReceipt'] as const),
]

/** What its buyer was mailed about an order, with what went back. */
export const mailsAboutOrder = (db: Queries, venue: VenueId, order: number): Promise<MailFate[]> =>
  db.many(sql(mailRow)`
    select ${columnsOf(mailRow)} from guest_mail
     where venue_id = ${venue}
       and (kind = 'tickets' and record_id = ${order}
         or kind = 'ticketsRefused' and record_id in (
           select c.id from checkout c where c.venue_id = ${venue} and c.order_id = ${order})
         or kind = 'ticketsRefunded' and record_id in (
           select r.id from refund r where r.venue_id = ${venue} and r.order_id = ${order}))
     order by id`)

/** What its guest was mailed about a booking, with what is behind it. */
export const mailsAboutBooking = (
  db: Queries,
  venue: VenueId,
  { booking, guarantee }: { readonly booking: number; readonly guarantee: number },
): Promise<MailFate[]> =>
  db.many(sql(mailRow)`
    select ${columnsOf(mailRow)} from guest_mail
     where venue_id = ${venue}
       and (kind = any(${[...ofBooking]}) and record_id = ${booking}
         or kind = 'tableRefunded' and record_id in (
           select r.id from refund r where r.venue_id = ${venue} and r.guarantee_id = ${guarantee}))
     order by id`)
