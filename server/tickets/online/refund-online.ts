import type { Work } from '../../context.ts'
import { processorOf } from '../../core/money/account-store.ts'
import { isWhole } from '../../core/money/currency.ts'
import { callOnce } from '../../core/money/call-once.ts'
import { type ProcessorWork, forEachDue } from '../../core/money/each-due.ts'
import { leaseSeconds } from '../../core/money/checkout-store.ts'
import { answerCalls } from '../../core/money/call-store.ts'
import { tookItAll, waitsForBank } from '../../core/money/matter-store.ts'
import { paymentById } from '../../core/money/payment-store.ts'
import type { Outcome, RefundSeen } from '../../core/money/processor.ts'
import { leasedRows } from '../../core/venue/leased-rows.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, fragment, part, sql } from '../../platform/db/sql.ts'
import { isUuid } from '../../platform/kernel/uuid.ts'
import {
  failGuaranteeRefund,
  settleGuaranteeRefund,
  withdrawGuaranteeRefund,
} from '../../book/reservations/guarantee/give-back.ts'
import { soldOrderForUpdate } from '../order-reads.ts'
import { failRefundLate, settleRefund, withdrawRefund } from '../refunds.ts'

/*
 * Gives money back through the processor. Cast: a person who asks for a refund leaves a pending row with everything that the
 * call says; a worker takes it under a lease, makes the call and writes how it ended. What a crash leaves is the same row,
 * and the same call with the same key, so no money goes twice.
 */

const dueRow = {
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

export const refundsDue = leasedRows('refund', dueRow, {
  ...{ due: 'look_at', leaseSeconds },
  waits: fragment("and state = 'pending' and payment_id is not null"),
  isFree: (venue) => part`and not ${waitsForBank(venue, 'refund')}`,
})

export const refundOnline = async (parts: ProcessorWork, signal: AbortSignal): Promise<void> => {
  await forEachDue(parts, signal, {
    queue: refundsDue,
    act: (venue, due) => makeRefund(parts, venue, due),
    mistake: 'a refund could not be made',
    atOnce: 5,
  })
  await forEachDue(parts, signal, {
    queue: { venues: venuesWithLateCalls, take: takeLateRefund },
    act: (venue, due) => lookAgain(parts, venue, due),
    mistake: 'a refund could not be looked at',
  })
}

/** Looks again at a refund that had arrived, if the processor called about it: a bank may send the money back days later. */
const lookAgain = async (parts: ProcessorWork, venue: Venue, due: DueRefund): Promise<void> => {
  const { db, clock, log } = parts
  const { processor } = await paidWith(parts, venue, due)
  const lookedAt = clock()
  const seen = await processor.lookAtRefund(due.processor_ref ?? '')
  if (seen.kind !== 'done')
    return log.warn({ venue: venue.slug, answer: seen.kind }, 'the processor does not say how a refund is')
  await db.transaction(async (queries) => {
    const work: Work = { db: queries.within(venue.id), venue, now: clock }
    if (seen.value.state === 'failed' && due.guarantee_id !== null)
      await failGuaranteeRefund(work, { refund: due.id, guarantee: due.guarantee_id }, seen.value.why)
    else if (seen.value.state === 'failed')
      await failRefundLate(work, { refund: due.id, answer: seen.value.why })
    await answerCalls(work.db, venue.id, seen.value.refundRef, lookedAt)
  })
}

/** What is known to be under way is looked at this often, in seconds; what nobody answered, sooner. */
const underWaySeconds = 3_600
const retrySeconds = 60

const makeRefund = async (parts: ProcessorWork, venue: Venue, due: DueRefund): Promise<void> => {
  const { db, clock, log } = parts
  const { processor, paymentRef, currency } = await paidWith(parts, venue, due)
  if (due.processor_ref !== null)
    return noted(parts, venue, due, await processor.lookAtRefund(due.processor_ref))
  // No call can name such an amount: somebody has to look at it.
  if (!isWhole(due.amount_cents, currency)) return settled(parts, venue, due, null)
  const isMeant = !(await isTaken(db, venue.id, due))
  const called = await callOnce<RefundSeen>(due, clock(), {
    isMeant,
    find: () => processor.findRefund(paymentRef, due.ref),
    make: () =>
      processor.refund({
        ...{ ref: due.ref, venue: venue.id, try: due.try, paymentRef },
        ...{ amountCents: due.amount_cents, currency },
      }),
  })
  if (called.kind === 'said') return noted(parts, venue, due, called.outcome)
  if (called.kind === 'again') return raiseTry(db, venue.id, due, called.at)
  if (!isMeant) return withdrawn(parts, venue, due)
  log.warn({ venue: venue.slug }, 'the processor refused a refund')
  await settled(parts, venue, due, null)
}

/** The bank has taken what was to go back. */
const isTaken = async (db: Queries, venue: VenueId, { id }: DueRefund): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select r.id from refund r join payment p on p.venue_id = ${venue} and p.id = r.payment_id
     where r.venue_id = ${venue} and r.id = ${id} and ${tookItAll(venue)}`)) !== undefined

/** It was never made: the dispute is written in its place. */
const withdrawn = (parts: ProcessorWork, venue: Venue, due: DueRefund): Promise<void> =>
  parts.db.transaction(async (queries) => {
    const work: Work = { db: queries.within(venue.id), venue, now: parts.clock }
    if (due.guarantee_id !== null)
      await withdrawGuaranteeRefund(work, { refund: due.id, guarantee: due.guarantee_id })
    else await withdrawRefund(work, due.id)
  })

/** The payment that a refund is of, and the account that took it. */
const paidWith = async (parts: ProcessorWork, venue: Venue, due: DueRefund) => {
  const payment = await paymentById(parts.db, venue.id, due.payment_id)
  if (!payment || payment.processor_ref === null) throw new Error('a refund without its payment')
  const processor = await processorOf(parts, venue, payment.account_id, 'job')
  return { processor, paymentRef: payment.processor_ref, currency: payment.currency }
}

/** Writes what the processor says of a refund. Anything but its word leaves it as it is, to be looked at again. */
export const noted = async (
  parts: ProcessorWork,
  venue: Venue,
  due: DueRefund,
  outcome: Outcome<RefundSeen | null>,
): Promise<void> => {
  const { db, clock } = parts
  const seen = outcome.kind === 'done' ? outcome.value : null
  if (seen?.state === 'pending')
    return lookLater(db, venue.id, due, seen.refundRef, clock().add({ seconds: underWaySeconds }))
  if (seen) return settled(parts, venue, due, seen)
  if (outcome.kind === 'denied' || outcome.kind === 'refused')
    parts.log.warn({ venue: venue.slug, code: outcome.code }, 'the processor does not say how a refund is')
  await lookLater(db, venue.id, due, null, clock().add({ seconds: retrySeconds }))
}

/** Settles it by what the processor says; null: it made none, and never will. */
const settled = (
  parts: ProcessorWork,
  venue: Venue,
  due: DueRefund,
  seen: RefundSeen | null,
): Promise<void> =>
  parts.db.transaction(async (queries) => {
    const work: Work = { db: queries.within(venue.id), venue, now: parts.clock }
    const isBack = seen?.state === 'succeeded'
    const answer = isBack ? null : seen ? seen.why : 'the processor refused it'
    if (due.guarantee_id !== null) {
      if (seen) await nameRefund(work.db, venue.id, due, seen.refundRef)
      const state = isBack ? 'succeeded' : 'failed'
      return settleGuaranteeRefund(work, { refund: due.id, guarantee: due.guarantee_id }, { state, answer })
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
        answer,
      },
    )
  })

const venuesWithLateCalls = async (db: Queries, now: Temporal.Instant): Promise<VenueId[]> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct e.venue_id from processor_event e
      join refund r on r.venue_id = e.venue_id and r.processor_ref = e.object_ref
     where e.looked_at is null and r.state = 'succeeded' and r.origin <> 'dispute' and (r.look_at is null or r.look_at <= ${now})`)
  return rows.map(({ venue_id }) => venue_id as VenueId)
}

