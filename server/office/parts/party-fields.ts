import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../html/html.ts'
import { badRequest } from '../../kernel/refusal.ts'
import { typedEmail, typedLine, typedPhone, typedText } from '../../kernel/typed-fields.ts'
import { type When, readWhen } from '../../reservations/when.ts'
import type { Form } from '../frame/page.ts'
import { type FormSeen, lineField, wholeNumberIn } from './fields.ts'

/*
 * A party in a form: who comes, how many, and when. The booking form, the form of the waitlist and the one of
 * walk-ins show and read it here.
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

/** Date, time and guests: what a booking is judged by. */
export const whenFields = (seen: FormSeen): Html =>
  html`<div class="fields when-fields">
    ${lineField(seen, { name: 'date', label: 'Date', type: 'date', required: true })}
    ${lineField(seen, { name: 'time', label: 'Time', placeholder: '19:30 or 7:30 pm', required: true })}
    ${guestsField(seen)}
  </div>`

/** When a party comes, as staff typed it; 400 with a sentence for staff. */
export const whenIn = (form: Form, zone: string, now: Temporal.Instant): When => {
  const [date, time] = [form.text('date').trim(), form.text('time').trim()]
  if (date === '') throw badRequest('Say which day.')
  if (time === '') throw badRequest('Say what time, such as 19:30.')
  return readWhen({ date, time, startsAt: undefined }, zone, now)
}

/** Said of a party that no venue has. */
export const tooManyGuests = `A party is ${limits.partyGuests.toLocaleString('en')} guests at most; look at the number again.`

/** A number of guests as somebody typed it: 1 or more, and no more than a slip of the keyboard would make. */
export const readPartySize = (text: string): number => {
  const size = wholeNumberIn(text)
  if (size === undefined || size < 1) throw badRequest('Say how many guests come: a whole number, 1 or more.')
  if (size > limits.partyGuests) throw badRequest(tooManyGuests)
  return size
}

export const partySizeIn = (form: Form, name = 'partySize'): number => readPartySize(form.text(name))

/** Who comes: name, telephone, address and wishes. */
export const partyIn = (form: Form) => ({
  guestName: guestNameIn(form),
  phone: typedPhone('The phone number', form.text('phone')),
  notes: typedText('The note', form.text('notes'), limits.notesCharacters),
  email: typedEmail('The email', form.text('email')),
})

export const guestNameIn = (form: Form): string | null =>
  typedLine('The name', form.text('guestName'), limits.nameCharacters)
