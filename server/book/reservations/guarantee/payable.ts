import { leastCharge, leastCoin } from '../../../core/money/currency.ts'

/** Whether the processor takes such an amount. */
export const isPayable = (cents: number, currency: string): boolean =>
  cents >= leastCharge(currency) && cents % leastCoin(currency) === 0
