import type { LocalDate } from '../platform/kernel/time/written-time.ts'
import type { Booked } from './evenings/booked.ts'
import type { BookingState, BookingStory } from './evenings/booking-story.ts'
import { knownOfGuests } from './words/guest-notes.ts'
import { type People, type Person, retypedPhone } from './people.ts'
import type { Random } from './random.ts'
import { daysBetween } from './venue-time.ts'

/** A guest's record; what the counters say is added up from the bookings, never drawn. */
export type DemoGuest = {
  readonly person: Person
  name: string
  email: string | null
  phone: string | null
  seatingPreference: string | null
  referralSource: string | null
  staffNotes: string
  allergies: string | null
  visitCount: number
  noShowCount: number
  cancellationCount: number
  lastVisitDate: LocalDate | null
  readonly createdAt: number
  updatedAt: number
}

/** A booking with the contact that was given for it, and whose it is. */
export type DemoBooking = BookingStory & {
  readonly story: BookingStory
  readonly state: BookingState
  readonly guest: DemoGuest | null
  readonly guestName: string
  readonly email: string | null
  readonly phone: string | null
}

export type GuestBook = {
  readonly guests: DemoGuest[]
  /** Somebody new, known from this moment by what they gave. */
  readonly add: (person: Person, given: Given, at: number) => DemoGuest
}

type Given = { readonly email: boolean; readonly phone: boolean }

export const openGuestBook = (random: Random): GuestBook => {
  const guests: DemoGuest[] = []
  return {
    guests,
    add: (person, given, at) => {
      const guest: DemoGuest = {
        person,
        name: person.name,
        email: given.email ? person.email : null,
        phone: given.phone ? person.phone : null,
        seatingPreference: null,
        referralSource: random.chance(0.22) ? random.weighted(referrals) : null,
        staffNotes: '',
        allergies: null,
        visitCount: 0,
        noShowCount: 0,
        cancellationCount: 0,
        lastVisitDate: null,
        createdAt: at,
        updatedAt: at,
      }
      guests.push(guest)
      return guest
    },
  }
}

const referrals = [
  ['Instagram', 24],
  ['A friend', 30],
  ['Google', 20],
  ['Walked past', 14],
  ['Hotel concierge', 8],
  ['Newspaper review', 6],
  ['Food blog', 6],
  ['Private event', 3],
  ['Lives around the corner', 5],
] as const

/**
 * Gives every booking to a guest, in the order they were made: somebody new, more often in the first weeks, or
 * somebody who comes back. Guests match as they would have by the venue's own rule: a booking carries an
 * address or a number the guest is known by, and fills what was empty.
 */
export const assignGuests = (
  random: Random,
  people: People,
  book: GuestBook,
  booked: readonly Booked[],
  newGuests: number,
): DemoBooking[] => {
  const visits = new Map<DemoGuest, LocalDate[]>()
  const linked = booked.length * 0.93
  // Exactly so many are new on average, twice as likely at the beginning as at the end.
  const newShare = (place: number): number => (newGuests / linked) * (4 / 3) * (1 - place / booked.length / 2)
  return booked.map(({ story, state }, place) => {
    const given = contactGiven(random, story)
    if (!given.email && !given.phone) {
      return {
        ...story,
        story,
        state,
        guest: null,
        guestName: passingName(random, people, story),
        email: null,
        phone: null,
      }
    }
    const known =
      book.guests.length < newGuests && random.chance(newShare(place))
        ? undefined
        : somebodyBack(random, book.guests, visits, story.serviceDate)
    const guest = known ?? newGuest(people, book, given, story.createdAt)
    const contact = known ? contactOf(random, guest, given) : { email: guest.email, phone: guest.phone }
    fill(guest, contact, story.createdAt)
    visits.set(guest, [...(visits.get(guest) ?? []), story.serviceDate])
    return { ...story, story, state, guest, guestName: guest.person.name, ...contact }
  })
}

const contactGiven = (random: Random, { source }: BookingStory): Given => {
  switch (source) {
    case 'public':
      return { email: true, phone: random.chance(0.9) }
    case 'automation':
      return { email: random.chance(0.9), phone: true }
    case 'staff':
      return { email: random.chance(0.3), phone: random.chance(0.96) }
    case 'waitlist':
      return { email: random.chance(0.15), phone: random.chance(0.9) }
    case 'walkin':
      return { email: random.chance(0.06), phone: random.chance(0.34) }
    default:
      return source satisfies never
  }
}

