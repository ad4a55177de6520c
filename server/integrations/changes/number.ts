import { type RecordKind, recordKinds } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/*
 * Changes are numbered by their readers, never by writers: only committed changes are visible here, so only those get a
 * number, and no number ever appears behind one that was already read. docs/decisions/0016-numbered-by-who-reads.md has
 * the reasons and what was measured.
 */

/**
 * Numbers changes without a number, up to `limits.numberedAtOnce`, and returns how many there were. In a transaction:
 * the head's row stays locked until its end, and a row that a writer has locked is left for the next time.
 */
export const numberChanges = async (db: Queries, venue: VenueId): Promise<number> => {
  // In two statements, so that the second sees what was committed while the first waited.
  const [{ seq: last }, found] = await Promise.all([holdHead(db, venue), unnumbered(db, venue)])
  const changes = found.toSorted(
    (a, b) =>
      (a.changed_at < b.changed_at ? -1 : a.changed_at > b.changed_at ? 1 : 0) ||
      rankOf(a.kind) - rankOf(b.kind) ||
      a.record_id - b.record_id,
  )
  if (changes.length > 0) {
    await Promise.all([giveNumbers(db, venue, changes, last + 1), moveHead(db, venue, last + changes.length)])
  }
  return changes.length
}

/** A guest comes before the records that name them. */
const rankOf = (kind: string): number => recordKinds.indexOf(kind as RecordKind)

type Unnumbered = { readonly kind: string; readonly record_id: number; readonly changed_at: string }

export const holdHead = (db: Queries, venue: VenueId): Promise<{ seq: number }> =>
  db.one(sql({ seq: 'int8' })`select seq from change_head where venue_id = ${venue} for update`)

const unnumbered = (db: Queries, venue: VenueId): Promise<Unnumbered[]> =>
  db.many(sql({ kind: 'text', record_id: 'int8', changed_at: 'timestamptz' })`
    select kind, record_id, changed_at from record_change
     where venue_id = ${venue} and seq is null
     order by changed_at
     limit ${limits.numberedAtOnce}
       for update skip locked`)

const giveNumbers = (
  db: Queries,
  venue: VenueId,
  changes: readonly Unnumbered[],
  first: number,
): Promise<number> =>
  db.run(sql()`
    update record_change as c set seq = n.seq, made_seq = coalesce(c.made_seq, n.seq)
      from unnest(${changes.map(({ kind }) => kind)}::text[], ${changes.map((one) => one.record_id)}::bigint[],
                  ${changes.map((_, place) => first + place)}::bigint[]) as n (kind, record_id, seq)
     where c.venue_id = ${venue} and c.kind = n.kind and c.record_id = n.record_id`)

const moveHead = (db: Queries, venue: VenueId, seq: number): Promise<number> =>
  db.run(sql()`update change_head set seq = ${seq} where venue_id = ${venue}`)
