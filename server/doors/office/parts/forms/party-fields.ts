import { limits } from '@venue-data/contract/limits.ts'
import type { Html } from '../../../../platform/html/html.ts'
import { numberInWords, timeInWords } from '../../../../platform/kernel/time/in-words.ts'
import { badRequest } from '../../../../platform/kernel/refusal.ts'
import { typedEmail, typedLine, typedPhone, typedText } from '../../../../platform/kernel/typed-fields.ts'
import { readDate } from '../../../../platform/kernel/time/written-time.ts'
import { openPeriodsOn } from '../../../../book/rules/resolve-service.ts'
import { type When, readWhen } from '../../../../book/day/when.ts'
import { bookingRulesAround } from '../../../../book/rules/rules-store.ts'
import type { OfficeWork } from '../../frame/serve-page.ts'
import { readStaffWhen } from '../staff-time.ts'
import type { Form } from '../../frame/page.ts'
import { type FormSeen, lineField, wholeNumberIn } from './fields.ts'

/*
 * A party in a form: who, how many, and when. The booking, waitlist and walk-in forms all show and read it here.
 */

export const guestsField = (seen: FormSeen): Html =>
  lineField(seen, {
    name: 'partySize',
    label: 'Guests',
    type: 'number',
    least: 1,
    greatest: limits.partyGuests,
  })

export const nameField = (seen: FormSeen, { required }: { required: boolean }): Html =>
  lineField(seen, { name: 'guestName', label: 'Name', most: limits.nameCharacters, required })

export const phoneField = (seen: FormSeen): Html =>
  lineField(seen, { name: 'phone', label: 'Phone', type: 'tel', most: limits.phoneCharacters })

export const emailField = (seen: FormSeen): Html =>
  lineField(seen, { name: 'email', label: 'Email', type: 'email', most: limits.emailCharacters })

/** When a party arrives, as staff typed it, read as the day's services make likely; 400 with a sentence for staff. */
export const whenIn = async ({ db, venue, now }: OfficeWork, form: Form): Promise<When> => {
  const [date, typed] = [form.text('date').trim(), form.text('time').trim()]
  if (date === '') throw badRequest('Enter a date.')
  if (typed === '') throw badRequest(`Enter a time, such as ${timeInWords('19:30')}.`)
  const day = readDate(date)
  if (day === undefined) return readWhen({ date, time: typed, startsAt: undefined }, venue.timezone, now())
  const periods = openPeriodsOn(await bookingRulesAround(db, venue, day), day)
  return readStaffWhen({ date: day, typed }, periods, venue.timezone, now())
}

/** For a party size no venue has. */
export const tooManyGuests = (): string =>
  `A party can have at most ${numberInWords(limits.partyGuests)} guests; check the number.`

/** A number of guests as typed: 1 or more, and small enough not to be a typo. */
export const readPartySize = (text: string): number => {
  const size = wholeNumberIn(text)
  if (size === undefined || size < 1)
    throw badRequest('Enter the number of guests: a whole number, 1 or more.')
  if (size > limits.partyGuests) throw badRequest(tooManyGuests())
  return size
}

export const partySizeIn = (form: Form, name = 'partySize'): number => readPartySize(form.text(name))

/** The party's name, phone, email and notes. */
export const partyIn = (form: Form) => ({
  guestName: guestNameIn(form),
  phone: typedPhone('The phone number', form.text('phone')),
  notes: typedText('The note', form.text('notes'), limits.notesCharacters),
  email: typedEmail('The email', form.text('email')),
})

export const guestNameIn = (form: Form): string | null =>
  typedLine('The name', form.text('guestName'), limits.nameCharacters)
