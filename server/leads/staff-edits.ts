import { limits } from '@venue-data/contract/limits.ts'
import { type Priority, priorities } from '@venue-data/contract/lead.ts'
import type { Actor } from '../activity/actor.ts'
import { recordActivity } from '../activity/record.ts'
import type { Work } from '../context.ts'
import { holdGuestBook, matchOrMakeGuest } from '../guests/actions.ts'
import { Refusal, notFound } from '../kernel/refusal.ts'
import { asSeen } from '../kernel/seen-version.ts'
import { needed, oneOf, typedEmail, typedLine, typedPhone, typedText } from '../kernel/typed-fields.ts'
import { takeEnquiry } from './actions.ts'
import { type StaffLeadRow, pipelineOf, staffLead, staffLeadForUpdate } from './staff-reads.ts'
import { type StaffLeadColumns, removeLead, writeStaffLead } from './staff-writes.ts'

/** What staff type of a lead; a field left out stays, null or blank empties it. The date and the numbers are free text. */
export type LeadChanges = {
  readonly contactName?: string | null
  readonly contactEmail?: string | null
  readonly contactPhone?: string | null
  readonly eventName?: string | null
  readonly occasion?: string | null
  readonly eventDate?: string | null
  readonly guestCount?: string | null
  readonly budgetPerPerson?: string | null
  readonly diningStyle?: string | null
  readonly dietaryNeeds?: string | null
  readonly concept?: string | null
  readonly priority?: string
  readonly notes?: string | null
}

export type SeenLead = { readonly id: number; readonly seenVersion: number }

/** An enquiry that staff took by telephone or in person: at Inquiry, submittedVia `staff`; `lead.created` is told. */
export const addLead = async (work: Work, actor: Actor, typed: LeadChanges): Promise<StaffLeadRow> => {
  const { db, venue } = work
  const columns = changed(nothing, typed)
  const lead = await takeEnquiry(
    work,
    {
      contactName: needed('The name', columns.contact_name),
      contactEmail: columns.contact_email,
      contactPhone: columns.contact_phone,
      eventName: columns.event_name ?? 'TBD',
      occasion: columns.occasion,
      eventDate: columns.event_date,
      guestCount: columns.guest_count,
      budgetPerPerson: columns.budget_per_person,
      diningStyle: columns.dining_style,
      dietaryNeeds: columns.dietary_needs,
      concept: columns.concept,
      priority: columns.priority as Priority,
      notes: columns.notes,
    },
    'staff',
  )
  const after = await staffLead(db, venue.id, lead.id)
  if (!after) throw new Error('a lead that was just made is not there')
  await recordActivity(
    work,
    actor,
    { action: 'make', record: { kind: 'lead', id: lead.id }, before: null, after },
    work.now(),
  )
  return after
}

/**
 * Edits a lead. New contact details are matched to a guest or make one, as with every inquiry. The only event about
 * leads is lead.created, so nothing is emitted.
 */
