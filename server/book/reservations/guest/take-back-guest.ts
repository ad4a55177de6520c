import type { Work } from '../../../context.ts'
import { takeBackGuest } from '../../../crm/guests/take-back-import.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { BookRow } from '../../day/book-row.ts'
import type { Press } from '../../tables/hold-press.ts'

/** In the row of the activity log of a press that also made the guest of its booking. */
export const madeGuest = 'new_guest'

/**
 * The guest that a press made with its booking goes with its undo, unless anything else hangs on them or somebody changed
 * them since: then they stay, as after the undo of an import. Under the guest book, once the booking is gone.
 */
export const takeBackMadeGuest = async (
  work: Work,
  { guest_id: id, created_at }: Pick<BookRow, 'guest_id' | 'created_at'>,
  press: Press | undefined,
): Promise<void> => {
  if (id === null || !press || !(await hasMadeGuest(work, press))) return
  const guest = { id, made: true, filled: [], version: asMade, since: toInstant(created_at) }
  await takeBackGuest(work, guest)
}

/** The version of a guest whom nobody has changed. */
const asMade = 1

const hasMadeGuest = async ({ db, venue }: Pick<Work, 'db' | 'venue'>, { rows }: Press): Promise<boolean> => {
  const row = await db.maybe(sql({ id: 'int8' })`
    select id from activity
     where venue_id = ${venue.id} and id = any(${[...rows]}::bigint[]) and after ->> ${madeGuest} = 'true'
     limit 1`)
  return row !== undefined
}
