import type { Work } from '../../../context.ts'
import { answerCalls } from '../../../core/money/call-store.ts'
import type { ProcessorWork } from '../../../core/money/each-due.ts'
import type { Processor } from '../../../core/money/processor.ts'
import type { Venue, VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { columnsOf, sql } from '../../../platform/db/sql.ts'
import { failGuaranteeRefund } from '../../../book/reservations/guarantee/give-back.ts'
import { failRefundLate } from '../../refunds.ts'
import { type DueRefund, dueRow } from './note-refund.ts'

/* Refunds that had arrived and failed afterwards, as when a guest's bank account was closed: days later the money is back. */

/** So long after a refund was made its bank may still send it back, with some days for a processor that noticed late. */
export const failDays = 35

/**
 * Writes down which of these failed at the processor since they arrived here; how many. Each is looked at by itself, and only those
 * that are still written as arrived.
 */
export const takeFailed = async (
  parts: ProcessorWork,
  venue: Venue,
  names: readonly string[],
  by: Processor,
): Promise<number> => {
  let failed = 0
  for (const due of await arrivedHere(parts.db, venue.id, names))
    if (await lookAgain(parts, venue, due, by)) failed++
  return failed
}

/** Looks again at a refund that had arrived; whether it has failed since. */
export const lookAgain = async (
  { db, clock, log }: ProcessorWork,
  venue: Venue,
  due: DueRefund,
  by: Processor,
): Promise<boolean> => {
  const lookedAt = clock()
  const seen = await by.lookAtRefund(due.processor_ref ?? '')
  if (seen.kind !== 'done') {
    log.warn({ venue: venue.slug, answer: seen.kind }, 'the processor does not say how a refund is')
    return false
  }
  const hasFailed = seen.value.state === 'failed'
  await db.transaction(async (queries) => {
    const work: Work = { db: queries.within(venue.id), venue, now: clock }
    if (hasFailed && due.guarantee_id !== null)
      await failGuaranteeRefund(work, { refund: due.id, guarantee: due.guarantee_id }, seen.value.why)
    else if (hasFailed) await failRefundLate(work, { refund: due.id, answer: seen.value.why })
    await answerCalls(work.db, venue.id, seen.value.refundRef, lookedAt)
    // A call that came during the look is about what it may not have seen: it does not wait for the end of this lease.
    await work.db.run(sql()`
      update refund set look_at = null where venue_id = ${venue.id} and id = ${due.id} and state = 'succeeded'`)
  })
  return hasFailed
}

const arrivedHere = (db: Queries, venue: VenueId, names: readonly string[]): Promise<DueRefund[]> =>
  names.length === 0
    ? Promise.resolve([])
    : db.many(sql(dueRow)`
        select ${columnsOf(dueRow)} from refund
         where venue_id = ${venue} and processor_ref = any(${[...names]}::text[])
           and state = 'succeeded' and payment_id is not null and origin <> 'dispute' order by id`)
