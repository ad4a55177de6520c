import type { Work } from '../../../context.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import { bookingRulesAround } from '../../rules/rules-store.ts'
import { turnMinutes } from '../../rules/turn-minutes.ts'
import type { BookRow } from '../../day/book-row.ts'
import { guaranteeOf } from '../guarantee/guarantee-store.ts'

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

/** Until when a guest changes a booking by themselves, and cancels one that nothing is behind; null for one without a time. */
export const guestLimitOf = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  { starts_at }: Pick<BookRow, 'starts_at'>,
): Promise<Temporal.Instant | null> => {
  if (starts_at === null) return null
  const { settings } = await guestSettingsOf(db, venue.id)
  return toInstant(starts_at).subtract({ minutes: settings.cancelMinutes })
}

/**
 * Until when a guest cancels by themselves. Never sooner than what they agreed to lets them cancel for nothing, but not once
 * it has started.
 */
export const cancelLimitOf = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  row: Pick<BookRow, 'id' | 'starts_at'>,
): Promise<Temporal.Instant | null> => {
  const limit = await guestLimitOf({ db, venue }, row)
  const guarantee = await guaranteeOf(db, venue.id, row.id)
  if (limit === null || row.starts_at === null || !guarantee) return limit
  const [free, starts] = [toInstant(guarantee.free_until), toInstant(row.starts_at)]
  const promised = Temporal.Instant.compare(free, starts) < 0 ? free : starts
  return Temporal.Instant.compare(promised, limit) > 0 ? promised : limit
}