const takeLateRefund = (db: Queries, venue: VenueId, now: Temporal.Instant): Promise<DueRefund | undefined> =>
  db.maybe(sql(dueRow)`
    update refund set look_at = ${now.add({ seconds: retrySeconds })}
     where venue_id = ${venue} and id = (
       select r.id from refund r
         join processor_event e on e.venue_id = r.venue_id and e.object_ref = r.processor_ref
        where r.venue_id = ${venue} and e.looked_at is null
          and r.state = 'succeeded' and r.origin <> 'dispute' and (r.look_at is null or r.look_at <= ${now})
        order by r.id limit 1 for update of r skip locked)
    returning ${columnsOf(dueRow)}`)

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
const lookLater = async (
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

const raiseTry = async (
  db: Queries,
  venue: VenueId,
  { id, try: tried }: DueRefund,
  lookAt: Temporal.Instant,
): Promise<void> => {
  await db.run(sql()`
    update refund set try = try + 1, look_at = ${lookAt}, tried_at = ${lookAt}
     where venue_id = ${venue} and id = ${id} and try = ${tried} and state = 'pending'`)
}

/** A call about what is settled is looked at when it comes, whenever the next look at what was pending would have been. */
const nameRefund = (db: Queries, venue: VenueId, { id }: DueRefund, processorRef: string): Promise<number> =>
  db.run(sql()`
    update refund set processor_ref = ${processorRef}, look_at = null where venue_id = ${venue} and id = ${id}`)

const isStillPending = async (db: Queries, venue: VenueId, { id }: DueRefund): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from refund where venue_id = ${venue} and id = ${id} and state = 'pending'`)) !== undefined
