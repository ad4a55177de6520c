import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import { leaseSeconds } from './checkout-store.ts'
import type { ProcessorCall } from './processor.ts'

/*
 * What the processor called about. Calls come late, twice, in any order and before the answer that names their object, so
 * a call only says what to look at; it waits until that is known, for a while.
 */

/** Once for each of its events, or for what was found to look at again. */
export const keepCall = (
  db: Queries,
  venue: VenueId,
  account: string,
  { eventRef, kind, objectRef }: Omit<ProcessorCall, 'live'>,
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

/**
 * What was called about is looked at now, before anything else that is due. First the calls, then what they are about: one that
 * comes in between is for the next time.
 */
export const hurryCalled = async (db: Queries, venue: VenueId, now: Temporal.Instant): Promise<void> => {
  // What nobody knows after an hour is the venue's other business. Refunds and disputes are looked at until they are known.
  // A dispute whose loss was written here may be won, and lost once more: its calls are looked at, not answered by that row.
  const called = await db.many(sql({ object_ref: 'text' })`
    update processor_event e set looked_at = ${now}
     where e.venue_id = ${venue} and e.looked_at is null
       and not exists (
         select from refund r
          where r.venue_id = ${venue} and r.processor_ref = e.object_ref and r.state = 'succeeded')
       and (e.at < ${now.subtract({ hours: 1 })} and e.kind not like 'refund.%' and e.kind not like 'charge.dispute.%'
         or exists (select from checkout c where c.venue_id = ${venue} and c.session_ref = e.object_ref)
         or e.kind not like 'charge.dispute.%'
           and exists (select from refund r where r.venue_id = ${venue} and r.processor_ref = e.object_ref))
    returning e.object_ref`)
  if (called.length === 0) return
  const refs = called.map(({ object_ref }) => object_ref)
  await db.run(sql()`
    update checkout set look_at = made_at
     where venue_id = ${venue} and session_ref = any(${refs})
       and (state in ('made', 'opening', 'open', 'ended') or state = 'completed' and look_at is not null)`)
  await db.run(sql()`
    update refund set look_at = made_at
     where venue_id = ${venue} and processor_ref = any(${refs}) and state = 'pending'`)
}

const calledAbout = {
  event_ref: 'text',
  account_id: 'uuid',
  kind: 'text',
  object_ref: 'text',
  at: 'timestamptz',
} as const
export type CalledAbout = RowOf<typeof calledAbout>

/** Venues with calls about refunds that nobody knows, or about disputes. */
export const venuesWithOtherCalls = async (db: Queries, now: Temporal.Instant): Promise<VenueId[]> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from processor_event
     where looked_at is null and (look_at is null or look_at <= ${now})
       and (kind like 'refund.%' or kind like 'charge.dispute.%')`)
  return rows.map(({ venue_id }) => venue_id as VenueId)
}

/**
 * Takes one of them for as long as a lease, the first that came: a refund and a dispute of one payment share what is left of it.
 * Two workers may look at one object at once: its row is locked when they write, and an earlier look writes nothing over a later.
 */
export const takeCall = (
  db: Queries,
  venue: VenueId,
  now: Temporal.Instant,
): Promise<CalledAbout | undefined> =>
  db.maybe(sql(calledAbout)`
    update processor_event set look_at = ${now.add({ seconds: leaseSeconds })}
     where venue_id = ${venue} and event_ref = (
       select e.event_ref from processor_event e
        where e.venue_id = ${venue} and e.looked_at is null and (e.look_at is null or e.look_at <= ${now})
          and (e.kind like 'charge.dispute.%' or e.kind like 'refund.%' and not exists (
            select from refund r where r.venue_id = ${venue} and r.processor_ref = e.object_ref))
        order by e.at, e.event_ref limit 1 for update skip locked)
    returning ${columnsOf(calledAbout)}`)

/** It is looked at again then. */
export const putOffCall = (
  db: Queries,
  venue: VenueId,
  eventRef: string,
  lookAt: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update processor_event set look_at = ${lookAt} where venue_id = ${venue} and event_ref = ${eventRef}`)

/** What was called about is known as it was at that moment: a call that came later may be about more. */
export const answerCalls = (
  db: Queries,
  venue: VenueId,
  objectRef: string,
  lookedAt: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update processor_event set looked_at = ${lookedAt}
     where venue_id = ${venue} and object_ref = ${objectRef} and looked_at is null and at <= ${lookedAt}`)

/** Kept for 30 days. */
export const forgetCalls = (db: Queries, before: Temporal.Instant): Promise<number> =>
  db.run(sql()`delete from processor_event where at < ${before}`)
