import type { Work } from '../../../context.ts'
import type { MailsWhere } from '../../../mail/guest-mail-kinds.ts'
import { queueGuestMail } from '../../../mail/guest-mail-queue.ts'
import type { EntryRow } from '../../day/entry-row.ts'

export type PartyMail = Exclude<MailsWhere<{ to: 'guest'; record: 'entry' }>, 'placeLink'>

/**
 * Queues a mail to a party that put itself on the waitlist, in the transaction of what happened. Not to a party that
 * staff wrote down: it asked for nothing by mail. Pointless after `until`. `byStaff`: they just pressed it.
 */
export const mailParty = async (
  { db, venue }: Work,
  entry: Pick<EntryRow, 'id' | 'email' | 'source'>,
  kind: PartyMail,
  now: Temporal.Instant,
  {
    until,
    byStaff = false,
  }: { readonly until?: Temporal.Instant | undefined; readonly byStaff?: boolean } = {},
): Promise<void> => {
  if (!mailsParty(entry)) return
  await queueGuestMail(db, venue.id, { kind, record: entry.id, byStaff, ...(until && { until }) }, now)
}

/** Whether a party gets mail about its place in line. */
export const mailsParty = ({ email, source }: Pick<EntryRow, 'email' | 'source'>): boolean =>
  email !== null && source === 'public'
