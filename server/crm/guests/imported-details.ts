import { markVisitsOf } from '../../core/events/mark-past.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, part, sql } from '../../platform/db/sql.ts'
import { movedWhen, noted } from '../../core/events/note-change.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type GuestRow, guestRow } from './guest.ts'

/** What an import adds to a guest, besides what identifies them. */
export type ImportedDetails = {
  readonly seatingPreference: string | null
  readonly referralSource: string | null
  readonly allergies: string | null
  readonly visits: number | null
  readonly noShows: number | null
  readonly cancellations: number | null
  readonly lastVisit: LocalDate | null
}

/** A file that says nothing but who it is. */
export const nothingBrought: ImportedDetails = {
  seatingPreference: null,
  referralSource: null,
  allergies: null,
  visits: null,
  noShows: null,
  cancellations: null,
  lastVisit: null,
}

/**
 * Fills empty fields and raises the counters to the file's values, never beyond: a file that is imported twice, or
 * whose visits are already in the book, counts nothing twice. Everything the book itself does not account for is stored
 * as the imported part. The row is locked, or new.
 */
export const writeImportedDetails = (
  db: Queries,
  venue: VenueId,
  guest: number,
  brought: ImportedDetails,
  now: Temporal.Instant,
): Promise<GuestRow | undefined> => {
  if ((brought.visits ?? 0) > 0) markVisitsOf(db, venue, guest, now)
  return noted(
    db,
    venue,
    'guest',
    now,
    db.maybe(sql(guestRow)`
    update guest set
      seating_preference = coalesce(seating_preference, ${brought.seatingPreference}),
      referral_source = coalesce(referral_source, ${brought.referralSource}),
      allergies = coalesce(allergies, ${brought.allergies}),
      imported_visit_count = imported_visit_count + greatest(0, ${brought.visits}::integer - visit_count),
      visit_count = greatest(visit_count, ${brought.visits}),
      imported_no_show_count = imported_no_show_count + greatest(0, ${brought.noShows}::integer - no_show_count),
      no_show_count = greatest(no_show_count, ${brought.noShows}),
      imported_cancellation_count =
        imported_cancellation_count + greatest(0, ${brought.cancellations}::integer - cancellation_count),
      cancellation_count = greatest(cancellation_count, ${brought.cancellations}),
      imported_last_visit_date = greatest(imported_last_visit_date, ${brought.lastVisit}),
      last_visit_date = greatest(last_visit_date, ${brought.lastVisit}),
      version = version + 1,
      ${movedWhen(
        part`(seating_preference, referral_source, visit_count, no_show_count, cancellation_count, last_visit_date)
          is distinct from (
            coalesce(seating_preference, ${brought.seatingPreference}),
            coalesce(referral_source, ${brought.referralSource}),
            greatest(visit_count, ${brought.visits}), greatest(no_show_count, ${brought.noShows}),
            greatest(cancellation_count, ${brought.cancellations}), greatest(last_visit_date, ${brought.lastVisit}))`,
        now,
      )}
    where venue_id = ${venue} and id = ${guest}
    returning ${columnsOf(guestRow)}`),
  )
}
