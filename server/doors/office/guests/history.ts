import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../../platform/db/sql.ts'
import { emailKey } from '../../../platform/kernel/email.ts'
import { reservationRow } from '../../../book/day/book-row.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { StaffGuestRow } from '../../../crm/guests/staff-reads.ts'
import { type LeadRow, leadRow } from '../../../crm/leads/reads.ts'

const bookedRow = {
  ...reservationRow,
  service_date: 'date?',
  starts_at: 'timestamptz?',
  seated_at: 'timestamptz?',
  completed_at: 'timestamptz?',
} as const
const historyRow = { ...bookedRow, tables: 'text[]' } as const
const boughtRow = {
  id: 'int8',
  order_number: 'text',
  status: 'text',
  event_name: 'text',
  event_date: 'date',
  seats: 'int4',
  total_cents: 'int4',
  refunded_cents: 'int4',
  created_at: 'timestamptz',
} as const

export type GuestHistory = {
  readonly reservations: readonly RowOf<typeof historyRow>[]
  readonly leads: readonly LeadRow[]
  /** Bought under the guest's address. */
  readonly ticketOrders: readonly RowOf<typeof boughtRow>[]
}

/** More bookings than anybody scrolls through; the counters include all. */
const mostOfHistory = 200

/** A guest's bookings, inquiries and orders, latest first. */
export const guestHistory = async (
  db: Queries,
  venue: VenueId,
  { id, email }: Pick<StaffGuestRow, 'id' | 'email'>,
): Promise<GuestHistory> => {
  const [reservations, leads, ticketOrders] = await Promise.all([
    db.many(sql(historyRow)`
      select ${columnsOf(bookedRow, 'r')},
             array(select t.label from reservation_table x
                     join dining_table t on t.venue_id = x.venue_id and t.id = x.table_id
                    where x.venue_id = ${venue} and x.reservation_id = r.id order by t.label) as tables
        from reservation r
       where r.venue_id = ${venue} and r.guest_id = ${id}
       order by r.starts_at desc nulls last, r.id desc
       limit ${mostOfHistory}`),
    db.many(sql(leadRow)`
      select ${columnsOf(leadRow)} from lead
       where venue_id = ${venue} and guest_id = ${id}
       order by created_at desc, id desc
       limit ${mostOfHistory}`),
    email === null ? [] : ordersOfBuyer(db, venue, emailKey(email)),
  ])
  return { reservations, leads, ticketOrders }
}

const ordersOfBuyer = (db: Queries, venue: VenueId, key: string) =>
  db.many(sql(boughtRow)`
    select t.id, t.order_number, t.status, e.name as event_name, o.date as event_date, t.seats, t.total_cents,
           t.refunded_cents, t.created_at
      from ticket_order t
      join occurrence o on o.venue_id = t.venue_id and o.id = t.occurrence_id
      join ticketed_event e on e.venue_id = o.venue_id and e.id = o.event_id
     where t.venue_id = ${venue} and t.buyer_email_key = ${key}
     order by t.created_at desc, t.id desc
     limit ${mostOfHistory}`)
