import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { refuseErased } from '../../platform/http/records/erased-records.ts'
import { recordEvent } from '../../core/events/record.ts'
import { mergeProfiles, partProfiles } from '../house/actions.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { Refusal, badRequest, notFound } from '../../platform/kernel/refusal.ts'
import { asSeen } from '../../platform/kernel/running/seen-version.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { type Contribution, contributionOf } from './contributions.ts'
import { mergedColumns, sumOf, unmergedColumns } from './merge-rules.ts'
import {
  type MergeRecord,
  type SavedGuest,
  type WholeGuestRow,
  addToCounters,
  becamePartOf,
  bookingsForUpdate,
  deleteGuest,
  insertMerge,
  markUndone,
  mergeForUpdate,
  relinkBookings,
  relinkLeads,
  restoreGuest,
  theseBookingsForUpdate,
  wholeGuestsForUpdate,
} from './merge-writes.ts'
import { type StaffGuestRow, presentGuest } from './guest.ts'
import { staffGuest } from './staff-reads.ts'
import { type StaffColumns, guestWithAddress, writeStaffEdit } from './staff-writes.ts'
import { lockGuestBook } from './writes.ts'

/*
 * Merging two guest records of one person, by hand, and undoing it. Cast: the one with the lower id is kept, the
 * other's row is removed and saved in `guest_merge` with everything that moved. Locked, in this order: the guest book
 * (nobody is matched meanwhile), the bookings that move, the guests. A crash leaves all of it or nothing.
 *
 * An undo restores the merged guest under their id.
 */

export type Seen = { readonly id: number; readonly seenVersion: number }

/**
 * Merges two guests. Refuses the same guest twice, one who was already merged, and a page that shows an old version
 * of either.
 */
export const mergeGuests = async (
  work: Work,
  actor: Actor,
  one: Seen,
  other: Seen,
): Promise<{ readonly guest: StaffGuestRow; readonly merge: number }> => {
  if (one.id === other.id) throw badRequest('You picked the same guest twice.')
  const { db, venue } = work
  const [low, high] = one.id < other.id ? [one, other] : [other, one]
  await lockGuestBook(db, venue.id)
  const bookings = await bookingsForUpdate(db, venue.id, high.id)
  const held = await wholeGuestsForUpdate(db, venue.id, [low.id, high.id])
  await notMergedBefore(work, [one.id, other.id], held)
  for (const { id } of held) await refuseErased(db, venue.id, 'guest', id)
  const kept = asSeen(
    'guest',
    held.find(({ id }) => id === low.id),
    low.seenVersion,
  )
  const gone = asSeen(
    'guest',
    held.find(({ id }) => id === high.id),
    high.seenVersion,
  )

  const now = work.now()
  const { date } = wallTimeOf(now, venue.timezone)
  const before = columnsOfGuest(kept)
  const after = mergedColumns(before, columnsOfGuest(gone), { date, goneId: gone.id })
  const record: MergeRecord = {
    gone,
    before,
    after,
    importedLastVisitBefore: kept.imported_last_visit_date,
    importedLastVisitAfter: later(kept.imported_last_visit_date, gone.imported_last_visit_date),
    counted: sumOf(bookings.map(contributionOf)),
    bookings: bookings.map(({ id }) => id),
    leads: await relinkLeads(db, venue.id, gone.id, kept.id),
    houses: await mergeProfiles(work, kept.id, gone.id),
  }
  await relinkBookings(db, venue.id, record.bookings, kept.id, now)
  await deleteGuest(db, venue.id, gone.id, kept.id, now)
  await writeStaffEdit(db, venue.id, kept.id, after, now)
  await addToCounters(
    db,
    venue.id,
    kept.id,
    countersOf(gone),
    importedOf(gone),
    record.importedLastVisitAfter,
    now,
  )
  const merge = await insertMerge(db, venue.id, kept.id, record, now)
  const last = { ...gone, revision: gone.revision + 1, updated_at: toMoment(now) }
  await recordEvent(work, 'guest.merged', { ...presentGuest(last), mergedInto: kept.id }, now)
  const guest = await recorded(work, actor, 'merge', kept, { merge, gone: gone.id }, now)
  return { guest, merge }
}

/**
 * Undoes a merge: the merged guest is back, with their bookings and inquiries as far as these still belong to the
 * other. What was changed since stays: a field that staff edited, a booking that came later, a line added to the
 * notes; the counters follow the bookings. Refuses a merge already undone, one whose guest has since been merged into
 * another, or whose address somebody else now has.
 */
