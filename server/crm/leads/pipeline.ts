import { leadStages } from '@venue-data/contract/records/lead.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { changedMeanwhile } from '../../platform/kernel/running/seen-version.ts'
import { typedLine } from '../../platform/kernel/typed-fields.ts'
import type { VenueId } from '../../core/venue/venue.ts'

const stageCharacters = 60
const mostStages = 30

/** Where new inquiries start. */
export const firstStage = 'Inquiry'

const pipelineRow = { stages: 'text[]', version: 'int4' } as const
export type Pipeline = { readonly stages: readonly string[]; readonly version: number }

/** The venue's stages in order; the usual ones, at version 0, until it has its own. */
export const pipelineOf = async (db: Queries, venue: VenueId): Promise<Pipeline> =>
  (await db.maybe(sql(pipelineRow)`
    select ${columnsOf(pipelineRow)} from lead_pipeline where venue_id = ${venue}`)) ?? {
    stages: leadStages,
    version: 0,
  }

/**
 * Sets the stages of the venue's pipeline, in order; any words. Leads in a stage that is no longer listed stay where
 * they are and keep their column. Refuses a list without Inquiry, where new inquiries start.
 */
export const savePipeline = async (
  work: Work,
  actor: Actor,
  { stages, seenVersion }: { readonly stages: readonly string[]; readonly seenVersion: number },
): Promise<Pipeline> => {
  const { db, venue } = work
  const listed = stages.flatMap((stage) => typedLine('A stage', stage, stageCharacters) ?? [])
  const distinct = new Set(listed.map((stage) => stage.toLowerCase()))
  if (distinct.size < listed.length) throw badRequest('A stage is listed twice.')
  if (!listed.includes(firstStage)) throw badRequest(`Keep ${firstStage}: new inquiries start there.`)
  if (listed.length > mostStages) throw badRequest(`There may be at most ${mostStages} stages.`)
  const before = await pipelineOf(db, venue.id)
  const after = await writePipeline(db, venue.id, listed, seenVersion)
  if (!after) throw changedMeanwhile('list')
  await recordActivity(
    work,
    actor,
    {
      action: 'edit',
      record: { kind: 'lead_pipeline', id: venue.id },
      before: { stages: before.stages.join(', ') },
      after: { stages: after.stages.join(', ') },
    },
    work.now(),
  )
  return after
}

/** Undefined when the list is not of the version that was seen; 0 = the usual one. */
const writePipeline = (
  db: Queries,
  venue: VenueId,
  stages: readonly string[],
  seenVersion: number,
): Promise<Pipeline | undefined> =>
  db.maybe(
    seenVersion === 0
      ? sql(pipelineRow)`
        insert into lead_pipeline (venue_id, stages) values (${venue}, ${stages})
        on conflict (venue_id) do nothing
        returning ${columnsOf(pipelineRow)}`
      : sql(pipelineRow)`
        update lead_pipeline set stages = ${stages}, version = version + 1
         where venue_id = ${venue} and version = ${seenVersion}
        returning ${columnsOf(pipelineRow)}`,
  )
