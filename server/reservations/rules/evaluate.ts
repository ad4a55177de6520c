import { floorToMinute } from '../../kernel/venue-clock.ts'
import { block } from './block.ts'
import { closed } from './closed-day.ts'
import { daysAhead } from './days-ahead.ts'
import type { BookingRefusal, BookingRequest, Day, Facts, Rule } from './facts.ts'
import { hours } from './hours.ts'
import { lastArrival } from './last-arrival.ts'
import { notice } from './notice.ts'
import { pacingCovers } from './pacing-covers.ts'
import { pacingParties } from './pacing-parties.ts'
import { partySize } from './party-size.ts'
import { past } from './past.ts'
import { type Placement, placementOf } from './placement.ts'
import { sameDayCutoff } from './same-day-cutoff.ts'
import { seatings } from './seatings.ts'

/** Every booking rule in the order of docs/reasons.md; the first that refuses is the answer. */
export const bookingRuleOrder: readonly Rule[] = [
  past,
  closed,
  hours,
  block,
  sameDayCutoff,
  partySize,
  notice,
  daysAhead,
  lastArrival,
  seatings,
  pacingCovers,
  pacingParties,
]

export type Evaluation =
  | { readonly ok: true; readonly placement: Placement }
  | { readonly ok: false; readonly refusal: BookingRefusal }

/**
 * Checks a request as every entry point must: where it is written, or the first rule that refuses it. Pure; a caller
 * that writes holds the day's lock (`openDay`).
 */
export const evaluate = (day: Day, clock: Temporal.Instant, request: BookingRequest): Evaluation => {
  const facts = factsOf(day, clock, request)
  for (const rule of bookingRuleOrder) {
    const refusal = rule(facts)
    if (refusal) return { ok: false, refusal }
  }
  return { ok: true, placement: placementOf(day, request.partySize) }
}

/** Every refusal of a request, in the published order, for staff who may override them. */
export const collectAll = (
  day: Day,
  clock: Temporal.Instant,
  request: BookingRequest,
): readonly BookingRefusal[] => {
  const facts = factsOf(day, clock, request)
  return bookingRuleOrder.map((rule) => rule(facts)).filter((refusal) => refusal !== undefined)
}

export const factsOf = (day: Day, clock: Temporal.Instant, request: BookingRequest): Facts => ({
  ...day,
  clock: floorToMinute(clock),
  request,
})
