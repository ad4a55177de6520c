import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import type { RecordKind } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { type Fragment, type RowOf, fragment, part, quickRead, sql } from '../../../platform/db/sql.ts'
import { eventHeadColumns, eventHeadRow } from './event-head.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { type Head, headRow } from '../reads.ts'

const eventRow = {
  seq: 'int8',
  ...eventHeadRow,
  occurred_at: 'timestamptz',
  changed: 'text[]?',
  data: 'text?',
} as const
export type EventRow = RowOf<typeof eventRow>

/** The columns of `headRow`, of `change_head h`. In this form and not with `exists`, as in ../reads.ts. */
const headColumns = (venue: VenueId): Fragment => part`
  h.event_seq as head, h.event_gone_seq as gone_seq, h.epoch, true as is_filled, true as has_visits,
  (select u.id from event u where u.venue_id = ${venue} and u.seq is null order by u.id limit 1) is not null as is_behind`

/** Undefined: the venue was created by a release without feeds, and its feed has not been started since. */
export const headOfEvents = (db: Queries, venue: VenueId): Promise<Head | undefined> =>
  db.maybe(
    quickRead(sql(headRow)`
    select ${headColumns(venue)}
      from change_head h
     where h.venue_id = ${venue}`),
  )

export type EventsAsked = {
  readonly names: readonly EventName[]
  readonly record: { readonly kind: RecordKind; readonly id: number } | undefined
  readonly since: Temporal.Instant | undefined
  /** Whether the key may learn that only visits changed. */
  readonly visits: boolean
}

/**
 * The feed's head and the kept events after a number, in one statement, so that both are from the same moment. A single
 * record's events are few and looked up directly; otherwise a limited range of numbers is scanned.
 */
export const stretchOfEvents = async (
  db: Queries,
  venue: VenueId,
  {
    names,
    record,
    since,
    visits,
    after,
    most,
  }: EventsAsked & { readonly after: number; readonly most: number },
): Promise<{ readonly head: Head; readonly events: readonly EventRow[] } | undefined> => {
  const among = record
    ? part`and v.record_kind = ${record.kind} and v.record_id = ${record.id}`
    : part`and v.seq <= greatest(${after}::bigint, h.event_gone_seq) + ${limits.looksOfPage}`
  const from = since ? part`and v.occurred_at >= ${since}` : fragment('')
  const known = visits ? fragment('') : fragment("and v.record_kind is distinct from 'visit'")
  const rows = await db.many(
    sql({ ...headRow, ...nullable })`
    select ${headColumns(venue)},
           e.seq, e.public_id, e.names, e.record_kind, e.record_id, e.revision, e.answer, e.occurred_at, e.changed, e.data
      from change_head h
      left join lateral (
        select v.seq, ${eventHeadColumns}, v.occurred_at, v.changed, v.data
          from event v
         where v.venue_id = ${venue} and v.seq > greatest(${after}::bigint, h.event_gone_seq) ${among} ${from} ${known}
           and (v.names && ${names} or (v.names is null and v.name = any(${names})))
         order by v.seq
         limit ${most}) e on true
     where h.venue_id = ${venue}
     order by e.seq`,
  )
  const [head] = rows
  return head && { head, events: rows.filter((row): row is Head & EventRow => row.seq !== null) }
}

/** For a venue without such events there is one row with only the head. */
const nullable = {
  seq: 'int8?',
  public_id: 'uuid?',
  names: 'text[]?',
  record_kind: 'text?',
  record_id: 'int8?',
  revision: 'int4?',
  answer: 'text?',
  occurred_at: 'timestamptz?',
  changed: 'text[]?',
  data: 'text?',
} as const
