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
}

/** Of the lines from one to another. */
export const recordsBetween = (
  db: Queries,
  venue: VenueId,
  importId: number,
  from: number,
  to: number,
): Promise<{ line: number; kind: string; record_id: number; made: boolean; filled: string[] }[]> =>
  db.many(sql({ line: 'int4', kind: 'text', record_id: 'int8', made: 'bool', filled: 'text[]' })`
    select line, kind, record_id, made, filled from import_record
     where venue_id = ${venue} and import_id = ${importId} and line between ${from} and ${to}
     order by line, kind desc`)

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
