import type { Actor } from '../../../core/activity/actor.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import type { Work } from '../../../context.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { addTask, deleteTask, tickTask } from '../../../crm/tasks/actions.ts'
import { taskFields } from '../../../crm/tasks/fields.ts'
import { openTaskOf } from '../../../crm/tasks/reads.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { moneyOf } from '../../../platform/kernel/money.ts'
import { notFound, refuse } from '../../../platform/kernel/refusal.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type BookRow, bookedReservationForUpdate } from '../../day/book-row.ts'
import { comesBack } from './deletion-of.ts'
import {
  type GuaranteeRow,
  countGuarantee,
  guaranteeOfForUpdate,
  insertRefundByHand,
} from './guarantee-store.ts'
import { heldByBank, heldByRemoved, heldOtherwise, otherwiseOf } from './money-left.ts'
import { showGuarantee } from './show-guarantee.ts'

/*
 * What came in another way than by the processor, such as in cash, or through an account that was removed since: nobody but the
 * venue itself can give it back.
 */

/** What a refund at this moment would not send back of what is behind a booking. */
export type MoneyAside = {
  /** Came in another way than by the processor, or through an account that was removed since. */
  readonly otherwise: number
  /** What of that came in through such an account. */
  readonly removed: number
  /** Is on its way back already. */
  readonly onWay: number
  /** A bank holds it back with a dispute. */
  readonly held: number
}

/** Of these bookings, by their id. */
export const moneyAsideOf = async (
  db: Queries,
  venue: VenueId,
  bookings: readonly Pick<BookRow, 'id' | 'guarantee'>[],
): Promise<ReadonlyMap<number, MoneyAside>> => {
  const ids = bookings.flatMap(({ id, guarantee }) => (guarantee === null ? [] : [id]))
  if (ids.length === 0) return new Map()
  const rows = await db.many(sql({
    id: 'int8',
    otherwise: 'int4',
    removed: 'int4',
    on_way: 'int4',
    held: 'int4',
  })`
    select g.reservation_id as id,
           ${heldOtherwise(venue)} as otherwise,
           ${heldByRemoved(venue)} as removed,
           (select coalesce(sum(r.amount_cents), 0)::integer from refund r
             where r.venue_id = ${venue} and r.guarantee_id = g.id and r.state = 'pending') as on_way,
           ${heldByBank(venue)} as held
      from guarantee g
     where g.venue_id = ${venue} and g.reservation_id = any(${ids}::bigint[])`)
  return new Map(rows.map(({ id, on_way: onWay, ...aside }) => [id, { ...aside, onWay }]))
}

type Staff = Actor & { readonly kind: 'staff' }
type Booking = Pick<BookRow, 'id' | 'guest_name' | 'date'>

/**
 * Staff are asked to hand back so much of what came in otherwise, in place of what they were asked for this booking before; 0: nothing.
 * Whether they were asked for a sum that they were not asked for already.
 */
export const askToHandBack = async (
  work: Work,
  booking: Booking,
  row: GuaranteeRow,
  cents: number,
): Promise<boolean> => {
  const { db, venue } = work
  const title = `${titleFor(booking, row)}: ${moneyOf(cents, row.currency)}`
  if (cents > 0 && (await openTaskOf(db, venue.id, title)) !== undefined) return false
  const before = await openTaskOf(db, venue.id, titleFor(booking, row))
  if (before !== undefined)
    await deleteTask(work, { kind: 'service' }, { id: before, seenVersion: () => undefined })
  if (cents <= 0) return false
  await addTask(
    work,
    taskFields.read({
      title,
      due: wallTimeOf(work.now(), venue.timezone).date,
      priority: 'High',
      category: 'Finance',
      client: '',
      assignedRole: '',
    }),
  )
  return true
}

/** What of the money behind a booking that stands came in otherwise, and is more than the booking is for since its party is smaller. */
export const beyondAmount = (
  { kind, amount_cents: amount }: Pick<GuaranteeRow, 'kind' | 'amount_cents'>,
  otherwise: number,
): number => (kind === 'card' ? 0 : Math.max(0, otherwise - amount))

/**
 * What of a booking's money the venue still has to hand back: it came in otherwise, and the cancellation gives everything back,
 * nobody ever confirmed the request, or the party is smaller.
 */
export const owedByHand = (
  booking: Pick<BookRow, 'status' | 'cancelled_by' | 'cancelled_from' | 'cancelled_at' | 'starts_at'>,
  row: GuaranteeRow,
  { otherwise }: { readonly otherwise: number },
  now: Temporal.Instant,
): number => {
  const isBack =
    booking.status === 'Cancelled'
      ? booking.cancelled_at !== null && comesBack(row, booking, toInstant(booking.cancelled_at))
      : booking.status === 'Requested' &&
        booking.starts_at !== null &&
        Temporal.Instant.compare(toInstant(booking.starts_at), now) <= 0
  return isBack ? otherwise : beyondAmount(row, otherwise)
}

/** What came in otherwise was handed back, as somebody of the venue says: what was owed of it, or whatever of it is still here. */
export const noteHandedBack = async (work: Work, staff: Staff, id: number): Promise<void> => {
  const { db, venue, now } = work
  const booking = await bookedReservationForUpdate(db, venue.id, id)
  const row = await guaranteeOfForUpdate(db, venue.id, id)
  if (!booking || !row) throw notFound('card or deposit')
  const here = (await otherwiseOf(db, venue.id, row.id)).filter(({ left }) => left > 0)
  if (here.length === 0) throw refuse('not-in-state', 'There is nothing left to give back by hand.')
  const all = here.reduce((sum, { left }) => sum + left, 0)
  const amountCents = owedByHand(booking, row, { otherwise: all }, now()) || all
  let rest = amountCents
  for (const { id: payment, left } of here) {
    const part = Math.min(left, rest)
    rest -= part
    if (part > 0)
      await insertRefundByHand(db, venue.id, { guarantee: row.id, payment, amountCents: part }, now())
  }
  await countGuarantee(db, venue.id, row.id)
  const task = await openTaskOf(db, venue.id, titleFor(booking, row))
  if (task !== undefined) await tickTask(work, staff, { id: task, done: true })
  await showGuarantee(work, id)
  const record = { kind: 'reservation', id } as const
  await recordActivity(
    work,
    staff,
    { action: 'note that it was given back', record, before: {}, after: { amountCents } },
    now(),
  )
}

const titleFor = ({ id, guest_name: name, date }: Booking, { kind }: GuaranteeRow): string =>
  `Give back what was paid otherwise: ${kind === 'card' ? 'the fee' : 'the deposit'} of ${name ?? 'no name'}, booking ${id} on ${date ?? ''}`
