import type { Queries } from '../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../platform/db/sql.ts'
import {
  type ListPage,
  type PageAsked,
  datePlace,
  newestPlace,
  pageOf,
} from '../platform/kernel/list-page.ts'
import type { LocalDate } from '../platform/kernel/time/written-time.ts'
import type { VenueId } from '../core/venue/venue.ts'
import { seatHoldingStatuses } from './states.ts'
import type { TicketCharges } from '../core/money/price.ts'

export const eventRow = {
  id: 'int8',
  name: 'text',
  /** What its page says of it. */
  text: 'text?',
  /** Tickets of one order online; null: as many as any order may have. */
  order_most: 'int4?',
  /** Until how many hours before it begins buyers give seats back by themselves; null: they do not. */
  return_hours: 'int4?',
  return_keeps_fee: 'bool',
  version: 'int4',
  created_at: 'timestamptz',
} as const
export type EventRow = RowOf<typeof eventRow>

export const occurrenceRow = {
  id: 'int8',
  event_id: 'int8',
  title: 'text?',
  date: 'date',
  start_time: 'time?',
  capacity: 'int4',
  price_cents: 'int4',
  online_from: 'timestamptz?',
  online_until: 'timestamptz?',
  version: 'int4',
} as const
export type OccurrenceRow = RowOf<typeof occurrenceRow>

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
  version: 'int4',
  created_at: 'timestamptz',
} as const
export type PromoCodeRow = RowOf<typeof promoCodeRow>

export const ticketSettingsRow = {
  fee_per_seat_cents: 'int4',
  fee_at_box_office: 'bool',
  tax_rate: 'int4',
  version: 'int4',
} as const
export type TicketSettingsRow = RowOf<typeof ticketSettingsRow>

/** Locks an event date until the transaction ends; a separate statement, so that the sum read after it is current. */
export const occurrenceForUpdate = (
  db: Queries,
  venue: VenueId,
  occurrence: number,
): Promise<OccurrenceRow | undefined> =>
  db.maybe(sql(occurrenceRow)`
    select ${columnsOf(occurrenceRow)} from occurrence where venue_id = ${venue} and id = ${occurrence} for update`)

/**
 * Seats of a date that are taken by orders, or that somebody is paying for at this moment, but for one checkout. Read it
 * with the date locked, before any are added.
 */
export const seatsTaken = async (
  db: Queries,
  venue: VenueId,
  occurrence: number,
  now: Temporal.Instant,
  but = 0,
): Promise<number> => {
  const { seats } = await db.one(sql({ seats: 'int4' })`
    select coalesce(sum(t.seats), 0)::integer as seats from (
      select seats - seats_returned as seats from ticket_order
       where venue_id = ${venue} and occurrence_id = ${occurrence} and status = any(${[...seatHoldingStatuses]})
      union all
      select seats from checkout
       where venue_id = ${venue} and occurrence_id = ${occurrence} and state in ('made', 'opening', 'open')
         and counts_until > ${now} and id <> ${but}) t`)
  return seats
}

/** How many orders of any status a date has. */
export const ordersOfOccurrence = async (
  db: Queries,
  venue: VenueId,
  occurrence: number,
): Promise<number> => {
  const { orders } = await db.one(sql({ orders: 'int4' })`
    select count(*)::integer as orders from ticket_order
     where venue_id = ${venue} and occurrence_id = ${occurrence}`)
  return orders
}

export const eventById = (db: Queries, venue: VenueId, event: number): Promise<EventRow | undefined> =>
  db.maybe(sql(eventRow)`
    select ${columnsOf(eventRow)} from ticketed_event where venue_id = ${venue} and id = ${event}`)

/** The event of a date. */
export const eventOfOccurrence = (
  db: Queries,
  venue: VenueId,
  occurrence: number,
): Promise<EventRow | undefined> =>
  db.maybe(sql(eventRow)`
    select ${columnsOf(eventRow, 'e')}
      from occurrence o join ticketed_event e on e.venue_id = o.venue_id and e.id = o.event_id
     where o.venue_id = ${venue} and o.id = ${occurrence}`)

