import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type EntryRow, type LineRow, entryRow, lineRow } from '../day/entry-row.ts'
import { standsAt } from './reads.ts'

/** Parties shown at once, waiting or not. */
export const partiesShown = 150

/** The line, soonest evening first and each in its order (`standsAt`), a page at a time. Pages count from 0. */
export const lineOf = (db: Queries, venue: VenueId, page: number): Promise<LineRow[]> =>
  db.many(sql(lineRow)`
    select ${columnsOf(entryRow)}, ${standsAt} as stands_at from waitlist_entry
     where venue_id = ${venue} and status in ('waiting', 'offered')
     order by coalesce(service_date, date), stands_at, created_at, id
     limit ${partiesShown + 1} offset ${page * partiesShown}`)

/** An evening's parties that no longer wait: seated, booked, gone. Newest change first. */
export const outOfLine = (db: Queries, venue: VenueId, serviceDate: LocalDate): Promise<EntryRow[]> =>
  db.many(sql(entryRow)`
    select ${columnsOf(entryRow)} from waitlist_entry
     where venue_id = ${venue} and service_date = ${serviceDate} and status not in ('waiting', 'offered')
     order by updated_at desc, id desc
     limit ${partiesShown}`)

/** Parties at the door whose wait ended tonight without them: paged and not back in time, or past their time. Newest first. */
export const lapsedParties = (db: Queries, venue: VenueId, serviceDate: LocalDate): Promise<EntryRow[]> =>
  db.many(sql(entryRow)`
    select ${columnsOf(entryRow)} from waitlist_entry
     where venue_id = ${venue} and service_date = ${serviceDate} and status = 'expired' and not for_later
     order by updated_at desc, id desc
     limit ${partiesShown}`)
