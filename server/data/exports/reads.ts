import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, type Shape, columnsOf, fragment, sql } from '../../platform/db/sql.ts'
import { housesOfBookings, housesOfGuests } from '../../crm/house/reads.ts'
import { guestRow } from '../../crm/guests/guest.ts'
import { reservationRow } from '../../book/day/book-row.ts'
import { subscriberRow } from '../../marketing/subscribers/subscriber.ts'
import { subscriberColumns } from '../../marketing/subscribers/reads.ts'
import { ticketOrderRow } from '../../tickets/order.ts'
import { fromOrders, orderColumns } from '../../tickets/reads.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/*
 * Every record of a venue, a thousand at a time in the order of their ids: from after an id, so that each statement
 * is fast and no snapshot is held while a slow connection downloads the file.
 */

const most = 1_000

/** Of a table with an id, what these columns say. */
export const rowsAfter =
  <const Row extends Shape & { readonly id: 'int8' }>(table: string, row: Row) =>
  (db: Queries, venue: VenueId, id: number): Promise<RowOf<Row>[]> =>
    db.many(sql(row)`
    select ${columnsOf(row)} from ${fragment(table)}
     where venue_id = ${venue} and id > ${id} order by id limit ${most}`)

const guestRowsAfter = rowsAfter('guest', { ...guestRow, staff_notes: 'text', allergies: 'text?' })

export const guestsAfter = async (db: Queries, venue: VenueId, id: number) => {
  const rows = await guestRowsAfter(db, venue, id)
  const houses = await housesOfGuests(
    db,
    venue,
    rows.map((row) => row.id),
  )
  return rows.map((row) => ({ ...row, house: houses.get(row.id) }))
}

const reservationRowsAfter = rowsAfter('reservation', {
  ...reservationRow,
  guest_id: 'int8?',
  cancel_message: 'text?',
})

export const reservationsAfter = async (db: Queries, venue: VenueId, id: number) => {
  const rows = await reservationRowsAfter(db, venue, id)
  const houses = await housesOfBookings(
    db,
    venue,
    rows.map((row) => row.id),
  )
  return rows.map((row) => ({ ...row, house: houses.get(row.id) }))
}

/** Under the id of the booking. */
export const saidWhenBookingRow = {
  id: 'int8',
  occasion: 'text?',
  seating: 'text?',
  answers: 'text[]',
  note: 'text?',
  language: 'text?',
  coming_at: 'timestamptz?',
} as const

export const saidWhenBookingAfter = (db: Queries, venue: VenueId, id: number) =>
  db.many(sql(saidWhenBookingRow)`
    select reservation_id as id, occasion, seating, answers, note, language, coming_at from guest_booking
     where venue_id = ${venue} and reservation_id > ${id} order by reservation_id limit ${most}`)

export const subscribersAfter = (db: Queries, venue: VenueId, id: number) =>
  db.many(sql(subscriberRow)`
    select ${subscriberColumns(venue)} from subscriber s
     where s.venue_id = ${venue} and s.id > ${id} order by s.id limit ${most}`)

export const consentRow = {
  id: 'int8',
  subscriber_id: 'int8',
  source: 'text',
  statement: 'text?',
  page_url: 'text?',
  agreed_at: 'timestamptz',
  recorded_at: 'timestamptz',
  recorded_via: 'text',
} as const

/** Counted from 1: the list has no ids. */
export const suppressionsAfter = async (db: Queries, venue: VenueId, id: number) => {
  const rows = await db.many(sql({ email_key: 'text', reason: 'text', created_at: 'timestamptz' })`
    select email_key, reason, created_at from suppression
     where venue_id = ${venue} order by email_key limit ${most} offset ${id}`)
  return rows.map((row, i) => ({ ...row, id: id + i + 1 }))
}

export const typedTextRow = {
  id: 'int8',
  kind: 'text',
  record_id: 'int8',
  body: 'text',
  state: 'text',
  made_at: 'timestamptz',
} as const

export const typedTextsAfter = (db: Queries, venue: VenueId, id: number) =>
  db.many(sql(typedTextRow)`
    select ${columnsOf(typedTextRow)} from guest_text
     where venue_id = ${venue} and id > ${id} and body is not null order by id limit ${most}`)

export const textReplyRow = {
  id: 'int8',
  entry_id: 'int8?',
  reservation_id: 'int8?',
  body: 'text',
  at: 'timestamptz',
} as const

export const shiftNoteRow = { id: 'int8', service_date: 'date', text: 'text' } as const

export const serverInFile = {
  id: 'int8',
  name: 'text',
  initials: 'text',
  color: 'text',
  is_on: 'bool',
} as const

/** A service with who worked it, "Ann Lee" with their sections. */
export const shiftInFile = {
  id: 'int8',
  service_date: 'date',
  from_minute: 'int4',
  to_minute: 'int4',
  section_plan: 'text',
  servers: 'text[]?',
} as const

