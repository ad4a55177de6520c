import type { PaymentMethod } from '@venue-data/contract/records/ticket-order.ts'
import type { Random } from './random.ts'

/** Share of the price after discounts, in thousandths: the processor's fee, and New York's sales tax of 8.875 %. */
const feePerMille = 30
const taxPerHundredThousand = 8_875

/** What an order costs, in whole cents. */
export type Price = {
  readonly subtotalCents: number
  readonly discountCents: number
  readonly feeCents: number
  readonly taxCents: number
  readonly totalCents: number
  readonly promoCode: string | null
}

/** What an order costs, in whole cents; a complimentary one is discounted to nothing. */
export const priceOf = (
  random: Random,
  { seats, priceCents, paymentMethod }: { seats: number; priceCents: number; paymentMethod: PaymentMethod },
): Price => {
  const subtotalCents = seats * priceCents
  if (paymentMethod === 'comp' || subtotalCents === 0) {
    const nothing = { feeCents: 0, taxCents: 0, totalCents: 0, promoCode: null }
    return { subtotalCents, discountCents: subtotalCents, ...nothing }
  }
  const [promoCode, percent] = random.weighted([
    [[null, 0] as const, 86],
    [['CELLAR10', 10] as const, 8],
    [['NEIGHBOR15', 15] as const, 4],
    [['BLUEDOOR20', 20] as const, 2],
  ])
  const discountCents = Math.round((subtotalCents * percent) / 100)
  const net = subtotalCents - discountCents
  const feeCents = paymentMethod === 'processor_link' ? Math.round((net * feePerMille) / 1_000) : 0
  const taxCents = Math.round((net * taxPerHundredThousand) / 100_000)
  return {
    subtotalCents,
    discountCents,
    feeCents,
    taxCents,
    totalCents: net + feeCents + taxCents,
    promoCode,
  }
}
