import { sql } from '../../platform/db/sql.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { minuteOfDay } from '../../platform/kernel/time/written-time.ts'
import { type Tables, idsInBatches, inBatches, momentText } from './bulk.ts'
import type { DemoEvent, DemoOccurrence } from '../events.ts'
import type { DemoOrder } from '../ticket-orders.ts'
import { dayMs, momentAt } from '../venue-time.ts'

/** Weeks before its first date that an event is put on the programme. */
const announcedWeeks = 10

/** Writes the ticketed events, their dates and the orders. */
export const writeTickets = async (
  tables: Tables,
  events: readonly DemoEvent[],
  orders: readonly DemoOrder[],
  now: number,
): Promise<void> => {
  const { db, venue } = tables
  const announced = events
    .map((event) => ({ event, at: announcedAt(event, now) }))
    .toSorted((a, b) => a.at - b.at)
  const eventIds = await idsInBatches(announced, (batch) =>
    db.many(sql({ id: 'int8' })`
      insert into ticketed_event (venue_id, name, created_at)
      select ${venue}, name, created_at
        from unnest(
          ${batch.map(({ event }) => event.name)}::text[], ${batch.map(({ at }) => momentText(at))}::timestamptz[])
        with ordinality as given (name, created_at, place)
       order by place
      returning id`),
  )
  const dates = announced.flatMap((row) =>
    row.event.dates.map((occurrence) => ({
      occurrence,
      event: row.event,
      eventId: eventIds.get(row) as number,
    })),
  )
  const made = await idsInBatches(dates, (batch) =>
    db.many(sql({ id: 'int8' })`
      insert into occurrence (venue_id, event_id, title, date, start_time, capacity, price_cents)
      select ${venue}, event_id, title, date, start_time, capacity, price_cents
        from unnest(
          ${batch.map(({ eventId }) => eventId)}::bigint[], ${batch.map(({ occurrence }) => occurrence.title)}::text[],
          ${batch.map(({ occurrence }) => occurrence.date)}::date[],
          ${batch.map(({ occurrence }) => occurrence.startTime)}::time[],
          ${batch.map(({ event }) => event.capacity)}::integer[], ${batch.map(({ event }) => event.priceCents)}::integer[])
        with ordinality as given (event_id, title, date, start_time, capacity, price_cents, place)
       order by place
      returning id`),
  )
  const occurrenceIds = new Map(dates.map((row) => [row.occurrence, made.get(row) as number]))
  await inBatches(orders, (batch) => insertOrders(tables, batch, occurrenceIds))
}

const announcedAt = ({ dates }: DemoEvent, now: number): number => {
  const [first] = dates
  if (!first) return now
  return Math.min(now, momentAt(first.date, minuteOfDay(first.startTime)) - announcedWeeks * 7 * dayMs)
}

const insertOrders = (
  { db, venue }: Tables,
  batch: readonly DemoOrder[],
  occurrenceIds: ReadonlyMap<DemoOccurrence, number>,
) =>
  db.run(sql()`
    insert into ticket_order (
      venue_id, occurrence_id, order_number, status, channel, payment_method, buyer_first_name, buyer_last_name,
      buyer_email, buyer_email_key, buyer_phone, seats, subtotal_cents, discount_cents, fee_cents, tax_cents,
      total_cents, refunded_cents, promo_code, marketing_opt_in, paid_at, created_at, updated_at)
    select
      ${venue}, occurrence_id, order_number, status, channel, payment_method, first_name, last_name, email, email_key,
      phone, seats, subtotal, discount, fee, tax, total, refunded, promo_code, opt_in, paid_at, created_at, updated_at
      from unnest(
        ${batch.map((one) => occurrenceIds.get(one.occurrence) as number)}::bigint[],
        ${batch.map((one) => one.orderNumber)}::text[], ${batch.map((one) => one.status)}::text[],
        ${batch.map((one) => one.channel)}::text[], ${batch.map((one) => one.paymentMethod)}::text[],
        ${batch.map(({ buyer }) => buyer.first)}::text[], ${batch.map(({ buyer }) => buyer.last)}::text[],
        ${batch.map(({ buyer }) => buyer.email)}::text[], ${batch.map(({ buyer }) => emailKey(buyer.email))}::text[],
        ${batch.map((one) => one.buyerPhone)}::text[], ${batch.map((one) => one.seats)}::integer[],
        ${batch.map((one) => one.subtotalCents)}::integer[], ${batch.map((one) => one.discountCents)}::integer[],
        ${batch.map((one) => one.feeCents)}::integer[], ${batch.map((one) => one.taxCents)}::integer[],
        ${batch.map((one) => one.totalCents)}::integer[], ${batch.map((one) => one.refundedCents)}::integer[],
        ${batch.map((one) => one.promoCode)}::text[],
        ${batch.map(({ marketingOptIn }) => (marketingOptIn === null ? null : String(marketingOptIn)))}::boolean[],
        ${batch.map((one) => momentText(one.paidAt))}::timestamptz[],
        ${batch.map((one) => momentText(one.createdAt))}::timestamptz[],
        ${batch.map((one) => momentText(one.updatedAt))}::timestamptz[])
      with ordinality as given (
        occurrence_id, order_number, status, channel, payment_method, first_name, last_name, email, email_key, phone,
        seats, subtotal, discount, fee, tax, total, refunded, promo_code, opt_in, paid_at, created_at, updated_at,
        place)
     order by place`)
