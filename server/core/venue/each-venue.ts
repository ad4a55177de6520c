import type { Plan } from '@venue-data/contract/records/account.ts'
import type { Context } from '../../context.ts'
import { isForEverybody } from '../../platform/db/faults.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
import type { Venue } from './venue.ts'
import { allVenues } from './venues.ts'

/**
 * Background work for each of these venues, one after the other. A venue's own failure is logged and does not keep
 * the others waiting; a failure that affects everybody is thrown.
 */
export const forEachVenue = async (
  { db, log }: { readonly db: Queries } & Pick<Context, 'log'>,
  concerned: ReadonlySet<number>,
  work: (venue: Venue) => Promise<void>,
): Promise<void> => {
  if (concerned.size === 0) return
  for (const row of await allVenues(db)) {
    if (!concerned.has(row.id)) continue
    try {
      await work({ ...row, plan: row.plan as Plan })
    } catch (error) {
      if (isForEverybody(error)) throw error
      const code = codeOf(error) ?? (error as Error).message
      log.error({ venue: row.slug, code }, 'background work for a venue failed')
    }
  }
}
