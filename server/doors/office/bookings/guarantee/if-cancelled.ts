import type { ReservationGuarantee } from '@venue-data/contract/records/reservation.ts'
import { comesBack } from '../../../../book/reservations/guarantee/give-back.ts'
import type { BookRow } from '../../../../book/day/book-row.ts'
import type { Moment } from '../../../../platform/kernel/time/moment.ts'
import { moneyOf } from '../../parts/money.ts'

/** What a cancellation at this moment does to the card or the money behind a booking; undefined: there is none. */
export const ifCancelled = (
  { guarantee, status }: Pick<BookRow, 'guarantee' | 'status'>,
  now: Temporal.Instant,
): string | undefined => {
  const behind = guarantee as ReservationGuarantee | null
  if (!behind || behind.freeUntil === null) return undefined
  const { kind, paidCents, refundedCents, currency } = behind
  const left = paidCents - refundedCents
  if (behind.status !== 'held' && left <= 0) return undefined
  const row = { free_until: behind.freeUntil as Moment }
  const isFree = comesBack(row, { cancelled_by: 'guest', cancelled_from: status }, now)
  if (behind.status === 'held')
    return isFree
      ? 'If the guest cancels now, nothing is charged and the card is deleted.'
      : 'If the guest cancels now, the card is kept until its day and may be charged. If you cancel, it is deleted.'
  const amount = moneyOf(left, currency ?? 'USD')
  const what = kind === 'deposit' ? `the deposit of ${amount}` : amount
  return isFree
    ? `If the guest cancels now, ${what} goes back.`
    : `If the guest cancels now, ${what} stays with you. If you cancel, it goes back.`
}
