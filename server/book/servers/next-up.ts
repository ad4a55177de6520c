/*
 * Whose turn it is. Nobody is bound by it: each offer of a table says whose it is and whether they are next. Facts in, answer
 * out; all times in milliseconds.
 */

/** Somebody of a line-up. */
export type InTurn = {
  readonly server: number
  /** The order of the line-up. */
  readonly place: number
  /** When they are there. */
  readonly from: number
  readonly until: number
  /** They take no new parties anymore. */
  readonly isCut: boolean
  /** When they were passed over; null: they were not. */
  readonly skippedAt: number | null
}

/** A party that somebody was given in this shift. */
export type GivenParty = { readonly server: number; readonly covers: number; readonly at: number }

/** How far back a full hand is looked for. */
const soonMs = 30 * 60_000

/**
 * The servers in the order of their turn: who was given fewest covers in the last half hour, then fewest in the shift, then
 * who waits longest, then by the line-up. Who was cut or is not there has none. Who is skipped is last until the next
 * party sits.
 */
export const inTurn = (
  lineUp: readonly InTurn[],
  parties: readonly GivenParty[],
  now: number,
): readonly number[] => {
  const covers = (given: readonly GivenParty[]): number => given.reduce((sum, one) => sum + one.covers, 0)
  const ranked = lineUp
    .filter(({ from, until, isCut }) => !isCut && from <= now && now < until)
    .map(({ server, place, skippedAt }) => {
      const own = parties.filter((one) => one.server === server && one.at <= now)
      const isSkipped = skippedAt !== null && !parties.some(({ at }) => at > skippedAt)
      return {
        server,
        rank: [
          isSkipped ? 1 : 0,
          covers(own.filter(({ at }) => at > now - soonMs)),
          covers(own),
          Math.max(0, ...own.map(({ at }) => at)),
          place,
        ],
      }
    })
  return ranked.toSorted((a, b) => before(a.rank, b.rank)).map(({ server }) => server)
}

const before = (a: readonly number[], b: readonly number[]): number => {
  const place = a.findIndex((one, n) => one !== b[n])
  return place < 0 ? 0 : (a[place] as number) - (b[place] as number)
}
