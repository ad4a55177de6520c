import { limits } from '@venue-data/contract/limits.ts'
import { keyName } from '../../core/activity/key-name.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { refuseErased } from '../../platform/http/records/erased-records.ts'
import { notFound } from '../../platform/kernel/refusal.ts'
import { asSeen } from '../../platform/kernel/running/seen-version.ts'
import { needed, typedText } from '../../platform/kernel/typed-fields.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { leadForUpdate } from './reads.ts'

/*
 * What staff write about an inquiry, and drafts of their replies. They are in a table of their own that no part of the
 * API reads: internal notes, drafts and triage are never returned.
 */

export const leadNoteKinds = ['note', 'draft'] as const
export type LeadNoteKind = (typeof leadNoteKinds)[number]

/** Characters of a draft: a long letter. */
export const leadNoteCharacters = 5 * limits.notesCharacters

const leadNoteRow = {
  id: 'int8',
  lead_id: 'int8',
  kind: 'text',
  text: 'text',
  written_by: 'text?',
  version: 'int4',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const
export type LeadNoteRow = RowOf<typeof leadNoteRow>

const mostNotes = 500

/** Staff's notes and drafts about a lead, oldest first. */
export const notesOfLead = (db: Queries, venue: VenueId, lead: number): Promise<LeadNoteRow[]> =>
  db.many(sql(leadNoteRow)`
    select ${columnsOf(leadNoteRow)} from lead_note
     where venue_id = ${venue} and lead_id = ${lead} order by id limit ${mostNotes}`)

/** Adds a note or a draft to a lead, under the name of who wrote it. */
export const addLeadNote = async (
  work: Work,
  actor: Actor,
  { lead, kind, text }: { readonly lead: number; readonly kind: LeadNoteKind; readonly text: string },
): Promise<LeadNoteRow> => {
  const { db, venue } = work
  if (!(await leadForUpdate(db, venue.id, lead))) throw notFound('lead')
  await refuseErased(db, venue.id, 'lead', lead)
  const now = work.now()
  const writtenBy = await nameOf(work, actor)
  const after = await insertLeadNote(db, venue.id, lead, { kind, text: written(text), writtenBy }, now)
  await recordActivity(
    work,
    actor,
    { action: 'make', record: { kind: 'lead_note', id: after.id }, before: null, after },
    now,
  )
  return after
}

const nameOf = async ({ db, venue }: Work, actor: Actor): Promise<string | null> => {
  if (actor.kind === 'staff') return actor.email
  return actor.kind === 'key' ? keyName(db, venue.id, actor.id) : null
}

/** Rewrites a note or a draft. */
export const editLeadNote = async (
  work: Work,
  actor: Actor,
  { id, seenVersion, text }: { readonly id: number; readonly seenVersion: number; readonly text: string },
): Promise<LeadNoteRow> => {
  const { db, venue } = work
  const before = asSeen('note', await leadNoteForUpdate(db, venue.id, id), seenVersion)
  const now = work.now()
  const after = await updateLeadNote(db, venue.id, id, written(text), now)
  await recordActivity(work, actor, { action: 'edit', record: { kind: 'lead_note', id }, before, after }, now)
  return after
}

export const removeLeadNote = async (
  work: Work,
  actor: Actor,
  { id, seenVersion }: { readonly id: number; readonly seenVersion: number },
): Promise<void> => {
  const { db, venue } = work
  const before = asSeen('note', await leadNoteForUpdate(db, venue.id, id), seenVersion)
  await deleteLeadNote(db, venue.id, id)
  await recordActivity(
    work,
    actor,
    { action: 'delete', record: { kind: 'lead_note', id }, before, after: null },
    work.now(),
  )
}

const written = (text: string): string => needed('The text', typedText('The text', text, leadNoteCharacters))

const leadNoteForUpdate = (db: Queries, venue: VenueId, note: number): Promise<LeadNoteRow | undefined> =>
  db.maybe(sql(leadNoteRow)`
    select ${columnsOf(leadNoteRow)} from lead_note where venue_id = ${venue} and id = ${note} for update`)

const insertLeadNote = (
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

const updateLeadNote = (
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

const deleteLeadNote = (db: Queries, venue: VenueId, note: number): Promise<number> =>
  db.run(sql()`delete from lead_note where venue_id = ${venue} and id = ${note}`)
