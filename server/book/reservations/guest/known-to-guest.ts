import { sql } from '../../../platform/db/sql.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import type { Moment } from '../../../platform/kernel/time/moment.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { BookRow } from '../../day/book-row.ts'

/** What a guest is told of their booking that a change of it changes. */
type Known = Pick<BookRow, 'date' | 'time' | 'party_size'>

/** More changes than anybody makes of one booking while a mail about the first of them waits for its Undo. */
const mostChanges = 200

/**
 * What the guest of a booking knows of it while a mail about what staff changed has waited since a moment: the booking
 * without what was changed from then on, as the activity log has it.
 */
export const knownSince = async (
  db: Queries,
  venue: VenueId,
  { id, date, time, party_size }: BookRow,
  since: Moment,
): Promise<Known> => {
  const rows = await db.many(sql({ date: 'text?', time: 'text?', party_size: 'int4?' })`
    select before->>'date' as date, before->>'time' as time, (before->>'party_size')::int as party_size
      from activity
     where venue_id = ${venue} and record_kind = 'reservation' and record_id = ${id} and at >= ${since}
     order by id desc limit ${mostChanges}`)
  let known: Known = { date, time, party_size }
  for (const before of rows)
    known = {
      date: before.date ?? known.date,
      time: before.time ?? known.time,
      party_size: before.party_size ?? known.party_size,
    }
  return known
}

export const isAsKnown = (known: Known, { date, time, party_size }: Known): boolean =>
  known.date === date && known.time === time && known.party_size === party_size
