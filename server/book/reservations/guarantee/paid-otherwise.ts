import type { Work } from '../../../context.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { addTask, deleteTask } from '../../../crm/tasks/actions.ts'
import { taskFields } from '../../../crm/tasks/fields.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { dollars } from '../../../platform/kernel/money.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { BookRow } from '../../day/book-row.ts'
import { type GuaranteeRow, refundsUnderWay } from './guarantee-store.ts'

/* What came in another way than by the processor, such as in cash: nobody but the venue itself can give it back. */

/** How much of what is behind these bookings, by their id. */
export const paidOtherwiseOf = async (
  db: Queries,
  venue: VenueId,
  bookings: readonly Pick<BookRow, 'id' | 'guarantee'>[],
): Promise<ReadonlyMap<number, number>> => {
  const ids = bookings.flatMap(({ id, guarantee }) => (guarantee === null ? [] : [id]))
  if (ids.length === 0) return new Map()
  const rows = await db.many(sql({ id: 'int8', cents: 'int4' })`
    select g.reservation_id as id, sum(p.amount_cents)::integer as cents
      from guarantee g join payment p on p.venue_id = g.venue_id and p.guarantee_id = g.id
     where g.venue_id = ${venue} and g.reservation_id = any(${ids}::bigint[]) and p.via = 'otherwise'
     group by g.reservation_id`)
  return new Map(rows.map(({ id, cents }) => [id, cents]))
}

type Booking = Pick<BookRow, 'id' | 'guest_name' | 'date'>

/** Staff are asked, once, to hand back what a cancellation gives back. */
export const askToHandBack = async (work: Work, booking: Booking, row: GuaranteeRow): Promise<void> => {
  const { db, venue } = work
  const { otherwise } = await refundsUnderWay(db, venue.id, row.id)
  const cents = Math.min(otherwise, row.paid_cents - row.refunded_cents)
  if (cents <= 0 || (await openTask(work, titleFor(booking, row))) !== undefined) return
  await addTask(
    work,
    taskFields.read({
      title: `${titleFor(booking, row)}: ${dollars(cents)} ${row.currency}`,
      due: wallTimeOf(work.now(), venue.timezone).date,
      priority: 'High',
      category: 'Finance',
      client: '',
      assignedRole: '',
    }),
  )
}

/** The cancellation was undone: there is nothing to hand back. */
export const dropHandBack = async (work: Work, booking: Booking, row: GuaranteeRow): Promise<void> => {
  const id = await openTask(work, titleFor(booking, row))
  if (id !== undefined) await deleteTask(work, { kind: 'service' }, { id, seenVersion: () => undefined })
}

const titleFor = ({ id, guest_name: name, date }: Booking, { kind }: GuaranteeRow): string =>
  `Give back what was paid otherwise: ${kind === 'card' ? 'the fee' : 'the deposit'} of ${name ?? 'no name'}, booking ${id} on ${date ?? ''}`

const openTask = async ({ db, venue }: Work, title: string): Promise<number | undefined> =>
  (
    await db.maybe(sql({ id: 'int8' })`
      select id from task
       where venue_id = ${venue.id} and done = false and starts_with(title, ${title}) order by id limit 1`)
  )?.id
