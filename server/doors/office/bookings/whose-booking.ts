import { type GuestChoice, guestsThatMatch } from '../../../crm/guests/actions.ts'
import type { StaffGuestRow } from '../../../crm/guests/guest.ts'
import { staffGuest } from '../../../crm/guests/staff-reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { listInWords } from '../../../platform/kernel/time/calendar.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import type { Party } from '../../../book/reservations/bookings.ts'
import type { Form } from '../frame/page.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { counted } from '../parts/pager.ts'
import { idIn } from '../parts/time-words.ts'
import { personOf } from './guest-box.ts'

/*
 * Whose booking it is, asked before anything is made wherever staff write a booking down or seat a party: a phone or an
 * email that the guest book knows under another name is that guest's, or that of somebody who shares the phone.
 */

type Person = Pick<Party, 'guestName' | 'email' | 'phone'>

/** Guests that are asked about at once: of more with one number staff know one, or look them up. */
const mostAsked = 3

/** What staff answered, and the guests to ask about first. */
export type Whose = {
  /** A guest of the book, or somebody new; undefined where nobody was asked. */
  readonly choice: GuestChoice | undefined
  /** Whom to ask about, the most visits first; empty where there is no question, or it is answered. */
  readonly others: readonly KnownGuest[]
}

/** A guest of the book, and by what of the person they are known. */
export type KnownGuest = StaffGuestRow & { readonly by: readonly ('phone' | 'email')[] }

export const whoseBookingIn = async (work: OfficeWork, form: Form, person: Person): Promise<Whose> => {
  const choice = await choiceIn(work, form)
  return { choice, others: choice === undefined ? await otherGuests(work, person) : [] }
}

/** Who has this phone, or this email, above the question: "Ada has this email, Ben and Carl have this phone". */
export const knownAs = (guests: readonly KnownGuest[]): string =>
  Array.from(
    Map.groupBy(guests, ({ by }) => by.join(' and ')),
    ([by, some]) =>
      `${listInWords(some.map(({ name }) => name ?? ''))} ${some.length === 1 ? 'has' : 'have'} this ${by}`,
  ).join(', ')

/** The question, and its answers in the form that asks again: `answered` puts the form around them. */
export const whoseQuestion = async (
  work: OfficeWork,
  guests: readonly StaffGuestRow[],
  name: string | null,
  answered: (answers: Html) => Html,
  { ask, take }: WhoseWords = ofBooking,
): Promise<Html> =>
  html`${await Promise.all(guests.map((guest) => personOf(work, guest)))}
    <p>${ask(guests.length === 1 ? 'them' : 'one of them')}</p>
    ${answered(
      html`${guests.map(
        ({ id, name: known, visit_count }, at) =>
          html`<button class="${at === 0 && 'primary'}" name="guest" value="${id}">
              ${take} ${known}${guests.length > 1 && `, ${counted(visit_count, 'visit')}`}
            </button>`,
      )}
        <button name="guest" value="new">Make a new guest: ${name}</button>`,
    )}`

type WhoseWords = { readonly ask: (them: string) => string; readonly take: string }

const ofBooking: WhoseWords = {
  ask: (them) => `Is the booking for ${them}, or for somebody new?`,
  take: 'Book for',
}

/** Whether the email is one of theirs: somebody new has to do without it. */
export const isTheirEmail = (guests: readonly KnownGuest[]): boolean =>
  guests.some(({ by }) => by.includes('email'))

/** What to do where the email that was typed is theirs. */
export const emailOfOne = (guests: readonly KnownGuest[]): Html | undefined =>
  isTheirEmail(guests)
    ? html`<p class="soft small">
        An email address belongs to one guest. For a new guest, go back and leave the email off.
      </p>`
    : undefined

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

/**
 * The guests whose contact was given under another name: it may be one of them, or somebody who shares their phone. Nobody
 * is asked where the guest that it would be counted for has the name; a guest with that name is among those offered.
 */
const otherGuests = async (
  work: OfficeWork,
  { guestName, email, phone }: Person,
): Promise<readonly KnownGuest[]> => {
  if (!guestName) return []
  const by = { phone: { phone: phone ?? undefined }, email: { email: email ?? undefined } }
  const matching = await guestsThatMatch(work, { ...by.phone, ...by.email })
  const isTheirs = ({ name }: { readonly name: string | null }) =>
    name !== null && isSameName(name, guestName)
  const [first] = matching
  if (!first || first.name === null || isTheirs(first)) return []
  const asked = matching
    .filter(({ name }) => name !== null)
    .toSorted((a, b) => Number(isTheirs(b)) - Number(isTheirs(a)) || b.visit_count - a.visit_count)
    .slice(0, mostAsked)
  const [withPhone, withEmail] = [
    await guestsThatMatch(work, by.phone),
    await guestsThatMatch(work, by.email),
  ]
  const guests = await Promise.all(asked.map(({ id }) => staffGuest(work.db, work.venue.id, id)))
  return guests
    .filter((guest) => guest !== undefined)
    .map((guest) => ({
      ...guest,
      by: [
        ...(withPhone.some(({ id }) => id === guest.id) ? (['phone'] as const) : []),
        ...(withEmail.some(({ id }) => id === guest.id) ? (['email'] as const) : []),
      ],
    }))
}

const isSameName = (a: string, b: string): boolean => plainName(a) === plainName(b)
const plainName = (name: string): string =>
  name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/\s+/g, ' ').trim().toLowerCase()
