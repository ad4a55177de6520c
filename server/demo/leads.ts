import type { LeadOrigin, LeadStage, Priority } from '@venue-data/contract/records/lead.ts'
import { addDays } from '../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../platform/kernel/time/written-time.ts'
import { type DemoGuest, type GuestBook, typeOfContact } from './guest-book.ts'
import { demoRooms, next } from './house-rules.ts'
import { type Occasion, dateInFreeWords, dietaryWishes, occasions } from './words/lead-words.ts'
import { openPeriodsOn } from '../book/rules/resolve-service.ts'
import type { BookingRules } from '../book/rules/booking-rules.ts'
import type { People } from './people.ts'
import type { Random } from './random.ts'
import { dayMs, daysBetween, hourMs, momentAt, wallAt } from './venue-time.ts'

const [cellar, garden, fullHouse] = demoRooms

export type DemoLead = {
  readonly guest: DemoGuest
  readonly contactName: string
  readonly contactEmail: string | null
  readonly contactPhone: string | null
  readonly eventName: string
  readonly occasion: string | null
  /** As given: a date, or words. */
  readonly date: string | null
  readonly guestCount: string | null
  readonly budgetPerPerson: string | null
  readonly diningStyle: string | null
  readonly dietaryNeeds: string | null
  readonly concept: string
  readonly stage: LeadStage
  readonly priority: Priority
  readonly notes: string | null
  readonly submittedVia: LeadOrigin
  readonly createdAt: number
  readonly updatedAt: number
}

type Inquiries = {
  readonly count: number
  readonly now: number
  readonly rules: BookingRules
  /** Evenings a party took the whole house: each has its lead. */
  readonly buyouts: readonly LocalDate[]
}

/** Private-event inquiries of the year, in the order they came; most before the holidays and in spring. */
export const leadsOf = (
  random: Random,
  people: People,
  book: GuestBook,
  { count, now, rules, buyouts }: Inquiries,
): DemoLead[] => {
  const today = wallAt(now).date
  const taken = buyouts.map((date) => ({
    date,
    createdAt: Math.min(
      momentAt(addDays(date, -random.integer(38, 75)), random.integer(9 * 60, 18 * 60)),
      now - 15 * dayMs,
    ),
    isBuyout: true,
  }))
  const asked = Array.from({ length: Math.max(16, count - taken.length) }, (_, place) => {
    const age = random.draw() * (place < 8 ? 6 : place < 16 ? 40 : place < count / 2.5 ? 75 : 364) + 0.1
    const day = wallAt(now - age * dayMs).date
    const minute = random.integer(8 * 60, 22 * 60)
    const createdAt = momentAt(day, minute) + random.integer(0, 59_999)
    const date = eventDay(random, rules, addDays(day, 12 + Math.floor(random.exponential(55))))
    // The pipeline has something at every stage, whenever the demo is made.
    const stage = alwaysThere[place]
    return {
      date: stage && date <= today ? eventDay(random, rules, addDays(today, random.integer(16, 50))) : date,
      createdAt: createdAt <= now ? createdAt : createdAt - dayMs,
      ...(stage && { stage }),
    }
  })
  return [...taken, ...asked]
    .toSorted((a, b) => a.createdAt - b.createdAt)
    .map((inquiry) => leadOf(random, people, book, inquiry, { now, today }))
}

type Inquiry = {
  readonly date: LocalDate
  readonly createdAt: number
  readonly isBuyout?: boolean
  readonly stage?: LeadStage
}

const alwaysThere: readonly (LeadStage | undefined)[] = [
  ...Array<undefined>(8),
  'Proposal',
  'Proposal',
  'Proposal',
  'Contract',
  'Contract',
  'Booked',
  'Lost',
]
type Today = { readonly now: number; readonly today: LocalDate }

