import type { RecordKind } from '@venue-data/contract/kinds.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, type RowOf, joined, part, quickRead, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'

export const headRow = {
  head: 'int8',
  gone_seq: 'int8',
  epoch: 'uuid',
  is_filled: 'bool',
  /** Whether something has no number yet. */
  is_behind: 'bool',
  /** Whether every reservation has its visit in it. */
  has_visits: 'bool',
} as const
/** The state of a venue's feed. */
export type Head = RowOf<typeof headRow>

const changeRow = {
  kind: 'text?',
  record_id: 'int8?',
  op: 'text?',
  gone: 'bool?',
  revision: 'int4?',
  changed_at: 'timestamptz?',
  made_seq: 'int8?',
  seq: 'int8?',
  into_id: 'int8?',
} as const
export type ChangeRow = {
  [K in keyof typeof changeRow]: K extends 'into_id'
    ? RowOf<typeof changeRow>[K]
    : NonNullable<RowOf<typeof changeRow>[K]>
}

/**
 * A change without a number, if there is one. Not written with `exists`: a plan made while most changes have no number,
 * such as after filling, would scan the whole table from then on.
 */
const firstUnnumbered = (venue: VenueId): Fragment => part`
  select u.record_id from record_change u
   where u.venue_id = ${venue} and u.seq is null
   order by u.changed_at limit 1`

/** The columns of `headRow`, of `change_head h`. */
export const headColumns = (venue: VenueId): Fragment => part`
  h.seq as head, h.gone_seq, h.epoch, h.filled_at is not null as is_filled,
  h.visits_filled_at is not null as has_visits,
  (${firstUnnumbered(venue)}) is not null as is_behind`

/** Undefined: the venue was created by a release without feeds, and its feed has not been filled since. */
export const headOf = (db: Queries, venue: VenueId): Promise<Head | undefined> =>
  db.maybe(
    quickRead(sql(headRow)`
    select ${headColumns(venue)}
      from change_head h
     where h.venue_id = ${venue}`),
  )

export type Stretch = {
  readonly kinds: readonly RecordKind[]
  /** The number after which it begins. */
  readonly after: number
  readonly most: number
  /** Whether to leave out deleted records that the caller cannot have. */
  readonly isFirstCopy: boolean
}

/**
 * The feed's head and the changes after a number, in one statement, so that both are from the same moment. One limited
 * query per kind: a single search for several kinds would scan all the others, too.
 */
export const stretchOf = async (
  db: Queries,
  venue: VenueId,
  { kinds, after, most, isFirstCopy }: Stretch,
): Promise<{ readonly head: Head; readonly changes: readonly ChangeRow[] } | undefined> => {
  const madeBy = isFirstCopy ? after : Number.MAX_SAFE_INTEGER
  const parts = kinds.map(
    (kind) => part`
    (select kind, record_id, op, gone, revision, changed_at, made_seq, seq, into_id
       from record_change
      where venue_id = ${venue} and kind = ${kind} and seq > ${after} and (not gone or made_seq <= ${madeBy})
      order by seq limit ${most})`,
  )
  const rows = await db.many(
    sql({ ...headRow, ...changeRow })`
    select ${headColumns(venue)},
           c.kind, c.record_id, c.op, c.gone, c.revision, c.changed_at, c.made_seq, c.seq, c.into_id
      from change_head h
      left join (select * from (${joined(parts, ' union all ')}) as p order by seq limit ${most}) as c on true
     where h.venue_id = ${venue}
     order by c.seq`,
  )
  const [head] = rows
  return head && { head, changes: rows.filter((row): row is Head & ChangeRow => row.seq !== null) }
}
