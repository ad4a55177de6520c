import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { ListPage } from '../../platform/kernel/list-page.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { pipelineOf } from './pipeline.ts'
import type { LeadRow } from './lead.ts'
import { leadsOfStage } from './reads.ts'

export type BoardColumn = ListPage<LeadRow> & {
  readonly stage: string
  /** All leads of the stage, also those beyond the page. */
  readonly count: number
  /** False for a stage that left the venue's list while leads are still in it. */
  readonly listed: boolean
}

/** Columns a board shows; more stages than that are a mistake of an import. */
const mostColumns = 40

/**
 * The board: a column for each stage of the venue's list, and for any other that leads are in, newest first in each.
 */
export const leadBoard = async (db: Queries, venue: VenueId, perStage: number): Promise<BoardColumn[]> => {
  const [{ stages }, counts] = await Promise.all([
    pipelineOf(db, venue),
    db.many(sql({ stage: 'text', leads: 'int4' })`
      select stage, count(*)::integer as leads from lead
       where venue_id = ${venue} group by stage order by stage`),
  ])
  const count = new Map(counts.map(({ stage, leads }) => [stage, leads]))
  const others = [...count.keys()].filter((stage) => !stages.includes(stage))
  return Promise.all(
    [...stages, ...others].slice(0, mostColumns).map(async (stage) => ({
      ...(await leadsOfStage(db, venue, stage, { limit: perStage, after: null })),
      stage,
      count: count.get(stage) ?? 0,
      listed: stages.includes(stage),
    })),
  )
}
