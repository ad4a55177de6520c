import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { limitsOf } from '../../book/rules/placement.ts'
import { turnMinutes } from '../../book/rules/turn-minutes.ts'
import { openPeriodsOn } from '../../book/rules/resolve-service.ts'
import type { BookingRules, ServicePeriod } from '../../book/rules/booking-rules.ts'
import { type ServiceBook, arrivalTimes, openServiceBook } from './arrivals.ts'
import { bookingNote } from '../words/booking-notes.ts'
import { type BookingStory, arrivalAt } from './booking-story.ts'
import { demandFor, isBrunch } from './demand.ts'
import { madeWhen, withinMinute } from './made-when.ts'
import { outcomeOf, sources } from './outcome.ts'
import type { Random } from '../random.ts'

/** Times a party tries before it gives up for the evening. */
const mostTries = 5

/** Guests of a party, at dinner and at brunch; beyond eight only by phone. */
const dinnerParties = [
  [1, 0.035], [2, 0.53], [3, 0.12], [4, 0.19], [5, 0.045], [6, 0.05], [7, 0.012], [8, 0.018],
] as const // prettier-ignore
const brunchParties = [
  [2, 0.45], [3, 0.18], [4, 0.22], [5, 0.06], [6, 0.06], [7, 0.01], [8, 0.02],
] as const // prettier-ignore
const walkInParties = [
  [1, 0.14], [2, 0.62], [3, 0.12], [4, 0.12],
] as const // prettier-ignore
const largeTables = [
  [9, 3], [10, 5], [11, 1], [12, 3], [14, 1],
] as const // prettier-ignore

export type Span = {
  readonly rules: BookingRules
  readonly dates: readonly LocalDate[]
  /** Parties for each unit of demand. */
  readonly parties: number
  /** First date of the floor board. */
  readonly trackedFrom: LocalDate
  /** Evenings on which nearly every table is taken. */
  readonly full: ReadonlySet<LocalDate>
}

/** How many times as many want to come on such an evening as on others like it. */
const fullTimes = 1.6

/** The stories of all bookings of these dates, waitlist parties aside. */
export const bookingStories = (random: Random, span: Span): BookingStory[] =>
  span.dates.flatMap((date) =>
    openPeriodsOn(span.rules, date).flatMap((period) => storiesOfService(random, span, date, period)),
  )

const storiesOfService = (
  random: Random,
  { rules, parties, trackedFrom, full }: Span,
  date: LocalDate,
  period: ServicePeriod,
): BookingStory[] => {
  const weather = random.normal(1, 0.13, 0.55, 1.35)
  const isFull = full.has(date) && !isBrunch(period)
  const wanted = demandFor(date, period) * parties * (isFull ? fullTimes : weather)
  const count = Math.floor(wanted) + (random.chance(wanted % 1) ? 1 : 0)
  const book = openServiceBook(rules, date, period)
  const times = arrivalTimes(period)
  const tracked = date >= trackedFrom
  const stories: BookingStory[] = []
  for (let party = 0; party < count; party++) {
    const source = random.weighted(sources)
    const partySize = partySizeOf(random, source, period, limitsOf(rules, period))
    const minute = findTime(random, { rules, date, book, times, source, partySize })
    if (minute !== undefined)
      stories.push(storyOf(random, { rules, date, period, source, partySize, minute, tracked }))
  }
  return stories
}

type Source = (typeof sources)[number][0]

const partySizeOf = (
  random: Random,
  source: Source,
  period: ServicePeriod,
  { minParty, maxParty }: { minParty: number; maxParty: number | null },
): number => {
  if (source === 'walkin') return random.weighted(walkInParties)
  if (source === 'staff' && random.chance(0.03)) return random.weighted(largeTables)
  const size = random.weighted(isBrunch(period) ? brunchParties : dinnerParties)
  return Math.max(minParty, Math.min(size, maxParty ?? size))
}

type Search = {
  readonly rules: BookingRules
  readonly date: LocalDate
  readonly book: ServiceBook
  readonly times: readonly (readonly [minute: number, weight: number])[]
  readonly source: Source
  readonly partySize: number
}

/** A time with room for the party. Staff squeeze one in now and then; nobody sits in a blocked span. */
const findTime = (
  random: Random,
  { rules, date, book, times, source, partySize }: Search,
): number | undefined => {
  const squeeze = source === 'staff' && (partySize > 8 || random.chance(0.04))
  for (let tries = 0; tries < mostTries; tries++) {
    const minute = random.weighted(times)
    const blocked = rules.blocks.some(
      (block) =>
        block.serviceDate === date &&
        block.fromMinute <= minute &&
        minute < block.toMinute &&
        (block.scope === 'all' || source !== 'staff'),
    )
    if (blocked || (!squeeze && !book.hasRoom(minute, partySize))) continue
    book.add(minute, partySize)
    return minute
  }
  return undefined
}

type Placed = {
  readonly rules: BookingRules
  readonly date: LocalDate
  readonly period: ServicePeriod
  readonly source: Source
  readonly partySize: number
  readonly minute: number
  readonly tracked: boolean
}

const storyOf = (
  random: Random,
  { rules, date, period, source, partySize, minute, tracked }: Placed,
): BookingStory => {
  // A party that walks in does so at any minute, and is written down at that minute.
  const walksIn = source === 'walkin'
  const last = period.lastArrivalMinute ?? period.endMinute - 1
  const serviceMinute =
    walksIn && period.seatingMinutes.length === 0 ? Math.min(last, minute + random.integer(0, 14)) : minute
  const arrival = arrivalAt(date, serviceMinute, period)
  const { startsAt } = arrival
  const createdAt = walksIn
    ? withinMinute(random, startsAt)
    : madeWhen(random, {
        serviceDate: date,
        serviceMinute,
        partySize,
        byPhone: source === 'staff',
        cutoffMinute: limitsOf(rules, period).sameDayCutoffMinute,
      })
  const durationMinutes = turnMinutes(rules, partySize)
  return {
    source,
    partySize,
    ...arrival,
    durationMinutes,
    notes: bookingNote(random, { source, partySize, serviceMinute, month: Number(date.slice(5, 7)) }),
    createdAt,
    tracked,
    ...outcomeOf(random, { source, partySize, startsAt, durationMinutes, createdAt }),
  }
}

/** Demand of all these dates together, in the units of `demandFor`. */
export const demandOf = (rules: BookingRules, dates: readonly LocalDate[]): number =>
  dates.reduce(
    (sum, date) => sum + openPeriodsOn(rules, date).reduce((day, period) => day + demandFor(date, period), 0),
    0,
  )
