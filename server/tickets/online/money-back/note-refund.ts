import type { Work } from '../../../context.ts'
import type { ProcessorWork } from '../../../core/money/each-due.ts'
import { type Outcome, type RefundSeen, isDenied } from '../../../core/money/processor.ts'
import type { Venue, VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../../platform/db/sql.ts'
import { isUuid } from '../../../platform/kernel/uuid.ts'
import {
  settleGuaranteeRefund,
  withdrawGuaranteeRefund,
} from '../../../book/reservations/guarantee/give-back.ts'
import { soldOrderForUpdate } from '../../order-reads.ts'
import { settleRefund, withdrawRefund } from '../../refunds.ts'

/* What the processor says of a refund that waits to be sent, or is on its way. */

export const dueRow = {
  id: 'int8',
  order_id: 'int8?',
  guarantee_id: 'int8?',
  payment_id: 'int8',
  ref: 'uuid',
  try: 'int4',
  amount_cents: 'int4',
  processor_ref: 'text?',
  made_at: 'timestamptz',
  tried_at: 'timestamptz?',
} as const
export type DueRefund = RowOf<typeof dueRow>

/** What is known to be under way is looked at this often, in seconds; what nobody answered, sooner. */
const underWaySeconds = 3_600
export const retrySeconds = 60

/**
 * Writes what the processor says of a refund. Anything but its word leaves it as it is, to be looked at again. `wasTold`: whose money
 * it is was mailed about it, by the service whose backup this database is from.
 */
export const noted = async (
  parts: ProcessorWork,
  venue: Venue,
  due: DueRefund,
  outcome: Outcome<RefundSeen | null>,
  wasTold = false,
): Promise<void> => {
  const { db, clock } = parts
  const seen = outcome.kind === 'done' ? outcome.value : null
  if (seen?.state === 'pending')
    return lookLater(db, venue.id, due, seen.refundRef, clock().add({ seconds: underWaySeconds }))
  if (seen) return settled(parts, venue, due, seen, wasTold)
  if (isDenied(outcome))
    parts.log.warn({ venue: venue.slug, code: outcome.code }, 'the processor does not say how a refund is')
  await lookLater(db, venue.id, due, null, clock().add({ seconds: retrySeconds }))
}

/** Settles it by what the processor says; null: it made none, and never will. */
export const settled = (
  parts: ProcessorWork,
  venue: Venue,
  due: DueRefund,
  seen: RefundSeen | null,
  wasTold = false,
): Promise<void> =>
  parts.db.transaction(async (queries) => {
    const work: Work = { db: queries.within(venue.id), venue, now: parts.clock }
    const isBack = seen?.state === 'succeeded'
    const answer = isBack ? null : seen ? seen.why : 'the processor refused it'
    if (due.guarantee_id !== null) {
      if (seen) await nameRefund(work.db, venue.id, due, seen.refundRef)
      const state = isBack ? 'succeeded' : 'failed'
      return settleGuaranteeRefund(
        work,
        { refund: due.id, guarantee: due.guarantee_id },
        { state, answer, wasTold },
      )
    }
    const order = await soldOrderForUpdate(work.db, venue.id, due.order_id ?? 0)
    if (!order) return
    if (seen) await nameRefund(work.db, venue.id, due, seen.refundRef)
    if (!(await isStillPending(work.db, venue.id, due))) return
    await settleRefund(
      work,
      { kind: 'service' },
      {
        refund: due.id,
        seenVersion: order.version,
        outcome: isBack ? 'succeeded' : 'failed',
        ...{ answer, wasTold },
      },
    )
  })

/** It waited to be sent, and is never made: what the answer says is written in its place. */
export const withdraw = (work: Work, due: DueRefund, answer: string): Promise<void> =>
  due.guarantee_id === null
    ? withdrawRefund(work, due.id, answer)
    : withdrawGuaranteeRefund(work, { refund: due.id, guarantee: due.guarantee_id }, answer)

/** A refund of ours by the name that it has at the processor, where other software may name things in another way. */
export const refundOfRef = (db: Queries, venue: VenueId, ref: string): Promise<DueRefund | undefined> =>
  isUuid(ref)
    ? db.maybe(sql(dueRow)`
        select ${columnsOf(dueRow)} from refund where venue_id = ${venue} and ref = ${ref} and payment_id is not null`)
    : Promise.resolve(undefined)

/** What waits to be sent of a payment, as far as is known here. */
export const unsentRefundsOf = (db: Queries, venue: VenueId, payment: number): Promise<DueRefund[]> =>
  db.many(sql(dueRow)`
    select ${columnsOf(dueRow)} from refund
     where venue_id = ${venue} and payment_id = ${payment} and state = 'pending' and processor_ref is null order by id`)

/** One that was called about since this look began stays due. */
export const lookLater = async (
  db: Queries,
  venue: VenueId,
  { id }: DueRefund,
  processorRef: string | null,
  lookAt: Temporal.Instant,
): Promise<void> => {
  await db.run(sql()`
    update refund set
      look_at = case when look_at <= made_at then look_at else ${lookAt}::timestamptz end,
      processor_ref = coalesce(${processorRef}, processor_ref)
     where venue_id = ${venue} and id = ${id} and state = 'pending'`)
}

/** A call about what is settled is looked at when it comes, whenever the next look at what was pending would have been. */
const nameRefund = (db: Queries, venue: VenueId, { id }: DueRefund, processorRef: string): Promise<number> =>
  db.run(sql()`
    update refund set processor_ref = ${processorRef}, look_at = null where venue_id = ${venue} and id = ${id}`)

const isStillPending = async (db: Queries, venue: VenueId, { id }: DueRefund): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from refund where venue_id = ${venue} and id = ${id} and state = 'pending'`)) !== undefined
