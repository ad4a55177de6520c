import type { Context, Work } from '../../context.ts'
import { accountById, keyOf } from '../../core/money/account-store.ts'
import { leaseSeconds } from '../../core/money/checkout-store.ts'
import { answerCalls } from '../../core/money/call-store.ts'
import { paymentById } from '../../core/money/payment-store.ts'
import type { Outcome, RefundSeen } from '../../core/money/processor.ts'
import { forEachVenue } from '../../core/venue/each-venue.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { failGuaranteeRefund, settleGuaranteeRefund } from '../../book/reservations/guarantee/give-back.ts'
import { soldOrderForUpdate } from '../order-reads.ts'
import { failRefundLate, settleRefund } from '../refunds.ts'

/*
 * Gives money back through the processor. Cast: a person who asks for a refund leaves a pending row with everything that the
 * call says; a worker takes it under a lease, makes the call and writes how it ended. What a crash leaves is the same row,
 * and the same call with the same key, so no money goes twice.
 */

type Parts = Pick<Context, 'db' | 'clock' | 'secrets' | 'hold' | 'processors' | 'log'>

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
} as const
type DueRefund = RowOf<typeof dueRow>

const mostInRound = 50
/** Of one venue at a time: one that is not answered for 20 seconds does not keep the others waiting. */
const atOnce = 5