export const eventForUpdate = (db: Queries, venue: VenueId, event: number): Promise<EventRow | undefined> =>
  db.maybe(sql(eventRow)`
    select ${columnsOf(eventRow)} from ticketed_event where venue_id = ${venue} and id = ${event} for update`)

/** The venue's events, newest first. */
export const eventsPage = async (
  db: Queries,
  venue: VenueId,
  { limit, after }: PageAsked,
): Promise<ListPage<EventRow>> => {
  const { at, id } = newestPlace(after)
  const rows = await db.many(sql(eventRow)`
    select ${columnsOf(eventRow)} from ticketed_event
     where venue_id = ${venue} and (created_at, id) < (${at}, ${id})
     order by created_at desc, id desc
     limit ${limit + 1}`)
  return pageOf(rows, limit, (row) => [row.created_at, row.id])
}

/** Most dates per event: more than a nightly show has in a year. */
const mostDates = 500

/** The dates of one event, earliest first. */
export const datesOfEvent = async (
  db: Queries,
  venue: VenueId,
  event: number,
  now: Temporal.Instant,
): Promise<SoldOccurrence[]> => {
  const name = (await eventById(db, venue, event))?.name
  if (name === undefined) return []
  const rows = await db.many(sql(occurrenceRow)`
    select ${columnsOf(occurrenceRow)} from occurrence
     where venue_id = ${venue} and event_id = ${event}
     order by date, start_time, id
     limit ${mostDates}`)
  return withSold(
    db,
    venue,
    rows.map((row) => ({ ...row, event_name: name })),
    now,
  )
}

/** An event date with its seats taken. */
export type SoldOccurrence = OccurrenceRow & { readonly event_name: string; readonly taken: number }

const namedOccurrence = { ...occurrenceRow, event_name: 'text' } as const

/** Every date from a day on, earliest first: what is on sale. */
export const occurrencesPage = async (
  db: Queries,
  venue: VenueId,
  { from, now }: { readonly from: LocalDate; readonly now: Temporal.Instant },
  { limit, after }: PageAsked,
): Promise<ListPage<SoldOccurrence>> => {
  const { date, id } = datePlace(after)
  const rows = await db.many(sql(namedOccurrence)`
    select ${columnsOf(occurrenceRow, 'o')}, e.name as event_name
      from occurrence o join ticketed_event e on e.venue_id = o.venue_id and e.id = o.event_id
     where o.venue_id = ${venue} and o.date >= ${from} and (o.date, o.id) > (${date}, ${id})
     order by o.date, o.id
     limit ${limit + 1}`)
  const page = pageOf(rows, limit, (row) => [row.date, row.id])
  return { ...page, rows: await withSold(db, venue, page.rows, now) }
}

export const withSold = async <Row extends OccurrenceRow>(
  db: Queries,
  venue: VenueId,
  rows: readonly Row[],
  now: Temporal.Instant,
): Promise<(Row & { taken: number })[]> => {
  if (rows.length === 0) return []
  const dates = rows.map(({ id }) => id)
  const sums = await db.many(sql({ occurrence_id: 'int8', seats: 'int4' })`
    select t.occurrence_id, sum(t.seats)::integer as seats from (
      select occurrence_id, seats - seats_returned as seats from ticket_order
       where venue_id = ${venue} and occurrence_id = any(${dates}::bigint[])
         and status = any(${[...seatHoldingStatuses]})
      union all
      select occurrence_id, seats from checkout
       where venue_id = ${venue} and occurrence_id = any(${dates}::bigint[])
         and state in ('made', 'opening', 'open') and counts_until > ${now}) t
     group by t.occurrence_id`)
  const taken = new Map(sums.map(({ occurrence_id, seats }) => [occurrence_id, seats]))
  return rows.map((row) => ({ ...row, taken: taken.get(row.id) ?? 0 }))
}

