import type { Actor } from '../activity/actor.ts'
import { recordActivity } from '../activity/record.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { typedText } from '../../platform/kernel/typed-fields.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from './venue.ts'

/* The notes of an evening: one text that everybody on the floor reads and any of them may change. For staff only. */

/** More than anybody reads before a shift. */
export const mostOfShiftNotes = 2_000

const noteRow = { text: 'text', version: 'int4' } as const
export type ShiftNotes = RowOf<typeof noteRow>

/** Of an evening nobody wrote about, nothing at version 0. */
export const shiftNotesOf = async (db: Queries, venue: VenueId, evening: LocalDate): Promise<ShiftNotes> =>
  (await db.maybe(sql(noteRow)`
    select ${columnsOf(noteRow)} from shift_note where venue_id = ${venue} and service_date = ${evening}`)) ?? {
    text: '',
    version: 0,
  }

/** Writes them whole. Refuses a page that shows an old version: what somebody else wrote meanwhile would be lost. */
export const saveShiftNotes = async (
  work: Work,
  actor: Actor,
  {
    evening,
    text,
    seenVersion,
  }: { readonly evening: LocalDate; readonly text: string; readonly seenVersion: number },
): Promise<void> => {
  const { db, venue } = work
  const typed = typedText('The notes', text, mostOfShiftNotes) ?? ''
  const before = await shiftNotesOf(db, venue.id, evening)
  if (before.text === typed && before.version === seenVersion) return
  const written = await db.run(sql()`
    insert into shift_note (venue_id, service_date, text) values (${venue.id}, ${evening}, ${typed})
    on conflict (venue_id, service_date) do update set text = excluded.text, version = shift_note.version + 1
     where shift_note.version = ${seenVersion}`)
  if (written === 0 || before.version !== seenVersion)
    throw new Refusal(
      409,
      'The notes were just changed by someone else, so nothing was saved. The current notes are shown above.',
    )
  await recordActivity(
    work,
    actor,
    {
      action: 'change the shift notes',
      record: { kind: 'venue', id: venue.id },
      before: { shift_notes: before.text },
      after: { shift_notes: typed },
    },
    work.now(),
  )
}
