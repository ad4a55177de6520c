import { limits } from '@venue-data/contract/limits.ts'
import { randomUUID } from 'node:crypto'
import type { Actor } from '../../../../core/activity/actor.ts'
import type { Work } from '../../../../context.ts'
import { mayAskMore, whyRemoved } from '../../../../core/money/former-accounts.ts'
import { whyDisputed } from '../../../../core/money/matter-store.ts'
import { mostRefundable, refusePart } from '../../../../core/money/venue-currency.ts'
import { badRequest, notFound, refuse } from '../../../../platform/kernel/refusal.ts'
import { toInstant } from '../../../../platform/kernel/time/moment.ts'
import { type BookRow, bookedReservationForUpdate } from '../../../day/book-row.ts'
import { isPayable, whyUnpayable } from '../payable.ts'
import { giveAllBack, sendBack } from '../give-back.ts'
import { liveCheckoutOf, writeAsked } from '../asked/asked-store.ts'
import { chargesOf, insertCharge, markTakenOff } from './charge-store.ts'
import { type GuaranteeRow, guaranteeOfForUpdate } from '../guarantee-store.ts'
import { otherwiseOf, refundableOf } from '../money-left.ts'
import { noteMoney } from '../note-money.ts'
import { showGuarantee } from '../show-guarantee.ts'

/*
 * What a manager does with what stands behind a booking. A card is never charged by itself: somebody presses, once, for a
 * sum that its guest agreed to, and a worker makes the call.
 */

type Staff = Actor & { readonly kind: 'staff' }

/** Attempts at one card. */
export const mostTries = 3

/** Whether it was refused so often that it is not tried again. */
export const isTriedOut = (made: readonly { readonly why: string | null }[]): boolean =>
  made.filter(({ why }) => why !== 'withdrawn').length >= mostTries

/** Whether its guest did not come, or cancelled when it was no longer free. */
export const isChargeable = (
  booking: Pick<BookRow, 'status' | 'cancelled_by' | 'cancelled_from' | 'cancelled_at'>,
  { kind, status, free_until, delete_at, customer_ref }: GuaranteeRow,
  now: Temporal.Instant,
): boolean =>
  kind === 'card' &&
  customer_ref !== null &&
  (status === 'held' || status === 'charge_failed') &&
  delete_at !== null &&
  Temporal.Instant.compare(now, toInstant(delete_at)) < 0 &&
  (booking.status === 'No-show' ||
    (booking.status === 'Cancelled' &&
      booking.cancelled_by === 'guest' &&
      booking.cancelled_from !== 'Requested' &&
      booking.cancelled_at !== null &&
      Temporal.Instant.compare(toInstant(booking.cancelled_at), toInstant(free_until)) >= 0))

/** Has the card charged. Of two managers at once the second learns that it is. */
export const chargeCard = async (
  work: Work,
  staff: Staff,
  { booking: id, amountCents }: { readonly booking: number; readonly amountCents: number },
): Promise<void> => {
  const { db, venue } = work
  const { booking, guarantee } = await behind(work, id)
  const now = work.now()
  const made = await chargesOf(db, venue.id, guarantee.id)
  if (made.some(({ state }) => state === 'pending'))
    throw refuse('not-in-state', 'This card is being charged already.')
  if (!isChargeable(booking, guarantee, now))
    throw refuse(
      'not-in-state',
      'This card cannot be charged: only for a no-show, or for a late cancellation by the guest, and until it is deleted.',
    )
  if (isTriedOut(made))
    throw refuse('not-in-state', `This card was refused ${mostTries} times; it is not tried again.`)
  if (amountCents > guarantee.amount_cents) throw badRequest('That is more than the guest agreed to.')
  if (!isPayable(amountCents, guarantee.currency))
    throw badRequest(whyUnpayable(amountCents, guarantee.currency))
  const paying = { reservation: id, kind: 'fee' }
  if ((await liveCheckoutOf(db, venue.id, paying, now)) !== undefined)
    throw refuse(
      'not-in-state',
      `The guest is paying at this moment, which may take ${limits.checkoutMinutes.page} minutes. Look again then.`,
    )
  if (!(await mayAskMore(db, venue.id, guarantee.account_id)))
    throw refuse(
      'not-in-state',
      'The Stripe account that keeps this card is being removed, so the card is deleted and not charged.',
    )
  // One of the two ways: what the guest was mailed to pay is no longer asked.
  await writeAsked(db, venue.id, guarantee.id, 0)
  await insertCharge(db, venue.id, { ref: randomUUID(), guarantee, amountCents }, now)
  await showGuarantee(work, id)
  await noteMoney(work, staff, id, 'charge the card', amountCents)
}

