import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { type ListPage, type PageAsked, newestPlace, pageOf } from '../../platform/kernel/list-page.ts'
import { type LeadRow, leadRow } from '../leads/reads.ts'
import { reservationRow } from '../../book/reservations/reads.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { guestRow } from './reads.ts'

/** A guest as staff see them. The API never returns the notes and allergies (docs/api.md#what-is-never-returned). */
export const staffGuestRow = {
  ...guestRow,
  staff_notes: 'text',
  allergies: 'text?',
  version: 'int4',
} as const
export type StaffGuestRow = RowOf<typeof staffGuestRow>

export const staffGuest = (db: Queries, venue: VenueId, guest: number): Promise<StaffGuestRow | undefined> =>
  db.maybe(sql(staffGuestRow)`
    select ${columnsOf(staffGuestRow)} from guest where venue_id = ${venue} and id = ${guest}`)

/** The same, locked until the transaction ends. Taken after the guest book, never before. */
export const staffGuestForUpdate = (
  db: Queries,
  venue: VenueId,
  guest: number,
): Promise<StaffGuestRow | undefined> =>
  db.maybe(sql(staffGuestRow)`
    select ${columnsOf(staffGuestRow)} from guest where venue_id = ${venue} and id = ${guest} for update`)

/** All guests, newest first. */
export const guestsPage = async (
  db: Queries,
  venue: VenueId,
  { limit, after }: PageAsked,
): Promise<ListPage<StaffGuestRow>> => {
  const { at, id } = newestPlace(after)
  const rows = await db.many(sql(staffGuestRow)`
    select ${columnsOf(staffGuestRow)} from guest
     where venue_id = ${venue} and (created_at, id) < (${at}, ${id})
     order by created_at desc, id desc
     limit ${limit + 1}`)
  return pageOf(rows, limit, (row) => [row.created_at, row.id])
}

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

const shownMergeRow = {
  id: 'int8',
  gone_id: 'int8',
  merged_at: 'timestamptz',
  undone_at: 'timestamptz?',
} as const

const mostMerges = 50

/** The merges into a guest, latest first. */
export const mergesOfGuest = (
  db: Queries,
  venue: VenueId,
  guest: number,
): Promise<RowOf<typeof shownMergeRow>[]> =>
  db.many(sql(shownMergeRow)`
    select ${columnsOf(shownMergeRow)} from guest_merge
     where venue_id = ${venue} and kept_id = ${guest} order by id desc limit ${mostMerges}`)
