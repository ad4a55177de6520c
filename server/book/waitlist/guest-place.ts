import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { waitlistEntryForUpdate } from './reads.ts'
import { type EntryRow, entryRow } from '../day/entry-row.ts'
import { inLine } from './states.ts'

/* A party's place in line as the party itself sees it, behind its private link. What it has for that is not public. */

const placeRow = { ...entryRow, language: 'text?', link_issue: 'int4' } as const
export type PlaceRow = RowOf<typeof placeRow>

export const guestPlaceOf = (db: Queries, venue: VenueId, entry: number): Promise<PlaceRow | undefined> =>
  db.maybe(sql(placeRow)`
    select ${columnsOf(placeRow)} from waitlist_entry where venue_id = ${venue} and id = ${entry}`)

/** The entry that a form made, if it was sent before. */
export const entryOfForm = async (
  db: Queries,
  venue: VenueId,
  formToken: string,
): Promise<number | undefined> =>
  (
    await db.maybe(sql({ id: 'int8' })`
    select id from waitlist_entry where venue_id = ${venue} and form_token = ${formToken}::uuid`)
  )?.id

/** Keeps the language a party spoke, and the form it came by. */
export const keepGuestPlace = (
  db: Queries,
  venue: VenueId,
  entry: number,
  { language, formToken }: { readonly language: string; readonly formToken: string },
): Promise<number> =>
  db.run(sql()`
    update waitlist_entry set language = ${language}, form_token = ${formToken}::uuid
     where venue_id = ${venue} and id = ${entry}`)

/** Ends the link there is: only the next one leads to the place. */
export const newPlaceLink = (db: Queries, venue: VenueId, entry: number): Promise<number> =>
  db.run(sql()`
    update waitlist_entry set link_issue = link_issue + 1 where venue_id = ${venue} and id = ${entry}`)

/** Marks that a party says it is on its way: for staff only, and nothing else changes. */
export const markOnTheirWay = async (work: Work, id: number): Promise<void> => {
  const { db, venue } = work
  const before = await waitlistEntryForUpdate(db, venue.id, id)
  if (!before || before.coming_at !== null || !isInLine(before)) return
  const now = work.now()
  await db.run(sql()`
    update waitlist_entry set coming_at = ${now} where venue_id = ${venue.id} and id = ${id}`)
  await recordActivity(
    work,
    { kind: 'guest' },
    {
      action: 'onTheirWay',
      record: { kind: 'waitlist_entry', id },
      before: { coming_at: null },
      after: { coming_at: now.toString() },
    },
    now,
  )
}

export const isInLine = ({ status }: Pick<EntryRow, 'status'>): boolean =>
  inLine.some((known) => known === status)