const mostPromoCodes = 500

/** The venue's codes, newest first, with how many active orders use each. */
export const promoCodes = async (
  db: Queries,
  venue: VenueId,
): Promise<(PromoCodeRow & { readonly uses: number })[]> => {
  const rows = await db.many(sql(promoCodeRow)`
    select ${columnsOf(promoCodeRow)} from promo_code where venue_id = ${venue}
     order by id desc limit ${mostPromoCodes}`)
  const counts = await db.many(sql({ promo_code_id: 'int8', uses: 'int4' })`
    select promo_code_id, count(*)::integer as uses from ticket_order
     where venue_id = ${venue} and promo_code_id is not null and status <> 'cancelled'
     group by promo_code_id`)
  const uses = new Map(counts.map((count) => [count.promo_code_id, count.uses]))
  return rows.map((row) => ({ ...row, uses: uses.get(row.id) ?? 0 }))
}

/** Whether there are codes for just this event. */
export const eventHasCodes = async (db: Queries, venue: VenueId, event: number): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from promo_code where venue_id = ${venue} and event_id = ${event} limit 1`)) !== undefined

/** Locks a code, so that its uses never exceed the limit. */
export const promoCodeForUpdate = (
  db: Queries,
  venue: VenueId,
  code: string,
): Promise<PromoCodeRow | undefined> =>
  db.maybe(sql(promoCodeRow)`
    select ${columnsOf(promoCodeRow)} from promo_code where venue_id = ${venue} and code = ${code} for update`)

export const promoCodeByIdForUpdate = (
  db: Queries,
  venue: VenueId,
  id: number,
): Promise<PromoCodeRow | undefined> =>
  db.maybe(sql(promoCodeRow)`
    select ${columnsOf(promoCodeRow)} from promo_code where venue_id = ${venue} and id = ${id} for update`)

/** A code, for display; nothing is locked. */
export const promoCodeById = (db: Queries, venue: VenueId, id: number): Promise<PromoCodeRow | undefined> =>
  db.maybe(sql(promoCodeRow)`
    select ${columnsOf(promoCodeRow)} from promo_code where venue_id = ${venue} and id = ${id}`)

/** The same by its text. */
export const promoCodeByText = (
  db: Queries,
  venue: VenueId,
  code: string,
): Promise<PromoCodeRow | undefined> =>
  db.maybe(sql(promoCodeRow)`
    select ${columnsOf(promoCodeRow)} from promo_code where venue_id = ${venue} and code = ${code}`)

/**
 * Active orders with a code, and those who are paying with it at this moment, but for one checkout; a cancelled order
 * gives its use back, a refunded one does not.
 */
export const usesOfPromoCode = async (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
  but = 0,
): Promise<number> => {
  const { uses } = await db.one(sql({ uses: 'int4' })`
    select count(*)::integer as uses from (
      select id from ticket_order
       where venue_id = ${venue} and promo_code_id = ${id} and status <> 'cancelled'
      union all
      select id from checkout
       where venue_id = ${venue} and promo_code_id = ${id} and state in ('made', 'opening', 'open')
         and counts_until > ${now} and id <> ${but}) t`)
  return uses
}

const noCharges: TicketSettingsRow = {
  fee_per_seat_cents: 0,
  fee_at_box_office: false,
  tax_rate: 0,
  version: 0,
}

/** The venue's fee and tax; none until they are set, at version 0. */
export const ticketSettings = async (db: Queries, venue: VenueId): Promise<TicketSettingsRow> =>
  (await db.maybe(sql(ticketSettingsRow)`
    select ${columnsOf(ticketSettingsRow)} from ticket_settings where venue_id = ${venue}`)) ?? noCharges

export const chargesOf = (row: TicketSettingsRow): TicketCharges => ({
  feePerSeatCents: row.fee_per_seat_cents,
  feeAtBoxOffice: row.fee_at_box_office,
  taxRate: row.tax_rate,
})
