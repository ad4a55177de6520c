import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { notFound } from '../../platform/kernel/refusal.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { type BookRow, bookedReservationForUpdate } from '../day/book-row.ts'
import { type ReservationOutcome, changedMeanwhile, done, refused } from '../day/outcome.ts'
import { type ConfirmedReason, unconfirmed } from './staff-reasons.ts'
import { holdsTables, noteTables, whereNow } from '../tables/choose-tables.ts'
import { tablesHeld } from '../day/tables-of-booking-reads.ts'
import { holdPress } from '../tables/hold-press.ts'
import { putBack } from '../tables/put-back.ts'
import { sameHeld } from '../../core/activity/table-change.ts'

export type ChoiceUndone = {
  readonly id: number
  /** The press, by its rows of the activity log. */
  readonly press: readonly number[]
  /** Reasons against it that staff saw and confirmed. */
  readonly confirmed?: readonly ConfirmedReason[]
}

/**
 * Undoes a press that changed only where parties sit: a table chosen, two swapped, one kept or let go. Refuses, as a value,
 * a party that somebody has put elsewhere since or that sat down there, and one that no longer holds a table.
 */
export const undoTableChoice = async (
  work: Work,
  actor: Actor & { readonly kind: 'staff' },
  { id, press: rows, confirmed }: ChoiceUndone,
): Promise<ReservationOutcome> => {
  const { db, venue } = work
  const press = await holdPress(work, id, rows)
  const row = await bookedReservationForUpdate(db, venue.id, id)
  if (!row) throw notFound('booking')
  if (!press || !holdsTables(row)) return refused(row, changedMeanwhile(row))
  const before = await tablesHeld(db, venue.id, id)
  const own = press.changes.find(({ reservation }) => reservation === id)
  const now = work.now()
  const undone = await putBack(work, press, backTo(row))
  if (!undone) return refused(row, 'Too much has happened since; choose a table instead.')
  // A party that only a machine has moved since goes back like any other. None moves one that is pinned, and none pins.
  const isElsewhere = own !== undefined && !sameHeld(own.after, before)
  const isPinned = own !== undefined && (own.after.pinned || before.pinned)
  if (isElsewhere && (undone.isOwnTouched || isPinned))
    return refused(row, await whereNow(work, before.tables))
  if (own && undone.isOwnTouched && row.status === 'Seated')
    return refused(row, await whereNow(work, before.tables))
  const { reasons } = undone
  if (unconfirmed(reasons, confirmed).length > 0) return { kind: 'needs override', reasons }
  const changes = await undone.write()
  const after = await tablesHeld(db, venue.id, id)
  const noted = { id, before: before.tables, after: after.tables, changes }
  const note = await noteTables(work, actor, 'undoTables', undone.floor, noted, now)
  return done(row, { overridden: reasons, press: [note] })
}

const backTo = ({
  guest_name: name,
  status,
  service_date,
  starts_at,
  seated_at,
  party_size,
  duration_minutes,
}: BookRow) => ({
  name,
  status,
  serviceDate: service_date as LocalDate,
  startsAt: toInstant((seated_at ?? starts_at) as NonNullable<BookRow['starts_at']>),
  partySize: party_size ?? 1,
  durationMinutes: duration_minutes,
})