/** Parties without a contact are written down by what the host heard. */
const passingName = (random: Random, people: People, { source }: BookingStory): string => {
  const kind = random.draw()
  if (kind < 0.45 && source === 'walkin') return 'Walk-in'
  const { first, last } = people.passBy()
  return kind < 0.75 ? first : kind < 0.92 ? last : `${first} ${last}`
}

const newGuest = (people: People, book: GuestBook, given: Given, at: number): DemoGuest => {
  const person = people.meet(given.phone && !given.email)
  return book.add(person, { email: given.email || person.phone === null, phone: given.phone }, at)
}

/** Bookings of one guest lie apart; those who love the place come weekly. */
const somebodyBack = (
  random: Random,
  guests: readonly DemoGuest[],
  visits: ReadonlyMap<DemoGuest, readonly LocalDate[]>,
  date: LocalDate,
): DemoGuest | undefined => {
  for (let tries = 0; tries < 400 && guests.length > 0; tries++) {
    const guest = random.pick(guests)
    if (!random.chance(guest.person.loyalty / 32)) continue
    const apart = guest.person.loyalty > 12 ? 5 : 12
    const before = visits.get(guest) ?? []
    if (before.every((other) => Math.abs(daysBetween(other, date)) >= apart)) return guest
  }
  return undefined
}

/** What a known guest gives this time; always something they are known by. */
const contactOf = (random: Random, guest: DemoGuest, given: Given): Pick<DemoBooking, 'email' | 'phone'> => {
  const byEmail = given.email && (guest.email !== null || given.phone)
  const byPhone = given.phone && guest.person.phone !== null
  const knownAgain = (byEmail && guest.email !== null) || (byPhone && guest.phone !== null)
  return {
    email: byEmail || (!knownAgain && guest.email !== null) ? guest.person.email : null,
    phone:
      guest.person.phone !== null && (byPhone || (!knownAgain && guest.email === null))
        ? retypedPhone(random, guest.phone ?? guest.person.phone)
        : null,
  }
}

const fill = (guest: DemoGuest, { email, phone }: Pick<DemoBooking, 'email' | 'phone'>, at: number): void => {
  if ((guest.email !== null || email === null) && (guest.phone !== null || phone === null)) return
  guest.email ??= email
  guest.phone ??= phone
  guest.updatedAt = Math.max(guest.updatedAt, at)
}

/**
 * Adds a booking to its guest's counters: a visit when seated, a no-show, a cancellation when the guest was the one
 * who cancelled.
 */
export const countBooking = ({ guest, state, serviceDate }: DemoBooking): void => {
  if (!guest) return
  const changed = (at: number | null): void => {
    guest.updatedAt = Math.max(guest.updatedAt, at ?? 0)
  }
  if (state.status === 'Seated' || state.status === 'Completed') {
    guest.visitCount++
    if (guest.lastVisitDate === null || guest.lastVisitDate < serviceDate) guest.lastVisitDate = serviceDate
    changed(state.seatedAt)
  }
  if (state.status === 'No-show') {
    guest.noShowCount++
    changed(state.noShowAt)
  }
  if (state.status === 'Cancelled' && state.cancelledBy === 'guest') {
    guest.cancellationCount++
    changed(state.cancelledAt)
  }
}

/** What the house writes down about those who come: more, the longer it knows them. */
export const describeGuests = (random: Random, guests: readonly DemoGuest[]): void => {
  const knownOf = knownOfGuests(random)
  for (const guest of guests) {
    const known = guest.visitCount >= 8 ? 0.82 : guest.visitCount >= 3 ? 0.25 : 0.07
    if (random.chance(known)) guest.seatingPreference = random.weighted(seats)
    Object.assign(guest, knownOf(guest.visitCount))
  }
}

const seats = [
  ['Window', 30],
  ['Booth', 26],
  ['Bar', 18],
  ['Quiet corner', 14],
  ['Patio', 9],
  ['Upstairs', 6],
  ['Chef’s counter', 5],
  ['Near the entrance', 3],
] as const

/** How a known guest writes an inquiry: with all their contact details. */
export const typeOfContact = ({ person, email, phone }: DemoGuest) => ({
  contactName: person.name,
  contactEmail: email,
  contactPhone: phone,
})
