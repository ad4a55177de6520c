import type { Work } from '../../context.ts'
import { dropWaiting } from '../../core/events/drop-waiting.ts'
import { recordEvent } from '../../core/events/record.ts'
import { markVisitsOf } from '../../core/events/mark-past.ts'
import { movedWhen, noteGone, noted } from '../../core/events/note-change.ts'
import { columnsOf, part, sql } from '../../platform/db/sql.ts'
import { takeBackHouse } from '../house/actions.ts'
import { digestOfNote } from './actions.ts'
import type { Contribution } from './contributions.ts'
import { type StaffGuestRow, guestRow, presentGuest, staffGuestRow } from './guest.ts'
import { guestForUpdate } from './reads.ts'
import { keepRegular } from './regular-writes.ts'

/*
 * Undoing an import, guest by guest. Who was made by it goes, if nothing else hangs on them; who was there loses what
 * it filled in. Nobody is changed who was touched since: what somebody wrote after it may rest on it.
 */

export type GuestOfImport = {
  readonly id: number
  readonly made: boolean
  readonly filled: readonly string[]
  readonly version: number
  /** When the import began: what happened to them before is not counted. */
  readonly since: Temporal.Instant
}

/** Undoes it, under the guest book; answers why a guest stays as they are, or '' when it is undone. */
export const takeBackGuest = async (
  work: Work,
  { id, made, filled, version, since }: GuestOfImport,
): Promise<string> => {
  const { db, venue } = work
  const row = await db.maybe(sql({ ...staffGuestRow, erased_at: 'timestamptz?' })`
    select ${columnsOf(staffGuestRow)}, erased_at from guest
     where venue_id = ${venue.id} and id = ${id} for update`)
  if (!row) return 'This guest was merged into another since.'
  if (row.erased_at !== null) return 'This person was erased since.'
  const held = await db.one(sql({
    touched: 'bool',
    merged: 'bool',
    bookings: 'bool',
    inquiries: 'bool',
  })`
    select exists (select from activity
                    where venue_id = ${venue.id} and record_kind = 'guest' and record_id = ${id}
                      and at >= ${since}) as touched,
           exists (select from guest_merge where venue_id = ${venue.id} and kept_id = ${id}
                      and undone_at is null and merged_at >= ${since}) as merged,
           exists (select from reservation where venue_id = ${venue.id} and guest_id = ${id}) as bookings,
           exists (select from lead where venue_id = ${venue.id} and guest_id = ${id}) as inquiries`)
  if (held.merged) return 'Another guest was merged into this one since.'
  if (row.version !== version || held.touched) return 'This guest was changed since.'
  if (!made) return filled.length === 0 ? '' : emptyAgain(work, row, filled)
  if (held.bookings) return 'This guest has a booking.'
  if (held.inquiries) return 'This guest has an inquiry.'
  await db.run(sql()`delete from guest where venue_id = ${venue.id} and id = ${id}`)
  noteGone(db, venue.id, { kind: 'guest', id, revision: row.revision }, work.now())
  // An import's events go out one by one for a while: nobody hears of a guest who is gone by then.
  await dropWaiting(db, venue.id, { kind: 'guest', id })
  return ''
}

