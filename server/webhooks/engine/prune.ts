import type { Context } from '../../context.ts'
import type { Queries } from '../../db/pool.ts'
import { type Statement, sql } from '../../db/sql.ts'
import type { VenueId } from '../../venue/venue.ts'
import { GIVE_UP_AFTER_HOURS } from '../schedule.ts'
import { engineLimits } from './limits.ts'

/**
 * Takes away what has been kept long enough (webhooks.md 3.6): an event's bytes seven days after the end of its last
 * delivery, the log of tries after thirty days, and events with their deliveries two days later. In small pieces,
 * venue by venue, so that it never holds up anything.
 */
export const prune = async ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> => {
  const now = clock()
  const dataUntil = now.subtract({ hours: 24 * engineLimits.dataKeptDays })
  const logUntil = now.subtract({ hours: 24 * engineLimits.logKeptDays })
  // By then even the last try of the youngest such event is thirty days old.
  const eventsUntil = logUntil.subtract({ hours: GIVE_UP_AFTER_HOURS })
  await inPieces(db, eventsWithOldData(dataUntil), (venue, ids) => forgetData(venue, ids))
  await inPieces(db, oldAttempts(logUntil), (venue, ids) => forgetAttempts(venue, ids, logUntil))
  await inPieces(db, oldEvents(eventsUntil), (venue, ids) => forgetEvents(venue, ids))
}

type Found = { readonly venue_id: number; readonly id: string }

const inPieces = async (
  db: Queries,
  find: Statement<Found>,
  forget: (venue: VenueId, ids: readonly string[]) => Statement<unknown>,
): Promise<void> => {
  for (;;) {
    const rows = await db.many(find)
    let gone = 0
    for (const [venue, some] of Map.groupBy(rows, ({ venue_id }) => venue_id as VenueId)) {
      gone += await db.run(
        forget(
          venue,
          some.map(({ id }) => id),
        ),
      )
    }
    if (rows.length < engineLimits.rowsOfSweep || gone === 0) return
  }
}

const found = { venue_id: 'int8', id: 'text' } as const

const eventsWithOldData = (until: Temporal.Instant): Statement<Found> => sql(found)`
  select v.venue_id, v.id::text as id from event v
   where v.data is not null and v.occurred_at <= ${until}
     and not exists (
       select from delivery d where d.venue_id = v.venue_id and d.event_id = v.id
          and (d.done_at is null or d.done_at > ${until}))
   order by v.occurred_at limit ${engineLimits.rowsOfSweep}`

const forgetData = (venue: VenueId, ids: readonly string[]) =>
  sql()`update event set data = null where venue_id = ${venue} and id = any(${ids}::bigint[])`

const oldAttempts = (until: Temporal.Instant): Statement<Found> => sql(found)`
  select venue_id, delivery_id::text as id from attempt
   where started_at <= ${until} order by started_at limit ${engineLimits.rowsOfSweep}`

const forgetAttempts = (venue: VenueId, ids: readonly string[], until: Temporal.Instant) =>
  sql()`
    delete from attempt where venue_id = ${venue} and delivery_id = any(${ids}::uuid[]) and started_at <= ${until}`

const oldEvents = (until: Temporal.Instant): Statement<Found> => sql(found)`
  select v.venue_id, v.id::text as id from event v
   where v.occurred_at <= ${until}
     and not exists (
       select from delivery d where d.venue_id = v.venue_id and d.event_id = v.id and d.done_at is null)
   order by v.occurred_at limit ${engineLimits.rowsOfSweep}`

/** Their deliveries go with them. */
const forgetEvents = (venue: VenueId, ids: readonly string[]) =>
  sql()`delete from event where venue_id = ${venue} and id = any(${ids}::bigint[])`
