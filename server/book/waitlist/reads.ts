import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, fragment, quickRead, sql } from '../../platform/db/sql.ts'
import { statesIn } from '../../core/events/record-states.ts'
import type { Moment } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type EntryRow, type WaitlistRow, entryRow, waitlistRow } from '../day/entry-row.ts'

export const waitlistEntriesByIds = (
  db: Queries,
  venue: VenueId,
  ids: readonly number[],
): Promise<WaitlistRow[]> =>
  db.many(sql(waitlistRow)`
    select ${columnsOf(waitlistRow)} from waitlist_entry where venue_id = ${venue} and id = any(${ids}::bigint[])`)

export const waitlistEntryStates = statesIn(fragment('waitlist_entry'))

export const waitlistEntry = (db: Queries, venue: VenueId, entry: number): Promise<EntryRow | undefined> =>
  db.maybe(
    quickRead(sql(entryRow)`
    select ${columnsOf(entryRow)} from waitlist_entry where venue_id = ${venue} and id = ${entry}`),
  )

/** The same, locked until the transaction ends. Taken after days, the guest book and reservations, never before. */
export const waitlistEntryForUpdate = (
  db: Queries,
  venue: VenueId,
  entry: number,
): Promise<EntryRow | undefined> =>
  db.maybe(sql(entryRow)`
    select ${columnsOf(entryRow)} from waitlist_entry where venue_id = ${venue} and id = ${entry} for update`)

/** Waiting parties checked in one run: more than any line at a door. */
const mostInLine = 1_000

/** The waiting parties of all evenings, longest wait first. */
export const partiesInLine = (db: Queries, venue: VenueId): Promise<EntryRow[]> =>
  db.many(sql(entryRow)`
    select ${columnsOf(entryRow)} from waitlist_entry
     where venue_id = ${venue} and status in ('waiting', 'offered')
     order by created_at, id
     limit ${mostInLine}`)

/**
 * The place of a party in line: the moment it was promised a table, earliest first. A party with no promise comes after those
 * that joined before it and have one; ties go to the one that joined first. Null, and so last: no promise, and waiting for a
 * place in the book. Only a new quote or a party that leaves changes the order; the clock alone never does.
 */
export const standsAt = fragment(`coalesce(
  quoted_at + make_interval(mins => quoted_minutes),
  case when not for_later then
    greatest(created_at, max(quoted_at + make_interval(mins => quoted_minutes))
      over (partition by coalesce(service_date, date) order by created_at, id)) end)`)

/**
 * How many parties are in an evening's line ahead of the given one; ahead of a newcomer if none is given. Who waits for a
 * place in the book is not in line.
 */
export const partiesAhead = async (
  db: Queries,
  venue: VenueId,
  serviceDate: LocalDate,
  entry: number | null,
): Promise<number> => {
  const { parties } = await db.one(sql({ parties: 'int8' })`
    with line as (
      select id, ${standsAt} as stands_at from waitlist_entry
       where venue_id = ${venue} and status in ('waiting', 'offered') and not for_later
         and coalesce(service_date, date) = ${serviceDate}::date)
    select count(*) as parties from line
     where not exists (select from line own
                        where own.id = ${entry}::bigint and (own.stands_at, own.id) <= (line.stands_at, line.id))`)
  return parties
}

/** How many parties ahead a quote places at tables; behind more than that, everybody is quoted the longest wait. */
const mostThoughtOf = 60

/** The sizes of the parties that `partiesAhead` counts, in the order of the line, without those a table is held for already. */
export const partiesBefore = async (
  db: Queries,
  venue: VenueId,
  serviceDate: LocalDate,
  { entry, now }: { readonly entry: number | null; readonly now: Temporal.Instant },
): Promise<{ readonly id: number; readonly party_size: number }[]> =>
  db.many(sql({ id: 'int8', party_size: 'int4' })`
    with line as (
      select id, coalesce(party_size, 1) as party_size, ${standsAt} as stands_at from waitlist_entry
       where venue_id = ${venue} and status in ('waiting', 'offered') and not for_later
         and coalesce(service_date, date) = ${serviceDate}::date)
    select id, party_size from line
     where not exists (select from line own
                        where own.id = ${entry}::bigint and (own.stands_at, own.id) <= (line.stands_at, line.id))
       and not exists (select from table_hold h
                        where h.venue_id = ${venue} and h.waitlist_entry_id = line.id and h.expires_at > ${now})
     order by stands_at, id
     limit ${mostThoughtOf}`)

/** From when and until when a paged party would need the table that is held for it; undefined while none is. */
export const heldForPaged = (
  db: Queries,
  venue: VenueId,
  entry: number,
  now: Temporal.Instant,
): Promise<{ readonly from_moment: Moment; readonly until_moment: Moment } | undefined> =>
  db.maybe(sql({ from_moment: 'timestamptz', until_moment: 'timestamptz' })`
    select from_moment, until_moment from table_hold
     where venue_id = ${venue} and waitlist_entry_id = ${entry} and expires_at > ${now} limit 1`)

/** The venues with an offer that ended at a moment or before it; the release before this one pages without saying when it ends. */
export const venuesWithLapsedOffers = async (db: Queries, at: Temporal.Instant): Promise<Set<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from waitlist_entry
     where status = 'offered' and offered_until <= ${at}`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}

/** The venues with a waiting party. */
export const venuesWithPartiesInLine = async (db: Queries): Promise<Set<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from waitlist_entry where status in ('waiting', 'offered')`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}
