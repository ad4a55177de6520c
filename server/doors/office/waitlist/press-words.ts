import { limits } from '@venue-data/contract/limits.ts'
import type { WaitlistEntry } from '@venue-data/contract/records/waitlist-entry.ts'
import type { Context } from '../../../context.ts'
import { activityOfRecord } from '../../../core/activity/reads.ts'
import type { EntryRow } from '../../../book/day/entry-row.ts'
import { toldBack } from '../../../book/waitlist/messages/back-in-line.ts'
import { waitlistEntry } from '../../../book/waitlist/reads.ts'
import { type WaitlistMoveName, waitlistMoves } from '../../../book/waitlist/states.ts'
import { movedByPaging, seatedWords } from '../bookings/who-moved.ts'
import { labelsPaged } from '../../../book/day/tables-of-booking-reads.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { heldWords, pagedWords } from './paged-words.ts'
import { numberToCall, phoneInWords } from '../../../platform/kernel/phone/shown-phone.ts'

/* What the last line says of a press on a party of the waitlist. */

/** What a press did, in the last line. */
export const madeWords = (
  move: WaitlistMoveName,
  { quotedMinutes }: WaitlistEntry,
  isUndo: boolean,
): string => {
  if (move === 'quote') {
    if (!isUndo) return `quoted ${quotedMinutes} minutes`
    return quotedMinutes === null ? 'not quoted after all' : `quoted ${quotedMinutes} minutes, as before`
  }
  // Only joining is undone so: a party that was just put on the list did not leave.
  return move === 'leave' && isUndo ? 'not on the waitlist after all' : words[move]
}

const words: Record<WaitlistMoveName, string> = {
  quote: 'quoted again',
  page: `paged; their table is held for ${limits.doorOfferMinutes} minutes`,
  offer: 'offered a table, which is held for them',
  acceptOffer: 'took the table',
  notYet: 'still waiting',
  seatNow: 'seated',
  bookForLater: 'has a table for later',
  leave: 'left',
  expire: 'expired',
  recall: 'back on the waitlist',
  rejoin: 'back on the waitlist',
}

/** What only the venue's own records say of a press: how a party was reached, or where it sits and who moved for it. */
export const recordedWords = async (
  context: Pick<Context, 'mail'>,
  work: OfficeWork,
  move: WaitlistMoveName,
  row: EntryRow,
  /** When the press was made, or just before. */
  since: Temporal.Instant,
): Promise<string | undefined> => {
  if (move === 'page')
    return [await pagedWords(context, work, row), ...(await movedByPaging(work, row.id))].join('. ')
  if (waitlistMoves[move].to === 'waiting') return backWords(work, move, row, since)
  const booking =
    move === 'seatNow' ? (await waitlistEntry(work.db, work.venue.id, row.id))?.reservation_id : undefined
  return booking ? seatedWords(work, booking) : undefined
}

/** That they wait again, or are paged as before, and how they hear it who were told something else. */
const backWords = async (
  work: OfficeWork,
  move: WaitlistMoveName,
  { id, phone, email }: EntryRow,
  since: Temporal.Instant,
): Promise<string> => {
  const after = await waitlistEntry(work.db, work.venue.id, id)
  if (after?.status === 'offered')
    return `paged as before; ${heldWords(await labelsPaged(work.db, work.venue.id, work.now()), id, 'still held for them')}`
  const told = await toldBack(work, id, since)
  const back = `${words[move]}${move === 'recall' && (await wasOffered(work, id)) ? '; no table is held for them now' : ''}`
  if (told === 'text') return `${back}; a text tells them, at ${phoneInWords(phone)}`
  if (told === 'mail') return `${back}; an email tells them, at ${email}`
  if (told === undefined) return back
  const number = numberToCall(phone)
  return `${back}. They were told otherwise: ${number === undefined ? 'tell them' : `call them at ${number}`}`
}

/** Whether a table was held for them until they were given one: they wait now, and it is not held again. */
const wasOffered = async ({ db, venue }: OfficeWork, id: number): Promise<boolean> => {
  const trail = await activityOfRecord(db, venue.id, 'waitlist_entry', id)
  const given = trail.find(({ action }) => action === 'seatNow' || action === 'bookForLater')
  return (given?.before as { readonly status?: unknown } | null | undefined)?.status === 'offered'
}
