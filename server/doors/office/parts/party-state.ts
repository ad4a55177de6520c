import type { EveningParty } from '../../../book/tables/reads.ts'
import { lateMinutes } from '../../../book/day/day-floor.ts'
import { minutesSince } from './time-words.ts'

/*
 * The state of a party of the evening, for the floor and the grid alike: each says it in words of its own. Only whole minutes
 * count: a party is over time once a minute has passed since its table was due.
 */

/** A party due this soon is shown on its table. */
const dueMinutes = 30

/** A party at its table. `left`: whole minutes until the table is due; negative once it is over time. */
export const seatedState = (
  { planned, floorStage }: Pick<EveningParty, 'planned' | 'floorStage'>,
  now: Temporal.Instant,
): { readonly state: 'seated' | 'over' | 'paid'; readonly left: number } => {
  // Not by a minus sign: that makes a zero negative.
  const left = 0 - minutesSince(planned, now)
  return { state: floorStage === 'Paid' ? 'paid' : left < 0 ? 'over' : 'seated', left }
}

/** A party that has no seat yet. `late`: whole minutes since its time; negative before it. */
export const comingState = (
  { arrived, from }: Pick<EveningParty, 'arrived' | 'from'>,
  now: Temporal.Instant,
): { readonly state: 'here' | 'late' | 'due' | 'expected'; readonly late: number } => {
  const late = minutesSince(from, now)
  if (arrived) return { state: 'here', late }
  return { state: late >= lateMinutes ? 'late' : late > -dueMinutes ? 'due' : 'expected', late }
}
