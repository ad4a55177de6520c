import type { Work } from '../../../../context.ts'
import { addMatter } from '../../../../core/money/matter-store.ts'
import { queueGuestMail } from '../../../../mail/guest-mail-queue.ts'
import { giveAllBack } from '../give-back.ts'
import { type GuaranteeRow, countGuarantee } from '../guarantee-store.ts'
import { showGuarantee } from '../show-guarantee.ts'

/** What came off a card, or was paid in its place. */
export type Charged = {
  readonly paymentRef: string
  readonly amount_cents: number
  readonly currency: string
}

/** A charge that succeeded is written: what stands behind the booking is counted by it. False: it was not owed, and goes back. */
export const countCharge = async (
  work: Work,
  guarantee: GuaranteeRow,
  charged: Charged,
  now: Temporal.Instant,
): Promise<boolean> => {
  const isGivenUp = guarantee.status === 'released' || guarantee.status === 'waived'
  const counted = await countGuarantee(work.db, work.venue.id, guarantee.id)
  // Given back, or done without, while the processor had not answered: then the guest owes nothing.
  if (isGivenUp) await giveAllBack(work, guarantee, now)
  else {
    if (counted) await noteBeyond(work, counted, charged, now)
    await showGuarantee(work, guarantee.reservation_id)
  }
  return !isGivenUp
}

/** More than its guest agreed to came off the card, such as by a charge that was made twice: it is for somebody to look at. */
const noteBeyond = async (
  { db, venue }: Work,
  { reservation_id: reservation, amount_cents: agreed, paid_cents: paid }: GuaranteeRow,
  { paymentRef: subject, amount_cents: charged, currency }: Charged,
  now: Temporal.Instant,
): Promise<void> => {
  const amountCents = Math.min(charged, paid - agreed)
  const matter = { kind: 'payment-differs', subject, state: 'above', order: null, reservation } as const
  if (amountCents > 0) await addMatter(db, venue.id, { ...matter, amountCents, currency }, now)
}

export const mailCharged = async (
  { db, venue }: Work,
  { reservation_id: record }: GuaranteeRow,
  now: Temporal.Instant,
): Promise<void> => {
  if (record !== null) await queueGuestMail(db, venue.id, { kind: 'tableCharged', record }, now)
}
