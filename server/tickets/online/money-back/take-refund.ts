import { keepCall } from '../../../core/money/call-store.ts'
import type { ProcessorWork } from '../../../core/money/each-due.ts'
import { paymentByProcessorRef } from '../../../core/money/payment-store.ts'
import type { MovedThere, Processor } from '../../../core/money/processor.ts'
import type { Venue } from '../../../core/venue/venue.ts'
import { isUuid } from '../../../platform/kernel/uuid.ts'
import { noted, refundOfRef } from './note-refund.ts'
import { recordRefundMadeThere } from './refunds-made-there.ts'

/**
 * Writes down a refund that the processor's list names: ours as it is there, any other at its payment, also one that the
 * service sent after the backup that this database is from: it would be sent again. One that has to wait for a refund that is
 * under way is looked at again as if it had been called about. False for one of ours whose payment is not written here; what is of
 * no payment of ours is the venue's other business. `wasTold`: what is ours was sent after a backup, and was mailed about then.
 */
export const takeRefund = async (
  parts: ProcessorWork,
  venue: Venue,
  { ref, objectRef, paymentRef, amountCents, currency, isUnderWay }: MovedThere,
  by: Processor,
  wasTold = false,
): Promise<boolean> => {
  const ours = ref === null ? undefined : await refundOfRef(parts.db, venue.id, ref)
  if (ours) {
    await noted(parts, venue, ours, await by.lookAtRefund(objectRef), wasTold)
    return true
  }
  const payment =
    paymentRef === null ? undefined : await paymentByProcessorRef(parts.db, venue.id, paymentRef)
  if (!payment) return ref === null || !isUuid(ref)
  await parts.db.transaction(async (queries) => {
    const db = queries.within(venue.id)
    const isWritten = await recordRefundMadeThere({ db, venue, now: parts.clock }, payment, {
      ...{ refundRef: objectRef, origin: 'dashboard', ref, amountCents, currency },
      state: isUnderWay ? 'pending' : 'succeeded',
    })
    const call = { eventRef: `found ${objectRef}`, kind: 'refund.found', objectRef }
    if (!isWritten) await keepCall(db, venue.id, payment.account_id, call, parts.clock())
  })
  return true
}
