import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { markPast, markVisitsOf } from '../../core/events/mark-past.ts'
import { noteGone, noteVisit, noted } from '../../core/events/note-change.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { MergedHouses } from '../house/actions.ts'
import type { Contribution } from './contributions.ts'
import { keepRegular } from './regular-writes.ts'
import { staffGuestRow } from './guest.ts'
import type { StaffColumns } from './staff-writes.ts'

/** Every guest column that a merge must save, so that its undo restores the same row. */
export const wholeGuestRow = {
  ...staffGuestRow,
  email_key: 'text?',
  phone_key: 'text?',
  phone_international: 'bool',
  imported_visit_count: 'int4',
  imported_no_show_count: 'int4',
  imported_cancellation_count: 'int4',
  imported_last_visit_date: 'date?',
} as const
export type WholeGuestRow = RowOf<typeof wholeGuestRow>

/** Two guests (or one, if the other is gone), locked in ascending order. */
export const wholeGuestsForUpdate = (
  db: Queries,
  venue: VenueId,
  ids: readonly number[],
): Promise<WholeGuestRow[]> =>
  db.many(sql(wholeGuestRow)`
    select ${columnsOf(wholeGuestRow)} from guest
     where venue_id = ${venue} and id = any(${ids}::bigint[]) order by id for update`)

const countedRow = {
  id: 'int8',
  guest_id: 'int8?',
  status: 'text',
  cancelled_by: 'text?',
  service_date: 'date?',
} as const
export type CountedRow = RowOf<typeof countedRow>

/** A guest's bookings, locked. They come before the guests' rows: booking moves lock in that order too. */
export const bookingsForUpdate = (db: Queries, venue: VenueId, guest: number): Promise<CountedRow[]> =>
  db.many(sql(countedRow)`
    select ${columnsOf(countedRow)} from reservation
     where venue_id = ${venue} and guest_id = ${guest} order by id for update`)

/** Those of the given bookings that still belong to the guest, locked. */
export const theseBookingsForUpdate = (
  db: Queries,
  venue: VenueId,
  guest: number,
  bookings: readonly number[],
): Promise<CountedRow[]> =>
  db.many(sql(countedRow)`
    select ${columnsOf(countedRow)} from reservation
     where venue_id = ${venue} and guest_id = ${guest} and id = any(${bookings}::bigint[]) order by id for update`)

/** The bookings' records do not name their guest, but their visits do. */
export const relinkBookings = async (
  db: Queries,
  venue: VenueId,
  bookings: readonly number[],
  guest: number,
  now: Temporal.Instant,
): Promise<void> => {
  const moved = await db.many(sql({ service_date: 'date?' })`
    update reservation set guest_id = ${guest} where venue_id = ${venue} and id = any(${bookings}::bigint[])
    returning service_date`)
  markPast(db, venue, { dates: moved.map(({ service_date }) => service_date), guests: [guest] }, now)
  for (const id of bookings) noteVisit(db, venue, id, now)
}

/** Moves inquiries from one guest to another, all of them or the given ones; returns their ids. */
export const relinkLeads = async (
  db: Queries,
  venue: VenueId,
  from: number,
  to: number,
  only: readonly number[] | null = null,
): Promise<number[]> => {
  const rows = await db.many(sql({ id: 'int8' })`
    update lead set guest_id = ${to}
     where venue_id = ${venue} and guest_id = ${from} and (${only}::bigint[] is null or id = any(${only}::bigint[]))
    returning id`)
  return rows.map(({ id }) => id)
}

/** Removes a guest who was merged into another. */
export const deleteGuest = async (
  db: Queries,
  venue: VenueId,
  id: number,
  into: number,
  now: Temporal.Instant,
): Promise<void> => {
  const { revision } = await db.one(sql({ revision: 'int4' })`
    delete from guest where venue_id = ${venue} and id = ${id} returning revision`)
  noteGone(db, venue, { kind: 'guest', id, revision, into }, now)
}

/** Adds to a guest's counters and imported counts, and looks up the last visit again. */
export const addToCounters = async (
  db: Queries,
  venue: VenueId,
  guest: number,
  counted: Contribution,
  imported: Contribution,
  importedLastVisit: string | null,
  now: Temporal.Instant,
): Promise<void> => {
  const row = await noted(
    db,
    venue,
    'guest',
    now,
    db.one(sql(regularRow)`
    update guest set
      visit_count = visit_count + ${counted.visits},
      no_show_count = no_show_count + ${counted.noShows},
      cancellation_count = cancellation_count + ${counted.cancellations},
      imported_visit_count = imported_visit_count + ${imported.visits},
      imported_no_show_count = imported_no_show_count + ${imported.noShows},
      imported_cancellation_count = imported_cancellation_count + ${imported.cancellations},
      imported_last_visit_date = ${importedLastVisit},
      last_visit_date = greatest(${importedLastVisit}::date, visits.latest),
      revision = revision + case
        when (visit_count, no_show_count, cancellation_count, last_visit_date)
          is distinct from (
            visit_count + ${counted.visits}, no_show_count + ${counted.noShows},
            cancellation_count + ${counted.cancellations}, greatest(${importedLastVisit}::date, visits.latest))
        then 1 else 0 end
    from (
      select max(service_date) as latest from reservation
       where venue_id = ${venue} and guest_id = ${guest} and status in ('Seated', 'Completed')) as visits
    where venue_id = ${venue} and id = ${guest}
    returning ${columnsOf(regularRow)}`),
  )
  await keepRegular(db, venue, row, row.visit_count - counted.visits)
  markVisitsOf(db, venue, guest, now)
}

