import { remember } from './running/remember.ts'

/**
 * Money is integer cents everywhere inside; the dollar string is made at the very edge.
 * The two parts come from the integer remainder and an exact division, so no fraction is ever rounded.
 */

/**
 * Cents as dollars with two decimals: 123450 is "1234.50", -5 is "-0.05". No cents are no dollars: null.
 *
 * @throws RangeError when the number is not a safe integer: beyond 2^53 the cents are lost already.
 */
export function dollars(cents: number): string
export function dollars(cents: number | null): string | null
export function dollars(cents: number | null): string | null {
  if (cents === null) return null
  if (!Number.isSafeInteger(cents)) throw new RangeError('Cents must be a whole number below 2^53.')
  const size = Math.abs(cents)
  const remainder = size % 100
  const quotient = (size - remainder) / 100
  return `${cents < 0 ? '-' : ''}${quotient}.${String(remainder).padStart(2, '0')}`
}

/**
 * As people read it: in the currency, and as `locale` writes it, which is English where staff, operators and programs read:
 * "€1,250.00"; "−$5.00". The one way to write a sum in a sentence.
 */
export const moneyOf = (cents: number, currency: string, locale = 'en-US'): string =>
  `${cents < 0 ? '−' : ''}${writers
    .getOr(`${locale} ${currency}`, () => new Intl.NumberFormat(locale, { style: 'currency', currency }))
    .format(Math.abs(cents) / 100)}`

/** Making one takes longer than writing a hundred sums. */
const writers = remember<string, Intl.NumberFormat>(500)
