import type { Context } from '../../../context.ts'
import { isForEverybody } from '../../../platform/db/faults.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import type { LoopWatch } from '../../../platform/kernel/running/loop-watch.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { notifySwitchedOff } from '../notify-switched-off.ts'
import { gatherForVenues } from './gather-for-venues.ts'
import { engineLimits } from './limits.ts'
import {
  type Result,
  type Tried,
  type Untried,
  freePlaces,
  meaningOf,
  removeGoneHooks,
  settleTries,
  settleUntried,
} from './settle.ts'

/*
 * Attempt results being written to the database. While one batch of a venue is being written, the next gathers, so a
 * busy venue writes many together and a quiet one immediately. Failed writes are kept and retried: until another worker
 * takes the delivery over, the result still counts.
 */

export type Results = {
  readonly add: (result: Result) => void
  /** Resolves when everything is written, or after `ms`; false: something is left. */
  readonly settled: (ms: number) => Promise<boolean>
  readonly waiting: () => number
}

/** @param onSettled called after each batch, with the results that were written */
export const gatherResults = (
  { db, clock, log, watch }: Pick<Context, 'db' | 'clock' | 'log'> & { readonly watch: LoopWatch },
  onSettled: (venue: VenueId, written: readonly Result[]) => void,
): Results => {
  const notes = watch.loop('webhooks: write results')
  const gathered = new Map<VenueId, Result[]>()
  /** Venues with results that are not being written yet. */
  const ready: VenueId[] = []
  let writing = 0
  let waiting = 0
  let gathering: NodeJS.Timeout | undefined
  let onEmpty: (() => void) | undefined

  /** On its own connection, after the current writes; the sweep repeats what fails. */
  const reportOff = (venue: VenueId): void => {
    waiting++
    void notifySwitchedOff({ db, clock }, venue)
      .catch((error: unknown) =>
        log.warn({ code: codeOf(error) }, 'an endpoint that is off was not told of yet'),
      )
      .finally(() => {
        if (--waiting === 0) onEmpty?.()
      })
  }

  const settle = gatherForVenues(
    { db, atOnce: engineLimits.resultWritesAtOnce, most: engineLimits.venuesOfWrite },
    async (queries, batches: readonly (readonly Tried[])[]) => {
      const rows = Map.groupBy(await settleTries(queries, batches.flat()), ({ venue_id }) => venue_id)
      return batches.map(([first]) => rows.get(first?.leased.venueId ?? 0) ?? [])
    },
  )

  const writeBatch = async (venue: VenueId, batch: readonly Result[]): Promise<readonly Result[]> => {
    if (batch[0]?.kind !== 'tried') {
      const untried = batch as Untried[]
      await settleUntried(db, venue, untried, clock())
      await freePlaces(db, venue, untried)
      return batch
    }
    const rows = await settle(batch as Tried[])
    if (rows.some(({ gone_hook }) => gone_hook !== null)) await removeGoneHooks(db, venue)
    if (rows.some(({ is_untold }) => is_untold)) reportOff(venue)
    const written = new Set(rows.map(({ id }) => id))
    return batch.filter(({ leased }) => written.has(leased.id))
  }

  const writeVenue = async (venue: VenueId): Promise<void> => {
    const all = gathered.get(venue) ?? []
    const batch = leadingRun(all)
    const written = await writeBatch(venue, batch)
    notes.well()
    all.splice(0, batch.length)
    waiting -= batch.length
    onSettled(venue, written)
  }

  const logFailure = (error: unknown): true => {
    if (isForEverybody(error)) notes.failed()
    log.warn({ code: codeOf(error) }, 'results of deliveries could not be written yet')
    return true
  }

  /** True: some could not be written. */
  const writeVenues = async (venues: readonly VenueId[]): Promise<boolean> => {
    const failed = await Promise.all(venues.map((venue) => writeVenue(venue).then(() => false, logFailure)))
    return failed.includes(true)
  }

  const write = async (): Promise<void> => {
    writing++
    while (ready.length > 0) {
      const venues = ready.splice(0, engineLimits.venuesOfWrite)
      if (await writeVenues(venues))
        await new Promise((resolve) => setTimeout(resolve, engineLimits.writeAgainMs))
      for (const venue of venues) {
        if (gathered.get(venue)?.length) ready.push(venue)
        else gathered.delete(venue)
      }
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
        const writers = Math.ceil(ready.length / engineLimits.venuesOfWrite)
        for (let n = writing; n < Math.min(writers, engineLimits.resultWritesAtOnce); n++) void write()
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

/** The leading results that mean the same. */
const leadingRun = (results: readonly Result[]): Result[] => {
  const meaning = (result: Result | undefined): string | undefined =>
    result?.kind === 'tried' ? meaningOf(result) : result && 'untried'
  const end = results.findIndex((result) => meaning(result) !== meaning(results[0]))
  return results.slice(0, Math.min(end < 0 ? results.length : end, engineLimits.resultsOfBatch))
}
