/*
 * What identifies a card or a payment: nothing here keeps it. A digit in ten of any long number fits the check digit
 * alone, so a card's number also has to begin as its network's do and be as long.
 */

/** Whether a text holds a card's number, in one piece or in groups, or a processor's id of a payment or a customer. */
export const isPaymentId = (text: string): boolean => {
  const plain = text.normalize('NFKC')
  if (processorId.test(plain)) return true
  return (plain.match(groupsOfDigits) ?? []).some((found) => holdsCard(found.split(/\D+/)))
}

/** `pi_` and the like, with letters and digits behind it; a checkout's also says whether it is a test. */
const processorId = /(?:^|[^A-Za-z0-9])(?:pi|ch|cs|cus|pm|seti|re)_(?:test_|live_)?[A-Za-z0-9]{14}/

/** Digits, with at most three signs between two of them: a hyphen between spaces. */
const groupsOfDigits = /\d+(?:[^\p{L}\d]{1,3}\d+)*/gu

/** Whether some groups in a row are a card's number. */
const holdsCard = (groups: readonly string[]): boolean =>
  groups.some((_, first) => {
    let digits = ''
    for (const group of groups.slice(first)) {
      digits += group
      if (digits.length > longestCard) return false
      if (isCardNumber(digits)) return true
    }
    return false
  })

const longestCard = 19

/** How the numbers of a network begin, and how many digits they have. */
const networks: readonly (readonly [begins: RegExp, lengths: readonly number[]])[] = [
  // Visa
  [/^4/, [13, 16, 19]],
  // Mastercard
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  // American Express
  [/^3[47]/, [15]],
  // Discover
  [/^(?:6011|64[4-9]|65|622(?:12[6-9]|1[3-9]|[2-8]|9[01]|92[0-5]))/, [16, 19]],
  // Diners Club
  [/^(?:30[0-5]|3095|36|3[89])/, [14]],
  // JCB
  [/^35(?:2[89]|[3-8])/, [16]],
  // UnionPay
  [/^(?:62|81)/, [16, 17, 18, 19]],
  // Maestro
  [/^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, [12, 13, 14, 15, 16, 17, 18, 19]],
  // Mir
  [/^220[0-4]/, [16]],
]

const isCardNumber = (digits: string): boolean =>
  networks.some(([begins, lengths]) => lengths.includes(digits.length) && begins.test(digits)) &&
  hasCheckDigit(digits)

/** ISO/IEC 7812: every second digit from the right counts twice, and the sum ends in 0. */
const hasCheckDigit = (digits: string): boolean => {
  const fromTheRight = Array.from(digits, Number).toReversed()
  const sum = fromTheRight.reduce((total, digit, place) => {
    const value = digit * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
