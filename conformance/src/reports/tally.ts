import type { Result } from '../run.ts'

/** How many statements had which result. */
export type Tally = { readonly passed: number; readonly failed: number; readonly notTried: number }

export const tally = (results: readonly Result[]): Tally => {
  const count = (wanted: Result['outcome']): number =>
    results.filter(({ outcome }) => outcome === wanted).length
  return { passed: count('passed'), failed: count('failed'), notTried: count('not tried') }
}

/** The results by section, in their order. */
export const bySection = (results: readonly Result[]): ReadonlyMap<string, readonly Result[]> => {
  const sections = new Map<string, Result[]>()
  for (const result of results) {
    const known = sections.get(result.section)
    if (known) known.push(result)
    else sections.set(result.section, [result])
  }
  return sections
}
