import { addDays } from '../platform/kernel/time/calendar.ts'
import { toInstant } from '../platform/kernel/time/moment.ts'
import { momentWallReaches } from '../platform/kernel/time/venue-clock.ts'
import type { OccurrenceRow } from './event-reads.ts'

type Dated = Pick<OccurrenceRow, 'date' | 'start_time' | 'online_from' | 'online_until'>

/** When tickets of a date are sold online. `from` null: at once. */
export const onlineWindow = (
  row: Dated,
  zone: string,
): { readonly from: Temporal.Instant | null; readonly until: Temporal.Instant } => ({
  from: row.online_from === null ? null : toInstant(row.online_from),
  until: row.online_until === null ? beginOf(row, zone) : toInstant(row.online_until),
})

/** Until it begins, or until its day is over if it has no time: latecomers buy at the door. */
const beginOf = ({ date, start_time }: Dated, zone: string): Temporal.Instant =>
  start_time === null ? endOfDay(date, zone) : momentWallReaches({ date, time: start_time.slice(0, 5) }, zone)

export const endOfDay = (date: OccurrenceRow['date'], zone: string): Temporal.Instant =>
  momentWallReaches({ date: addDays(date, 1), time: '00:00' }, zone)

/** Whether tickets of a date are sold online at a moment. */
export const isOnSale = (row: Dated, now: Temporal.Instant, zone: string): boolean => {
  const { from, until } = onlineWindow(row, zone)
  return (
    (from === null || Temporal.Instant.compare(from, now) <= 0) && Temporal.Instant.compare(now, until) < 0
  )
}