const regularRow = { id: 'int8', revision: 'int4', visit_count: 'int4', last_visit_date: 'date?' } as const

/** Restores a guest under their old id. Their revision follows the one under which they were noted as merged. */
export const restoreGuest = (db: Queries, venue: VenueId, row: SavedGuest, now: Temporal.Instant) =>
  noted(
    db,
    venue,
    'guest',
    now,
    db.one(sql({ id: 'int8', revision: 'int4' })`
    insert into guest (
      venue_id, id, name, email, email_key, phone, phone_key, phone_international, seating_preference, referral_source,
      staff_notes, allergies, visit_count, no_show_count, cancellation_count, last_visit_date, imported_visit_count,
      imported_no_show_count, imported_cancellation_count, imported_last_visit_date, external_id, version, revision,
      created_at, updated_at)
    overriding system value
    values (
      ${venue}, ${row.id}, ${row.name}, ${row.email}, ${row.email_key}, ${row.phone}, ${row.phone_key},
      ${row.phone_international}, ${row.seating_preference}, ${row.referral_source}, ${row.staff_notes},
      ${row.allergies}, ${row.visit_count}, ${row.no_show_count}, ${row.cancellation_count}, ${row.last_visit_date},
      ${row.imported_visit_count}, ${row.imported_no_show_count}, ${row.imported_cancellation_count},
      ${row.imported_last_visit_date}, ${row.external_id ?? null}, ${row.version + 1}, ${(row.revision ?? 1) + 2}, ${row.created_at}, ${now})
    returning id, revision`),
  )

/** A merged guest as they were; without what guests did not have at the time. */
export type SavedGuest = Omit<WholeGuestRow, 'revision' | 'external_id'> &
  Partial<Pick<WholeGuestRow, 'revision' | 'external_id'>>

/** What an undo needs to know. */
export type MergeRecord = {
  readonly gone: SavedGuest
  /** The kept guest: the columns that a merge writes, before and after it. */
  readonly before: StaffColumns
  readonly after: StaffColumns
  readonly importedLastVisitBefore: string | null
  readonly importedLastVisitAfter: string | null
  /** What the moved bookings contributed at the time of the merge. */
  readonly counted: Contribution
  readonly bookings: readonly number[]
  readonly leads: readonly number[]
  /** Absent: merged before the house knew anything of guests. */
  readonly houses?: MergedHouses
}

const mergeRow = {
  id: 'int8',
  kept_id: 'int8',
  gone_id: 'int8',
  record: 'jsonb',
  merged_at: 'timestamptz',
  undone_at: 'timestamptz?',
} as const
export type MergeRow = Omit<RowOf<typeof mergeRow>, 'record'> & { readonly record: MergeRecord }

export const insertMerge = async (
  db: Queries,
  venue: VenueId,
  kept: number,
  record: MergeRecord,
  now: Temporal.Instant,
): Promise<number> =>
  (
    await db.one(sql({ id: 'int8' })`
      insert into guest_merge (venue_id, kept_id, gone_id, record, merged_at)
      values (${venue}, ${kept}, ${record.gone.id}, ${JSON.stringify(record)}, ${now})
      returning id`)
  ).id

export const mergeForUpdate = async (
  db: Queries,
  venue: VenueId,
  merge: number,
): Promise<MergeRow | undefined> =>
  (await db.maybe(sql(mergeRow)`
    select ${columnsOf(mergeRow)} from guest_merge
     where venue_id = ${venue} and id = ${merge} for update`)) as MergeRow | undefined

/** Which guest a merged guest is now, even through a second merge; undefined if it was never merged. */
export const becamePartOf = async (db: Queries, venue: VenueId, guest: number): Promise<number | undefined> =>
  (
    await db.maybe(sql({ id: 'int8' })`
      with recursive way as (
        select kept_id from guest_merge where venue_id = ${venue} and gone_id = ${guest} and undone_at is null
        union
        select m.kept_id from way
          join guest_merge m on m.venue_id = ${venue} and m.gone_id = way.kept_id and m.undone_at is null)
      select g.id from way join guest g on g.venue_id = ${venue} and g.id = way.kept_id limit 1`)
  )?.id

export const markUndone = (
  db: Queries,
  venue: VenueId,
  merge: number,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update guest_merge set undone_at = ${now} where venue_id = ${venue} and id = ${merge} and undone_at is null`)
