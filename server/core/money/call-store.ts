import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import type { ProcessorCall } from './processor.ts'

/*
 * What the processor called about. Calls come late, twice, in any order and before the answer that names their object, so
 * a call only says what to look at; it waits until that is known, for a while.
 */

/** Once for each of its events. */
export const keepCall = (
  db: Queries,
  venue: VenueId,
  account: string,
  { eventRef, kind, objectRef }: ProcessorCall,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    insert into processor_event (venue_id, event_ref, account_id, kind, object_ref, at)
    values (${venue}, ${eventRef}, ${account}, ${kind}, ${objectRef}, ${now})
    on conflict (venue_id, event_ref) do nothing`)

export const venuesWithCalls = async (db: Queries): Promise<Set<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from processor_event where looked_at is null`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}

/** What was called about is looked at now, before anything else that is due. */
export const hurryCalled = async (db: Queries, venue: VenueId, now: Temporal.Instant): Promise<void> => {
  await db.run(sql()`
    update checkout c set look_at = c.made_at
      from processor_event e
     where c.venue_id = ${venue} and e.venue_id = ${venue} and e.looked_at is null
       and e.object_ref = c.session_ref and c.state in ('made', 'opening', 'open', 'ended')`)
  await db.run(sql()`
    update refund r set look_at = r.made_at
      from processor_event e
     where r.venue_id = ${venue} and e.venue_id = ${venue} and e.looked_at is null
       and e.object_ref = r.processor_ref and r.state = 'pending'`)
  // What nobody knows after an hour is the venue's other business; a refund that had arrived is waited for until it is known.
  await db.run(sql()`
    update processor_event e set looked_at = ${now}
     where e.venue_id = ${venue} and e.looked_at is null
       and not exists (
         select from refund r
          where r.venue_id = ${venue} and r.processor_ref = e.object_ref and r.state = 'succeeded')
       and (e.at < ${now.subtract({ hours: 1 })}
         or exists (select from checkout c where c.venue_id = ${venue} and c.session_ref = e.object_ref)
         or exists (select from refund r where r.venue_id = ${venue} and r.processor_ref = e.object_ref))`)
}

/** What was called about is known. */
export const answerCalls = (
  db: Queries,
  venue: VenueId,
  objectRef: string,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update processor_event set looked_at = ${now}
     where venue_id = ${venue} and object_ref = ${objectRef} and looked_at is null`)

/** Kept for 30 days. */
export const forgetCalls = (db: Queries, before: Temporal.Instant): Promise<number> =>
  db.run(sql()`delete from processor_event where at < ${before}`)
