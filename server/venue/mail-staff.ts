import type { Work } from '../context.ts'
import { type GuestMailKind, queueGuestMail } from '../mail/guest-mails.ts'
import { guestSettingsOf } from './guest-settings.ts'

export type StaffMail = Extract<GuestMailKind, `staff${string}`>

/**
 * Has staff mailed about what a guest asks of them on the venue's pages, in the transaction that asks it; nobody is
 * where the venue has set no address for it. Pointless after `until`.
 */
export const mailStaff = async (
  { db, venue }: Work,
  kind: StaffMail,
  record: number,
  now: Temporal.Instant,
  until?: Temporal.Instant,
): Promise<void> => {
  const { settings } = await guestSettingsOf(db, venue.id)
  if (settings.staffMail === null) return
  await queueGuestMail(db, venue.id, { kind, record, ...(until && { until }) }, now)
}
