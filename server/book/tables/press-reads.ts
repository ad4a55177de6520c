import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { newestOfRecord } from '../../core/activity/reads.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { placed } from '../day/arrivals-reads.ts'
import type { Bucket } from '../day/facts.ts'
import type { Moment } from '../../platform/kernel/time/moment.ts'
import { type Since, type SinceRow, sinceOf } from './since-press.ts'
import type { TableChange } from '../../core/activity/table-change.ts'

/** What a press did to tables, by its rows of the activity log; undefined where one of them is not of this record. */
export const changesOfPress = async (
  db: Queries,
  venue: VenueId,
  { kind, id }: { readonly kind: 'reservation' | 'waitlist_entry'; readonly id: number },
  press: readonly number[],
): Promise<readonly TableChange[] | undefined> => {
  const rows = await db.many(sql({ tables: 'jsonb?' })`
    select tables from activity
     where venue_id = ${venue} and id = any(${[...press]}::bigint[])
       and record_kind = ${kind} and record_id = ${id}
     order by id`)
  return rows.length < press.length ? undefined : rows.flatMap(({ tables }) => changesIn(tables))
}

/**
 * The length from before its seating that a press took off a booking, as its edit gave it another one; 0 where none was said.
 * Undefined where it took none.
 */
export const lengthTakenBy = async (
  db: Queries,
  venue: VenueId,
  reservation: number,
  press: readonly number[],
): Promise<number | undefined> =>
  (
    await db.maybe(sql({ minutes: 'int4' })`
      select (before->>'minutes_before_seating')::int as minutes from activity
       where venue_id = ${venue} and id = any(${[...press]}::bigint[]) and action = 'edit'
         and record_kind = 'reservation' and record_id = ${reservation}
         and before->>'minutes_before_seating' is not null
       limit 1`)
  )?.minutes

/**
 * What a press took from a booking that the move which undoes it gives back as it was: since when the party was here, and how far;
 * since when it was a no-show. Undefined where none of these rows took any of it.
 */
export const takenBy = async (
  db: Queries,
  venue: VenueId,
  undo: string,
  reservation: number,
  press: readonly number[],
) => {
  if (undo !== 'arrive' && undo !== 'undoSeat') return undefined
  const [made, column] = undo === 'arrive' ? ['undoArrive', 'checked_in_at'] : ['seatLate', 'no_show_at']
  const taken = await db.maybe(sql({ at: 'timestamptz', floor_stage: 'text?' })`
    select (before->>${column})::timestamptz as at, before->>'floor_stage' as floor_stage
      from activity
     where venue_id = ${venue} and id = any(${[...press]}::bigint[]) and action = ${made}
       and record_kind = 'reservation' and record_id = ${reservation}
       and before->>${column} is not null
     limit 1`)
  return (
    taken &&
    (undo === 'arrive'
      ? { checked_in_at: taken.at, floor_stage: taken.floor_stage }
      : { status: 'No-show', no_show_at: taken.at })
  )
}

/** The press that made a booking: the first row of its activity. */
export const pressThatMade = async (
  db: Queries,
  venue: VenueId,
  reservation: number,
): Promise<number | undefined> => {
  const row = await db.maybe(sql({ id: 'int8' })`
    select id from activity
     where venue_id = ${venue} and record_kind = 'reservation' and record_id = ${reservation}
     order by id limit 1`)
  return row?.id
}

/** The press that paged a party in line, and what it did to tables; undefined where something else was done with it since. */
export const pressThatPaged = async (
  db: Queries,
  venue: VenueId,
  entry: number,
): Promise<{ readonly row: number; readonly changes: readonly TableChange[] } | undefined> => {
  const record = { kind: 'waitlist_entry', id: entry } as const
  const last = await newestOfRecord(db, venue, record.kind, record.id)
  if (last?.action !== 'page') return undefined
  return { row: last.id, changes: (await changesOfPress(db, venue, record, [last.id])) ?? [] }
}

/** More changes at a venue than anybody leaves an Undo on a screen for. */
const mostSince = 2_000

/** What was done at the venue since a press; undefined where that is too much to tell, or tables were turned on or off. */
export const doneSince = async (
  db: Queries,
  venue: VenueId,
  press: readonly number[],
): Promise<Since | undefined> => {
  const rows = await db.many(sql({
    actor_kind: 'text',
    action: 'text',
    record_kind: 'text',
    record_id: 'int8',
    before: 'jsonb?',
    after: 'jsonb?',
    tables: 'jsonb?',
  })`
    select actor_kind, action, record_kind, record_id, before, after, tables from activity
     where venue_id = ${venue} and id > ${Math.max(...press)}
       and (record_kind in ('reservation', 'venue') or tables is not null)
     order by id
     limit ${mostSince + 1}`)
  const isOtherwise = rows.some(
    ({ record_kind, action }) => record_kind === 'venue' && action.startsWith('turn tables'),
  )
  if (rows.length > mostSince || isOtherwise) return undefined
  return sinceOf(
    rows.map(({ actor_kind, record_kind, record_id, before, after, tables }): SinceRow => ({
      byMachine: actor_kind === 'service',
      reservation: record_kind === 'reservation' ? record_id : undefined,
      before: columnsIn(before),
      after: columnsIn(after),
      tables: changesIn(tables),
    })),
  )
}

// Written by `recordActivity` and by nobody else.
const changesIn = (tables: unknown): readonly TableChange[] => (read(tables) ?? []) as readonly TableChange[]

const columnsIn = (columns: unknown): SinceRow['before'] => read(columns) as SinceRow['before']

const read = (stored: unknown): unknown => (typeof stored === 'string' ? JSON.parse(stored) : stored)

/**
 * Whether what counts in a slot's pace is what counted before a press, but for the press's own booking: nobody came to it
 * since, by staff or online. `pressedAt`: when its booking changed.
 */
export const isPaceAsBefore = async (
  db: Queries,
  venue: VenueId,
  {
    press,
    pressedAt,
    bucket: { serviceDate, fromMinute, toMinute },
  }: {
    readonly press: { readonly reservation: number; readonly rows: readonly number[] }
    readonly pressedAt: Moment
    readonly bucket: Bucket
  },
): Promise<boolean> => {
  const since = await doneSince(db, venue, press.rows)
  if (!since) return false
  const others = [...since.came].filter((id) => id !== press.reservation)
  const rows = await db.many(sql({ id: 'int8' })`
    select id from reservation
     where venue_id = ${venue} and service_date = ${serviceDate}
       and service_minute >= ${fromMinute} and service_minute < ${toMinute}
       and status in ${placed} and id <> ${press.reservation}
       and (created_at > ${pressedAt} or id = any(${others}::bigint[]))
     limit 1`)
  return rows.length === 0
}
