import type { Work } from '../context.ts'
import type { Queries } from '../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../platform/db/sql.ts'
import { type MailsWhere, mailsWhere } from './guest-mail-kinds.ts'
import { queueGuestMail } from './guest-mail-queue.ts'
import { guestSettingsOf } from '../core/venue/guest-settings.ts'
import type { GuestSettings } from '../core/venue/guest-settings-rules.ts'
import type { VenueId } from '../core/venue/venue.ts'

export type StaffMail = MailsWhere<{ to: 'staff' }>

const staffMails = mailsWhere({ to: 'staff' })

/**
 * Has staff mailed about what a guest asks of them on the venue's pages, in the transaction that asks it; nobody is
 * where the venue has set no address for it. Pointless after `until`.
 */
export const mailStaff = async (
  { db, venue, now }: Work,
  { staffMail }: Pick<GuestSettings, 'staffMail'>,
  kind: StaffMail,
  record: number,
  until?: Temporal.Instant,
): Promise<void> => {
  if (staffMail === null) return
  await queueGuestMail(db, venue.id, { kind, record, ...(until && { until }) }, now())
}

const failedMailRow = {
  id: 'int8',
  kind: 'text',
  record_id: 'int8',
  ended_at: 'timestamptz',
  answer: 'text?',
} as const
export type FailedStaffMail = Omit<RowOf<typeof failedMailRow>, 'kind'> & { readonly kind: StaffMail }

const mostFailed = 20

/**
 * The mails to staff that did not arrive, newest first, since one last did: none where the address works, or where there is
 * no longer an address.
 */
export const failedStaffMails = async (db: Queries, venue: VenueId): Promise<FailedStaffMail[]> => {
  const failed = (await db.many(sql(failedMailRow)`
    select ${columnsOf(failedMailRow)} from guest_mail
     where venue_id = ${venue} and state = 'failed' and kind = any(${staffMails})
       and ended_at > coalesce((
         select max(ended_at) from guest_mail
          where venue_id = ${venue} and state = 'sent' and kind = any(${staffMails})), '-infinity')
     order by id desc limit ${mostFailed}`)) as FailedStaffMail[]
  if (failed.length === 0) return failed
  return (await guestSettingsOf(db, venue)).settings.staffMail === null ? [] : failed
}
