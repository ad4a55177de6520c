import { toInstant } from '../../../../platform/kernel/time/moment.ts'
import type { BookRow } from '../../../day/book-row.ts'
import type { Terms } from '../../../rules/guarantee-asked.ts'
import { isChargeable } from '../charging/charge.ts'
import type { GuaranteeRow } from '../guarantee-store.ts'

/*
 * What is asked of a guest for a booking that is there: a card or a deposit, what a larger party adds to it, or a charge that
 * their bank wants them for. One button on their own page does each of them.
 */

export type Asking = {
  /** `fee`: what the card was to be charged. */
  readonly kind: 'ask' | 'fee'
  /** A card is kept or money is paid on the processor's page; to more than was agreed on of a card its guest only agrees. */
  readonly how: 'card' | 'pay' | 'agree'
  readonly cents: number
}

const ahead: ReadonlySet<string> = new Set(['Requested', 'Confirmed'])

/** Undefined: nothing is asked. */
export const askingOf = (
  row: GuaranteeRow,
  booking: Parameters<typeof isChargeable>[0],
  now: Temporal.Instant,
): Asking | undefined => {
  const { status, kind, asked_cents: cents, ask_until: until } = row
  if (cents <= 0) return undefined
  if (status === 'charge_failed') {
    const isOpen = until !== null && Temporal.Instant.compare(now, toInstant(until)) < 0
    return isOpen && isChargeable(booking, row, now) ? { kind: 'fee', how: 'pay', cents } : undefined
  }
  if (!ahead.has(booking.status)) return undefined
  if (status === 'asked') return { kind: 'ask', how: kind === 'card' ? 'card' : 'pay', cents }
  if (status === 'held') return { kind: 'ask', how: 'agree', cents }
  return kind !== 'card' && takesMore.has(status) ? { kind: 'ask', how: 'pay', cents } : undefined
}

/** Deposits that a larger party adds to. */
export const takesMore: ReadonlySet<string> = new Set(['paid', 'partially_refunded'])

/** What its guest agrees to with the button: of a card the whole, of a deposit what is paid now. */
export const termsAsked = (row: GuaranteeRow, { how, cents }: Asking): Terms => ({
  kind: row.kind === 'card' ? 'card' : 'deposit',
  perGuestCents: row.kind === 'card' ? row.per_guest_cents : null,
  amountCents: how === 'agree' ? row.amount_cents + cents : cents,
  freeUntil: toInstant(row.free_until),
})

/** What secures nothing any more: it was waived or let go, or all its money went back. */
const isOver: ReadonlySet<string> = new Set(['waived', 'released', 'refunded'])

/** Whether staff may ask for one: nothing is behind the booking now, and it is ahead. */
export const mayBeAsked = (
  { status, starts_at }: Pick<BookRow, 'status' | 'starts_at'>,
  row: Pick<GuaranteeRow, 'status'> | undefined,
  now: Temporal.Instant,
): boolean =>
  ahead.has(status) &&
  starts_at !== null &&
  Temporal.Instant.compare(now, toInstant(starts_at)) < 0 &&
  (!row || isOver.has(row.status))
