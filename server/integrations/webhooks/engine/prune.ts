import type { Context } from '../../../context.ts'
import type { Database } from '../../../platform/db/pool.ts'
import { type Statement, sql } from '../../../platform/db/sql.ts'
import { type Moment, toInstant, toMoment } from '../../../platform/kernel/time/moment.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { GIVE_UP_AFTER_HOURS } from '../schedule.ts'
import { engineLimits } from './limits.ts'

/**
 * Deletes expired data: an event's bytes seven days after its last delivery ended, attempt logs after thirty days, and
 * events with their deliveries two days later. Works in small pieces, venue by venue, so that it never blocks anything.
 */
export const prune = async ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> => {
  const now = clock()
  const dataUntil = now.subtract({ hours: 24 * engineLimits.dataKeptDays })
  const logUntil = now.subtract({ hours: 24 * engineLimits.logKeptDays })
  // By then even the last attempt of the newest such event is thirty days old.
  const eventsUntil = logUntil.subtract({ hours: GIVE_UP_AFTER_HOURS })
  await inSlices(db, dataUntil, oldestData, eventsWithOldData, forgetData)
  await inSlices(db, logUntil, oldestAttempt, oldAttempts, forgetAttempts)
  await inSlices(db, eventsUntil, oldestEvent, oldEvents, forgetEvents)
}

type Found = { readonly venue_id: number; readonly id: string; readonly at: Moment }

/** A time range, inclusive at both ends: its rows are adjacent on disk, and nothing else is read. */
type Slice = {
  readonly from: Temporal.Instant
  readonly to: Temporal.Instant
  /** Anything that ended later is kept. */
  readonly until: Temporal.Instant
}

/**
 * Walks time slices from the oldest on, so that nothing is read twice, however much has accumulated. A slice with many
 * rows is followed by a shorter one.
 */
const inSlices = async (
  db: Database,
  until: Temporal.Instant,
  oldest: (until: Temporal.Instant) => Statement<{ at: Moment | null }>,
  find: (slice: Slice) => Statement<Found>,
  forget: (venue: VenueId, ids: readonly string[], slice: Slice) => Statement<unknown>,
): Promise<void> => {
  const { at } = await db.one(oldest(until))
  if (at === null) return
  let from = toInstant(at)
  let sliceMs = firstSliceMs
  while (Temporal.Instant.compare(from, until) <= 0) {
    const slice = { from, to: earlier(from.add({ milliseconds: sliceMs }), until), until }
    const rows = await db.many(find(slice))
    const byVenue = [...Map.groupBy(rows, ({ venue_id }) => venue_id as VenueId)]
    const counts = await db.together((queries) =>
      Promise.all(
        byVenue.map(([venue, some]) => {
          const ids = some.map(({ id }) => id)
          return queries.run(forget(venue, ids, slice))
        }),
      ),
    )
    const gone = counts.reduce((sum, count) => sum + count, 0)
    const last = rows.length < engineLimits.rowsOfSweep ? undefined : rows.at(-1)
    if (!last) from = slice.to.add({ milliseconds: 1 })
    // The last moment may have more rows; it is repeated as long as that makes progress.
    else if (gone > 0 || last.at !== toMoment(from)) from = toInstant(last.at)
    else from = from.add({ milliseconds: 1 })
    sliceMs = last ? Math.max(1, Math.round(sliceMs / 2)) : Math.min(sliceMs * 2, longestSliceMs)
  }
}

const firstSliceMs = 3_600_000
const longestSliceMs = 24 * firstSliceMs

const earlier = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.compare(one, other) < 0 ? one : other

const oldestRow = { at: 'timestamptz?' } as const
const found = { venue_id: 'int8', id: 'text', at: 'timestamptz' } as const

const oldestData = (until: Temporal.Instant) =>
  sql(oldestRow)`select min(occurred_at) as at from event where data is not null and occurred_at <= ${until}`

const eventsWithOldData = ({ from, to, until }: Slice): Statement<Found> => sql(found)`
  select v.venue_id, v.id::text as id, v.occurred_at as at from event v
   where v.data is not null and v.occurred_at >= ${from} and v.occurred_at <= ${to}
     and not exists (
       select from delivery d where d.venue_id = v.venue_id and d.event_id = v.id
          and (d.done_at is null or d.done_at > ${until}))
   order by v.occurred_at limit ${engineLimits.rowsOfSweep}`

const forgetData = (venue: VenueId, ids: readonly string[]) =>
  sql()`update event set data = null, previous = null where venue_id = ${venue} and id = any(${ids}::bigint[])`

const oldestAttempt = (until: Temporal.Instant) =>
  sql(oldestRow)`select min(started_at) as at from attempt where started_at <= ${until}`

const oldAttempts = ({ from, to }: Slice): Statement<Found> => sql(found)`
  select venue_id, delivery_id::text as id, started_at as at from attempt
   where started_at >= ${from} and started_at <= ${to} order by started_at limit ${engineLimits.rowsOfSweep}`

const forgetAttempts = (venue: VenueId, ids: readonly string[], { to }: Slice) =>
  sql()`delete from attempt where venue_id = ${venue} and delivery_id = any(${ids}::uuid[]) and started_at <= ${to}`

const oldestEvent = (until: Temporal.Instant) =>
  sql(oldestRow)`select min(occurred_at) as at from event where occurred_at <= ${until}`

const oldEvents = ({ from, to }: Slice): Statement<Found> => sql(found)`
  select v.venue_id, v.id::text as id, v.occurred_at as at from event v
   where v.occurred_at >= ${from} and v.occurred_at <= ${to}
     and not exists (
       select from delivery d where d.venue_id = v.venue_id and d.event_id = v.id and d.done_at is null)
   order by v.occurred_at limit ${engineLimits.rowsOfSweep}`

/**
 * Deletes events with their deliveries. The event feed remembers the number up to which it has gaps. An event that was
 * never read gets its number on deletion, so that a cursor from before it is not mistaken for one from after it.
 */
const forgetEvents = (venue: VenueId, ids: readonly string[]) =>
  sql()`
    with gone as (
      delete from event where venue_id = ${venue} and id = any(${ids}::bigint[]) returning seq),
    counted as (
      select count(*) filter (where seq is null) as unread, coalesce(max(seq), 0) as last from gone)
    update change_head h
       set event_seq = h.event_seq + c.unread,
           event_gone_seq = greatest(
             h.event_gone_seq, case when c.unread > 0 then h.event_seq + c.unread else c.last end)
      from counted c
     where h.venue_id = ${venue}`
