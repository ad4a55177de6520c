import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, fragment, quickRead, sql } from '../../platform/db/sql.ts'
import { statesIn } from '../../core/events/record-states.ts'
import { type ListPage, type PageAsked, newestPlace, pageOf } from '../../platform/kernel/list-page.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type LeadRow, leadRow } from './lead.ts'

export const leadsByIds = (db: Queries, venue: VenueId, ids: readonly number[]): Promise<LeadRow[]> =>
  db.many(sql(leadRow)`
    select ${columnsOf(leadRow)} from lead where venue_id = ${venue} and id = any(${ids}::bigint[])`)

export const leadStates = statesIn(fragment('lead'))

export const leadById = (db: Queries, venue: VenueId, id: number): Promise<LeadRow | undefined> =>
  db.maybe(
    quickRead(sql(leadRow)`
    select ${columnsOf(leadRow)} from lead where venue_id = ${venue} and id = ${id}`),
  )

/** The same, held until the transaction ends. */
export const leadForUpdate = (db: Queries, venue: VenueId, lead: number): Promise<LeadRow | undefined> =>
  db.maybe(sql(leadRow)`
    select ${columnsOf(leadRow)} from lead where venue_id = ${venue} and id = ${lead} for update`)

/** A guest's last leads, newest first. */
export const leadsOfGuest = (db: Queries, venue: VenueId, guest: number, most: number): Promise<LeadRow[]> =>
  db.many(sql(leadRow)`
    select ${columnsOf(leadRow)} from lead
     where venue_id = ${venue} and guest_id = ${guest}
     order by created_at desc, id desc limit ${most}`)

/** All leads, newest first. */
export const leadsPage = async (
  db: Queries,
  venue: VenueId,
  { limit, after }: PageAsked,
): Promise<ListPage<LeadRow>> => {
  const { at, id } = newestPlace(after)
  const rows = await db.many(sql(leadRow)`
    select ${columnsOf(leadRow)} from lead
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
): Promise<ListPage<LeadRow>> => {
  const { at, id } = newestPlace(after)
  const rows = await db.many(sql(leadRow)`
    select ${columnsOf(leadRow)} from lead
     where venue_id = ${venue} and stage = ${stage} and (created_at, id) < (${at}, ${id})
     order by created_at desc, id desc limit ${limit + 1}`)
  return pageOf(rows, limit, (row) => [row.created_at, row.id])
}

/** The room or brand on the venue's latest lead, for leads that name none. */
export const latestConcept = async (db: Queries, venue: VenueId): Promise<string | null> => {
  const latest = await db.maybe(sql({ concept: 'text?' })`
    select concept from lead where venue_id = ${venue} order by created_at desc, id desc limit 1`)
  return latest?.concept ?? null
}

const mostConcepts = 50

/** Rooms and brands that the venue's leads name, in the order of the alphabet. */
export const conceptsOnLeads = async (db: Queries, venue: VenueId): Promise<readonly string[]> => {
  const named = await db.many(sql({ concept: 'text' })`
    select distinct concept from lead
     where venue_id = ${venue} and concept is not null order by concept limit ${mostConcepts}`)
  return named.map(({ concept }) => concept)
}

export const leadStands = async (db: Queries, venue: VenueId, lead: number): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`select id from lead where venue_id = ${venue} and id = ${lead}`)) !==
  undefined
