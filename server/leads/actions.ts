import type { Lead, LeadOrigin } from '@venue-data/contract/lead.ts'
import type { Work } from '../context.ts'
import { recordEvent } from '../events/record.ts'
import { type GuestOrigin, matchOrMakeGuest } from '../guests/actions.ts'
import { presentLead } from './present.ts'
import { latestConcept } from './reads.ts'
import { type NewLeadRow, insertLead } from './writes.ts'

/** An enquiry as it arrives. */
export type Enquiry = Omit<NewLeadRow, 'guestId' | 'stage' | 'submittedVia'>

/** Puts an enquiry on the venue's pipeline at stage Inquiry, its contact matched to a guest or made one. */
export const takeEnquiry = async (
  work: Work,
  enquiry: Enquiry,
  submittedVia: LeadOrigin = 'automation',
): Promise<Lead> => {
  const matched = await matchOrMakeGuest(
    work,
    {
      name: enquiry.contactName,
      email: enquiry.contactEmail ?? undefined,
      phone: enquiry.contactPhone ?? undefined,
    },
    guestOrigins[submittedVia],
  )
  const now = work.now()
  const row = await insertLead(
    work.db,
    work.venue.id,
    {
      ...enquiry,
      concept: enquiry.concept ?? (await latestConcept(work.db, work.venue.id)),
      guestId: matched?.guest.id ?? null,
      stage: 'Inquiry',
      submittedVia,
    },
    now,
  )
  const lead = presentLead(row)
  await recordEvent(work, 'lead.created', lead, now)
  return lead
}

/** How the notes about a guest name where an enquiry came from. */
const guestOrigins = {
  automation: 'automation',
  public_form: 'public',
  staff: 'staff',
  import: 'import',
} as const satisfies Record<LeadOrigin, GuestOrigin>