export const refundOnline = async (parts: Parts, signal: AbortSignal): Promise<void> => {
  const { db, clock, hold, log } = parts
  if (hold.isOn()) return
  await forEachVenue({ db, log }, await venuesWithRefunds(db, clock()), async (venue) => {
    const next = async (): Promise<void> => {
      for (let round = 0; round < mostInRound / atOnce && !signal.aborted; round++) {
        const due = await takeRefund(db, venue.id, clock())
        if (!due) return
        try {
          await makeRefund(parts, venue, due)
        } catch (error) {
          log.warn({ venue: venue.slug, code: codeOf(error) ?? 'unknown' }, 'a refund could not be made')
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, next))
  })
  await lookAgain(parts, signal)
}

/** Looks again at refunds that had arrived, if the processor called about them: a bank may send the money back days later. */
const lookAgain = async (parts: Parts, signal: AbortSignal): Promise<void> => {
  const { db, clock, log } = parts
  await forEachVenue({ db, log }, await venuesWithLateCalls(db, clock()), async (venue) => {
    for (let round = 0; round < mostInRound && !signal.aborted; round++) {
      const due = await takeLateRefund(db, venue.id, clock())
      if (!due) return
      const { processor } = await paidWith(parts, venue, due)
      const lookedAt = clock()
      const seen = await processor.lookAtRefund(due.processor_ref ?? '')
      if (seen.kind !== 'done') {
        log.warn({ venue: venue.slug, answer: seen.kind }, 'the processor does not say how a refund is')
        continue
      }
      await db.transaction(async (queries) => {
        const work: Work = { db: queries.within(venue.id), venue, now: clock }
        if (seen.value.state === 'failed' && due.guarantee_id !== null)
          await failGuaranteeRefund(work, { refund: due.id, guarantee: due.guarantee_id }, seen.value.why)
        else if (seen.value.state === 'failed')
          await failRefundLate(work, { refund: due.id, answer: seen.value.why })
        await answerCalls(work.db, venue.id, seen.value.refundRef, lookedAt)
      })
    }
  })
}

/** What is known to be under way is looked at this often, in seconds; what nobody answered, sooner. */
const underWaySeconds = 3_600
const retrySeconds = 60

const makeRefund = async (parts: Parts, venue: Venue, due: DueRefund): Promise<void> => {
  const { db, clock } = parts
  const { processor, paymentRef, currency } = await paidWith(parts, venue, due)
  // The processor forgets a key after a day: from then on only its lists say whether it was carried out.
  const isForgotten =
    Temporal.Instant.compare(Temporal.Instant.from(due.made_at).add({ hours: 23 }), clock()) <= 0
  const asked = {
    ref: due.ref,
    try: due.try,
    paymentRef,
    amountCents: due.amount_cents,
    currency,
  }
  if (due.processor_ref !== null)
    return noted(parts, venue, due, await processor.lookAtRefund(due.processor_ref))
  if (isForgotten || due.try > 1) {
    // An earlier call may have been carried out.
    const listed = await processor.findRefund(paymentRef, due.ref)
    if (listed.kind !== 'done') return noted(parts, venue, due, listed)
    if (listed.value) return noted(parts, venue, due, { kind: 'done', value: listed.value })
    if (isForgotten) return raiseTry(db, venue.id, due, clock())
  }
  const made = await processor.refund(asked)
  // Time for its lists to know what it did, before the next call reads them.
  if (made.kind === 'failed') return raiseTry(db, venue.id, due, clock().add({ seconds: retrySeconds }))
  if (made.kind !== 'refused') return noted(parts, venue, due, made)
  // It may be refused because it was made before.
  const listed = await processor.findRefund(paymentRef, due.ref)
  if (listed.kind !== 'done') return noted(parts, venue, due, listed)
  if (listed.value) return noted(parts, venue, due, { kind: 'done', value: listed.value })
  parts.log.warn({ venue: venue.slug, code: made.code }, 'the processor refused a refund')
  await settled(parts, venue, due, null)
}

/** The payment that a refund is of, and the account that took it. */
const paidWith = async ({ db, secrets, processors }: Parts, venue: Venue, due: DueRefund) => {
  const payment = await paymentById(db, venue.id, due.payment_id)
  const account = payment && (await accountById(db, venue.id, payment.account_id))
  if (!payment || !account || payment.processor_ref === null) throw new Error('a payment without its account')
  const processor = processors.of(keyOf(secrets, venue.id, account), 'job')
  return { processor, paymentRef: payment.processor_ref, currency: payment.currency }
}

/** Writes what the processor says of a refund. Anything but its word leaves it as it is, to be looked at again. */
export const noted = async (
  parts: Parts,
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
const settled = (parts: Parts, venue: Venue, due: DueRefund, seen: RefundSeen | null): Promise<void> =>
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

const venuesWithRefunds = async (db: Queries, now: Temporal.Instant): Promise<Set<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from refund
     where state = 'pending' and payment_id is not null and look_at <= ${now}`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}

const takeRefund = (db: Queries, venue: VenueId, now: Temporal.Instant): Promise<DueRefund | undefined> =>
  db.maybe(sql(dueRow)`
    update refund set look_at = ${now.add({ seconds: leaseSeconds })}
     where venue_id = ${venue} and id = (
       select id from refund
        where venue_id = ${venue} and state = 'pending' and payment_id is not null and look_at <= ${now}
        order by look_at, id limit 1 for update skip locked)
    returning ${columnsOf(dueRow)}`)

const venuesWithLateCalls = async (db: Queries, now: Temporal.Instant): Promise<Set<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct e.venue_id from processor_event e
      join refund r on r.venue_id = e.venue_id and r.processor_ref = e.object_ref
     where e.looked_at is null and r.state = 'succeeded' and r.origin <> 'dispute' and (r.look_at is null or r.look_at <= ${now})`)
  return new Set(rows.map(({ venue_id }) => venue_id))
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

/** A refund of ours by the name that it has at the processor. */
export const refundOfRef = (db: Queries, venue: VenueId, ref: string): Promise<DueRefund | undefined> =>
  uuid.test(ref)
    ? db.maybe(sql(dueRow)`
        select ${columnsOf(dueRow)} from refund where venue_id = ${venue} and ref = ${ref} and payment_id is not null`)
    : Promise.resolve(undefined)

/** Other software may name what it makes in another way. */
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

const lookLater = async (
  db: Queries,
  venue: VenueId,
  { id }: DueRefund,
  processorRef: string | null,
  lookAt: Temporal.Instant,
): Promise<void> => {
  await db.run(sql()`
    update refund set look_at = ${lookAt}, processor_ref = coalesce(${processorRef}, processor_ref)
     where venue_id = ${venue} and id = ${id} and state = 'pending'`)
}

const raiseTry = async (
  db: Queries,
  venue: VenueId,
  { id, try: tried }: DueRefund,
  lookAt: Temporal.Instant,
): Promise<void> => {
  await db.run(sql()`
    update refund set try = try + 1, look_at = ${lookAt}, made_at = ${lookAt}
     where venue_id = ${venue} and id = ${id} and try = ${tried} and state = 'pending'`)
}

const nameRefund = (db: Queries, venue: VenueId, { id }: DueRefund, processorRef: string): Promise<number> =>
  db.run(sql()`
    update refund set processor_ref = ${processorRef} where venue_id = ${venue} and id = ${id}`)

const isStillPending = async (db: Queries, venue: VenueId, { id }: DueRefund): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from refund where venue_id = ${venue} and id = ${id} and state = 'pending'`)) !== undefined
