import type { ChangeWord } from '@venue-data/contract/change.ts'
import type { RecordKind } from '@venue-data/contract/kinds.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import { changesNoted } from './note-change.ts'

export type ChangeToCome = {
  readonly kind: RecordKind
  readonly id: number
  readonly change: ChangeWord
}

/** How a transaction under way changes a venue's records, as the feed of changes would tell it to who follows. */
export const changesToCome = async (db: Queries, venue: VenueId): Promise<readonly ChangeToCome[]> => {
  const noted = changesNoted(db, venue)
  if (noted.length === 0) return []
  const rows = await db.many(sql({ kind: 'text', record_id: 'int8', revision: 'int4', op: 'text' })`
    select c.kind, c.record_id, c.revision, c.op from record_change c
     where c.venue_id = ${venue} and (c.kind, c.record_id) in (
       select * from unnest(${noted.map(({ kind }) => kind)}::text[], ${noted.map(({ id }) => id)}::bigint[]))`)
  const before = new Map(rows.map((row) => [`${row.kind} ${row.record_id}`, row]))
  return noted.flatMap(({ kind, id, revision, op }) => {
    const known = before.get(`${kind} ${id}`)
    // A revision that was already announced is not news; that of a visit is counted up as it is noted.
    if (kind !== 'visit' && revision <= (known?.revision ?? 0)) return []
    const usual = known === undefined ? 'created' : known.op === 'erased' ? 'erased' : 'updated'
    return [{ kind, id, change: op ?? usual }]
  })
}
