import { limits } from '@venue-data/contract/limits.ts'
import type { PaymentMethod, TicketChannel } from '@venue-data/contract/records/ticket-order.ts'

/*
 * What an order of tickets costs, or a table that is paid as it is booked. Whole cents throughout; a percentage is rounded half up, once, where it is applied. The limits
 * keep every sum below 2^31, which is what the columns hold.
 */

export const seatsOfOrderMost = limits.seatsOfOrder
export const priceMostCents = 1_000_000
export const feeMostCents = 100_000
/** Thousandths of a percent: 8,875 is 8.875%. */
export const taxRateMost = 100_000

export type TicketCharges = {
  readonly feePerSeatCents: number
  readonly feeAtBoxOffice: boolean
  readonly taxRate: number
}

/** Taken off the whole order: a percentage of it, or an amount that never makes it negative. */
export type Discount = { readonly percent: number } | { readonly amountCents: number }

export type Priced = {
  readonly seats: number
  readonly priceCents: number
  readonly method: PaymentMethod
  readonly channel: TicketChannel
  readonly discount: Discount | null
  readonly charges: TicketCharges
  /** The least amount of the currency, in cents; left out, a cent. */
  readonly coin?: number
}

export type Price = {
  readonly subtotalCents: number
  readonly discountCents: number
  readonly feeCents: number
  readonly taxCents: number
  readonly totalCents: number
}

/**
 * A complimentary order is discounted to zero. If nothing is left to pay there is no fee either; tax applies to what
 * is paid for the seats, not to the fee.
 */
export const priceOf = ({
  seats,
  priceCents,
  method,
  channel,
  discount,
  charges,
  coin = 1,
}: Priced): Price => {
  const subtotalCents = seats * priceCents
  const discountCents = method === 'comp' ? subtotalCents : discountOn(subtotalCents, discount, coin)
  const net = subtotalCents - discountCents
  const takesFee = net > 0 && (channel === 'public' || charges.feeAtBoxOffice)
  const feeCents = takesFee ? seats * charges.feePerSeatCents : 0
  const taxCents = share(net, charges.taxRate, 100_000, coin)
  return { subtotalCents, discountCents, feeCents, taxCents, totalCents: net + feeCents + taxCents }
}

const discountOn = (subtotalCents: number, discount: Discount | null, coin: number): number => {
  if (discount === null) return 0
  return 'percent' in discount
    ? share(subtotalCents, discount.percent, 100, coin)
    : Math.min(discount.amountCents, subtotalCents)
}

/** A fraction of a whole, rounded half up to a coin; everything stays below 2^53. */
const share = (cents: number, parts: number, whole: number, coin: number): number => {
  const product = cents * parts
  const unit = whole * coin
  const remainder = product % unit
  return ((product - remainder) / unit + (remainder * 2 >= unit ? 1 : 0)) * coin
}
