import { limits } from '@venue-data/contract/limits.ts'
import type { Occurrence } from '@venue-data/contract/records/occurrence.ts'
import type { WallTime } from '../platform/kernel/time/venue-clock.ts'
import type { SoldOccurrence } from './event-reads.ts'
import { isOnSale } from './on-sale.ts'

/** How full a house is beyond what somebody can order is the venue's own business. */
export const presentOccurrence = (row: SoldOccurrence, now: WallTime): Occurrence => ({
  id: row.id,
  eventName: row.event_name,
  occurrenceTitle: row.title,
  date: row.date,
  startTime: row.start_time,
  priceCents: row.price_cents,
  seatsLeft: Math.min(limits.seatsLeftShown, Math.max(0, row.capacity - row.taken)),
  onSale: isOnSale(row, now),
})
