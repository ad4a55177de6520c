import type { Context } from '../../context.ts'
import type { VenueId } from '../../venue/venue.ts'
import { engineLimits } from './limits.ts'
import {
  type Result,
  type Tried,
  type Untried,
  meaningOf,
  removeGoneHooks,
  settleTries,
  settleUntried,
} from './settle.ts'

/*
 * What came of tries, on its way to the database. While one batch of a venue is being written the next gathers, so
 * a busy venue writes many at once and a quiet one at once. What cannot be written is kept and written again: as long
 * as nobody took the delivery over, the result still counts.
 */

export type Results = {
  readonly add: (result: Result) => void
  /** Resolves when all is written, or after `ms`; false: something is left. */
  readonly settled: (ms: number) => Promise<boolean>
  readonly waiting: () => number
}

/** @param onSettled told after each batch, with the results that were written */
export const gatherResults = (
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  onSettled: (venue: VenueId, written: readonly Result[]) => void,
): Results => {
  const gathered = new Map<VenueId, Result[]>()
  /** Venues with results that nobody writes yet. */
  const ready: VenueId[] = []
  let writing = 0
  let waiting = 0
  let gathering: NodeJS.Timeout | undefined
  let onEmpty: (() => void) | undefined

  const writeBatch = async (venue: VenueId, batch: readonly Result[]): Promise<readonly Result[]> => {
    const [first] = batch
    if (first?.kind !== 'tried') {
      await settleUntried(db, venue, batch as Untried[], clock())
      return batch
    }
    const rows = await settleTries(db, venue, meaningOf(first), batch as Tried[])
    if (rows.some(({ gone_hook }) => gone_hook !== null)) await removeGoneHooks(db, venue)
    const written = new Set(rows.map(({ id }) => id))
    return batch.filter(({ leased }) => written.has(leased.id))
  }

  const write = async (): Promise<void> => {
    writing++
    for (let venue = ready.shift(); venue !== undefined; venue = ready.shift()) {
      const all = gathered.get(venue) ?? []
      const batch = leadingRun(all)
      try {
        const written = await writeBatch(venue, batch)
        all.splice(0, batch.length)
        waiting -= batch.length
        onSettled(venue, written)
      } catch (error) {
        log.warn(
          { code: (error as { code?: unknown }).code },
          'results of deliveries could not be written yet',
        )
        await new Promise((resolve) => setTimeout(resolve, engineLimits.writeAgainMs))
      }
      if (all.length > 0) ready.push(venue)
      else gathered.delete(venue)
    }
    writing--
    if (waiting === 0) onEmpty?.()
  }

  return {
    add: (result) => {
      const { venueId } = result.leased
      const all = gathered.get(venueId)
      waiting++
      if (all) {
        all.push(result)
        return
      }
      gathered.set(venueId, [result])
      ready.push(venueId)
      gathering ??= setTimeout(() => {
        gathering = undefined
        for (let n = writing; n < Math.min(ready.length, engineLimits.resultWritesAtOnce); n++) void write()
      }, engineLimits.gatherMs)
    },
    settled: async (ms) => {
      if (waiting === 0) return true
      const { promise, resolve } = Promise.withResolvers<void>()
      onEmpty = resolve
      const timer = setTimeout(resolve, ms)
      await promise
      clearTimeout(timer)
      return waiting === 0
    },
    waiting: () => waiting,
  }
}

/** The results at the front that mean the same. */
const leadingRun = (results: readonly Result[]): Result[] => {
  const meaning = (result: Result | undefined): string | undefined =>
    result?.kind === 'tried' ? meaningOf(result) : result && 'untried'
  const end = results.findIndex((result) => meaning(result) !== meaning(results[0]))
  return results.slice(0, Math.min(end < 0 ? results.length : end, engineLimits.resultsOfBatch))
}
