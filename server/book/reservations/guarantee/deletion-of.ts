import { toInstant } from '../../../platform/kernel/time/moment.ts'
import type { BookRow } from '../../day/book-row.ts'
import type { GuaranteeRow } from './guarantee-store.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { momentWallReaches } from '../../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'

/** Four in the morning of the day after so many days: until then a card may be charged. */
export const deletionOf = (serviceDate: LocalDate, keepDays: number, timezone: string): Temporal.Instant =>
  momentWallReaches({ date: addDays(serviceDate, keepDays + 1), time: '04:00' }, timezone)

/** Whether a cancellation gives everything back: also one by the guest of what the venue never confirmed. */
export const comesBack = (
  { free_until }: Pick<GuaranteeRow, 'free_until'>,
  { cancelled_by, cancelled_from }: Pick<BookRow, 'cancelled_by' | 'cancelled_from'>,
  now: Temporal.Instant,
): boolean =>
  cancelled_by !== 'guest' ||
  cancelled_from === 'Requested' ||
  Temporal.Instant.compare(now, toInstant(free_until)) < 0