const leadOf = (
  random: Random,
  people: People,
  book: GuestBook,
  { date, createdAt, isBuyout = false, stage: given }: Inquiry,
  { now, today }: Today,
): DemoLead => {
  const guest = contact(random, people, book, createdAt)
  const occasion = random.weighted(occasions.map((one) => [one, one.weight] as const))
  const size = isBuyout ? random.integer(55, 80) : random.integer(...occasion.guests)
  const stage = isBuyout
    ? date < today
      ? 'Completed'
      : 'Booked'
    : (given ?? stageOf(random, date, createdAt, { now, today }))
  const stageAt = Math.floor(createdAt + random.exponential(6) * dayMs + hourMs)
  // A stage that ends with the event was reached after it.
  const after = stage === 'Completed' ? momentAt(addDays(date, 1), 11 * 60) : 0
  const budget = random.pick(occasion.budget)
  return {
    guest,
    ...typeOfContact(guest),
    eventName: eventNameOf(random, guest, occasion),
    occasion: occasion.name,
    date: random.chance(0.86) || isBuyout ? date : dateInFreeWords(random, date),
    guestCount: random.weighted([
      [String(size), 60],
      [`${size - (size % 5)}-${size - (size % 5) + 5}`, 25],
      [`about ${size}`, 15],
    ]),
    budgetPerPerson: random.weighted([
      [`$${budget}`, 45],
      [String(budget), 25],
      [`$${budget}-${budget + 25}`, 15],
      [null, 15],
    ]),
    diningStyle: random.chance(0.8) ? random.pick(occasion.styles) : null,
    dietaryNeeds: random.chance(0.3) ? random.pick(dietaryWishes) : null,
    concept: isBuyout || size > 48 ? fullHouse : size > 18 ? garden : cellar,
    stage,
    priority:
      isBuyout || size > 48
        ? 'High'
        : random.weighted([
            ['High', 14],
            ['Medium', 62],
            ['Low', 24],
          ]),
    notes: random.chance(0.75) ? random.pick(occasion.notes) : null,
    submittedVia: random.weighted([
      ['public_form', 66],
      ['staff', 18],
      ['automation', 16],
    ]),
    createdAt,
    updatedAt:
      stage === 'Inquiry'
        ? createdAt
        : settledAt({ createdAt, now, stageAt: Math.max(stageAt, after) }, random),
  }
}

/** When the stage was reached: some time ago, where that would still be to come. */
const settledAt = (
  { createdAt, now, stageAt }: { createdAt: number; now: number; stageAt: number },
  random: Random,
): number =>
  stageAt <= now ? stageAt : Math.floor(createdAt + (0.1 + 0.8 * random.draw()) * (now - createdAt))

/** Evenings from Tuesday to Saturday, most at the end of the week; Mondays the house is closed. */
const eventDay = (random: Random, rules: BookingRules, from: LocalDate): LocalDate => {
  const day = next(random.pick([2, 3, 4, 4, 5, 6, 6]), from)
  return openPeriodsOn(rules, day).length > 0 ? day : eventDay(random, rules, addDays(day, 1))
}

const stageOf = (random: Random, date: LocalDate, createdAt: number, { now, today }: Today): LeadStage => {
  if (date < today) return random.chance(0.46) ? 'Completed' : 'Lost'
  const days = (now - createdAt) / dayMs
  if (days < 3) return random.chance(0.8) ? 'Inquiry' : 'Proposal'
  const soon = daysBetween(today, date) < 14
  return random.weighted([
    ['Inquiry', days < 12 ? 30 : 6],
    ['Proposal', soon ? 5 : 32],
    ['Contract', 18],
    ['Booked', days > 8 ? 34 : 10],
    ['Lost', 14],
  ])
}

/** Somebody who knows the house, or somebody new; the guest book has both from now on. */
const contact = (random: Random, people: People, book: GuestBook, at: number): DemoGuest => {
  if (random.chance(0.3)) {
    for (let tries = 0; tries < 20; tries++) {
      const guest = random.pick(book.guests)
      if (guest.createdAt <= at && guest.email !== null) return guest
    }
  }
  return book.add(people.meet(), { email: true, phone: random.chance(0.85) }, at)
}

const eventNameOf = (random: Random, { person }: DemoGuest, occasion: Occasion): string =>
  random.chance(0.14)
    ? 'TBD'
    : random.pick(occasion.titles).replace('{first}', person.first).replace('{last}', person.last)
