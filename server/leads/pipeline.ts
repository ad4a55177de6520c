import type { Actor } from '../activity/actor.ts'
import { recordActivity } from '../activity/record.ts'
import type { Work } from '../context.ts'
import { badRequest } from '../kernel/refusal.ts'
import { changedMeanwhile } from '../kernel/seen-version.ts'
import { typedLine } from '../kernel/typed-fields.ts'
import { type Pipeline, pipelineOf } from './staff-reads.ts'
import { writePipeline } from './staff-writes.ts'

const stageCharacters = 60
const mostStages = 30

/** Where every inquiry arrives. */
export const firstStage = 'Inquiry'

/**
 * Sets the stages of the venue's pipeline, in order; any words. Leads in a stage that is no longer listed stay where
 * they are and keep their column. Refuses a list without Inquiry, where every inquiry arrives.
 */
export const savePipeline = async (
  work: Work,
  actor: Actor,
  { stages, seenVersion }: { readonly stages: readonly string[]; readonly seenVersion: number },
): Promise<Pipeline> => {
  const { db, venue } = work
  const listed = stages.flatMap((stage) => typedLine('A stage', stage, stageCharacters) ?? [])
  const distinct = new Set(listed.map((stage) => stage.toLowerCase()))
  if (distinct.size < listed.length) throw badRequest('A stage comes twice.')
  if (!listed.includes(firstStage))
    throw badRequest(`The list needs ${firstStage}: every inquiry arrives there.`)
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
