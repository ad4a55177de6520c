import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { GuestLanguage } from '../../platform/kernel/guest-language.ts'
import { queueGuestMail } from '../../mail/guest-mail-queue.ts'
import { mailStaff } from '../../mail/mail-staff.ts'
import type { GuestSettings } from '../../core/venue/guest-settings-rules.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { takeInquiry } from './actions.ts'
import { type TypedLead, leadFields } from './fields.ts'
import type { LeadRow } from './lead.ts'

/**
 * An inquiry that a guest sent by the public form: a lead at Inquiry, its contact matched to a guest, and a receipt by
 * mail. Refuses fields that cannot be kept.
 */
export const inquireByGuest = async (
  work: Work,
  settings: GuestSettings,
  typed: TypedLead,
  language: GuestLanguage,
): Promise<LeadRow> => {
  const { db, venue } = work
  const after = await takeInquiry(work, leadFields.read(typed), 'public_form')
  await db.run(sql()`
    update lead set language = ${language} where venue_id = ${venue.id} and id = ${after.id}`)
  const now = work.now()
  await recordActivity(
    work,
    { kind: 'guest' },
    { action: 'make', record: { kind: 'lead', id: after.id }, before: null, after },
    now,
  )
  if (after.contact_email !== null)
    await queueGuestMail(db, venue.id, { kind: 'inquiryReceived', record: after.id }, now)
  await mailStaff(work, settings, 'staffInquiry', after.id)
  return after
}

/** The language a lead was sent in, by the guest who sent it. */
export const languageOfLead = async (db: Queries, venue: VenueId, lead: number): Promise<string | null> =>
  (
    await db.maybe(sql({ language: 'text?' })`
    select language from lead where venue_id = ${venue} and id = ${lead}`)
  )?.language ?? null
