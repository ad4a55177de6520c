import type { BookingRules } from '../../venue/booking-rules.ts'
import type { VenueRow } from '../../venue/venues.ts'

/**
 * Whether a venue's doors take anything now. Without hours, while online booking is paused, or while the account is, the
 * pages stand with the phone and take nothing.
 */
export const isTaking = (
  { paused }: Pick<VenueRow, 'paused'>,
  { onlinePaused, periods, specialDays }: Pick<BookingRules, 'onlinePaused' | 'periods' | 'specialDays'>,
): boolean =>
  !paused && !onlinePaused && (periods.length > 0 || specialDays.some((day) => day.periods.length > 0))
