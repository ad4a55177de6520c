import type { ReservationGuarantee } from '@venue-data/contract/records/reservation.ts'
import type { Work } from '../../../context.ts'
import { recordEvent } from '../../../core/events/record.ts'
import { noted } from '../../../core/events/note-change.ts'
import { columnsOf, sql } from '../../../platform/db/sql.ts'
import { type BookRow, bookRow, bookedReservation, presentReservation } from '../../day/book-row.ts'
import { toMoment } from '../../../platform/kernel/time/moment.ts'
import { type GuaranteeRow, guaranteeOf } from './guarantee-store.ts'

/*
 * What everybody who reads a booking sees of what stands behind it, kept in the booking's row: lists, events and the feed
 * read no other table for it. Nothing of it says who somebody is, or where a card is.
 */

const shown = (row: GuaranteeRow): ReservationGuarantee => ({
  kind: row.kind,
  status: row.status,
  amountCents: row.amount_cents,
  askedCents: row.asked_cents,
  paidCents: row.paid_cents,
  refundedCents: row.refunded_cents,
  currency: row.currency,
  freeUntil: row.free_until,
  takenOffAt: row.taken_off_at,
})

/** With the booking as it is made: nobody has heard of it yet. */
export const showNewGuarantee = (
  { db, venue }: Work,
  reservation: number,
  row: GuaranteeRow,
): Promise<BookRow> =>
  db.one(sql(bookRow)`
    update reservation set guarantee = ${JSON.stringify(shown(row))}::jsonb
     where venue_id = ${venue.id} and id = ${reservation}
    returning ${columnsOf(bookRow)}`)

/** After a change, in its transaction: a revision and an event, if anything of it shows. */
export const showGuarantee = async (work: Work, reservation: number | null): Promise<void> => {
  if (reservation === null) return
  const { db, venue } = work
  const [before, row] = [
    await bookedReservation(db, venue.id, reservation),
    await guaranteeOf(db, venue.id, reservation),
  ]
  if (!before || !row) return
  const now = work.now()
  const text = JSON.stringify(shown(row))
  const after = await noted(
    db,
    venue.id,
    'reservation',
    now,
    db.maybe(sql(bookRow)`
    update reservation set guarantee = ${text}::jsonb, revision = revision + 1
     where venue_id = ${venue.id} and id = ${reservation} and guarantee is distinct from ${text}::jsonb
    returning ${columnsOf(bookRow)}`),
  )
  if (!after) return
  await recordEvent(
    work,
    'reservation.guarantee_changed',
    presentReservation({ ...after, updated_at: toMoment(now) }),
    now,
    { before: presentReservation(before) },
  )
}
