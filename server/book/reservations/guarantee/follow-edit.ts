import { randomUUID } from 'node:crypto'
import type { Work } from '../../../context.ts'
import { sql } from '../../../platform/db/sql.ts'
import { dayNumber } from '../../../platform/kernel/time/calendar.ts'
import { type Moment, toInstant } from '../../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { BookRow } from '../../day/book-row.ts'
import { deletionOf } from './deletion-of.ts'
import {
  type GuaranteeRow,
  guaranteeOfForUpdate,
  insertGuaranteeRefund,
  refundableOf,
} from './guarantee-store.ts'
import { showGuarantee } from './show-guarantee.ts'

type Edited = {
  readonly before: BookRow
  readonly after: BookRow
  /** When its guest asked for it; a change that waits for an answer counts from then. */
  readonly askedAt: Temporal.Instant
  /** Whose wish it is. */
  readonly by: 'venue' | 'guest' | 'key' | 'service'
}

/**
 * Another size or time of a booking, in its transaction. Fewer guests, asked for in time, are for less, and the rest comes
 * back by itself; more are for no more than was agreed on. The limit moves along with the booking only if that was asked
 * for before it, or by the venue: nobody gets around it by moving and canceling. To an earlier moment than was agreed on it
 * moves only for a guest, whose page says so before the press.
 */
export const followEdit = async (work: Work, edited: Edited): Promise<void> => {
  const { before, after } = edited
  if (before.party_size === after.party_size && before.starts_at === after.starts_at) return
  const row = await guaranteeOfForUpdate(work.db, work.venue.id, after.id)
  if (!row || row.status === 'released') return
  const amount = amountAfter(row, edited)
  const deleteAt = row.customer_ref === null ? null : deletedAfter(row, edited, work.venue.timezone)
  await work.db.run(sql()`
    update guarantee set
      amount_cents = ${amount}, free_until = ${freeAfter(row, { ...edited, from: before.starts_at, to: after.starts_at })},
      delete_at = coalesce(${deleteAt}, delete_at), look_at = coalesce(${deleteAt}, look_at)
     where venue_id = ${work.venue.id} and id = ${row.id}`)
  if (row.kind === 'deposit') await sendBack(work, row, row.amount_cents - amount)
  await showGuarantee(work, after.id)
}

const isInTime = ({ free_until }: GuaranteeRow, { askedAt }: Pick<Edited, 'askedAt'>): boolean =>
  Temporal.Instant.compare(askedAt, toInstant(free_until)) < 0

const amountAfter = (row: GuaranteeRow, edited: Edited): number => {
  const { per_guest_cents: each, amount_cents: agreed } = row
  const guests = edited.after.party_size
  return each === null || guests === null || !isInTime(row, edited) ? agreed : Math.min(agreed, each * guests)
}

type Moved = Pick<Edited, 'askedAt' | 'by'> & { readonly from: Moment | null; readonly to: Moment | null }

/** Until when canceling is free once a booking has moved. */
export const freeAfter = (row: GuaranteeRow, { from, to, ...moved }: Moved): Temporal.Instant => {
  const free = toInstant(row.free_until)
  if (from === null || to === null || (moved.by !== 'venue' && !isInTime(row, moved))) return free
  const along = free.add(toInstant(to).since(toInstant(from)))
  return moved.by === 'guest' || Temporal.Instant.compare(along, free) > 0 ? along : free
}

/** As many days after its evening as before. */
const deletedAfter = (
  { delete_at }: GuaranteeRow,
  { before, after }: Edited,
  timezone: string,
): Temporal.Instant | null => {
  if (delete_at === null || before.service_date === null || after.service_date === null) return null
  const last = wallTimeOf(toInstant(delete_at), timezone).date
  const kept = dayNumber(last) - dayNumber(before.service_date) - 1
  return deletionOf(after.service_date, kept, timezone)
}

const sendBack = async ({ db, venue, now }: Work, { id }: GuaranteeRow, cents: number): Promise<void> => {
  let rest = cents
  for (const { id: payment, left } of await refundableOf(db, venue.id, id)) {
    const amountCents = Math.min(left, rest)
    if (amountCents <= 0) continue
    rest -= amountCents
    await insertGuaranteeRefund(
      db,
      venue.id,
      { guarantee: id, payment, amountCents, ref: randomUUID() },
      now(),
    )
  }
}
