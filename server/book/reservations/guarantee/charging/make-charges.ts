import type { Work } from '../../../../context.ts'
import { bookingName } from '../../../../core/money/booking-name.ts'
import { processorOf } from '../../../../core/money/account-store.ts'
import { callOnce } from '../../../../core/money/call-once.ts'
import { type ProcessorWork, forEachDue } from '../../../../core/money/each-due.ts'
import type { Outcome, PaymentSeen, Processor } from '../../../../core/money/processor.ts'
import type { Venue } from '../../../../core/venue/venue.ts'
import { bookedReservation } from '../../../day/book-row.ts'
import { mailAsk } from '../asked/ask-booking.ts'
import { writeAsked } from '../asked/asked-store.ts'
import { isPayable } from '../payable.ts'
import { isChargeable } from './charge.ts'
import {
  type ChargeRow,
  chargeFailed,
  chargesDue,
  lookAtChargeLater,
  raiseChargeTry,
  settleCharge,
} from './charge-store.ts'
import { type GuaranteeRow, guaranteeById, holdGuarantee } from '../guarantee-store.ts'
import { showGuarantee } from '../show-guarantee.ts'
import { countCharge, mailCharged } from './count-charge.ts'
import { takePayment } from './take-payment.ts'

/*
 * Charges cards that a manager said to charge. Cast: the press leaves a pending payment with everything that the call says;
 * a worker takes it under a lease, calls, and writes how it ended. What a crash leaves is the same row, and the same call
 * with the same key, so no card is charged twice.
 */

const retrySeconds = 60

export const makeCharges = (parts: ProcessorWork, signal: AbortSignal): Promise<void> =>
  forEachDue(parts, signal, {
    queue: chargesDue,
    act: (venue, due) => makeCharge(parts, venue, due),
    mistake: 'a card could not be charged',
  })

const makeCharge = async (parts: ProcessorWork, venue: Venue, due: ChargeRow): Promise<void> => {
  const { db, clock, log } = parts
  const guarantee = await guaranteeById(db, venue.id, due.guarantee_id ?? 0)
  const { customer_ref: customerRef, method_ref: methodRef } = guarantee ?? {}
  if (!guarantee || customerRef == null || methodRef == null) return settled(parts, venue, due, null)
  // An amount that is no coin cannot be said to the processor, so it never was.
  if (!isPayable(due.amount_cents, due.currency)) return settled(parts, venue, due, null)
  const processor = await processorOf(parts, venue, due.account_id, 'job')
  if (due.processor_ref !== null)
    return noted(parts, venue, due, processor, await processor.lookAtPayment(due.processor_ref))
  // What this database does not know was charged before: it is older than that, and nobody's card is charged twice.
  const before = await processor.chargesOf(customerRef)
  if (before.kind !== 'done' && before.kind !== 'gone') return noted(parts, venue, due, processor, before)
  for (const one of before.kind === 'done' ? before.value : [])
    await takePayment(parts, venue, one, { by: processor, account: due.account_id })
  const booking = await bookingName(db, venue.id, guarantee.reservation_id)
  const called = await callOnce<PaymentSeen>(due, clock(), {
    find: () => processor.findPayment(customerRef, due.ref),
    make: () =>
      processor.charge({
        ...{ ref: due.ref, venue: venue.id, booking, try: due.try, customerRef, methodRef },
        ...{ amountCents: due.amount_cents, currency: due.currency, title: titleOf(venue) },
      }),
    isMeant: await isStillMeant(parts, venue, guarantee),
  })
  if (called.kind === 'said') return noted(parts, venue, due, processor, called.outcome)
  if (called.kind === 'again') return void (await raiseChargeTry(db, venue.id, due, called.at))
  if (called.why === 'refused') log.warn({ venue: venue.slug }, 'the processor refused to charge a card')
  await settled(parts, venue, due, null, called.why)
}

