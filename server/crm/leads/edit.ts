import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { refuseErased } from '../../platform/http/records/erased-records.ts'
import { recordEvent } from '../../core/events/record.ts'
import { holdGuestBook } from '../guests/actions.ts'
import { listInWords } from '../../platform/kernel/time/calendar.ts'
import { notFound, refuse } from '../../platform/kernel/refusal.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { type SeenVersion, asSeen } from '../../platform/kernel/running/seen-version.ts'
import { guestBehind } from './actions.ts'
import { type TypedLead, leadFields } from './fields.ts'
import { pipelineOf } from './pipeline.ts'
import { type LeadRow, presentLead } from './lead.ts'
import { leadForUpdate } from './reads.ts'
import { removeLead, writeLead } from './writes.ts'

export type SeenLead = { readonly id: number; readonly seenVersion: SeenVersion }

type LeadChanges = TypedLead & { readonly stage?: string; readonly externalId?: string | null }

/**
 * Edits a lead. New contact details are matched to a guest or make one, as with every inquiry.
 */
export const editLead = async (
  work: Work,
  actor: Actor,
  { id, seenVersion, changes }: SeenLead & { readonly changes: LeadChanges },
): Promise<LeadRow> => {
  await refuseErased(work.db, work.venue.id, 'lead', id)
  if (changes.contactEmail !== undefined || changes.contactPhone !== undefined) await holdGuestBook(work)
  return change(work, actor, 'edit', { id, seenVersion }, async (before) => {
    const { stage, externalId = before.external_id } = changes
    const to = {
      ...leadFields.changed(before, changes),
      external_id: externalId,
      stage: stage === undefined ? before.stage : await stageOf(work, before, stage),
    }
    const sameContact = to.contact_email === before.contact_email && to.contact_phone === before.contact_phone
    return sameContact
      ? to
      : { ...to, guest_id: await guestBehind(work, to, actor.kind === 'key' ? 'automation' : 'staff') }
  })
}

/**
 * Moves a lead to one of the venue's stages: forward, back or past stages, as staff like. Moving it to the stage it is
 * in changes nothing.
 */
export const moveLead = async (
  work: Work,
  actor: Actor,
  { id, seenVersion, stage }: SeenLead & { readonly stage: string },
): Promise<LeadRow> =>
  change(work, actor, 'move', { id, seenVersion }, async (before) => ({
    ...before,
    stage: await stageOf(work, before, stage),
  }))

/** The stage that is meant, in the venue's own letters. A lead may stay in one that is no longer listed. */
const stageOf = async ({ db, venue }: Work, before: LeadRow, named: string): Promise<string> => {
  if (named === before.stage) return named
  const { stages } = await pipelineOf(db, venue.id)
  const stage = stages.find((one) => one.toLowerCase() === named.trim().toLowerCase())
  if (stage !== undefined) return stage
  throw refuse('unknown-stage', `The venue has no such stage; its stages are ${listInWords(stages)}.`, {
    stages,
  })
}

export const setLeadPriority = async (
  work: Work,
  actor: Actor,
  { id, seenVersion, priority }: SeenLead & { readonly priority: string },
): Promise<LeadRow> =>
  change(work, actor, 'setPriority', { id, seenVersion }, async (before) =>
    leadFields.changed(before, { priority }),
  )

/**
 * Deletes a lead for good, with its notes and drafts. A kept answer about it is no longer replayed, since the record is
 * gone.
 */
export const deleteLead = async (work: Work, actor: Actor, { id, seenVersion }: SeenLead): Promise<void> => {
  const { db, venue } = work
  const before = asSeen('lead', await leadForUpdate(db, venue.id, id), seenVersion)
  const now = work.now()
  if (!(await removeLead(db, venue.id, id, now))) throw notFound('lead')
  const last = { ...before, revision: before.revision + 1, updated_at: toMoment(now) }
  await recordEvent(work, 'lead.deleted', presentLead(last), now)
  await recordActivity(
    work,
    actor,
    { action: 'delete', record: { kind: 'lead', id }, before, after: null },
    now,
  )
}

const change = async (
  work: Work,
  actor: Actor,
  action: string,
  { id, seenVersion }: SeenLead,
  changeTo: (before: LeadRow) => Promise<LeadRow>,
): Promise<LeadRow> => {
  const { db, venue } = work
  const before = asSeen('lead', await leadForUpdate(db, venue.id, id), seenVersion)
  const to = await changeTo(before)
  const now = work.now()
  const after = await writeLead(db, venue.id, to, now)
  await recordEvent(
    work,
    after.stage === before.stage ? 'lead.updated' : 'lead.stage_changed',
    presentLead(after),
    now,
    { before: presentLead(before) },
  )
  await recordActivity(work, actor, { action, record: { kind: 'lead', id }, before, after }, now)
  return after
}
