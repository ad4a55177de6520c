import { toInstant } from '../../../platform/kernel/time/moment.ts'
import type { BookRow } from '../../day/book-row.ts'
import type { GuaranteeRow } from './guarantee-store.ts'

/** Whether a cancellation gives everything back: also one by the guest of what the venue never confirmed. */
export const comesBack = (
  { free_until }: Pick<GuaranteeRow, 'free_until'>,
  { cancelled_by, cancelled_from }: Pick<BookRow, 'cancelled_by' | 'cancelled_from'>,
  now: Temporal.Instant,
): boolean =>
  cancelled_by !== 'guest' ||
  cancelled_from === 'Requested' ||
  Temporal.Instant.compare(now, toInstant(free_until)) < 0
