import { limits } from '@venue-data/contract/limits.ts'
import { emailKey } from '../kernel/email.ts'
import { type PhoneKey, phoneKey } from '../kernel/phone/phone.ts'
import { inQuery } from '../kernel/problem.ts'
import { badRequest } from '../kernel/refusal.ts'
import { type QueryValue, onlyValue } from './query-words.ts'

/** The contact a find endpoint searches for: an email, a phone number, or both. */
export type Contact = { readonly emailKey: string | undefined; readonly phone: PhoneKey | undefined }

/**
 * Reads `email` and `phone` of a find request. An unusable phone next to an email is ignored.
 *
 * @throws Refusal 400 when there is neither an email nor a phone with at least 7 digits, one is repeated, or the email
 * contains U+0000.
 */
export const readContactQuery = (query: {
  readonly email?: QueryValue
  readonly phone?: QueryValue
}): Contact => {
  const email = emailKey(onlyValue('email', query.email) ?? '')
  // PostgreSQL rejects it even in a query.
  if (email.includes('\0'))
    throw badRequest('email holds the character U+0000.', inQuery('email', 'not-text'))
  const phone = phoneOf(onlyValue('phone', query.phone) ?? '')
  if (email === '' && !phone) {
    throw badRequest(
      `Send an email, or a phone with at least ${limits.phoneDigitsLeast} digits.`,
      inQuery('email', 'missing', 'no-contact'),
    )
  }
  return { emailKey: email === '' ? undefined : email, phone }
}

/** A raw + arrives as a space in a query; in front of a number it can mean nothing else. */
export const phoneOf = (text: string): PhoneKey | undefined => phoneKey(text.replace(/^ (?=\d)/, '+'))
