import { type GuestChoice, guestThatMatches } from '../../guests/actions.ts'
import { type StaffGuestRow, staffGuest } from '../../guests/staff-reads.ts'
import { type Html, html } from '../../html/html.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { Party } from '../../reservations/bookings.ts'
import type { Form } from '../frame/page.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { idIn } from '../parts/time-words.ts'
import { personOf } from './guest-box.ts'

/*
 * Whose booking it is, asked before anything is made wherever staff write a booking down or seat a party: a phone or an
 * email that the guest book knows under another name is that guest's, or that of somebody who shares the phone.
 */

type Person = Pick<Party, 'guestName' | 'email' | 'phone'>

/** What staff answered, and the guest to ask about first. */
export type Whose = {
  /** A guest of the book, or somebody new; undefined where nobody was asked. */
  readonly choice: GuestChoice | undefined
  /** Whom to ask about; undefined where there is no question, or it is answered. */
  readonly other: StaffGuestRow | undefined
}

export const whoseIn = async (work: OfficeWork, form: Form, person: Person): Promise<Whose> => {
  const choice = await choiceIn(work, form)
  return { choice, other: choice === undefined ? await otherGuest(work, person) : undefined }
}

/** Who has this phone or email, above the question. */
export const knownAs = (guest: StaffGuestRow): string => `${guest.name ?? 'A guest'} has this phone or email`

/** The question, and its two answers in the form that asks again: `answered` puts the form around them. */
export const whoseQuestion = async (
  work: OfficeWork,
  guest: StaffGuestRow,
  name: string | null,
  answered: (answers: Html) => Html,
): Promise<Html> =>
  html`${await personOf(work, guest)}
    <p>Is the booking for them, or for somebody new?</p>
    ${answered(
      html`<button class="primary" name="guest" value="${guest.id}">Book for ${guest.name ?? 'them'}</button>
        <button name="guest" value="new">Make a new guest: ${name}</button>`,
    )}`

/** The answer, carried along to a question after it. */
export const whoseField = (form: Form): Html | undefined =>
  form.text('guest') === ''
    ? undefined
    : html`<input type="hidden" name="guest" value="${form.text('guest')}" />`

const choiceIn = async ({ db, venue }: OfficeWork, form: Form): Promise<GuestChoice | undefined> => {
  const text = form.text('guest')
  if (text === '') return undefined
  if (text === 'new') return 'new'
  const id = idIn(text)
  if (id === undefined || !(await staffGuest(db, venue.id, id))) throw notFound('guest')
  return id
}

/** The guest whose contact was given under another name: it may be them, or somebody who shares their phone. */
const otherGuest = async (
  work: OfficeWork,
  { guestName, email, phone }: Person,
): Promise<StaffGuestRow | undefined> => {
  if (guestName === null) return undefined
  const id = await guestThatMatches(work, { email: email ?? undefined, phone: phone ?? undefined })
  const guest = id === undefined ? undefined : await staffGuest(work.db, work.venue.id, id)
  if (!guest || guest.name === null) return undefined
  return isSameName(guest.name, guestName) ? undefined : guest
}

const isSameName = (a: string, b: string): boolean => plainName(a) === plainName(b)
const plainName = (name: string): string =>
  name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/\s+/g, ' ').trim().toLowerCase()