/**
 * Gives back what was charged or paid, or a part of it, whatever was agreed on, but for payments that its guest's bank holds
 * back. `amountCents` undefined: all of it. `seenLeft`: what could go back as the page was shown, so that a press that comes twice
 * sends a part of it once.
 */
export const refundGuarantee = async (
  work: Work,
  staff: Staff,
  {
    booking: id,
    amountCents,
    seenLeft,
  }: {
    readonly booking: number
    readonly amountCents?: number | undefined
    readonly seenLeft?: number | undefined
  },
): Promise<void> => {
  const { db, venue } = work
  const { guarantee } = await behind(work, id)
  const now = work.now()
  const here = (await refundableOf(db, venue.id, guarantee.id)).filter(({ left }) => left > 0)
  const free = here.filter(({ is_held: isHeld }) => !isHeld)
  if (here.length > 0 && free.length === 0) throw refuse('not-in-state', whyDisputed)
  if (here.length === 0 && (await otherwiseOf(db, venue.id, guarantee.id)).some((one) => one.is_removed))
    throw refuse('not-in-state', whyRemoved)
  for (const { account_id: account } of free)
    if (!(await mayAskMore(db, venue.id, account))) throw refuse('not-in-state', whyRemoved)
  const most = free.reduce((sum, { left }) => sum + left, 0)
  if (most > 0 && seenLeft !== undefined && seenLeft !== most)
    throw refuse(
      'not-in-state',
      'What can be refunded has changed since. Look at what is left, then press again if more is to go back.',
    )
  const cents = amountCents ?? most
  if (amountCents === 0) throw badRequest('Enter how much is refunded.')
  if (cents > most) throw badRequest(mostRefundable(most, guarantee.currency))
  if (cents < most) refusePart('The amount', cents, guarantee.currency)
  if (cents === most && free.length === here.length) await giveAllBack(work, guarantee, now)
  else {
    await sendBack(work, guarantee.id, { cents, now, lookAt: now, skipsHeld: true })
    await showGuarantee(work, id)
  }
  await noteMoney(work, staff, id, 'give back what was paid', cents)
}

/** Whether there is a bill that a deposit can be taken off: its guests sit, or have left. */
export const hasBill = ({ status }: Pick<BookRow, 'status'>): boolean =>
  status === 'Seated' || status === 'Completed'

/** The deposit is taken off the bill. */
export const takeOffBill = async (work: Work, staff: Staff, id: number): Promise<void> => {
  const { booking, guarantee } = await behind(work, id)
  if (guarantee.kind === 'card' || guarantee.taken_off_at !== null) return
  if (!hasBill(booking))
    throw refuse('not-in-state', 'There is no bill yet: a deposit is taken off it once the party is seated.')
  await markTakenOff(work.db, work.venue.id, guarantee.id, work.now())
  await showGuarantee(work, id)
  await noteMoney(
    work,
    staff,
    id,
    'take the deposit off the bill',
    guarantee.paid_cents - guarantee.refunded_cents,
  )
}

const behind = async (
  { db, venue }: Work,
  id: number,
): Promise<{ readonly booking: BookRow; readonly guarantee: GuaranteeRow }> => {
  const booking = await bookedReservationForUpdate(db, venue.id, id)
  const guarantee = await guaranteeOfForUpdate(db, venue.id, id)
  if (!booking || !guarantee) throw notFound('card or deposit')
  return { booking, guarantee }
}
