import type { Work } from '../../context.ts'
import { recordEvent } from '../../core/events/record.ts'
import { applyContribution, contributionOf } from '../../crm/guests/contributions.ts'
import { giveBackCounts } from '../../crm/guests/take-back-import.ts'
import { mailsOfBooking } from '../../mail/sent-mails.ts'
import { sql } from '../../platform/db/sql.ts'
import { bookedReservationForUpdate } from '../day/book-row.ts'
import { bookingGone } from '../day/booked-party.ts'
import { markFreed } from '../day/freed-places.ts'
import { removeReservation } from './book-writes.ts'
import { asEmitted } from './moves.ts'
import { movedRow } from './transition.ts'

export type BookingOfImport = {
  readonly id: number
  readonly version: number
  /** A count of its guest from another file had gone down by it. */
  readonly gaveWay: boolean
  /** When the import began. */
  readonly since: Temporal.Instant
}

/**
 * Undoes an import's booking, if nobody has touched it since; answers why it stays, or '' when it is gone. One that is
 * still to come was told to connected software, so it is cancelled for it first, as any deleted booking is; past ones were
 * never told.
 */
export const takeBackReservation = async (
  work: Work,
  { id, version, gaveWay, since }: BookingOfImport,
): Promise<string> => {
  const { db, venue } = work
  const row = await bookedReservationForUpdate(db, venue.id, id)
  if (!row) return 'This booking was deleted since.'
  const held = await db.one(sql({ erased: 'bool', touched: 'bool', mailed: 'bool' })`
    select exists (select from reservation
                    where venue_id = ${venue.id} and id = ${id} and erased_at is not null) as erased,
           exists (select from activity
                    where venue_id = ${venue.id} and record_kind = 'reservation' and record_id = ${id}
                      and at >= ${since} and actor_kind <> 'service') as touched,
           exists (select from guest_mail
                    where venue_id = ${venue.id} and kind = any(${mailsOfBooking}) and record_id = ${id})
             or exists (select from guest_text
                         where venue_id = ${venue.id} and kind like 'booking%' and record_id = ${id}) as mailed`)
  if (held.erased) return 'This person was erased since.'
  if (held.mailed) return 'The guest was emailed or texted about this booking since.'
  if (row.version !== version || held.touched) return 'This booking was changed since.'
  const now = work.now()
  if (row.status === 'Confirmed' || row.status === 'Requested') {
    const last = { ...row, revision: row.revision + 1 }
    const cancelled = { ...last, ...movedRow('cancel', row, { now, decidedBy: 'staff' }) }
    await recordEvent(work, ['reservation.deleted', 'reservation.cancelled'], asEmitted(cancelled, now), now)
  }
  await bookingGone(work, id)
  await removeReservation(db, venue.id, id, now)
  await markFreed(db, venue.id, row.service_date)
  const guest = row.guest_id
  if (!gaveWay || guest === null) await applyContribution(work, row, null)
  else
    await giveBackCounts(work, guest, contributionOf(row), () =>
      applyContribution(work, row, null, new Set([guest])),
    )
  return ''
}