/**
 * Whether the card may be charged as things are now: since the press its guests may have sat down late, the booking may have
 * been cancelled by the venue, or the card's last day may have come.
 */
const isStillMeant = ({ db, clock }: ProcessorWork, venue: Venue, { id }: GuaranteeRow): Promise<boolean> =>
  db.transaction(async (queries) => {
    const within = queries.within(venue.id)
    const guarantee = await holdGuarantee(within, venue.id, id)
    const booking =
      guarantee?.reservation_id != null &&
      (await bookedReservation(within, venue.id, guarantee.reservation_id))
    return Boolean(guarantee && booking && isChargeable(booking, guarantee, clock()))
  })

/** What the guest's bank shows beside the venue's own name there. */
const titleOf = ({ slug }: Venue): string => `No-show or late cancellation, ${slug}`

/** Writes what the processor says. Anything but its word leaves the row as it is, to be looked at again. */
const noted = async (
  parts: ProcessorWork,
  venue: Venue,
  due: ChargeRow,
  processor: Processor,
  outcome: Outcome<PaymentSeen | null>,
): Promise<void> => {
  const { db, clock, log } = parts
  const seen = outcome.kind === 'done' ? outcome.value : null
  const at = clock().add({ seconds: retrySeconds })
  if (seen && seen.state !== 'pending') {
    // Nobody could confirm it any more; what cannot be canceled was not taken either.
    if (seen.why === 'guest-needed') await processor.cancelPayment(seen.paymentRef)
    return settled(parts, venue, due, seen)
  }
  if (outcome.kind === 'denied' || outcome.kind === 'refused')
    log.warn({ venue: venue.slug, code: outcome.code }, 'the processor does not say how a charge is')
  await lookAtChargeLater(db, venue.id, due.id, { at, processorRef: seen?.paymentRef ?? null })
}

/** Settles it by what the processor says; null: it made none, and never will. */
const settled = (
  parts: ProcessorWork,
  venue: Venue,
  due: ChargeRow,
  seen: PaymentSeen | null,
  why: 'refused' | 'withdrawn' = 'refused',
): Promise<void> =>
  parts.db.transaction(async (queries) => {
    const work: Work = { db: queries.within(venue.id), venue, now: parts.clock }
    const { db } = work
    const guarantee = await holdGuarantee(db, venue.id, due.guarantee_id ?? 0)
    if (!guarantee) return
    const isPaid = seen?.state === 'succeeded'
    const now = work.now()
    const moved = await settleCharge(
      db,
      venue.id,
      due.id,
      {
        state: isPaid ? 'succeeded' : 'failed',
        why: isPaid ? null : (seen?.why ?? why),
        processorRef: seen?.paymentRef ?? null,
      },
      now,
    )
    if (!moved) return
    if (isPaid) {
      const isOwed = await countCharge(work, guarantee, { ...due, paymentRef: seen.paymentRef }, now)
      return isOwed ? mailCharged(work, guarantee, now) : undefined
    }
    // The card was not asked where the charge was withdrawn.
    if (seen || why === 'refused') {
      await chargeFailed(db, venue.id, guarantee.id)
      if (seen?.why === 'guest-needed') await askForFee(work, guarantee, due.amount_cents, now)
    }
    await showGuarantee(work, guarantee.reservation_id)
  })

/** How long a guest has to pay what their bank wants them for. */
export const feeDays = 7

/** Its bank wants the guest: they are mailed to pay it themselves. Their card stays as long as they may. */
const askForFee = async (
  work: Work,
  guarantee: GuaranteeRow,
  cents: number,
  now: Temporal.Instant,
): Promise<void> => {
  const { db, venue } = work
  const { id, reservation_id: reservation } = guarantee
  const booking = reservation === null ? undefined : await bookedReservation(db, venue.id, reservation)
  if (!booking || !isChargeable(booking, guarantee, now)) return
  await writeAsked(db, venue.id, id, cents, now.add({ hours: feeDays * 24 }))
  await mailAsk(work, booking, now)
}
