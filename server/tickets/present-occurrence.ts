import { limits } from '@venue-data/contract/limits.ts'
import type { Occurrence } from '@venue-data/contract/records/occurrence.ts'
import { toMoment } from '../platform/kernel/time/moment.ts'
import type { SoldOccurrence } from './event-reads.ts'
import { isOnSale, onlineWindow } from './on-sale.ts'

/** How full a house is beyond what somebody can order is the venue's own business. */
export const presentOccurrence = (row: SoldOccurrence, now: Temporal.Instant, zone: string): Occurrence => ({
  id: row.id,
  eventName: row.event_name,
  occurrenceTitle: row.title,
  date: row.date,
  startTime: row.start_time,
  priceCents: row.price_cents,
  seatsLeft: Math.min(limits.seatsLeftShown, Math.max(0, row.capacity - row.taken)),
  onSale: isOnSale(row, now, zone),
  onlineFrom: row.online_from,
  onlineUntil: toMoment(onlineWindow(row, zone).until),
})
