import type { LoadOf } from './facts.ts'

/** Guests and parties arriving at one minute of a service date, as one row of the day's book. */
export type Arrivals = {
  readonly serviceDate: string
  readonly serviceMinute: number
  readonly covers: number
  readonly parties: number
  /** Where the party has a place already that it keeps until it is moved: within one bucket it counts once. */
  readonly from?: { readonly serviceDate: string; readonly serviceMinute: number; readonly covers: number }
}

/**
 * Adds up arrivals bucket by bucket, for the picker, which asks about many slots. Nothing is cached between
 * calls: a sum cached by date would give every later slot the first one's load.
 */
export const loadFromArrivals = (arrivals: readonly Arrivals[]): LoadOf => {
  const days = Map.groupBy(arrivals, (row) => row.serviceDate)
  return ({ serviceDate, fromMinute, toMinute }) => {
    const isWithin = (serviceMinute: number): boolean =>
      fromMinute <= serviceMinute && serviceMinute < toMinute
    let [covers, parties] = [0, 0]
    for (const row of days.get(serviceDate) ?? []) {
      if (!isWithin(row.serviceMinute)) continue
      const { from } = row
      const isHere = from?.serviceDate === serviceDate && isWithin(from.serviceMinute)
      covers += isHere ? Math.max(row.covers - from.covers, 0) : row.covers
      parties += isHere ? 0 : row.parties
    }
    return { covers, parties }
  }
}
