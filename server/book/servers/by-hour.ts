/*
 * Covers and parties by server and hour of a service date. Facts in, answer out.
 */

/** A party, with the minute of the service date it sat down at or comes; `server` null: nobody's. */
export type Counted = { readonly server: number | null; readonly covers: number; readonly minute: number }

export type Count = { readonly covers: number; readonly parties: number }

export type ByHour = {
  /** Hours of the service date in which anybody came, ascending; 25 is an hour after midnight. */
  readonly hours: readonly number[]
  /** Of each server, and of those without one (null): in an hour, or in all. */
  readonly of: (server: number | null, hour?: number) => Count
  readonly servers: ReadonlySet<number | null>
}

export const byHour = (parties: readonly Counted[]): ByHour => ({
  hours: [...new Set(parties.map(hourOf))].toSorted((a, b) => a - b),
  of: (server, hour) => {
    const own = parties.filter((one) => one.server === server && (hour === undefined || hourOf(one) === hour))
    return { covers: own.reduce((sum, { covers }) => sum + covers, 0), parties: own.length }
  },
  servers: new Set(parties.map(({ server }) => server)),
})

const hourOf = ({ minute }: Counted): number => Math.floor(minute / 60)