export const editLead = async (
  work: Work,
  actor: Actor,
  { id, seenVersion, changes }: SeenLead & { readonly changes: LeadChanges },
): Promise<StaffLeadRow> => {
  if (changes.contactEmail !== undefined || changes.contactPhone !== undefined) await holdGuestBook(work)
  return change(work, actor, 'edit', { id, seenVersion }, async (before) => {
    const to = changed(before, changes)
    const sameContact = to.contact_email === before.contact_email && to.contact_phone === before.contact_phone
    return sameContact ? to : { ...to, guest_id: await guestOf(work, to) }
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
): Promise<StaffLeadRow> => {
  const { stages } = await pipelineOf(work.db, work.venue.id)
  return change(work, actor, 'move', { id, seenVersion }, async (before) => {
    if (stage !== before.stage && !stages.includes(stage)) {
      throw new Refusal(409, 'This stage is not on the list of stages any more; look again.')
    }
    return { ...before, stage }
  })
}

export const setLeadPriority = async (
  work: Work,
  actor: Actor,
  { id, seenVersion, priority }: SeenLead & { readonly priority: string },
): Promise<StaffLeadRow> =>
  change(work, actor, 'setPriority', { id, seenVersion }, async (before) => ({
    ...before,
    priority: oneOf('The priority', priority, priorities),
  }))

/**
 * Deletes a lead for good, with its notes and drafts. Nothing is emitted; a kept answer about it is no longer replayed,
 * since the record is gone.
 */
export const deleteLead = async (work: Work, actor: Actor, { id, seenVersion }: SeenLead): Promise<void> => {
  const { db, venue } = work
  const before = asSeen('lead', await staffLeadForUpdate(db, venue.id, id), seenVersion)
  if ((await removeLead(db, venue.id, id)) !== 1) throw notFound('lead')
  await recordActivity(
    work,
    actor,
    { action: 'delete', record: { kind: 'lead', id }, before, after: null },
    work.now(),
  )
}

const change = async (
  work: Work,
  actor: Actor,
  action: string,
  { id, seenVersion }: SeenLead,
  changeTo: (before: StaffLeadRow) => Promise<StaffLeadColumns>,
): Promise<StaffLeadRow> => {
  const { db, venue } = work
  const before = asSeen('lead', await staffLeadForUpdate(db, venue.id, id), seenVersion)
  const to = await changeTo(before)
  const now = work.now()
  const after = await writeStaffLead(db, venue.id, id, to, now)
  await recordActivity(work, actor, { action, record: { kind: 'lead', id }, before, after }, now)
  return after
}

const guestOf = async (work: Work, to: StaffLeadColumns): Promise<number | null> => {
  const matched = await matchOrMakeGuest(
    work,
    {
      name: to.contact_name ?? undefined,
      email: to.contact_email ?? undefined,
      phone: to.contact_phone ?? undefined,
    },
    'staff',
  )
  return matched?.guest.id ?? null
}

const nothing: StaffLeadColumns = {
  contact_name: null,
  contact_email: null,
  contact_phone: null,
  event_name: null,
  occasion: null,
  event_date: null,
  guest_count: null,
  budget_per_person: null,
  dining_style: null,
  dietary_needs: null,
  concept: null,
  stage: 'Inquiry',
  priority: 'Medium',
  notes: null,
  guest_id: null,
}

const changed = (before: StaffLeadColumns, changes: LeadChanges): StaffLeadColumns => {
  const line = (what: string, change: string | null | undefined, kept: string | null): string | null =>
    change === undefined ? kept : typedLine(what, change, limits.shortTextCharacters)
  return {
    contact_name:
      changes.contactName === undefined
        ? before.contact_name
        : needed('The name', line('The name', changes.contactName, null)),
    contact_email:
      changes.contactEmail === undefined
        ? before.contact_email
        : typedEmail('The email', changes.contactEmail),
    contact_phone:
      changes.contactPhone === undefined
        ? before.contact_phone
        : typedPhone('The phone', changes.contactPhone),
    event_name: line('The event', changes.eventName, before.event_name),
    occasion: line('The occasion', changes.occasion, before.occasion),
    event_date: line('The date', changes.eventDate, before.event_date),
    guest_count: line('The number of guests', changes.guestCount, before.guest_count),
    budget_per_person: line('The budget', changes.budgetPerPerson, before.budget_per_person),
    dining_style: line('The dining style', changes.diningStyle, before.dining_style),
    dietary_needs: line('The dietary needs', changes.dietaryNeeds, before.dietary_needs),
    concept: line('The room or brand', changes.concept, before.concept),
    stage: before.stage,
    priority:
      changes.priority === undefined ? before.priority : oneOf('The priority', changes.priority, priorities),
    notes:
      changes.notes === undefined
        ? before.notes
        : typedText('The notes', changes.notes, limits.notesCharacters),
    guest_id: before.guest_id,
  }
}
