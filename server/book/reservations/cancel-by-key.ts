import type { CancelledBy } from '@venue-data/contract/records/reservation.ts'
import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { notFound, refuse } from '../../platform/kernel/refusal.ts'
import type { SeenVersion } from '../../platform/kernel/running/seen-version.ts'
import { bookedReservation } from '../day/book-row.ts'
import { cancelLimitOf } from './guest/guest-limit.ts'
import { moveReservation } from './moves.ts'
import { reservationById } from './reads.ts'
import type { ReservationRow } from '../day/book-row.ts'

export type Cancellation = {
  readonly id: number
  readonly seenVersion: SeenVersion
  readonly decidedBy: CancelledBy
  readonly message?: string | undefined
}

/** Cancels a booking for a key, by the office's own move. Needs nobody's approval: it frees a table. */
export const cancelByKey = async (
  work: Work,
  actor: Actor & { readonly kind: 'key' },
  cancellation: Cancellation,
): Promise<ReservationRow> => {
  if (cancellation.decidedBy === 'guest') {
    const row = await bookedReservation(work.db, work.venue.id, cancellation.id)
    const limit = row && row.status !== 'Cancelled' ? await cancelLimitOf(work, row) : null
    const now = work.now()
    const starts = row?.starts_at ? toInstant(row.starts_at) : undefined
    // Once it has started, the move itself says so.
    if (
      limit &&
      starts &&
      Temporal.Instant.compare(now, limit) >= 0 &&
      Temporal.Instant.compare(now, starts) < 0
    )
      throw refuse(
        'too-late',
        'It is too late for guests to cancel this reservation by themselves; please call the venue.',
      )
  }
  const outcome = await moveReservation(work, actor, { ...cancellation, move: 'cancel' })
  if (outcome.kind === 'refused') throw refuse(outcome.reason ?? 'not-in-state', outcome.sentence)
  const row = await reservationById(work.db, work.venue.id, cancellation.id)
  if (!row) throw notFound('reservation')
  return row
}
