import type { Result } from '../run.ts'
import { version } from '../version.ts'
import { tally } from './tally.ts'

/** One JSON object: the totals, and every statement with its result. */
export const jsonReport = (results: readonly Result[], baseUrl: string): string =>
  `${JSON.stringify({ suite: version, baseUrl, ...tally(results), results }, null, 2)}\n`
