import type { Reckoning } from './reckoning.ts'

export type Harm = 'kill' | 'pause' | 'database'

/** Longest gap between arrivals at the receiver, no matter what was killed: a lease, the sweep and a start. */
const goingAgainMs = 35_000

/**
 * Minimum share of the requested rate, or the run proves little. Under the kills two cores spend half of their time
 * starting processes.
 */
const leastShare: Readonly<Record<Harm, number>> = { kill: 0.4, pause: 0.8, database: 0.8 }

/**
 * What else a run with consistent books must show: it did harm, reached about the requested rate, and recovered in
 * time.
 */
export const judgeHarm = (
  harm: Harm,
  asked: number,
  { perSecond = 0, takeovers = 0, longestSilenceMs = Number.POSITIVE_INFINITY }: Reckoning['figures'],
): string[] => {
  const problems: string[] = []
  if (harm !== 'database' && !(takeovers > 0)) problems.push('nothing was taken over: the harm hit nothing')
  if (!(perSecond >= asked * leastShare[harm])) {
    problems.push(
      `${perSecond} events a second of the ${asked} asked for, under ${leastShare[harm] * 100} in a hundred`,
    )
  }
  if (!(longestSilenceMs <= goingAgainMs)) {
    problems.push(`going again only in ${longestSilenceMs / 1000} s, later than ${goingAgainMs / 1000} s`)
  }
  return problems
}
