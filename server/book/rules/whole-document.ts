import type { Queries } from '../../platform/db/pool.ts'
import { refuse } from '../../platform/kernel/refusal.ts'
import { wholeFloor } from './floor/floor-reads.ts'
import { type BookingAtTable, replaceFloor } from './floor/floor-store.ts'
import { writtenFloor } from './floor/written-floor.ts'
import type { DocumentRules } from './booking-rules.ts'
import { replaceBookingRules } from './replace-document.ts'
import { allBookingRules } from './rules-store.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/*
 * The rules document with everything that may be in it: the booking rules, and the tables where the venue has any.
 */

/** All a venue's document says. */
export const wholeRules = async (db: Queries, venue: VenueId): Promise<DocumentRules> => {
  const [rules, floor] = [await allBookingRules(db, venue), await wholeFloor(db, venue)]
  return floor ? { ...rules, tables: writtenFloor(floor) } : rules
}

/**
 * Puts a document in the place of a venue's rules; one without tables leaves them alone. Refuses one that drops a table
 * with coming bookings, and names them.
 */
export const replaceWholeRules = async (
  db: Queries,
  venue: VenueId,
  rules: DocumentRules,
  now: Temporal.Instant,
): Promise<void> => {
  await replaceBookingRules(db, venue, rules)
  if (!rules.tables) return
  const replaced = await replaceFloor(db, venue, rules.tables, now)
  if (!replaced.done) throw tablesHeld(replaced.bookings)
}

/** The refusal to drop tables that coming bookings hold, with the list of these. */
export const tablesHeld = (bookings: readonly BookingAtTable[]) =>
  refuse(
    'not-in-state',
    [
      'These bookings hold a table that would be gone; give them another first.',
      ...bookings.map(
        ({ label, reservation_id, guest_name, party_size, date, time }) =>
          `Table ${label}: ${date} ${time}, ${guest_name ?? 'no name'}, ${party_size} (booking ${reservation_id})`,
      ),
    ].join('\n'),
  )
