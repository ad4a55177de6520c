import type { Queries } from '../../platform/db/pool.ts'
import { fragment, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/** What an import did to guests and bookings, by the line of its file. No values: they are in the file. */

export type RecordOfImport = 'guest' | 'reservation'

export type BroughtRecord = {
  readonly line: number
  readonly kind: RecordOfImport
  readonly id: number
  readonly made: boolean
  readonly filled: readonly string[]
  readonly versionBefore?: number
}

/** Once the rows of a batch are written: the versions are those after it. */
export const insertRecords = async (
  db: Queries,
  venue: VenueId,
  importId: number,
  records: readonly BroughtRecord[],
): Promise<void> => {
  for (const kind of ['guest', 'reservation'] as const) {
    const some = records.filter((one) => one.kind === kind)
    if (some.length === 0) continue
    await db.run(sql()`
      insert into import_record (venue_id, import_id, line, kind, record_id, made, filled, version)
      select ${venue}, ${importId}, given.line, ${kind}, given.id, given.made = 1,
             string_to_array(given.filled, ' '), found.version
        from unnest(${some.map(({ line }) => line)}::integer[], ${some.map(({ id }) => id)}::bigint[],
                    ${some.map(({ made }) => Number(made))}::integer[], ${some.map(({ filled }) => filled.join(' '))}::text[])
          as given (line, id, made, filled)
        join ${fragment(kind)} found on found.venue_id = ${venue} and found.id = given.id
      on conflict do nothing`)
  }
  const guests = records.flatMap(({ id, versionBefore }) => (versionBefore ? [{ id, versionBefore }] : []))
  if (guests.length === 0) return
  // What one import adds is no touch for the import before it: that can be undone, too, once this one is.
  await db.run(sql()`
    update import_record earlier set version = found.version
      from unnest(${guests.map(({ id }) => id)}::bigint[], ${guests.map(({ versionBefore }) => versionBefore)}::integer[])
             as given (id, version)
      join guest found on found.venue_id = ${venue} and found.id = given.id
     where earlier.venue_id = ${venue} and earlier.kind = 'guest' and earlier.record_id = given.id
       and earlier.import_id <> ${importId} and earlier.version = given.version`)
}

/** The same when one import is undone: the one before it still finds the guest as it left them. */
export const carryVersion = async (
  db: Queries,
  venue: VenueId,
  importId: number,
  { id, version }: { readonly id: number; readonly version: number },
): Promise<void> => {
  await db.run(sql()`
    update import_record earlier set version = found.version
      from guest found
     where found.venue_id = ${venue} and found.id = ${id} and earlier.venue_id = ${venue}
       and earlier.kind = 'guest' and earlier.record_id = ${id} and earlier.import_id <> ${importId}
       and earlier.version = ${version}`)
}

/** Of the lines from one to another. */
export const recordsBetween = (
  db: Queries,
  venue: VenueId,
  importId: number,
  from: number,
  to: number,
): Promise<
  { line: number; kind: string; record_id: number; made: boolean; filled: string[]; stays: string | null }[]
> =>
  db.many(sql({
    line: 'int4',
    kind: 'text',
    record_id: 'int8',
    made: 'bool',
    filled: 'text[]',
    stays: 'text?',
  })`
    select line, kind, record_id, made, filled, stays from import_record
     where venue_id = ${venue} and import_id = ${importId} and line between ${from} and ${to}
     order by line, kind desc`)

/** The next records of an import that are not undone yet: bookings, then the guests they belong to. */
export const recordsToUndo = async (
  db: Queries,
  venue: VenueId,
  importId: number,
  limit: number,
): Promise<
  { kind: RecordOfImport; id: number; made: boolean; filled: readonly string[]; version: number }[]
> => {
  const rows = await db.many(sql({
    kind: 'text',
    record_id: 'int8',
    made: 'bool',
    filled: 'text[]',
    version: 'int4',
  })`
    select kind, record_id, bool_or(made) as made, max(version) as version,
           coalesce(array_agg(name order by line) filter (where name is not null), '{}') as filled
      from import_record left join unnest(filled) as name on true
     where venue_id = ${venue} and import_id = ${importId} and stays is null
     group by kind, record_id
     order by kind desc, record_id limit ${limit}`)
  return rows.map(({ kind, record_id: id, ...row }) => ({ ...row, id, kind: kind as RecordOfImport }))
}

/** `stays`: why; '' when it is undone. */
export const markUndone = (
  db: Queries,
  venue: VenueId,
  importId: number,
  { kind, id }: { readonly kind: RecordOfImport; readonly id: number },
  stays: string,
): Promise<number> =>
  db.run(sql()`
    update import_record set stays = ${stays}
     where venue_id = ${venue} and import_id = ${importId} and kind = ${kind} and record_id = ${id}`)

/** The first records that an undo left, and why. */
export const recordsThatStay = (
  db: Queries,
  venue: VenueId,
  importId: number,
  limit: number,
): Promise<{ kind: string; record_id: number; line: number; stays: string }[]> =>
  db.many(sql({ kind: 'text', record_id: 'int8', line: 'int4', stays: 'text' })`
    select kind, record_id, min(line) as line, min(stays) as stays from import_record
     where venue_id = ${venue} and import_id = ${importId} and stays <> ''
     group by kind, record_id order by min(line) limit ${limit}`)

/** Imports that ended before a moment and still have records, across all venues. */
export const importsToForget = (
  db: Queries,
  endedBefore: Temporal.Instant,
): Promise<{ venue_id: number; id: number }[]> =>
  db.many(sql({ venue_id: 'int8', id: 'int8' })`
    select i.venue_id, i.id from data_import i
     where i.ended_at < ${endedBefore}
       and exists (select from import_record r where r.venue_id = i.venue_id and r.import_id = i.id)
     limit 20`)

export const forgetRecords = (db: Queries, venue: VenueId, importId: number): Promise<number> =>
  db.run(sql()`delete from import_record where venue_id = ${venue} and import_id = ${importId}`)
