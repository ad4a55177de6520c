import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { notFound, refuse } from '../../platform/kernel/refusal.ts'
import { queueGuestMail } from '../../mail/guest-mail-queue.ts'
import { isInLine, newPlaceLink } from './guest-place.ts'
import { waitlistEntryForUpdate } from './reads.ts'
import type { EntryRow } from '../day/entry-row.ts'

/* What staff do with a party's private link: email it, and end one by making the next, as for bookings. */

type Staff = Actor & { readonly kind: 'staff' }

/** Whether a party's link can be mailed: it waits or was offered a table, and has an address. */
export const mayMailPlace = (row: Pick<EntryRow, 'email' | 'status'>): boolean =>
  row.email !== null && isInLine(row)

/** Whether a party may have a link: it put itself on the waitlist, or was mailed one. */
export const mayHaveLink = (row: Pick<EntryRow, 'email' | 'status' | 'source'>): boolean =>
  isInLine(row) && (row.source === 'public' || row.email !== null)

/** Emails a party the link to its place, whether it joined by itself or staff added it. */
export const mailPlace = async (work: Work, staff: Staff, id: number): Promise<void> => {
  const row = await locked(work, id)
  if (!mayMailPlace(row))
    throw refuse('not-in-state', 'Only a waiting party with an email address gets a link.')
  await queueLink(work, staff, 'mailLink', row)
}

/**
 * Ends the link there is: it opens nothing from now on. The next one goes to the party, if it has an address;
 * returns whether it did.
 */
export const renewPlace = async (work: Work, staff: Staff, id: number): Promise<boolean> => {
  const row = await locked(work, id)
  if (!mayHaveLink(row)) throw refuse('not-in-state', 'This party has no link.')
  await newPlaceLink(work.db, work.venue.id, id)
  await queueLink(work, staff, 'renewLink', row)
  return mayMailPlace(row)
}

const locked = async ({ db, venue }: Work, id: number): Promise<EntryRow> => {
  const row = await waitlistEntryForUpdate(db, venue.id, id)
  if (!row) throw notFound('party on the waitlist')
  return row
}

const queueLink = async (
  work: Work,
  staff: Staff,
  action: 'mailLink' | 'renewLink',
  row: EntryRow,
): Promise<void> => {
  const { db, venue } = work
  const now = work.now()
  if (mayMailPlace(row))
    await queueGuestMail(db, venue.id, { kind: 'placeLink', record: row.id, byStaff: true }, now)
  const record = { kind: 'waitlist_entry', id: row.id } as const
  await recordActivity(work, staff, { action, record, before: {}, after: {} }, now)
}