const emptyAgain = async (work: Work, row: StaffGuestRow, filled: readonly string[]): Promise<string> => {
  const { db, venue } = work
  const now = work.now()
  const has = (name: string): boolean => filled.includes(name)
  const behind = (name: string): string[] =>
    filled.flatMap((one) => (one.startsWith(`${name}:`) ? [one.slice(name.length + 1)] : []))
  // Each row of the file raised a count by its own; the first one knew the day from before.
  const count = (name: string): number => behind(name).reduce((sum, one) => sum + Number(one), 0)
  const [day] = behind('lastVisit')
  const notes = withoutNotes(row.id, row.staff_notes, filled)
  const kept = (name: string, column: string | null): string | null => (has(name) ? null : column)
  const { staff_notes: _notes, allergies, version: _version, ...before } = row
  const [visits, noShows, cancellations] = [count('visits'), count('noShows'), count('cancellations')]
  const isShown = filled.some((one) => !/^(?:note:|vip$|birthday$|tag:|allergies$)/.test(one))
  const after = await noted(
    db,
    venue.id,
    'guest',
    now,
    db.one(sql(guestRow)`
      update guest set
        name = ${kept('name', row.name)}, email = ${kept('email', row.email)},
        email_key = case when ${has('email')} then null else email_key end,
        phone = ${kept('phone', row.phone)},
        phone_key = case when ${has('phone')} then null else phone_key end,
        phone_international = phone_international and not ${has('phone')},
        external_id = ${kept('externalId', row.external_id)},
        seating_preference = ${kept('seatingPreference', row.seating_preference)},
        referral_source = ${kept('referralSource', row.referral_source)},
        allergies = ${kept('allergies', allergies)}, staff_notes = ${notes},
        visit_count = visit_count - least(${visits}::integer, imported_visit_count),
        imported_visit_count = greatest(0, imported_visit_count - ${visits}),
        no_show_count = no_show_count - least(${noShows}::integer, imported_no_show_count),
        imported_no_show_count = greatest(0, imported_no_show_count - ${noShows}),
        cancellation_count = cancellation_count - least(${cancellations}::integer, imported_cancellation_count),
        imported_cancellation_count = greatest(0, imported_cancellation_count - ${cancellations}),
        imported_last_visit_date =
          case when ${day !== undefined} then ${day || null}::date else imported_last_visit_date end,
        last_visit_date = greatest(
          case when ${day !== undefined} then ${day || null}::date else imported_last_visit_date end,
          (select max(service_date) from reservation
            where venue_id = ${venue.id} and guest_id = ${row.id} and status in ('Seated', 'Completed'))),
        version = version + 1,
        ${movedWhen(part`${isShown}`, now)}
      where venue_id = ${venue.id} and id = ${row.id}
      returning ${columnsOf(guestRow)}`),
  )
  await takeBackHouse(work, row.id, {
    vip: has('vip'),
    birthday: has('birthday'),
    tags: filled.flatMap((one) => (one.startsWith('tag:') ? [Number(one.slice(4))] : [])),
  })
  await keepRegular(db, venue.id, after, row.visit_count)
  if (visits > 0) markVisitsOf(db, venue.id, row.id, now)
  await recordEvent(work, 'guest.updated', presentGuest(after), now, { before: presentGuest(before) })
  return ''
}

/** The notes without the lines that the import added. What staff wrote around them stays. */
const withoutNotes = (guest: number, notes: string, filled: readonly string[]): string => {
  const added = new Set(filled.flatMap((one) => (one.startsWith('note:') ? [one.slice(5)] : [])))
  const lines = notes.split('\n')
  for (let from = 0; from < lines.length; from++) {
    for (let to = lines.length; to > from && added.size > 0; to--) {
      if (!added.delete(digestOfNote(guest, lines.slice(from, to).join('\n')))) continue
      lines.splice(from, to - from)
      from--
      break
    }
  }
  return lines.join('\n')
}

/**
 * Gives a guest back the counts that a booking from a file had taken the place of. `lower` takes the booking's own away,
 * and tells nobody: only what comes of both is told.
 */
export const giveBackCounts = async (
  work: Work,
  guest: number,
  { visits, noShows, cancellations }: Contribution,
  lower: () => Promise<unknown>,
): Promise<void> => {
  const { db, venue } = work
  const now = work.now()
  const {
    staff_notes: _notes,
    allergies: _allergies,
    version: _version,
    ...before
  } = await guestForUpdate(db, venue.id, guest)
  await lower()
  const after = await noted(
    db,
    venue.id,
    'guest',
    now,
    db.one(sql(guestRow)`
      update guest set
        visit_count = visit_count + ${visits}, imported_visit_count = imported_visit_count + ${visits},
        no_show_count = no_show_count + ${noShows}, imported_no_show_count = imported_no_show_count + ${noShows},
        cancellation_count = cancellation_count + ${cancellations},
        imported_cancellation_count = imported_cancellation_count + ${cancellations},
        ${movedWhen(part`${visits + noShows + cancellations > 0}`, now)}
      where venue_id = ${venue.id} and id = ${guest}
      returning ${columnsOf(guestRow)}`),
  )
  await keepRegular(db, venue.id, after, before.visit_count)
  if (visits > 0) markVisitsOf(db, venue.id, guest, now)
  await recordEvent(work, 'guest.updated', presentGuest(after), now, { before: presentGuest(before) })
}
