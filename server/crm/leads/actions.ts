import type { LeadOrigin } from '@venue-data/contract/records/lead.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { recordEvent } from '../../core/events/record.ts'
import { type GuestOrigin, matchOrMakeGuest } from '../guests/actions.ts'
import { type TypedLead, leadFields } from './fields.ts'
import { type Inquiry, type LeadRow, presentLead } from './lead.ts'
import { latestConcept } from './reads.ts'
import { insertLead } from './writes.ts'

/** Adds an inquiry to the venue's pipeline at stage Inquiry, with its contact matched to a guest or made a new one. */
export const takeInquiry = async (
  work: Work,
  inquiry: Inquiry,
  submittedVia: LeadOrigin = 'automation',
): Promise<LeadRow> => {
  const guest = await guestBehind(work, inquiry, guestOrigins[submittedVia])
  const now = work.now()
  const row = await insertLead(
    work.db,
    work.venue.id,
    {
      ...inquiry,
      event_name: inquiry.event_name ?? 'TBD',
      concept: inquiry.concept ?? (await latestConcept(work.db, work.venue.id)),
      guest_id: guest,
      stage: 'Inquiry',
      submitted_via: submittedVia,
    },
    now,
  )
  await recordEvent(work, 'lead.created', presentLead(row), now)
  return row
}

/** An inquiry that staff took by phone or in person. */
export const addLead = async (work: Work, actor: Actor, typed: TypedLead): Promise<LeadRow> => {
  const after = await takeInquiry(work, leadFields.read(typed), 'staff')
  await recordActivity(
    work,
    actor,
    { action: 'make', record: { kind: 'lead', id: after.id }, before: null, after },
    work.now(),
  )
  return after
}

/** The guest that a lead's contact leads to, created if missing; null if there is nothing to match by. */
export const guestBehind = async (
  work: Work,
  contact: Partial<Pick<LeadRow, 'contact_name' | 'contact_email' | 'contact_phone'>>,
  origin: GuestOrigin,
): Promise<number | null> => {
  const matched = await matchOrMakeGuest(
    work,
    {
      name: contact.contact_name ?? undefined,
      email: contact.contact_email ?? undefined,
      phone: contact.contact_phone ?? undefined,
    },
    origin,
  )
  return matched?.guest.id ?? null
}

/** How the notes about a guest name where an inquiry came from. */
const guestOrigins = {
  automation: 'automation',
  public_form: 'public',
  staff: 'staff',
  import: 'import',
} as const satisfies Record<LeadOrigin, GuestOrigin>
