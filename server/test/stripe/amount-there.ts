import { fromProcessor } from '../../core/money/currency.ts'
import { moneyOf } from '../../platform/kernel/money.ts'

/** An amount as the processor counts it, in words. */
export const amountThere = (amount: number, currency: string): string => {
  const code = currency.toUpperCase()
  return moneyOf(fromProcessor(amount, code), code)
}
