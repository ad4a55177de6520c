import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { movedWhen, noted, noteGone } from '../../core/events/note-change.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type LeadRow, type NewLead, leadRecord, leadRow } from './lead.ts'

export const insertLead = (
  db: Queries,
  venue: VenueId,
  lead: NewLead,
  now: Temporal.Instant,
): Promise<LeadRow> =>
  noted(
    db,
    venue,
    'lead',
    now,
    db.one(sql(leadRow)`
    insert into lead (venue_id, ${leadRecord.names}, submitted_via, submitted_at, created_at, updated_at)
    values (${venue}, ${leadRecord.values(lead)}, ${lead.submitted_via}, ${now}, ${now}, ${now})
    returning ${columnsOf(leadRow)}`),
  )

/** Writes what staff may change of a lead that is held by the caller. The room or brand and the guest are not public. */
export const writeLead = (
  db: Queries,
  venue: VenueId,
  to: LeadRow,
  now: Temporal.Instant,
): Promise<LeadRow> =>
  noted(
    db,
    venue,
    'lead',
    now,
    db.one(sql(leadRow)`
    update lead set ${leadRecord.set(to)}, version = version + 1, ${movedWhen(leadRecord.differs(to), now)}
     where venue_id = ${venue} and id = ${to.id}
    returning ${columnsOf(leadRow)}`),
  )

/** False if it is gone already. */
export const removeLead = async (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
): Promise<boolean> => {
  const gone = await db.maybe(sql({ revision: 'int4' })`
    delete from lead where venue_id = ${venue} and id = ${id} returning revision`)
  if (gone) noteGone(db, venue, { kind: 'lead', id, revision: gone.revision }, now)
  return gone !== undefined
}
