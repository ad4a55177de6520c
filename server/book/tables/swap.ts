import { toInstant } from '../../platform/kernel/time/moment.ts'
import type { BookRow } from '../day/book-row.ts'
import { type FloorDay, asMoved, partyWanted } from '../day/day-floor.ts'
import { type Arrangement, arrange } from './arrange.ts'
import { offSentence } from './taken-table.ts'

/** A booking and the tables it has. */
type AtTables<Booking> = { readonly booking: Booking; readonly tables: readonly number[] }

/**
 * What comes of two bookings at each other's tables, the first of them judged again: for the press, and for the list of whom to
 * swap with, which names nobody whose press would be refused. Undefined where the other has left the evening.
 */
export const swapIn = (
  day: FloorDay,
  one: AtTables<BookRow>,
  other: AtTables<number>,
): Arrangement | { readonly ok: false; readonly off: string } | undefined => {
  const otherParty = day.evening.parties.find(({ id }) => id === String(other.booking))
  if (!otherParty) return undefined
  const placings = [
    { party: partyOf(day, one.booking), tables: other.tables },
    { party: asMoved(day, otherParty), tables: one.tables },
  ]
  for (const { party, tables } of placings) {
    const off = offSentence(day, party, tables)
    if (off !== undefined) return { ok: false, off }
  }
  return arrange(day, placings)
}

/** A booking as a party of its day. */
export const partyOf = (day: FloorDay, row: BookRow) => ({
  ...partyWanted(day, {
    startsAt: toInstant(row.starts_at as NonNullable<BookRow['starts_at']>),
    partySize: row.party_size ?? 1,
    durationMinutes: row.duration_minutes,
    door: 'staff',
  }),
  id: String(row.id),
})
