import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { momentWallReaches } from '../../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'

/** Four in the morning of the day after so many days: until then a card may be charged. */
export const deletionOf = (serviceDate: LocalDate, keepDays: number, timezone: string): Temporal.Instant =>
  momentWallReaches({ date: addDays(serviceDate, keepDays + 1), time: '04:00' }, timezone)
