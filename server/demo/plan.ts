import { addDays, weekdayOf } from '../platform/kernel/time/calendar.ts'
import type { BookingRules } from '../book/rules/booking-rules.ts'
import { bookingStories, demandOf } from './evenings/bookings.ts'
import { bookedAsOf } from './evenings/booked.ts'
import { type DemoEvent, eventsOn } from './events.ts'
import {
  type DemoBooking,
  type DemoGuest,
  assignGuests,
  countBooking,
  describeGuests,
  openGuestBook,
} from './guest-book.ts'
import { buyoutDates, daysAhead, houseRules } from './house-rules.ts'
import { type DemoLead, leadsOf } from './leads.ts'
import { peopleFrom } from './people.ts'
import { randomFrom } from './random.ts'
import { type MailingList, mailingList } from './subscribers.ts'
import { type DemoTask, tasksOf } from './tasks.ts'
import { type DemoOrder, ticketOrders } from './ticket-orders.ts'
import { dayMs, datesBetween, momentAt, wallAt } from './venue-time.ts'
import { waitingForWeekend, waitingNow, waitlistStories } from './evenings/waitlist.ts'
import { type WaitlistState, type WaitlistStory, waitlistAsOf } from './evenings/waitlist-story.ts'

/*
 * Everything the demo venue will hold, before any of it is written: a pure function of the seed, the moment and
 * the size. Each kind in the order its records were made, so that ids grow with time as in a real venue.
 */

export type DemoWaitlistEntry = {
  readonly story: WaitlistStory
  readonly state: WaitlistState
  readonly booking: DemoBooking | null
}

export type DemoPlan = {
  readonly rules: BookingRules
  /** Moment the venue came to the service: before its oldest record. */
  readonly beginning: number
  readonly guests: readonly DemoGuest[]
  readonly bookings: readonly DemoBooking[]
  readonly mailing: MailingList
  readonly events: readonly DemoEvent[]
  readonly orders: readonly DemoOrder[]
  readonly waitlist: readonly DemoWaitlistEntry[]
  readonly leads: readonly DemoLead[]
  readonly tasks: readonly DemoTask[]
}

export type PlanOptions = {
  readonly now: Temporal.Instant
  /** 32 bits; the same seed at the same moment gives the same records. */
  readonly seed: number
  /** 1 is the whole demo: some 12,000 bookings of 4,000 guests. */
  readonly scale: number
}

/** Days of history before today. */
export const historyDays = 365
/** How much there is of each at scale 1. `bookings` are those up to today, before tables were too full for some. */
const sizes = {
  bookings: 11_480,
  guests: 4_000,
  subscribers: 1_500,
  orders: 600,
  leads: 120,
  tasks: 55,
} as const
/** The Saturdays of this many days around today are full: someone who looks at the demo on one sees a room at work. */
const fullDays = 14
/** Of the guests, those who never booked: added by hand, or known from an inquiry. */
const withoutBooking = 0.034

export const planDemo = ({ now: instant, seed, scale }: PlanOptions): DemoPlan => {
  const random = randomFrom(seed)
  const now = instant.epochMilliseconds
  const today = wallAt(now).date
  const rules = houseRules(today)
  const beginning = momentAt(addDays(today, -historyDays - daysAhead - 20), 9 * 60)
  const size = (of: keyof typeof sizes, least: number) => Math.max(least, Math.round(sizes[of] * scale))
  const trackedFrom = addDays(today, -240)
  const full = new Set(
    datesBetween(addDays(today, -fullDays), addDays(today, fullDays)).filter((date) => weekdayOf(date) === 6),
  )

  const past = datesBetween(addDays(today, -historyDays), today)
  const dates = datesBetween(addDays(today, -historyDays), addDays(today, daysAhead))
  const parties = size('bookings', 60) / demandOf(rules, past)
  const people = peopleFrom(random.fork('people'))
  const book = openGuestBook(random.fork('guest book'))

  const waiting = [
    ...waitlistStories(random.fork('waitlist'), people, { rules, dates: past, scale, trackedFrom }),
    ...waitingForWeekend(random.fork('weekend'), people, now, rules),
    ...waitingNow(random.fork('line'), people, now, rules),
  ]
  const stories = [
    ...bookingStories(random.fork('bookings'), { rules, dates, parties, trackedFrom, full }),
    ...waiting.flatMap(({ booking }) => booking ?? []),
  ]
  const bookings = assignGuests(
    random.fork('guests'),
    people,
    book,
    bookedAsOf(stories, now),
    Math.round(size('guests', 30) * (1 - withoutBooking)),
  )
  for (const booking of bookings) countBooking(booking)
  const leads = leadsOf(random.fork('leads'), people, book, {
    count: size('leads', 30),
    now,
    rules,
    buyouts: buyoutDates(today),
  })
  const byHand = random.fork('by hand')
  while (book.guests.length < size('guests', 30)) {
    const at = now - Math.floor(byHand.draw() * historyDays * dayMs)
    book.add(people.meet(), { email: true, phone: byHand.chance(0.7) }, at)
  }
  describeGuests(random.fork('described'), book.guests)

  const events = eventsOn(datesBetween(addDays(today, -historyDays), addDays(today, 75)))
  const orders = ticketOrders(random.fork('tickets'), people, {
    events,
    guests: book.guests,
    count: size('orders', 40),
    now,
  })
  const mailing = mailingList(random.fork('mailing'), people, {
    count: size('subscribers', 60),
    now,
    beginning: momentAt(addDays(today, -historyDays), 11 * 60),
    bookings,
    buyers: orders
      .filter(({ marketingOptIn }) => marketingOptIn)
      .map(({ buyer, createdAt }) => ({ person: buyer, at: createdAt })),
  })
  return {
    rules,
    beginning,
    guests: book.guests.toSorted((a, b) => a.createdAt - b.createdAt),
    bookings,
    mailing,
    events,
    orders,
    waitlist: entriesOf(waiting, bookings, now),
    leads,
    tasks: tasksOf(random.fork('tasks'), leads, { now, count: size('tasks', 20) }),
  }
}

const entriesOf = (
  waiting: readonly WaitlistStory[],
  bookings: readonly DemoBooking[],
  now: number,
): DemoWaitlistEntry[] => {
  const bookingOf = new Map(bookings.map((booking) => [booking.story, booking]))
  return waiting
    .flatMap((story) => {
      const state = waitlistAsOf(story, now)
      const booking = story.booking ? (bookingOf.get(story.booking) ?? null) : null
      return state ? [{ story, state, booking }] : []
    })
    .toSorted((a, b) => a.story.createdAt - b.story.createdAt)
}

/** The demo's own seed: the year it was drawn up. */
export const demoSeed = 2026
