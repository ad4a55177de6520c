import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import { type DeliveryStatus, deliveryStatuses } from '@venue-data/contract/webhooks/logged-delivery.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { eventHeadColumns, eventHeadRow } from '../../changes/events/event-head.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import {
  type Fragment,
  type RowOf,
  columnsOf,
  fragment,
  joined,
  part,
  quickRead,
  seldom,
  sql,
} from '../../../platform/db/sql.ts'
import type { VenueId } from '../../../core/venue/venue.ts'

/* An endpoint's log: what was sent or is pending, and the outcomes. */

const deliveryRow = {
  id: 'uuid',
  event_id: 'int8',
  /** The event name it is sent under. */
  name: 'text',
  ...eventHeadRow,
  occurred_at: 'timestamptz',
  due_at: 'timestamptz',
  done_at: 'timestamptz?',
  outcome: 'text?',
  is_underway: 'bool',
  /** All attempts, including those of earlier sends. */
  tries: 'int4',
  last_result: 'text?',
} as const
export type DeliveryRow = RowOf<typeof deliveryRow>

export type LogAsked = {
  readonly limit: number
  readonly statuses: readonly DeliveryStatus[]
  /** Event names they are sent under; undefined: all. */
  readonly names?: readonly EventName[] | undefined
  readonly since?: Temporal.Instant | undefined
  readonly until?: Temporal.Instant | undefined
  /** Where the previous page ended. */
  readonly after?: LogPlace | undefined
}

/** An endpoint has at most one delivery per event. */
export type LogPlace = readonly [occurredAt: string, event: number]

export type LogPage = {
  readonly rows: readonly DeliveryRow[]
  /** Where the next page begins; undefined on the last page. */
  readonly next: LogPlace | undefined
}

/**
 * A page of the log, by event time, latest first. No index covers the names: when filtering by name only a limited
 * number of rows is examined, so a page may be short or empty with more to come.
 */
export const deliveriesOf = async (
  db: Queries,
  venue: VenueId,
  endpoint: string,
  asked: LogAsked,
  now: Temporal.Instant,
): Promise<LogPage> => {
  const { limit, names } = asked
  const most = names ? looksOfPage : pageMost(limit)
  const looked = lookedAt(venue, endpoint, asked, most)
  const isUsual = !names && !asked.since && !asked.until && asked.statuses.length === deliveryStatuses.length
  const statement = sql(deliveryRow)`
    select ${columnsOf(shownFirst, 'd')}, ${shown(now)}
      from (select * from (${looked}) as l ${names ? goingUnder(venue, names) : fragment('')}
             order by l.occurred_at desc, l.event_id desc limit ${limit + 1}) as d
      ${beside(venue)}
     order by d.occurred_at desc, d.event_id desc`
  const rows = await db.many(isUsual ? quickRead(statement) : seldom(statement))
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  if (rows.length > limit && last) return { rows: page, next: [last.occurred_at, last.event_id] }
  const edge = names && (await lastLooked(db, venue, looked))
  return { rows: page, next: edge && [edge.occurred_at, edge.event_id] }
}

export const deliveryOf = (
  db: Queries,
  venue: VenueId,
  endpoint: string,
  id: string,
  now: Temporal.Instant,
): Promise<DeliveryRow | undefined> =>
  db.maybe(sql(deliveryRow)`
    select ${columnsOf(shownFirst, 'd')}, ${shown(now)}
      from (select * from delivery where venue_id = ${venue} and endpoint_id = ${endpoint} and id = ${id}) as d
      ${beside(venue)}`)

const attemptRow = {
  started_at: 'timestamptz',
  duration_ms: 'int4',
  status_code: 'int4',
  result: 'text',
} as const
export type AttemptRow = RowOf<typeof attemptRow>

/** A delivery's latest attempts, in order. */
export const attemptsOf = async (db: Queries, venue: VenueId, delivery: string): Promise<AttemptRow[]> => {
  const rows = await db.many(sql(attemptRow)`
    select ${columnsOf(attemptRow)} from attempt
     where venue_id = ${venue} and delivery_id = ${delivery}
     order by started_at desc, token
     limit ${limits.attemptsShown}`)
  return rows.toReversed()
}

/** Whether the venue has this endpoint; hooks have no log here. */
export const isEndpoint = async (db: Queries, venue: VenueId, id: string): Promise<boolean> =>
  (await db.maybe(sql({ id: 'uuid' })`
    select id from webhook_endpoint where venue_id = ${venue} and id = ${id} and kind = 'webhook'`)) !==
  undefined

const shownFirst = { id: 'uuid', event_id: 'int8' } as const

/** The columns of a delivery `d` apart from its ids, in the order of `deliveryRow`. */
const shown = (now: Temporal.Instant): Fragment => part`
  coalesce(d.name, v.name) as name, ${eventHeadColumns}, d.occurred_at, d.due_at, d.done_at, d.outcome,
  d.lease_token is not null and d.due_at > ${now} as is_underway, t.tries, t.last_result`

const beside = (venue: VenueId): Fragment => part`
  join event v on v.venue_id = ${venue} and v.id = d.event_id
  left join lateral (
    select count(*)::int4 as tries, (array_agg(a.result order by a.started_at desc))[1] as last_result
      from attempt a where a.venue_id = ${venue} and a.delivery_id = d.id) t on true`

/** Written into statements, because a generic plan would not fit this number. */
const looksOfPage = fragment(String(limits.looksOfPage))
const pageMost = (limit: number): Fragment =>
  fragment(String((limit <= limits.listDefault ? limits.listDefault : limits.listMost) + 1))

/** One bounded subquery per index: finished deliveries by outcome, pending ones in their two queues. */
const lookedAt = (
  venue: VenueId,
  endpoint: string,
  { statuses, since, until, after }: LogAsked,
  most: Fragment,
): Fragment => {
  const among = joined(
    [
      ...(since ? [part`and occurred_at >= ${since}`] : []),
      ...(until ? [part`and occurred_at < ${until}`] : []),
      ...(after ? [part`and (occurred_at, event_id) < (${after[0]}, ${after[1]})`] : []),
    ],
    ' ',
  )
  const lines = statuses.flatMap((status) =>
    status === 'waiting' ? waitingLines : [part`done_at is not null and outcome = ${status}`],
  )
  const parts = lines.map(
    (line) => part`
    (select * from delivery
      where venue_id = ${venue} and endpoint_id = ${endpoint} and ${line} ${among}
      order by occurred_at desc, event_id desc limit ${most})`,
  )
  return part`select * from (${joined(parts, ' union all ')}) as p order by occurred_at desc, event_id desc limit ${most}`
}

const waitingLines = [fragment('done_at is null and tries = 0'), fragment('done_at is null and tries > 0')]

/** A row from the previous release has no name of its own and uses its event's. */
const goingUnder = (venue: VenueId, names: readonly EventName[]): Fragment => part`
  where coalesce(l.name, (
    select w.name from event w where w.venue_id = ${venue} and w.id = l.event_id)) = any(${names})`

/** The last row examined, if there may be more after it. */
const lastLooked = (
  db: Queries,
  venue: VenueId,
  looked: Fragment,
): Promise<{ occurred_at: string; event_id: number } | undefined> =>
  db.maybe(
    seldom(sql({ occurred_at: 'timestamptz', event_id: 'int8' })`
    select l.occurred_at, l.event_id from (${looked}) as l
     where l.venue_id = ${venue}
     order by l.occurred_at desc, l.event_id desc offset ${limits.looksOfPage - 1} limit 1`),
  )
