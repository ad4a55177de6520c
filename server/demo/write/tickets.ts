import { currencyOf } from '../../core/money/currency.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { minuteOfDay } from '../../platform/kernel/time/written-time.ts'
import { orderRecord } from '../../tickets/order.ts'
import { type Tables, insertAll, insertAllWithIds } from './bulk.ts'
import type { DemoEvent } from '../events.ts'
import type { DemoOrder } from '../ticket-orders.ts'
import { dayMs, demoCountry, momentAt } from '../venue-time.ts'

/** Weeks before its first date that an event is put on the programme. */
const announcedWeeks = 10

/** Writes the ticketed events, their dates and the orders. */
export const writeTickets = async (
  tables: Tables,
  events: readonly DemoEvent[],
  orders: readonly DemoOrder[],
  now: number,
): Promise<void> => {
  const announced = events
    .map((event) => ({ event, at: announcedAt(event, now) }))
    .toSorted((a, b) => a.at - b.at)
  const eventIds = await insertAllWithIds(tables, 'ticketed_event', announced, ({ event, at }) => ({
    name: event.name,
    created_at: at,
  }))
  const dates = announced.flatMap((row) =>
    row.event.dates.map((occurrence) => ({
      occurrence,
      event: row.event,
      eventId: eventIds.get(row) as number,
    })),
  )
  const made = await insertAllWithIds(tables, 'occurrence', dates, ({ occurrence, event, eventId }) => ({
    event_id: eventId,
    title: occurrence.title,
    date: occurrence.date,
    start_time: occurrence.startTime,
    capacity: event.capacity,
    price_cents: event.priceCents,
  }))
  const occurrenceIds = new Map(dates.map((row) => [row.occurrence, made.get(row) as number]))
  await insertAll(tables, 'ticket_order', orders, ({ buyer, ...one }) => ({
    ...orderRecord.columns({
      ...one,
      buyerFirstName: buyer.first,
      buyerLastName: buyer.last,
      buyerEmail: buyer.email,
      currency: currencyOf(demoCountry) ?? null,
    }),
    buyer_email_key: emailKey(buyer.email),
    occurrence_id: occurrenceIds.get(one.occurrence) as number,
    seats: one.seats,
  }))
}

const announcedAt = ({ dates }: DemoEvent, now: number): number => {
  const [first] = dates
  if (!first) return now
  return Math.min(now, momentAt(first.date, minuteOfDay(first.startTime)) - announcedWeeks * 7 * dayMs)
}
