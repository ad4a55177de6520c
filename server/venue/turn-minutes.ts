import { type DocumentRules, defaultTurnMinutes } from './booking-rules.ts'

/** How long a table is held for a party; beyond the last row, the last row applies. */
export const turnMinutes = ({ turnTimes }: Pick<DocumentRules, 'turnTimes'>, partySize: number): number =>
  (turnTimes.find(({ upTo }) => partySize <= upTo) ?? turnTimes.at(-1))?.minutes ?? defaultTurnMinutes
