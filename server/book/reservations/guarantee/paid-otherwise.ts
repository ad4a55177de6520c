import type { Work } from '../../../context.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { addTask, deleteTask } from '../../../crm/tasks/actions.ts'
import { taskFields } from '../../../crm/tasks/fields.ts'
import { openTaskOf } from '../../../crm/tasks/reads.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { moneyOf } from '../../../platform/kernel/money.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { BookRow } from '../../day/book-row.ts'
import { type GuaranteeRow, refundsUnderWay } from './guarantee-store.ts'

/* What came in another way than by the processor, such as in cash: nobody but the venue itself can give it back. */

/** What a refund at this moment would not send back of what is behind a booking. */
export type MoneyAside = {
  /** Came in another way than by the processor. */
  readonly otherwise: number
  /** Is on its way back already. */
  readonly onWay: number
}

/** Of these bookings, by their id. */
export const moneyAsideOf = async (
  db: Queries,
  venue: VenueId,
  bookings: readonly Pick<BookRow, 'id' | 'guarantee'>[],
): Promise<ReadonlyMap<number, MoneyAside>> => {
  const ids = bookings.flatMap(({ id, guarantee }) => (guarantee === null ? [] : [id]))
  if (ids.length === 0) return new Map()
  const rows = await db.many(sql({ id: 'int8', otherwise: 'int4', on_way: 'int4' })`
    select g.reservation_id as id,
           (select coalesce(sum(p.amount_cents), 0)::integer from payment p
             where p.venue_id = ${venue} and p.guarantee_id = g.id and p.via = 'otherwise') as otherwise,
           (select coalesce(sum(r.amount_cents), 0)::integer from refund r
             where r.venue_id = ${venue} and r.guarantee_id = g.id and r.state = 'pending') as on_way
      from guarantee g
     where g.venue_id = ${venue} and g.reservation_id = any(${ids}::bigint[])`)
  return new Map(rows.map(({ id, otherwise, on_way: onWay }) => [id, { otherwise, onWay }]))
}

type Booking = Pick<BookRow, 'id' | 'guest_name' | 'date'>

/** Staff are asked, once, to hand back what a cancellation gives back; false: there is nothing to, or they were asked. */
export const askToHandBack = async (work: Work, booking: Booking, row: GuaranteeRow): Promise<boolean> => {
  const { db, venue } = work
  const { otherwise } = await refundsUnderWay(db, venue.id, row.id)
  const cents = Math.min(otherwise, row.paid_cents - row.refunded_cents)
  if (cents <= 0 || (await openTaskOf(db, venue.id, titleFor(booking, row))) !== undefined) return false
  await addTask(
    work,
    taskFields.read({
      title: `${titleFor(booking, row)}: ${moneyOf(cents, row.currency)}`,
      due: wallTimeOf(work.now(), venue.timezone).date,
      priority: 'High',
      category: 'Finance',
      client: '',
      assignedRole: '',
    }),
  )
  return true
}

/** The cancellation was undone: there is nothing to hand back. */
export const dropHandBack = async (work: Work, booking: Booking, row: GuaranteeRow): Promise<void> => {
  const id = await openTaskOf(work.db, work.venue.id, titleFor(booking, row))
  if (id !== undefined) await deleteTask(work, { kind: 'service' }, { id, seenVersion: () => undefined })
}

const titleFor = ({ id, guest_name: name, date }: Booking, { kind }: GuaranteeRow): string =>
  `Give back what was paid otherwise: ${kind === 'card' ? 'the fee' : 'the deposit'} of ${name ?? 'no name'}, booking ${id} on ${date ?? ''}`