export const undoMerge = async (
  work: Work,
  actor: Actor,
  merge: number,
): Promise<{ readonly guest: StaffGuestRow; readonly restored: StaffGuestRow }> => {
  const { db, venue } = work
  await lockGuestBook(db, venue.id)
  const row = await mergeForUpdate(db, venue.id, merge)
  if (!row) throw notFound('merge')
  if (row.undone_at !== null) throw new Refusal(409, 'This merge was already undone.')
  const { record, kept_id: keptId } = row
  const { gone } = record
  const bookings = await theseBookingsForUpdate(db, venue.id, keptId, record.bookings)
  const [kept] = await wholeGuestsForUpdate(db, venue.id, [keptId])
  if (!kept) throw new Refusal(409, 'This guest was since merged into another; undo that merge first.')

  const now = work.now()
  await writeStaffEdit(
    db,
    venue.id,
    keptId,
    unmergedColumns(columnsOfGuest(kept), record.after, record.before),
    now,
  )
  const key = gone.email === null ? null : emailKey(gone.email)
  if (key !== null && (await guestWithAddress(db, venue.id, key, gone.id)) !== undefined) {
    throw new Refusal(409, 'Another guest now has the email of the guest to be restored; change that first.')
  }
  const counted = sumOf(bookings.map(contributionOf))
  const unbooked = less(countersOf(gone), record.counted)
  const { visits, noShows, cancellations } = add(unbooked, counted)
  const counters = { visit_count: visits, no_show_count: noShows, cancellation_count: cancellations }
  await restoreGuest(db, venue.id, { ...gone, ...counters }, now)
  await relinkBookings(
    db,
    venue.id,
    bookings.map(({ id }) => id),
    gone.id,
    now,
  )
  await relinkLeads(db, venue.id, keptId, gone.id, record.leads)
  if (record.houses) await partProfiles(work, keptId, gone.id, record.houses)
  const importedLastVisit =
    kept.imported_last_visit_date === record.importedLastVisitAfter
      ? record.importedLastVisitBefore
      : kept.imported_last_visit_date
  const left = less(nothing, { visits, noShows, cancellations })
  await addToCounters(db, venue.id, keptId, left, less(nothing, importedOf(gone)), importedLastVisit, now)
  await addToCounters(db, venue.id, gone.id, nothing, nothing, gone.imported_last_visit_date, now)
  await markUndone(db, venue.id, merge, now)
  const restored = await staffGuest(db, venue.id, gone.id)
  if (!restored) throw new Error('a restored guest is gone')
  await recordEvent(work, 'guest.unmerged', presentGuest(restored), now)
  const guest = await recorded(work, actor, 'undoMerge', kept, { merge, restored: gone.id }, now)
  return { guest, restored }
}

/** A second press of the button reports what the first one did. */
const notMergedBefore = async (
  { db, venue }: Work,
  ids: readonly number[],
  held: readonly WholeGuestRow[],
): Promise<void> => {
  for (const id of ids.filter((one) => !held.some((row) => row.id === one))) {
    const kept = await becamePartOf(db, venue.id, id)
    if (kept !== undefined) throw new Refusal(409, `Guest ${id} was already merged into guest ${kept}.`)
  }
}

const recorded = async (
  work: Work,
  actor: Actor,
  action: 'merge' | 'undoMerge',
  before: WholeGuestRow,
  more: Readonly<Record<string, unknown>>,
  now: Temporal.Instant,
): Promise<StaffGuestRow> => {
  const after = await staffGuest(work.db, work.venue.id, before.id)
  if (!after) throw new Error('a locked guest is gone')
  await recordEvent(work, 'guest.updated', presentGuest(after), now, { before: presentGuest(before) })
  await recordActivity(
    work,
    actor,
    { action, record: { kind: 'guest', id: before.id }, before, after, more },
    now,
  )
  return after
}

const columnsOfGuest = (row: SavedGuest): StaffColumns => ({
  name: row.name,
  email: row.email,
  phone: row.phone,
  seatingPreference: row.seating_preference,
  referralSource: row.referral_source,
  externalId: row.external_id ?? null,
  staffNotes: row.staff_notes,
  allergies: row.allergies,
})

const countersOf = (row: SavedGuest): Contribution => ({
  visits: row.visit_count,
  noShows: row.no_show_count,
  cancellations: row.cancellation_count,
})

const importedOf = (row: SavedGuest): Contribution => ({
  visits: row.imported_visit_count,
  noShows: row.imported_no_show_count,
  cancellations: row.imported_cancellation_count,
})

const nothing: Contribution = { visits: 0, noShows: 0, cancellations: 0 }

const add = (a: Contribution, b: Contribution): Contribution => sumOf([a, b])

const less = (a: Contribution, b: Contribution): Contribution => ({
  visits: a.visits - b.visits,
  noShows: a.noShows - b.noShows,
  cancellations: a.cancellations - b.cancellations,
})

/** Dates compare as text. */
const later = (a: string | null, b: string | null): string | null => {
  if (a === null || b === null) return a ?? b
  return a > b ? a : b
}
