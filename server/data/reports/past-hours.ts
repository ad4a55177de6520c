import { readRulesDocument } from '../../book/rules/rules-document.ts'
import type { DocumentRules } from '../../book/rules/booking-rules.ts'
import type { Venue } from '../../core/venue/venue.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { HoursBefore, RulesInTime } from './open-days.ts'

/*
 * Days that are over keep the weekly hours that they had: who opens on Mondays from now on had no open Mondays without guests
 * until now. The trail has the hours as they were before each change. Closed days, special days and blocks have dates of their
 * own, and may be entered afterwards: they count as they are now.
 */

/** Days on which the hours were changed; those before count as at the earliest of them. */
const mostChanges = 1_000

export const withHoursBefore = async (
  db: Queries,
  { id, timezone }: Pick<Venue, 'id' | 'timezone'>,
  rules: DocumentRules,
): Promise<RulesInTime> => {
  // Of the changes of one day, the first knows what the days before it had.
  const rows = await db.many(sql({ before: 'date', periods: 'text' })`
    select distinct on (1) (at at time zone ${timezone})::date as before, before->>'periods' as periods
      from activity
     where venue_id = ${id} and record_kind = 'venue' and record_id = ${id} and before->>'periods' is not null
     order by 1 desc, activity.id limit ${mostChanges}`)
  const changes = rows.toReversed().flatMap(({ before, periods }) => hoursIn(before, periods))
  // A venue that had never said its hours was not closed: what it said first holds for its past.
  const first = changes.findIndex(({ periods }) => periods.length > 0)
  return { ...rules, hoursBefore: first < 0 ? [] : changes.slice(first) }
}

/** None of hours that are written in another form than rules are now. */
const hoursIn = (before: string, written: string): readonly HoursBefore[] => {
  const read = readRulesDocument({ periods: JSON.parse(written) as unknown })
  return read.ok ? [{ before, periods: read.rules.periods }] : []
}
