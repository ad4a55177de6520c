import type { Queries } from '../db/pool.ts'
import { columnsOf, sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import {
  type LeadNoteRow,
  type Pipeline,
  type StaffLeadRow,
  leadNoteRow,
  staffLeadRow,
} from './staff-reads.ts'

/** What staff may change of a lead. */
export type StaffLeadColumns = Pick<
  StaffLeadRow,
  | 'contact_name'
  | 'contact_email'
  | 'contact_phone'
  | 'event_name'
  | 'occasion'
  | 'event_date'
  | 'guest_count'
  | 'budget_per_person'
  | 'dining_style'
  | 'dietary_needs'
  | 'concept'
  | 'stage'
  | 'priority'
  | 'notes'
  | 'guest_id'
>

/** Writes a lead that is held by the caller. */
export const writeStaffLead = (
  db: Queries,
  venue: VenueId,
  lead: number,
  to: StaffLeadColumns,
  now: Temporal.Instant,
): Promise<StaffLeadRow> =>
  db.one(sql(staffLeadRow)`
    update lead set
      contact_name = ${to.contact_name}, contact_email = ${to.contact_email}, contact_phone = ${to.contact_phone},
      event_name = ${to.event_name}, occasion = ${to.occasion}, event_date = ${to.event_date},
      guest_count = ${to.guest_count}, budget_per_person = ${to.budget_per_person}, dining_style = ${to.dining_style},
      dietary_needs = ${to.dietary_needs}, concept = ${to.concept}, stage = ${to.stage}, priority = ${to.priority},
      notes = ${to.notes}, guest_id = ${to.guest_id}, version = version + 1,
      updated_at = greatest(updated_at, ${now})
    where venue_id = ${venue} and id = ${lead}
    returning ${columnsOf(staffLeadRow)}`)

export const removeLead = (db: Queries, venue: VenueId, lead: number): Promise<number> =>
  db.run(sql()`delete from lead where venue_id = ${venue} and id = ${lead}`)

export const insertLeadNote = (
  db: Queries,
  venue: VenueId,
  lead: number,
  {
    kind,
    text,
    writtenBy,
  }: { readonly kind: string; readonly text: string; readonly writtenBy: string | null },
  now: Temporal.Instant,
): Promise<LeadNoteRow> =>
  db.one(sql(leadNoteRow)`
    insert into lead_note (venue_id, lead_id, kind, text, written_by, created_at, updated_at)
    values (${venue}, ${lead}, ${kind}, ${text}, ${writtenBy}, ${now}, ${now})
    returning ${columnsOf(leadNoteRow)}`)

export const updateLeadNote = (
  db: Queries,
  venue: VenueId,
  note: number,
  text: string,
  now: Temporal.Instant,
): Promise<LeadNoteRow> =>
  db.one(sql(leadNoteRow)`
    update lead_note set text = ${text}, updated_at = ${now}, version = version + 1
     where venue_id = ${venue} and id = ${note}
    returning ${columnsOf(leadNoteRow)}`)

export const deleteLeadNote = (db: Queries, venue: VenueId, note: number): Promise<number> =>
  db.run(sql()`delete from lead_note where venue_id = ${venue} and id = ${note}`)

/** Undefined when the list is not of the version that was seen; 0 = the usual one. */
export const writePipeline = (
  db: Queries,
  venue: VenueId,
  stages: readonly string[],
  seenVersion: number,
): Promise<Pipeline | undefined> =>
  db.maybe(
    seenVersion === 0
      ? sql({ stages: 'text[]', version: 'int4' })`
        insert into lead_pipeline (venue_id, stages) values (${venue}, ${stages})
        on conflict (venue_id) do nothing
        returning stages, version`
      : sql({ stages: 'text[]', version: 'int4' })`
        update lead_pipeline set stages = ${stages}, version = version + 1
         where venue_id = ${venue} and version = ${seenVersion}
        returning stages, version`,
  )
