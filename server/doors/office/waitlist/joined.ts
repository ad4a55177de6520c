import { waitlistEntry } from '../../../book/waitlist/reads.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { guestsInWords } from '../parts/time-words.ts'
import type { Undo } from '../parts/undo.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

/** What is said of a party that a press put on the waitlist, and its undo while nothing has happened to it since. */
export const joinedAnswer = async (
  { db, venue }: OfficeWork,
  id: number,
  back: string,
): Promise<{ readonly sentence: string; readonly undo: Undo | undefined }> => {
  const row = await waitlistEntry(db, venue.id, id)
  if (!row) throw notFound('party on the waitlist')
  const { version, status, guest_name, party_size, quoted_minutes } = row
  const undo: Undo = {
    to: `/office/waitlist/${id}/moves`,
    hidden: { version, status, back, undo: '1' },
    press: ['move', 'leave'],
    id: `w${id}-leave`,
  }
  return {
    sentence: `${guest_name ?? 'A party'}, ${guestsInWords(party_size)}: on the waitlist, ${quoted_minutes === null ? 'not quoted' : `quoted ${quoted_minutes} minutes`}.`,
    undo: status === 'waiting' && version === 1 ? undo : undefined,
  }
}
