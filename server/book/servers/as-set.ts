import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { type LineUpRow, type ShiftRow, lineUpOf } from './reads.ts'

/*
 * What a line-up was when it was saved, before its sections were handed over on the night: what the next one of that weekday
 * begins as. The activity log has the hand-overs; what it does not know any more stays as it is.
 */

/** Sections that somebody gave to another while the doors were open. */
type Handed = { readonly from: number; readonly to: number; readonly sections: readonly number[] }

/** More hand-overs than a service has. */
const mostHanded = 200

/** How long before a service its line-up may have been saved. */
const daysBefore = 30

export const lineUpAsSet = async (db: Queries, venue: VenueId, shift: ShiftRow): Promise<LineUpRow[]> => {
  const lineUp = await lineUpOf(db, venue, shift.id)
  const holders = new Map(
    lineUp.flatMap(({ server_id, sections }) => (sections ?? []).map((section) => [section, server_id])),
  )
  for (const { from, to, sections } of await handedSinceSaved(db, venue, shift))
    for (const section of sections) if (holders.get(section) === to) holders.set(section, from)
  return lineUp.map((one) => {
    const own = [...holders].filter(([, server]) => server === one.server_id).map(([section]) => section)
    return { ...one, sections: own.toSorted((a, b) => a - b) }
  })
}

/** The hand-overs since a line-up was saved last, the last first. */
const handedSinceSaved = async (
  db: Queries,
  venue: VenueId,
  { id, service_date }: ShiftRow,
): Promise<readonly Handed[]> => {
  const rows = await db.many(sql({ action: 'text', handed: 'text?' })`
    select action, after->>'handed' as handed from activity
     where venue_id = ${venue} and record_kind = 'venue' and record_id = ${venue}
       and at >= ${addDays(service_date, -daysBefore)}::date
       and action in ('change the line-up', 'hand over a section') and after->>'shift' = ${String(id)}
     order by id desc limit ${mostHanded}`)
  const saved = rows.findIndex(({ action }) => action === 'change the line-up')
  return rows
    .slice(0, saved === -1 ? rows.length : saved)
    .flatMap(({ handed }) => (handed === null ? [] : [JSON.parse(handed) as Handed]))
}
