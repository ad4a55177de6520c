import type { Checkout, CheckoutEnd, CheckoutStatus } from '@venue-data/contract/records/checkout.ts'
import type { CheckoutRow, CheckoutWhy } from '../../../core/money/checkout-store.ts'

/** What the key that began it sees of a checkout: nobody's name, and nothing of the processor's. */
export const presentCheckout = (row: CheckoutRow, url: string, now: Temporal.Instant): Checkout => {
  const status = statusOf(row, now)
  return {
    id: row.id,
    url,
    status,
    totalCents: row.total_cents,
    currency: row.currency,
    expiresAt: status === 'open' ? (row.ends_at ?? row.counts_until) : null,
    reservationId: row.reservation_id,
    ticketOrderId: row.order_id,
    reason: status === 'open' || status === 'completed' ? null : endOf(row.why),
  }
}

/** One that waited too long for the press has ended, whoever looks first. */
const statusOf = ({ state, counts_until }: CheckoutRow, now: Temporal.Instant): CheckoutStatus => {
  if (state === 'completed' || state === 'refused') return state
  const isLate = Temporal.Instant.compare(Temporal.Instant.from(counts_until), now) <= 0
  return state === 'ended' || (state === 'made' && isLate) ? 'expired' : 'open'
}

const ends: Readonly<Record<CheckoutWhy, CheckoutEnd>> = {
  late: 'not-paid',
  unheard: 'processor-away',
  'given-up': 'given-up',
  away: 'processor-away',
  'not-opened': 'processor-away',
  'seats-full': 'seats-full',
  'promo-code-invalid': 'promo-code-invalid',
  over: 'too-late',
  amount: 'taken',
  taken: 'taken',
  closed: 'taken',
  // Of a booking that is there, for which no key makes a checkout, or of somebody who was erased.
  'not-asked': 'taken',
  unpaid: 'not-paid',
}

const endOf = (why: string | null): CheckoutEnd =>
  why !== null && why in ends ? ends[why as CheckoutWhy] : 'not-paid'
