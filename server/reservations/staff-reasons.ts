import type { BookingReason } from '@venue-data/contract/reasons.ts'
import type { BookingRules } from '../venue/booking-rules.ts'
import { plannedPeriodsOn } from '../venue/planned-hours.ts'
import { collectAll } from './rules/evaluate.ts'
import type { BookingRefusal, BookingRequest, Load, Rule } from './rules/facts.ts'
import { pacingCovers } from './rules/pacing-covers.ts'
import { pacingParties } from './rules/pacing-parties.ts'
import { partySize } from './rules/party-size.ts'
import { bucketOf, limitsOf } from './rules/placement.ts'
import type { Place } from './rules/resolve-service.ts'

/*
 * Why staff should think twice. The rules are the same as for everyone; staff may override each of them after
 * seeing it (booking-rules 1.5), and what they confirm is the reasons they saw: one that came up since is asked anew.
 */

export type StaffReason = BookingRefusal & {
  /** What the slot would hold, "12 of 10"; null for rules that do not count. */
  readonly figure: string | null
}

/** A service date under its lock: the venue's rules, where an arrival lands, and what its slot holds besides it. */
export type OpenDay = { readonly rules: BookingRules; readonly place: Place; readonly load: Load }

/** Every rule that a booking breaks. */
export const reasonsAgainst = (
  { rules, place, load }: OpenDay,
  clock: Temporal.Instant,
  request: BookingRequest,
): readonly StaffReason[] =>
  collectAll(rules, clock, request, () => load).map((refusal) =>
    withFigure(refusal, { rules, place, load }, request.partySize),
  )

/** The caps of the slot alone, for a party that is here or was already promised its table. */
export const pacingAgainst = (day: OpenDay, clock: Temporal.Instant, request: BookingRequest) =>
  judged(day, clock, request, [pacingCovers, pacingParties])

/** The limit that a new size passes, and the cap of the slot where the party grew. */
export const sizeAgainst = (
  day: OpenDay,
  clock: Temporal.Instant,
  request: BookingRequest,
  grew: boolean,
): readonly StaffReason[] =>
  judged(day, clock, request, grew ? [partySize, pacingCovers] : [partySize]).filter(
    ({ reason }) => reason !== (grew ? 'party-too-small' : 'party-too-large'),
  )

/** The reasons that were not confirmed. */
export const unconfirmed = (
  reasons: readonly StaffReason[],
  confirmed: readonly BookingReason[] = [],
): readonly StaffReason[] => reasons.filter(({ reason }) => !confirmed.includes(reason))

/**
 * Where a booking stands in the book as it was written. Its service date is never derived anew: hours edited since
 * leave a party after midnight in the evening it was booked for, and a closure made since leaves it in its service.
 */
export const placeInBook = (
  rules: BookingRules,
  { serviceDate, serviceMinute }: Pick<Place, 'serviceDate' | 'serviceMinute'>,
): Place => {
  const period = plannedPeriodsOn(rules, serviceDate).find(
    ({ startMinute, endMinute }) => startMinute <= serviceMinute && serviceMinute < endMinute,
  )
  return { serviceDate, serviceMinute, period: period ?? null, closed: null }
}

const judged = (
  day: OpenDay,
  clock: Temporal.Instant,
  request: BookingRequest,
  list: readonly Rule[],
): readonly StaffReason[] => {
  const { rules, place, load } = day
  const limits = limitsOf(rules, place.period)
  const facts = { rules, clock, request, place, limits, bucket: bucketOf(rules, place), load: () => load }
  return list
    .map((rule) => rule(facts))
    .filter((refusal) => refusal !== undefined)
    .map((refusal) => withFigure(refusal, day, request.partySize))
}

const withFigure = (refusal: BookingRefusal, { rules, place, load }: OpenDay, size: number): StaffReason => {
  const { pacing } = limitsOf(rules, place.period)
  const figure =
    refusal.reason === 'pacing-covers-full'
      ? `${load.covers + size} of ${pacing.maxCovers}`
      : refusal.reason === 'pacing-parties-full'
        ? `${load.parties + 1} of ${pacing.maxParties}`
        : null
  return { ...refusal, figure }
}
