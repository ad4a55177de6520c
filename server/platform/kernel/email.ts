import { limits } from '@venue-data/contract/limits.ts'

/**
 * Email addresses. An address is stored and shown as typed, trimmed; the key stored with it is what two addresses are
 * compared by. Plus tags and dots stay: providers differ, and exact means exact.
 */

const localPartCharacters = 64
const labelCharacters = 63

/** The published rule as part of a sentence: "email must be " + this. */
export const emailRule = `an email address such as name@example.com: one @, a domain with a dot, no blanks, at most ${limits.emailCharacters} characters`

/**
 * The match key: NFC, trimmed, the whole address in lower case. Blank text gives the empty key, which is not an
 * address. NFC is applied again after lower-casing, because some capitals have no composed form while their lower case
 * does (J with caron), and without it one address would have two keys.
 */
export const emailKey = (typed: string): string =>
  typed.normalize('NFC').trim().toLowerCase().normalize('NFC')

/**
 * Whether text, apart from surrounding spaces, is an address the service accepts, for guests, reservations, leads and
 * subscribers alike: one @; 1 to 64 characters before it; after it a domain of two or more labels of 1 to 63
 * characters, the last not all digits; at most 254 characters. Unicode is fine on both sides. Refused are
 * spaces, control and invisible characters, and the characters that only a quoted or a listed address may have
 * (comma, semicolon, quotes, brackets): a mail header would read them as a second recipient.
 */
export const isEmailAddress = (text: string): boolean => {
  const address = text.trim()
  const parts = address.split('@')
  const [local = '', domain = ''] = parts
  return (
    parts.length === 2 &&
    // The key is stored as well and can be longer than what was typed.
    lengthOf(address) <= limits.emailCharacters &&
    lengthOf(emailKey(address)) <= limits.emailCharacters &&
    !/[\p{White_Space}\p{Cc}\p{Cf}\p{Cs}"(),:;<>[\]\\]/u.test(address) &&
    local !== '' &&
    lengthOf(local) <= localPartCharacters &&
    isDomain(domain)
  )
}

const isDomain = (domain: string): boolean => {
  const labels = domain.split('.')
  return labels.length >= 2 && labels.every(isLabel) && !/^\p{Nd}+$/u.test(labels.at(-1) ?? '')
}

/** Letters, digits and inner hyphens; beyond ASCII anything, since registries decide what they sell. */
const isLabel = (label: string): boolean =>
  lengthOf(label) <= labelCharacters &&
  /^(?:[a-z0-9]|[^\p{ASCII}])(?:(?:[a-z0-9-]|[^\p{ASCII}])*(?:[a-z0-9]|[^\p{ASCII}]))?$/iu.test(label)

/** Counted as JSON Schema and PostgreSQL count: in characters, not in UTF-16 halves. */
const lengthOf = (text: string): number => Array.from(text).length
