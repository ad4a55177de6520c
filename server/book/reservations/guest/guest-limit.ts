import type { Work } from '../../../context.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import type { BookRow } from '../../day/book-row.ts'

/** Until when a guest cancels and changes a booking by themselves; null for one without a time. */
export const guestLimitOf = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  { starts_at }: Pick<BookRow, 'starts_at'>,
): Promise<Temporal.Instant | null> => {
  if (starts_at === null) return null
  const { settings } = await guestSettingsOf(db, venue.id)
  return toInstant(starts_at).subtract({ minutes: settings.cancelMinutes })
}
