import type { Work } from '../../../context.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import { bookingRulesAround } from '../../rules/rules-store.ts'
import { turnMinutes } from '../../rules/turn-minutes.ts'
import type { BookRow } from '../../day/book-row.ts'

/**
 * When the stay of a booking to come ends that has its table for less than the usual time, for its guest to know; undefined
 * for all others, for a stay that was cut as the party sat down, and where tables decide nothing.
 */
export const guestEndOf = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  { status, starts_at, service_date, party_size, duration_minutes: minutes }: BookRow,
): Promise<Temporal.Instant | undefined> => {
  if (starts_at === null || service_date === null || minutes === null) return undefined
  if (status !== 'Requested' && status !== 'Confirmed') return undefined
  const rules = await bookingRulesAround(db, venue, service_date)
  return rules.floor && minutes < turnMinutes(rules, party_size ?? 1)
    ? toInstant(starts_at).add({ minutes })
    : undefined
}

/** Until when a guest cancels and changes a booking by themselves; null for one without a time. */
export const guestLimitOf = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  { starts_at }: Pick<BookRow, 'starts_at'>,
): Promise<Temporal.Instant | null> => {
  if (starts_at === null) return null
  const { settings } = await guestSettingsOf(db, venue.id)
  return toInstant(starts_at).subtract({ minutes: settings.cancelMinutes })
}
