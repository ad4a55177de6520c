import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, part, seldom, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import type { RecordKind } from './record.ts'

const activityRow = {
  id: 'int8',
  at: 'timestamptz',
  actor_kind: 'text',
  actor_id: 'int8?',
  actor_name: 'text?',
  action: 'text',
  record_kind: 'text',
  record_id: 'int8',
  before: 'jsonb?',
  after: 'jsonb?',
} as const
export type ActivityRow = RowOf<typeof activityRow>

/** More changes than one record ever sees. */
const mostOfRecord = 500

/** What happened to one record, newest first. */
export const activityOfRecord = (
  db: Queries,
  venue: VenueId,
  kind: RecordKind,
  record: number,
): Promise<ActivityRow[]> =>
  db.many(sql(activityRow)`
    select ${columnsOf(activityRow)} from activity
     where venue_id = ${venue} and record_kind = ${kind} and record_id = ${record}
     order by id desc
     limit ${mostOfRecord}`)

/** The last thing that happened to one record. */
export const newestOfRecord = (
  db: Queries,
  venue: VenueId,
  kind: RecordKind,
  record: number,
): Promise<ActivityRow | undefined> =>
  db.maybe(sql(activityRow)`
    select ${columnsOf(activityRow)} from activity
     where venue_id = ${venue} and record_kind = ${kind} and record_id = ${record}
     order by id desc
     limit 1`)

/** Which of the activity: of one account, of one kind of record, between two moments. */
export type ActivityOf = {
  readonly staff?: number | undefined
  readonly kind?: RecordKind | undefined
  readonly from?: Temporal.Instant | undefined
  readonly until?: Temporal.Instant | undefined
}

type ActivityAsked = {
  readonly limit: number
  readonly before: number | null
  readonly of?: ActivityOf
}

/** What happened at the venue, newest first; `before` is the last id of the page before this one. */
export const newestActivity = (
  db: Queries,
  venue: VenueId,
  { limit, before, of: { staff, kind, from, until } = {} }: ActivityAsked,
): Promise<ActivityRow[]> =>
  db.many(
    seldom(sql(activityRow)`
    select ${columnsOf(activityRow)} from activity
     where venue_id = ${venue} and (${before}::bigint is null or id < ${before}::bigint)
       and ${staff === undefined ? part`true` : part`actor_kind = 'staff' and actor_id = ${staff}`}
       and ${kind === undefined ? part`true` : part`record_kind = ${kind}`}
       and ${from === undefined || until === undefined ? part`true` : part`at >= ${from} and at < ${until}`}
     order by id desc
     limit ${limit}`),
  )
