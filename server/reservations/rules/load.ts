import type { LoadOf } from './facts.ts'

/** Guests and parties arriving at one minute of a service date, as one row of the day's book. */
export type Arrivals = {
  readonly serviceDate: string
  readonly serviceMinute: number
  readonly covers: number
  readonly parties: number
}

/**
 * Adds up arrivals bucket by bucket, for the picker, which asks about many slots. Nothing is cached between
 * calls: a sum cached by date would give every later slot the first one's load.
 */
export const loadFromArrivals = (arrivals: readonly Arrivals[]): LoadOf => {
  const days = Map.groupBy(arrivals, (row) => row.serviceDate)
  return ({ serviceDate, fromMinute, toMinute }) => {
    const within = (days.get(serviceDate) ?? []).filter(
      ({ serviceMinute }) => fromMinute <= serviceMinute && serviceMinute < toMinute,
    )
    return {
      covers: within.reduce((sum, { covers }) => sum + covers, 0),
      parties: within.reduce((sum, { parties }) => sum + parties, 0),
    }
  }
}
