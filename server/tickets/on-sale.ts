import type { WallTime } from '../platform/kernel/time/venue-clock.ts'
import type { OccurrenceRow } from './event-reads.ts'

/**
 * Whether tickets of a date are still sold online: until it begins, or until its day is over if it has no time.
 * Latecomers buy at the door.
 */
export const isOnSale = (
  { date, start_time }: Pick<OccurrenceRow, 'date' | 'start_time'>,
  now: WallTime,
): boolean =>
  date > now.date || (date === now.date && (start_time === null || start_time.slice(0, 5) > now.time))
