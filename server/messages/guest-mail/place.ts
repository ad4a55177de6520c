import { holdOfEntry } from '../../book/reservations/holds/hold-reads.ts'
import { guestPlaceOf } from '../../book/waitlist/guest-place.ts'
import { lineLetter } from './line.ts'
import { listLetter } from './list.ts'
import type { Writing, Written } from './writing.ts'

/** Gives a party the link to its place, as of when the mail is sent: in line, on the list, or offered a table. */
export const placeLetter = async (writing: Writing): Promise<Written> => {
  const { work, venue, mail } = writing
  const row = await guestPlaceOf(work.db, venue.id, mail.record_id)
  if (row?.status !== 'offered')
    return row?.for_later ? listLetter(writing, 'listJoined') : lineLetter(writing, 'lineJoined')
  const hold = await holdOfEntry(work.db, venue.id, row.id)
  return hold ? listLetter(writing, 'listOffered') : lineLetter(writing, 'linePaged')
}
