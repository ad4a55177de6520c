/** The grid is drawn in steps of so many minutes. */
export const stepMinutes = 5
/** The longest evening drawn: a whole day. */
export const mostSteps = 288

const stepMs = stepMinutes * 60_000

/** The first step of a span and how many it takes, within the evening that is drawn; in elapsed time, even when the clocks change. */
export const stepsOf = (
  { from: start, steps }: { readonly from: Temporal.Instant; readonly steps: number },
  { from, until }: { readonly from: Temporal.Instant; readonly until: Temporal.Instant },
): { readonly from: number; readonly count: number } => {
  const at = (moment: Temporal.Instant): number =>
    Math.round((moment.epochMilliseconds - start.epochMilliseconds) / stepMs)
  const first = Math.min(Math.max(at(from), 0), steps - 1)
  return { from: first, count: Math.min(Math.max(at(until) - first, 1), steps - first) }
}

/** The classes that place things in the grid. */
export const stepStyles = (): string =>
  [
    ...Array.from({ length: mostSteps }, (_, n) => `.f${n}{grid-column-start:${n + 1}}`),
    ...Array.from({ length: mostSteps }, (_, n) => `.n${n + 1}{grid-column-end:span ${n + 1}}`),
  ].join('\n')
