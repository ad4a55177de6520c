import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { type ListPage, type PageAsked, newestPlace, pageOf } from '../../platform/kernel/list-page.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type StaffGuestRow, staffGuestRow } from './guest.ts'

export const staffGuest = (db: Queries, venue: VenueId, guest: number): Promise<StaffGuestRow | undefined> =>
  db.maybe(sql(staffGuestRow)`
    select ${columnsOf(staffGuestRow)} from guest where venue_id = ${venue} and id = ${guest}`)

/** The same, locked until the transaction ends. Taken after the guest book, never before. */
export const staffGuestForUpdate = (
  db: Queries,
  venue: VenueId,
  guest: number,
): Promise<StaffGuestRow | undefined> =>
  db.maybe(sql(staffGuestRow)`
    select ${columnsOf(staffGuestRow)} from guest where venue_id = ${venue} and id = ${guest} for update`)

/** All guests, newest first. */
export const guestsPage = async (
  db: Queries,
  venue: VenueId,
  { limit, after }: PageAsked,
): Promise<ListPage<StaffGuestRow>> => {
  const { at, id } = newestPlace(after)
  const rows = await db.many(sql(staffGuestRow)`
    select ${columnsOf(staffGuestRow)} from guest
     where venue_id = ${venue} and (created_at, id) < (${at}, ${id})
     order by created_at desc, id desc
     limit ${limit + 1}`)
  return pageOf(rows, limit, (row) => [row.created_at, row.id])
}

const shownMergeRow = {
  id: 'int8',
  gone_id: 'int8',
  merged_at: 'timestamptz',
  undone_at: 'timestamptz?',
} as const

const mostMerges = 50

/** The merges into a guest, latest first. */
export const mergesOfGuest = (
  db: Queries,
  venue: VenueId,
  guest: number,
): Promise<RowOf<typeof shownMergeRow>[]> =>
  db.many(sql(shownMergeRow)`
    select ${columnsOf(shownMergeRow)} from guest_merge
     where venue_id = ${venue} and kept_id = ${guest} order by id desc limit ${mostMerges}`)
