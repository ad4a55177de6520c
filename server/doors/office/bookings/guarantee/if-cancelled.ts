import type { ReservationGuarantee } from '@venue-data/contract/records/reservation.ts'
import { comesBack } from '../../../../book/reservations/guarantee/deletion-of.ts'
import type { MoneyAside } from '../../../../book/reservations/guarantee/paid-otherwise.ts'
import type { BookRow } from '../../../../book/day/book-row.ts'
import type { Moment } from '../../../../platform/kernel/time/moment.ts'
import { moneyOf } from '../../parts/money.ts'

/**
 * What a cancellation at this moment does to the card or the money behind a booking; undefined: there is none. What never was
 * at the processor, or at an account that was removed since, goes back by hand, and what is on its way back is no longer there.
 */
export const ifCancelled = (
  { guarantee, status }: Pick<BookRow, 'guarantee' | 'status'>,
  now: Temporal.Instant,
  { otherwise, removed, onWay, held }: MoneyAside = { otherwise: 0, removed: 0, onWay: 0, held: 0 },
): string | undefined => {
  const behind = guarantee as ReservationGuarantee | null
  if (!behind || behind.freeUntil === null) return undefined
  const { kind, paidCents, refundedCents, currency } = behind
  const left = paidCents - refundedCents - onWay
  if (behind.status !== 'held' && left <= 0) return undefined
  const row = { free_until: behind.freeUntil as Moment }
  const isFree = comesBack(row, { cancelled_by: 'guest', cancelled_from: status }, now)
  if (behind.status === 'held')
    return isFree
      ? 'If the guest cancels now, nothing is charged and the card is deleted.'
      : 'If the guest cancels now, the card is kept until its day and may be charged. If you cancel, it is deleted.'
  const money = (cents: number): string => moneyOf(cents, currency ?? 'USD')
  const what = kind === 'deposit' ? `the deposit of ${money(left)}` : money(left)
  const byHand = Math.min(otherwise, left)
  const aside = byHand + held
  const parts = [
    ...(left > aside ? [`${aside === 0 ? what : money(left - aside)} is refunded`] : []),
    ...(held > 0 ? [`${money(held)} is refunded once its dispute is decided`] : []),
    ...(byHand > 0
      ? [
          `you refund ${money(byHand)} yourself, as ${removed > 0 ? 'the Stripe account that took it was removed' : 'it was paid another way'}`,
        ]
      : []),
  ].join(', and ')
  if (isFree) return `If the guest cancels now, ${parts}.`
  const yours = aside === 0 ? 'it is refunded' : parts
  return `If the guest cancels now, you keep ${what}. If you cancel, ${yours}.`
}
