import { type DocumentRules, defaultTurnMinutes } from './booking-rules.ts'

/** How long a table is held for a party; beyond the last row, the last row applies. */
export const turnMinutes = ({ turnTimes }: Pick<DocumentRules, 'turnTimes'>, partySize: number): number =>
  (turnTimes.find(({ upTo }) => partySize <= upTo) ?? turnTimes.at(-1))?.minutes ?? defaultTurnMinutes

/** What a booking has of it; null where none was ever said. */
type Booked = { readonly duration_minutes: number | null; readonly party_size: number | null }

/** Whether a booking is held for the usual time of its size: nobody set another. */
export const hasUsualLength = (rules: Pick<DocumentRules, 'turnTimes'>, booking: Booked): boolean =>
  booking.duration_minutes === null ||
  (booking.party_size !== null && booking.duration_minutes === turnMinutes(rules, booking.party_size))

/** How long a booking has its table with this many guests: the usual time follows the size, another one stays. */
export const minutesWith = (
  rules: Pick<DocumentRules, 'turnTimes'>,
  booking: Booked,
  partySize: number,
): number | null =>
  booking.duration_minutes !== null && hasUsualLength(rules, booking)
    ? turnMinutes(rules, partySize)
    : booking.duration_minutes
