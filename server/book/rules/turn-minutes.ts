import { type DocumentRules, defaultShortestStays, defaultTurnMinutes } from './booking-rules.ts'

/** How long a table is held for a party; beyond the last row, the last row applies. */
export const turnMinutes = ({ turnTimes }: Pick<DocumentRules, 'turnTimes'>, partySize: number): number =>
  minutesFor(turnTimes, partySize) ?? defaultTurnMinutes

/** How long a party must be able to stay for a table to be offered to it for a while; 0: never for a while. */
export const shortestStay = (
  { shortestStays }: Pick<DocumentRules, 'shortestStays'>,
  partySize: number,
): number => minutesFor(shortestStays.length === 0 ? defaultShortestStays : shortestStays, partySize) ?? 0

const minutesFor = (rows: DocumentRules['turnTimes'], partySize: number): number | undefined =>
  (rows.find(({ upTo }) => partySize <= upTo) ?? rows.at(-1))?.minutes

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
