import { floorToMinute } from '../../kernel/venue-clock.ts'
import type { BookingRules } from '../../venue/booking-rules.ts'
import { block } from './block.ts'
import { closed } from './closed-day.ts'
import { daysAhead } from './days-ahead.ts'
import type { BookingRefusal, BookingRequest, Facts, LoadOf, Rule } from './facts.ts'
import { hours } from './hours.ts'
import { lastArrival } from './last-arrival.ts'
import { notice } from './notice.ts'
import { pacingCovers } from './pacing-covers.ts'
import { pacingParties } from './pacing-parties.ts'
import { partySize } from './party-size.ts'
import { past } from './past.ts'
import { type Placement, bucketOf, limitsOf, placementOf } from './placement.ts'
import { resolveService } from './resolve-service.ts'
import { sameDayCutoff } from './same-day-cutoff.ts'
import { seatings } from './seatings.ts'

/** Every booking rule in the published order; the first that refuses is the answer (2.4). */
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
 * Judges a request as every door must (1.5): where it is written, or the first rule that refuses it.
 * Pure. The caller that will write finds the day with `resolveService`, locks it, and only then gives
 * the load; `load` is asked for one bucket at most, and not at all for a request outside the hours.
 */
export const evaluate = (
  rules: BookingRules,
  clock: Temporal.Instant,
  request: BookingRequest,
  load: LoadOf,
): Evaluation => {
  const facts = factsOf(rules, clock, request, load)
  for (const rule of bookingRuleOrder) {
    const refusal = rule(facts)
    if (refusal) return { ok: false, refusal }
  }
  return { ok: true, placement: placementOf(rules, facts.place, request.partySize) }
}

/** Every refusal of a request, in the published order, for staff who may override them. */
export const collectAll = (
  rules: BookingRules,
  clock: Temporal.Instant,
  request: BookingRequest,
  load: LoadOf,
): readonly BookingRefusal[] => {
  const facts = factsOf(rules, clock, request, load)
  return bookingRuleOrder.map((rule) => rule(facts)).filter((refusal) => refusal !== undefined)
}

const factsOf = (
  rules: BookingRules,
  clock: Temporal.Instant,
  request: BookingRequest,
  load: LoadOf,
): Facts => {
  const place = resolveService(rules, request)
  const limits = limitsOf(rules, place.period)
  return { rules, clock: floorToMinute(clock), request, place, limits, bucket: bucketOf(rules, place), load }
}
