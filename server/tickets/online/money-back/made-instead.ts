import { randomUUID } from 'node:crypto'
import type { ProcessorWork } from '../../../core/money/each-due.ts'
import { sentAnswer } from '../../../core/money/matter-store.ts'
import { type PaymentRow, paymentByProcessorRef } from '../../../core/money/payment-store.ts'
import type { MovedThere, Processor } from '../../../core/money/processor.ts'
import type { Venue, VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { isUuid } from '../../../platform/kernel/uuid.ts'
import { type DueRefund, noted, refundOfRef, unsentRefundsOf, withdraw } from './note-refund.ts'

/**
 * A refund that the service sent after the backup which this database is from takes the place of what waits to be sent here of
 * the same payment: whoever asked for that did not know of it, and no money goes twice. Of the same sum it is that refund;
 * a larger one is sent as far as it goes beyond it. Only while nothing is sent. Throws a Refusal where the processor does not answer.
 */
export const takeInstead = async (
  parts: ProcessorWork,
  venue: Venue,
  { ref, objectRef, paymentRef, amountCents }: MovedThere,
  by: Processor,
  wasTold = false,
): Promise<void> => {
  const { db, clock } = parts
  if (ref === null || !isUuid(ref) || paymentRef === null || (await refundOfRef(db, venue.id, ref))) return
  const payment = await paymentByProcessorRef(db, venue.id, paymentRef)
  if (!payment) return
  let rest = amountCents
  for (const waiting of await neverMade(parts, venue, payment, { by, wasTold })) {
    if (rest <= 0) return
    if (waiting.amount_cents === rest && rest === amountCents)
      return void (await nameAs(db, venue.id, waiting, { ref, objectRef }))
    if (waiting.amount_cents > rest) await lessen(db, venue.id, waiting, rest)
    else
      await db.transaction((queries) =>
        withdraw({ db: queries.within(venue.id), venue, now: clock }, waiting, sentAnswer),
      )
    rest -= waiting.amount_cents
  }
}

/** What waits to be sent of a payment, and is not at the processor; what is there is written as it is. */
const neverMade = async (
  parts: ProcessorWork,
  venue: Venue,
  payment: PaymentRow,
  { by, wasTold }: { readonly by: Processor; readonly wasTold: boolean },
): Promise<DueRefund[]> => {
  const waiting: DueRefund[] = []
  for (const one of await unsentRefundsOf(parts.db, venue.id, payment.id)) {
    const found = await by.findRefund(payment.processor_ref ?? '', one.ref)
    if (found.kind !== 'done') throw notKnownYet(venue)
    if (found.value) await noted(parts, venue, one, found, wasTold)
    else waiting.push(one)
  }
  return waiting
}

/** Nobody knows what moved since the backup while the processor does not answer. */
export const notKnownYet = ({ slug }: Venue): Refusal =>
  new Refusal(
    409,
    `Stripe does not answer about ${slug}, so nothing is sent yet: what was paid since the backup must be known first. Please try again.`,
  )

/** From then on it is looked up by that name, with the seats that go back with it. */
const nameAs = (
  db: Queries,
  venue: VenueId,
  { id }: DueRefund,
  { ref, objectRef }: { readonly ref: string; readonly objectRef: string },
): Promise<number> =>
  db.run(sql()`
    update refund set ref = ${ref}, processor_ref = ${objectRef}
     where venue_id = ${venue} and id = ${id} and state = 'pending'`)

/** Another sum is another call: it has another name. */
const lessen = (db: Queries, venue: VenueId, { id }: DueRefund, cents: number): Promise<number> =>
  db.run(sql()`
    update refund set amount_cents = amount_cents - ${cents}, ref = ${randomUUID()}, try = 1, tried_at = null
     where venue_id = ${venue} and id = ${id} and state = 'pending' and processor_ref is null`)
