import type { Actor } from '../../../core/activity/actor.ts'
import type { Work } from '../../../context.ts'
import { refuseErased } from '../../../platform/http/records/erased-records.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { holdPress } from '../../tables/hold-press.ts'
import { type OwnBack, putBack } from '../../tables/put-back.ts'
import { lengthTakenBy } from '../../tables/press-reads.ts'
import { applyEdit } from './apply-edit.ts'
import { fewerLate, givesBackIn } from '../guarantee/fewer-late.ts'
import { askedByIn, whoAsked } from '../guarantee/who-asked.ts'
import { type BookRow, bookedReservation } from '../../day/book-row.ts'
import { besidesChosen } from '../chosen-tables.ts'
import { type ReservationChanges, holdForEdit, needsNewPlace } from './held-edit.ts'
import { type ReservationOutcome, changedMeanwhile, done, refused, unchanged } from '../../day/outcome.ts'
import { type Placed, findNewPlace, reasonsAgainstPlace } from '../new-place.ts'
import { type ConfirmedReason, type StaffReason, unconfirmed } from '../staff-reasons.ts'
import { placedStatuses } from '../../day/arrivals-reads.ts'

export type EditRequest = {
  readonly id: number
  /** The version the page showed. A page never overwrites a change it did not show. */
  readonly seenVersion: number
  readonly changes: ReservationChanges
  /** Reasons against it that staff saw and confirmed. */
  readonly confirmed?: readonly ConfirmedReason[]
  /** The tables staff chose for its new place; absent: those it has, or the best there are. */
  readonly tables?: readonly number[] | undefined
  /** The press that this undoes, by its rows of the activity log; tables are put back as they were before it. */
  readonly press?: readonly number[] | undefined
  /** What else speaks against what staff do with it, so that they are asked once. */
  readonly besides?: readonly StaffReason[]
}

/**
 * Edits a booking. A new time is placed again (service date, service minute, moment, booking type) and checked
 * against every rule with both days locked; a new size against the party limits and, if the party grew, its slot.
 * One event covers all of it; `reservation.updated` is among its names for time, date and size only. New contact
 * details are matched to a guest, and the booking's contribution moves along. How long it has its table was fixed when
 * it was made: it changes where staff say so, and where it was the usual time, with the size.
 *
 * Refuses, as a value, a page that shows an old version, a new time or size for a booking that is Cancelled or
 * No-show, and another day for a party that is here: that is undone first. Throws 404 for a missing booking.
 */
export const editReservation = async (
  work: Work,
  actor: Actor & { kind: 'staff' },
  { id, seenVersion, changes, confirmed, tables, press: rows, besides = [] }: EditRequest,
): Promise<ReservationOutcome> => {
  const seen = await bookedReservation(work.db, work.venue.id, id)
  if (!seen) throw notFound('booking')
  if (saysAnything(changes)) await refuseErased(work.db, work.venue.id, 'reservation', id)
  if (seen.version !== seenVersion) return refused(seen, changedMeanwhile(seen))
  const to = changes.when && {
    ...changes.when,
    partySize: changes.partySize ?? seen.party_size ?? 0,
    durationMinutes: changes.durationMinutes === undefined ? seen.duration_minutes : changes.durationMinutes,
  }
  const press = rows && (await holdPress(work, id, rows, to))
  const held = await holdForEdit(work, seen, () => changes)
  if (!held) throw notFound('booking')
  const { row, differing } = held
  if (row.version !== seenVersion) return refused(row, changedMeanwhile(row))
  if (!needsNewPlace(differing) && !differing.words) return unchanged(row, 'Nothing was changed.')
  if (needsNewPlace(differing) && !placedStatuses.some((status) => status === row.status)) {
    return refused(row, `This booking is ${row.status}; undo that before changing its time or size.`)
  }

  const now = work.now()
  const placed = await findNewPlace(work, held)
  const isHere = row.checked_in_at !== null && ['Confirmed', 'Seated'].includes(row.status)
  // They would be here on the other day, too.
  if (isHere && !rows && placed.columns.service_date !== row.service_date)
    return refused(row, 'They are marked as here; undo that before moving the booking to another day.')
  const { arrival } = placed
  const against = reasonsAgainstPlace(placed, now)
  const undone = press && (await putBack(work, press, backTo(row, placed)))
  const ofPlace = undone
    ? [...against.filter(({ reason }) => reason !== 'tables-full'), ...undone.reasons]
    : arrival
      ? await besidesChosen(work, arrival.day, { ...arrival.request, door: 'staff' }, tables, against)
      : against
  const question = rows
    ? []
    : [
        ...(await whoAsked(work, row, placed.columns.starts_at, now)),
        ...(await fewerLate(work, row, placed.columns.party_size, now)),
      ]
  const reasons = [...besides, ...ofPlace]
  const asked = [...reasons, ...question]
  if (unconfirmed(asked, confirmed).length > 0) return { kind: 'needs override', reasons: asked }
  const applied = await applyEdit(
    work,
    actor,
    held,
    {
      ...{ ...placed, action: 'edit', reasons, tables, undone, undoes: rows },
      ...{ askedBy: askedByIn(confirmed), givesBack: givesBackIn(confirmed) },
      minutesBeforeSeating: rows && (await lengthTakenBy(work.db, work.venue.id, id, rows)),
    },
    now,
  )
  return applied
    ? done(applied.after, { overridden: reasons, press: [applied.press] })
    : refused(row, changedMeanwhile(row))
}

/** Where and when it needs its own table again. */
const backTo = (row: BookRow, { columns }: Placed): OwnBack | undefined => {
  const { service_date: serviceDate, starts_at, party_size, duration_minutes: durationMinutes } = columns
  if (serviceDate === null || starts_at === null || !['Confirmed', 'Seated'].includes(row.status))
    return undefined
  const startsAt = toInstant(row.seated_at ?? starts_at)
  const { guest_name: name, status } = row
  return { name, serviceDate, status, startsAt, partySize: party_size ?? 0, durationMinutes }
}

/** Whether a change would write something about a person. */
const saysAnything = ({ guestName, email, phone, notes, externalId }: ReservationChanges): boolean =>
  [guestName, email, phone, notes, externalId].some((text) => (text ?? '').trim() !== '')
