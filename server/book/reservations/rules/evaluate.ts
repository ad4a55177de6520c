import { type BookingRuleName, bookingRuleNames } from '@venue-data/contract/reasons.ts'
import { floorToMinute, wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { BookingRules } from '../../rules/booking-rules.ts'
import { block } from './block.ts'
import { closed } from './closed-day.ts'
import { daysAhead } from './days-ahead.ts'
import type { BookingRefusal, BookingRequest, Day, Facts, Rule } from '../../day/facts.ts'
import { experience } from './experience.ts'
import { hours } from './hours.ts'
import { lastArrival } from './last-arrival.ts'
import { notice } from './notice.ts'
import { pacingCovers } from './pacing-covers.ts'
import { pacingParties } from './pacing-parties.ts'
import { partySize } from './party-size.ts'
import { past } from './past.ts'
import { type Placement, placementOf } from '../../rules/placement.ts'
import { sameDayCutoff } from './same-day-cutoff.ts'
import { seatings } from './seatings.ts'
import { tables } from './tables.ts'

const rulesByName = {
  past,
  'closed-day': closed,
  hours,
  block,
  'same-day-cutoff': sameDayCutoff,
  'party-size': partySize,
  notice,
  'days-ahead': daysAhead,
  'last-arrival': lastArrival,
  seatings,
  'pacing-covers': pacingCovers,
  'pacing-parties': pacingParties,
  tables,
} as const satisfies Record<BookingRuleName, Rule>

/** Every booking rule in the order of `bookingRuleNames` in contract/reasons.ts; the first that refuses is the answer. */
export const bookingRuleOrder: readonly Rule[] = [
  ...bookingRuleNames.map((name) => rulesByName[name]),
  // Of no request that chooses nothing, so it is not among the published ones.
  experience,
]

/** The rules about the service an arrival is in: without one there is nothing to check. */
const aboutTheService: ReadonlySet<BookingRuleName> = new Set([
  'hours',
  'last-arrival',
  'seatings',
  'pacing-covers',
  'pacing-parties',
  'tables',
])

export type Evaluation =
  | { readonly ok: true; readonly placement: Placement }
  | { readonly ok: false; readonly refusal: BookingRefusal }

/**
 * Checks a request as every entry point must: where it is written, or the first rule that refuses it. Pure; a caller
 * that writes holds the day's lock (`openDay`).
 */
export const evaluate = (day: Day, clock: Temporal.Instant, request: BookingRequest): Evaluation =>
  evaluateAt(readClock(day.rules, clock), day, request)

/** The same, for who checks many requests at one moment. */
export const evaluateAt = (now: ClockRead, day: Day, request: BookingRequest): Evaluation => {
  const facts = { ...day, ...now, request }
  for (const rule of bookingRuleOrder) {
    const refusal = rule(facts)
    if (refusal) return { ok: false, refusal }
  }
  return { ok: true, placement: placementOf(day, request.partySize) }
}

export type ClockRead = Pick<Facts, 'clock' | 'wall'>

export const readClock = (
  { timezone }: Pick<BookingRules, 'timezone'>,
  clock: Temporal.Instant,
): ClockRead => ({
  clock: floorToMinute(clock),
  wall: wallTimeOf(clock, timezone),
})

/** Every refusal of a request, in the published order, for staff who may override them. */
export const collectAll = (
  day: Day,
  clock: Temporal.Instant,
  request: BookingRequest,
): readonly BookingRefusal[] =>
  verdicts(day, clock, request)
    .map(({ refusal }) => refusal)
    .filter((refusal) => refusal !== undefined)

/** What one rule says of a request: ok, why not, or null where it cannot be judged. */
export type Verdict = {
  readonly rule: BookingRuleName
  readonly ok: boolean | null
  readonly refusal: BookingRefusal | undefined
}

/** What every rule says, in the published order; of tables only where the venue turned them on. */
export const verdicts = (day: Day, clock: Temporal.Instant, request: BookingRequest): readonly Verdict[] => {
  const facts = factsOf(day, clock, request)
  const rules = bookingRuleNames.filter((rule) => rule !== 'tables' || day.rules.floor !== null)
  return rules.map((rule) => {
    const refusal = rulesByName[rule](facts)
    const isUnknown = !day.place.period && aboutTheService.has(rule)
    return { rule, ok: refusal ? false : isUnknown ? null : true, refusal }
  })
}

export const factsOf = (day: Day, clock: Temporal.Instant, request: BookingRequest): Facts => ({
  ...day,
  ...readClock(day.rules, clock),
  request,
})
