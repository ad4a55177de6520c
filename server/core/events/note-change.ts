import { type RecordKind, recordKinds } from '@venue-data/contract/kinds.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, part, sql } from '../../platform/db/sql.ts'
import { gatheredWithCommit } from '../../platform/db/kept/with-commit.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import type { VenueId } from '../venue/venue.ts'

/*
 * The last change of each record. Cast: the code that writes a record notes it in the same transaction; what a
 * transaction noted is written in one statement that travels with its commit. Nothing is numbered here: if writers took
 * the numbers, every write of a venue would wait for the one before.
 */

export type Change = {
  readonly kind: RecordKind
  readonly id: number
  /** Of the record as it is now; of one that is gone, one more than its last. Of a visit nobody knows it: see `noteVisit`. */
  readonly revision: number
  /** `erased`: blanked, since it belonged to a person who was erased, or gone for that reason. Absent: made or changed. */
  readonly op?: 'erased' | 'deleted' | 'merged'
  /** Nothing is left of it. */
  readonly gone?: boolean
  /** The record that it was merged into. */
  readonly into?: number
}

type Noted = Change & { readonly at: Temporal.Instant }

/*
 * The change of an erased record stays `erased` until it is deleted, even if the record changes later: a copy that was
 * offline must drop the person even if a table was moved since.
 */

/** What a transaction has noted so far, by record. */
const notedOf = gatheredWithCommit(
  () => new Map<string, Noted>(),
  (db, venue: VenueId, changes) => writeChanges(db, venue, inOrder(changes)),
)

/**
 * Notes that the public shape of a record changed, or that it is gone. To note a revision that is noted already changes
 * nothing.
 */
export const noteChange = (db: Queries, venue: VenueId, change: Change, at: Temporal.Instant): void => {
  const changes = notedOf(db, venue)
  const key = `${change.kind} ${change.id}`
  // What else an erasure changes of a record that it blanked is part of the erasure.
  const isErased = changes.get(key)?.op === 'erased'
  changes.set(key, { ...(isErased && { op: 'erased' }), ...change, at })
  // Who came, and when, is in the reservation's row: whatever happens to it happens to its visit.
  if (change.kind === 'reservation') noteChange(db, venue, { ...change, kind: 'visit', revision: 1 }, at)
}

/**
 * Notes that a reservation's visit changed, where the reservation itself did not: it has another guest, or other tables.
 * A visit's revision is in its note only, which counts it up, so that the reservation is not written for it.
 */
export const noteVisit = (db: Queries, venue: VenueId, reservation: number, at: Temporal.Instant): void =>
  noteChange(db, venue, { kind: 'visit', id: reservation, revision: 1 }, at)

/**
 * Columns of an edit: `revision` and `updated_at` go up exactly when something the API shows changes. Both are shown
 * themselves, so if a note for staff moved one of them, copies would miss that change.
 */
export const movedWhen = (differs: Fragment, now: Temporal.Instant): Fragment => part`
      revision = revision + case when ${differs} then 1 else 0 end,
      updated_at = case when ${differs} then greatest(updated_at, ${now}) else updated_at end`

/** What a transaction has noted of a venue's records so far, in the order in which it will be written. */
export const changesNoted = (db: Queries, venue: VenueId): readonly Change[] => inOrder(notedOf(db, venue))

/** What a write returns of a record: enough to note its change. */
type Written = { readonly id: number; readonly revision: number }

/** What a write returned for one record. */
type RowOf<Rows> = NonNullable<Rows extends readonly (infer Row)[] ? Row : Rows>

/**
 * Notes the change of each row that a write made or changed, and hands on what the write returned. `also` is called with each
 * at once: after an await, the failure of a later statement could come before that of this one.
 */
export const noted = async <Rows extends Written | undefined | readonly Written[]>(
  db: Queries,
  venue: VenueId,
  kind: RecordKind,
  at: Temporal.Instant,
  writing: Promise<Rows>,
  also?: (row: RowOf<Rows>) => void,
): Promise<Rows> => {
  const rows = await writing
  for (const row of [rows].flat() as (Written | undefined)[]) {
    if (!row) continue
    noteChange(db, venue, { kind, id: row.id, revision: row.revision }, at)
    also?.(row as RowOf<Rows>)
  }
  return rows
}

/** Notes that a record was deleted for good, or merged into another; `revision` is its last. */
export const noteGone = (
  db: Queries,
  venue: VenueId,
  { kind, id, revision, into }: Written & { readonly kind: RecordKind; readonly into?: number },
  at: Temporal.Instant,
): void => {
  const op = into === undefined ? 'deleted' : 'merged'
  noteChange(
    db,
    venue,
    { kind, id, revision: revision + 1, op, gone: true, ...(into !== undefined && { into }) },
    at,
  )
}

const inOrder = (changes: ReadonlyMap<string, Noted>): readonly Noted[] =>
  changes.values().toArray().toSorted(byKindAndId)

/** The order in which every transaction locks them. */
const byKindAndId = (one: Change, other: Change): number =>
  recordKinds.indexOf(one.kind) - recordKinds.indexOf(other.kind) || one.id - other.id

const writeChanges = async (db: Queries, venue: VenueId, changes: readonly Noted[]): Promise<unknown> =>
  changes.length > 0 &&
  db.run(sql()`
    insert into record_change as c (venue_id, kind, record_id, op, gone, revision, changed_at, into_id)
    select ${venue}, n.kind, n.id, n.op, n.gone, n.revision, n.at, n.into_id
      from unnest(${changes.map(({ kind }) => kind)}::text[], ${changes.map(({ id }) => id)}::bigint[],
                  ${changes.map(({ op }) => op ?? 'upsert')}::text[], ${changes.map(({ gone }) => String(gone === true))}::boolean[],
                  ${changes.map(({ revision }) => revision)}::integer[], ${changes.map(({ at }) => toMoment(at))}::timestamptz[],
                  ${changes.map(({ into }) => into ?? null)}::bigint[]) as n (kind, id, op, gone, revision, at, into_id)
    on conflict (venue_id, kind, record_id) do update
      set op = case when c.op = 'erased' and not excluded.gone then c.op else excluded.op end, gone = excluded.gone,
          revision = case when c.kind = 'visit' then c.revision + 1 else excluded.revision end, into_id = excluded.into_id,
          changed_at = greatest(c.changed_at, excluded.changed_at), seq = null
      where c.kind = 'visit' or excluded.revision > c.revision`)
