import { processorOf } from '../../../core/money/account-store.ts'
import { isWhole } from '../../../core/money/currency.ts'
import { callOnce } from '../../../core/money/call-once.ts'
import { type ProcessorWork, forEachDue } from '../../../core/money/each-due.ts'
import { leaseSeconds } from '../../../core/money/checkout-store.ts'
import { lostDisputesOf, takenAnswer, tookItAll, waitsForBank } from '../../../core/money/matter-store.ts'
import { type PaymentRow, paymentById } from '../../../core/money/payment-store.ts'
import type { Processor, RefundSeen } from '../../../core/money/processor.ts'
import { leasedRows } from '../../../core/venue/leased-rows.ts'
import type { Venue, VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { columnsOf, fragment, part, sql } from '../../../platform/db/sql.ts'
import { isUuid } from '../../../platform/kernel/uuid.ts'
import { recordLost } from './disputes.ts'
import { lookAgain } from './failed-late.ts'
import { takeInstead } from './made-instead.ts'
import {
  type DueRefund,
  dueRow,
  lookLater,
  noted,
  refundOfRef,
  retrySeconds,
  settled,
  withdraw,
} from './note-refund.ts'
import { takeRefund } from './take-refund.ts'

/*
 * Gives money back through the processor. Cast: a person who asks for a refund leaves a pending row with everything that the
 * call says; a worker takes it under a lease, makes the call and writes how it ended. What a crash leaves is the same row,
 * and the same call with the same key, so no money goes twice.
 */

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
    act: async (venue, due) => lookAgain(parts, venue, due, (await paidWith(parts, venue, due)).processor),
    mistake: 'a refund could not be looked at',
  })
}

const makeRefund = async (parts: ProcessorWork, venue: Venue, due: DueRefund): Promise<void> => {
  const { db, clock, log } = parts
  const { processor, payment, paymentRef } = await paidWith(parts, venue, due)
  const { currency } = payment
  if (due.processor_ref !== null)
    return noted(parts, venue, due, await processor.lookAtRefund(due.processor_ref))
  // No call can name such an amount: somebody has to look at it.
  if (!isWhole(due.amount_cents, currency)) return settled(parts, venue, due, null)
  if (await wasSent(parts, venue, due, processor, paymentRef)) return
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
  if (!isMeant) return giveWay(parts, venue, due, payment)
  log.warn({ venue: venue.slug }, 'the processor refused a refund')
  await settled(parts, venue, due, null)
}

/**
 * What this database does not know was sent back before: it is older than that, and nobody looked since, as the key was not
 * taken. Whether that took the place of this one, or of a part of it, or cannot be known now.
 */
const wasSent = async (
  parts: ProcessorWork,
  venue: Venue,
  due: DueRefund,
  by: Processor,
  paymentRef: string,
): Promise<boolean> => {
  const { db, clock } = parts
  const before = await by.refundsOf(paymentRef)
  if (before.kind !== 'done' && before.kind !== 'gone') {
    await noted(parts, venue, due, before)
    return true
  }
  let isChanged = false
  for (const one of before.kind === 'done' ? before.value : []) {
    if (one.ref === null || !isUuid(one.ref) || (await refundOfRef(db, venue.id, one.ref))) continue
    await takeInstead(parts, venue, one, by)
    await takeRefund(parts, venue, one, by)
    isChanged = true
  }
  if (isChanged) await lookLater(db, venue.id, due, null, clock())
  return isChanged
}

/** It is not made, and what the bank took is counted with that: otherwise what is left could be sent back in its place meanwhile. */
const giveWay = (
  { db, clock }: ProcessorWork,
  venue: Venue,
  due: DueRefund,
  payment: PaymentRow,
): Promise<void> =>
  db.transaction(async (queries) => {
    const work = { db: queries.within(venue.id), venue, now: clock }
    await withdraw(work, due, takenAnswer)
    for (const lost of await lostDisputesOf(work.db, venue.id, payment.id))
      await recordLost(work, payment, lost)
  })

/** The bank has taken what was to go back. */
const isTaken = async (db: Queries, venue: VenueId, { id }: DueRefund): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select r.id from refund r join payment p on p.venue_id = ${venue} and p.id = r.payment_id
     where r.venue_id = ${venue} and r.id = ${id} and ${tookItAll(venue)}`)) !== undefined

/** The payment that a refund is of, and the account that took it. */
const paidWith = async (parts: ProcessorWork, venue: Venue, due: DueRefund) => {
  const payment = await paymentById(parts.db, venue.id, due.payment_id)
  if (!payment || payment.processor_ref === null) throw new Error('a refund without its payment')
  const processor = await processorOf(parts, venue, payment.account_id, 'job')
  return { processor, payment, paymentRef: payment.processor_ref }
}

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