export const shiftsAfter = (db: Queries, venue: VenueId, id: number) =>
  db.many(sql(shiftInFile)`
    select h.id, h.service_date, h.from_minute, h.to_minute, p.name as section_plan,
           (select array_agg(concat_ws(' ', s.name,
                     (select string_agg(x.section::text, ' ' order by x.section) from shift_section x
                       where x.venue_id = ${venue} and x.shift_id = h.id and x.server_id = l.server_id)) order by l.place)
              from shift_server l
              join server s on s.venue_id = l.venue_id and s.id = l.server_id
             where l.venue_id = ${venue} and l.shift_id = h.id) as servers
      from shift h
      join section_plan p on p.venue_id = h.venue_id and p.id = h.plan_id
     where h.venue_id = ${venue} and h.id > ${id} order by h.id limit ${most}`)

/** Under the id of the booking. */
export const whoServedInFile = { id: 'int8', server_id: 'int8', server: 'text' } as const

export const whoServedAfter = (db: Queries, venue: VenueId, id: number) =>
  db.many(sql(whoServedInFile)`
    select w.reservation_id as id, w.server_id, s.name as server
      from reservation_server w
      join server s on s.venue_id = w.venue_id and s.id = w.server_id
     where w.venue_id = ${venue} and w.reservation_id > ${id} order by w.reservation_id limit ${most}`)

/** Without their authors: nothing about staff is exported. */
export const leadNoteRow = {
  id: 'int8',
  lead_id: 'int8',
  kind: 'text',
  text: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const

export const ticketOrdersAfter = (db: Queries, venue: VenueId, id: number) =>
  db.many(sql({ ...ticketOrderRow, seats: 'int4' })`
    select ${orderColumns}, t.seats ${fromOrders}
     where t.venue_id = ${venue} and t.id > ${id} order by t.id limit ${most}`)

export const refundRow = {
  id: 'int8',
  order_id: 'int8?',
  guarantee_id: 'int8?',
  amount_cents: 'int4',
  beyond_cents: 'int4',
  seats: 'int4',
  via: 'text',
  state: 'text',
  origin: 'text',
  made_at: 'timestamptz',
  settled_at: 'timestamptz?',
} as const

/** Where a card is at the processor is in no file. */
export const guaranteeInFile = {
  id: 'int8',
  reservation_id: 'int8?',
  kind: 'text',
  status: 'text',
  per_guest_cents: 'int4?',
  amount_cents: 'int4',
  fee_cents: 'int4',
  tax_cents: 'int4',
  asked_cents: 'int4',
  paid_cents: 'int4',
  refunded_cents: 'int4',
  currency: 'text',
  ask_until: 'timestamptz?',
  free_until: 'timestamptz',
  sentence: 'text',
  agreed_at: 'timestamptz',
  delete_at: 'timestamptz?',
  deleted_at: 'timestamptz?',
  taken_off_at: 'timestamptz?',
} as const

/** Of one whose money came when nothing was asked any more, the booking is the one that it was asked for. */
export const guaranteesAfter = (db: Queries, venue: VenueId, after: number) => {
  const { id, reservation_id: booking, ...others } = guaranteeInFile
  return db.many(sql(guaranteeInFile)`
    select g.id, coalesce(g.reservation_id, (
        select c.reservation_id from payment p join checkout c on c.venue_id = p.venue_id and c.id = p.checkout_id
         where p.venue_id = ${venue} and p.guarantee_id = g.id order by p.id limit 1)) as reservation_id,
        ${columnsOf(others, 'g')}
      from guarantee g where g.venue_id = ${venue} and g.id > ${after} order by g.id limit ${most}`)
}

/** Who has a ticket's code may enter, and files are passed on: no export holds it. */
export const ticketInFile = {
  id: 'int8',
  order_id: 'int8',
  number: 'int4',
  void_at: 'timestamptz?',
  in_at: 'timestamptz?',
  door: 'text?',
} as const

export const eventDateRow = {
  id: 'int8',
  event_id: 'int8',
  event_name: 'text',
  title: 'text?',
  date: 'date',
  start_time: 'time?',
  capacity: 'int4',
  price_cents: 'int4',
} as const

export const eventDatesAfter = (db: Queries, venue: VenueId, id: number) =>
  db.many(sql(eventDateRow)`
    select o.id, o.event_id, e.name as event_name, o.title, o.date, o.start_time, o.capacity, o.price_cents
      from occurrence o join ticketed_event e on e.venue_id = o.venue_id and e.id = o.event_id
     where o.venue_id = ${venue} and o.id > ${id} order by o.id limit ${most}`)

export const promoCodeRow = {
  id: 'int8',
  code: 'text',
  percent: 'int4?',
  amount_cents: 'int4?',
  event_id: 'int8?',
  uses_most: 'int4?',
  valid_from: 'date?',
  valid_to: 'date?',
  switched_off: 'bool',
  created_at: 'timestamptz',
} as const
