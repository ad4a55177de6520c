import { leadStages } from '@venue-data/contract/lead.ts'
import type { Queries } from '../db/pool.ts'
import { type RowOf, columnsOf, sql } from '../db/sql.ts'
import { type ListPage, type PageAsked, newestPlace, pageOf } from '../kernel/list-page.ts'
import type { VenueId } from '../venue/venue.ts'
import { leadRow } from './reads.ts'

/** A lead as staff see it: with the room or brand, the guest behind it and the version a form carries. */
export const staffLeadRow = { ...leadRow, concept: 'text?', guest_id: 'int8?', version: 'int4' } as const
export type StaffLeadRow = RowOf<typeof staffLeadRow>

export const staffLead = (db: Queries, venue: VenueId, lead: number): Promise<StaffLeadRow | undefined> =>
  db.maybe(sql(staffLeadRow)`
    select ${columnsOf(staffLeadRow)} from lead where venue_id = ${venue} and id = ${lead}`)

/** The same, held until the transaction ends. */
export const staffLeadForUpdate = (
  db: Queries,
  venue: VenueId,
  lead: number,
): Promise<StaffLeadRow | undefined> =>
  db.maybe(sql(staffLeadRow)`
    select ${columnsOf(staffLeadRow)} from lead where venue_id = ${venue} and id = ${lead} for update`)

/** All leads, newest first. */
export const leadsPage = async (
  db: Queries,
  venue: VenueId,
  { limit, after }: PageAsked,
): Promise<ListPage<StaffLeadRow>> => {
  const { at, id } = newestPlace(after)
  const rows = await db.many(sql(staffLeadRow)`
    select ${columnsOf(staffLeadRow)} from lead
     where venue_id = ${venue} and (created_at, id) < (${at}, ${id})
     order by created_at desc, id desc limit ${limit + 1}`)
  return pageOf(rows, limit, (row) => [row.created_at, row.id])
}

/** The leads of one stage, newest first. */
export const leadsOfStage = async (
  db: Queries,
  venue: VenueId,
  stage: string,
  { limit, after }: PageAsked,
): Promise<ListPage<StaffLeadRow>> => {
  const { at, id } = newestPlace(after)
  const rows = await db.many(sql(staffLeadRow)`
    select ${columnsOf(staffLeadRow)} from lead
     where venue_id = ${venue} and stage = ${stage} and (created_at, id) < (${at}, ${id})
     order by created_at desc, id desc limit ${limit + 1}`)
  return pageOf(rows, limit, (row) => [row.created_at, row.id])
}

const pipelineRow = { stages: 'text[]', version: 'int4' } as const
export type Pipeline = { readonly stages: readonly string[]; readonly version: number }

/** The venue's stages in order; the usual ones, at version 0, until it has its own. */
export const pipelineOf = async (db: Queries, venue: VenueId): Promise<Pipeline> =>
  (await db.maybe(sql(pipelineRow)`
    select ${columnsOf(pipelineRow)} from lead_pipeline where venue_id = ${venue}`)) ?? {
    stages: leadStages,
    version: 0,
  }

export type BoardColumn = ListPage<StaffLeadRow> & {
  readonly stage: string
  /** All leads of the stage, also those beyond the page. */
  readonly count: number
  /** False for a stage that left the venue's list while leads still stand in it. */
  readonly listed: boolean
}

/** Columns a board shows; more stages than that are a mistake of an import. */
const mostColumns = 40

/** The board: a column for each stage of the venue's list, and for any other that leads stand in, newest first in each. */
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

export const leadNoteRow = {
  id: 'int8',
  lead_id: 'int8',
  kind: 'text',
  text: 'text',
  written_by: 'text?',
  version: 'int4',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const
export type LeadNoteRow = RowOf<typeof leadNoteRow>

const mostNotes = 500

/** Staff's notes and drafts about a lead, oldest first. */
export const notesOfLead = (db: Queries, venue: VenueId, lead: number): Promise<LeadNoteRow[]> =>
  db.many(sql(leadNoteRow)`
    select ${columnsOf(leadNoteRow)} from lead_note
     where venue_id = ${venue} and lead_id = ${lead} order by id limit ${mostNotes}`)

export const leadNoteForUpdate = (
  db: Queries,
  venue: VenueId,
  note: number,
): Promise<LeadNoteRow | undefined> =>
  db.maybe(sql(leadNoteRow)`
    select ${columnsOf(leadNoteRow)} from lead_note where venue_id = ${venue} and id = ${note} for update`)
