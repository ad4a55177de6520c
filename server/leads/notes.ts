import { limits } from '@venue-data/contract/limits.ts'
import type { Actor } from '../activity/actor.ts'
import { recordActivity } from '../activity/record.ts'
import type { Work } from '../context.ts'
import { notFound } from '../kernel/refusal.ts'
import { asSeen } from '../kernel/seen-version.ts'
import { needed, typedText } from '../kernel/typed-fields.ts'
import { type LeadNoteRow, leadNoteForUpdate, staffLeadForUpdate } from './staff-reads.ts'
import { deleteLeadNote, insertLeadNote, updateLeadNote } from './staff-writes.ts'

/*
 * What staff write about an inquiry, and drafts of their replies. They are in a table of their own that no part of the
 * API reads: internal notes, drafts and triage are never returned.
 */

export const leadNoteKinds = ['note', 'draft'] as const
export type LeadNoteKind = (typeof leadNoteKinds)[number]

/** Characters of a draft: a long letter. */
const textMost = 5 * limits.notesCharacters

/** Adds a note or a draft to a lead, under the name of who wrote it. */
export const addLeadNote = async (
  work: Work,
  actor: Actor,
  { lead, kind, text }: { readonly lead: number; readonly kind: LeadNoteKind; readonly text: string },
): Promise<LeadNoteRow> => {
  const { db, venue } = work
  if (!(await staffLeadForUpdate(db, venue.id, lead))) throw notFound('lead')
  const now = work.now()
  const writtenBy = actor.kind === 'staff' ? actor.email : null
  const after = await insertLeadNote(db, venue.id, lead, { kind, text: written(text), writtenBy }, now)
  await recordActivity(
    work,
    actor,
    { action: 'make', record: { kind: 'lead_note', id: after.id }, before: null, after },
    now,
  )
  return after
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

const written = (text: string): string => needed('The text', typedText('The text', text, textMost))
