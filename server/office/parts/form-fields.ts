import { limits } from '@venue-data/contract/limits.ts'
import { isEmailAddress } from '../../kernel/email.ts'
import { badRequest } from '../../kernel/refusal.ts'
import type { Form } from '../page.ts'

/*
 * Fields of a form, read once for every page: trimmed, '' is absent, and a mistake is one sentence.
 */

/** A text; null where it was left empty. Refuses one that is too long, and U+0000, which no database keeps. */
export const textField = (form: Form, name: string, what: string, most: number): string | null => {
  const text = form.text(name).trim()
  if (text === '') return null
  if (text.includes('\0')) throw badRequest(`${what} holds a character that cannot be kept.`)
  if (Array.from(text).length > most) throw badRequest(`${what} may be ${most} characters long at most.`)
  return text
}

/** A number of guests, 1 or more. */
export const partySizeField = (form: Form, name = 'partySize'): number => {
  const size = wholeNumberIn(form.text(name))
  if (size === undefined || size < 1) throw badRequest('Say how many guests come: a whole number, 1 or more.')
  return size
}

/** A whole number of minutes; undefined where it was left empty. */
export const minutesField = (form: Form, name: string, most: number): number | undefined => {
  if (form.text(name).trim() === '') return undefined
  const minutes = wholeNumberIn(form.text(name))
  if (minutes === undefined || minutes > most)
    throw badRequest(`The minutes must be a whole number up to ${most}.`)
  return minutes
}

/** Who comes: name, telephone, address and wishes of a party, as staff type them. */
export const partyFields = (form: Form) => {
  const email = textField(form, 'email', 'The e-mail address', limits.emailCharacters)
  if (email !== null && !isEmailAddress(email)) {
    throw badRequest('The e-mail address is not one: write it like name@example.com.')
  }
  return {
    guestName: textField(form, 'guestName', 'The name', limits.nameCharacters),
    phone: textField(form, 'phone', 'The telephone number', limits.phoneCharacters),
    notes: textField(form, 'notes', 'The note', limits.notesCharacters),
    email,
  }
}

/** A whole number an integer column holds, or undefined. */
export const wholeNumberIn = (text: string): number | undefined =>
  /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined

/** The page of the office a form goes back to; another site's address, or none, gives the one named here. */
export const backField = (form: Form, otherwise: string): string => {
  const back = form.text('back')
  return /^\/office\/[\w\-/]+(\?[\w\-=&]*)?$/.test(back) ? back : otherwise
}
