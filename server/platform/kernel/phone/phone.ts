import { limits } from '@venue-data/contract/limits.ts'

/**
 * Phone numbers as match keys. A number is stored as typed; the key stored with it is only for finding the guest again.
 * This is the only normalizer in the service: SQL compares keys and never makes them.
 */

/** What is compared of a typed number: 7 to 20 ASCII digits, and whether a country code leads them. */
export type PhoneKey = {
  readonly digits: string
  /** The number was written with a leading + or 00. */
  readonly international: boolean
}

const fewestDigits = limits.phoneDigitsLeast
const mostDigits = 20

/**
 * The match key of a number as typed, or undefined when it has fewer than 7 or more than 20 digits. Such a text cannot
 * be used for matching but is never an error: it is stored as typed.
 */
export const phoneKey = (typed: string): PhoneKey | undefined => {
  const written = withoutTrunkZero(withoutExtension(compact(typed)))
  const dialled = digitsOf(written)
  const plus = /^[^0-9]*\+/.test(written)
  const doubleZero = !plus && dialled.startsWith('00')
  const digits = doubleZero ? dialled.slice(2) : dialled
  if (digits.length < fewestDigits || digits.length > mostDigits) return undefined
  return plus || doubleZero
    ? { digits, international: true }
    : { digits: withoutLeadingZeros(digits), international: false }
}

/**
 * Whether two keys are the same phone: the digits are equal, or the shorter one was written without a country code and
 * the longer one ends with all of it. Symmetric, but not transitive: +1 212 555 0100 and +44 212 555 0100 both match
 * 212 555 0100 but not each other.
 */
export const samePhone = (a: PhoneKey, b: PhoneKey): boolean => {
  if (a.digits === b.digits) return true
  const [shorter, longer] = a.digits.length < b.digits.length ? [a, b] : [b, a]
  return !shorter.international && longer.digits.endsWith(shorter.digits)
}

/** The digits reversed, as in the index on `reverse(phone_key)`. */
export const reversed = (digits: string): string => Array.from(digits).toReversed().join('')

/**
 * The end, itself excluded, of the range of texts that begin with these digits: a colon follows 9 in ASCII.
 * With `reversed` it gives the stored keys that end with the sought digits, in the form that keeps the index:
 * `reverse(phone_key) ~>=~ $reversed and reverse(phone_key) ~<~ $prefixEnd`.
 */
export const prefixEnd = (digits: string): string => `${digits}:`

/** The digits and every ending of them with at least 7 digits: for `phone_key = any($suffixes)`. At most 14. */
export const suffixesOf = (digits: string): string[] => {
  const suffixes: string[] = []
  for (let start = 0; digits.length - start >= fewestDigits; start++) suffixes.push(digits.slice(start))
  return suffixes
}

/** What is dialed of a number, and what is pressed once somebody answers. */
export type Dialed = {
  /** With its leading zeros, which the key leaves out; without the + or 00 of an international number. */
  readonly digits: string
  readonly international: boolean
  readonly extension: string
  /** The text says more than a number, such as a name. */
  readonly hasWords: boolean
}

/** What is dialed of a number as typed, however few digits it has. */
export const dialedOf = (typed: string): Dialed => {
  const whole = compact(typed)
  const written = withoutExtension(whole)
  const plus = /^[^0-9]*\+/.test(written)
  const international = plus || digitsOf(written).startsWith('00')
  const digits = digitsOf(international ? withoutTrunkZero(written) : written)
  return {
    digits: international && !plus ? digits.slice(2) : digits,
    international,
    extension: digitsOf(whole.slice(written.length)),
    hasWords: /[a-z#;=]/.test(written) || !onlyNumber.test(typed.normalize('NFKC')),
  }
}

/** Digits of any script, spaces and invisible marks, what is written between them, and letters of an extension. */
const onlyNumber = /^[\p{Nd}\p{Z}\p{Cf}\p{Pd}\sa-z+()[\].,/·#;=:]*$/iu

const digitsOf = (text: string): string => text.replaceAll(/[^0-9]/g, '')

/**
 * Only what the rules look at, lower case. NFKC turns full-width digits and signs into ASCII but leaves the
 * digits of other scripts; they are digits too, and a guest who types them is the same guest.
 */
const compact = (typed: string): string =>
  typed
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/(?![0-9])\p{Nd}/gu, asciiDigit)
    .replaceAll(/[^0-9a-z+()#;=]/g, '')

/** Unicode keeps the ten digits of a script in a row, zero first, so the place in the row is the value. */
const asciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

/** An extension follows a number: in "#5550100" and "fax 5550100" the digits are the number itself. */
const withoutExtension = (text: string): string =>
  text.replace(/(?<=[0-9)])\(?(?:;?ext(?:ension|n)?=?|x|#)[0-9]+\)?$/, '')

/** "+44 (0)20": the zero is dialed only inside the country. */
const withoutTrunkZero = (text: string): string => text.replaceAll('(0)', '')

const withoutLeadingZeros = (digits: string): string =>
  digits.replace(new RegExp(`^0+(?=[0-9]{${fewestDigits}})`), '')
