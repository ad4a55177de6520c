import { limits } from '@venue-data/contract/limits.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { fragment, sql } from '../../../platform/db/sql.ts'
import { toMoment } from '../../../platform/kernel/time/moment.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { UNANSWERED_TO_SLOW } from '../schedule.ts'
import type { Leased } from './lease.ts'

/** A finished attempt. */
export type Tried = {
  readonly kind: 'tried'
  readonly leased: Leased
  readonly startedAt: Temporal.Instant
  readonly endedAt: Temporal.Instant
  readonly durationMs: number
  /** 0: no answer. */
  readonly statusCode: number
  /** `ok 204`, `HTTP 500`, `timeout`. */
  readonly words: string
  readonly answer: Buffer
  /** How the delivery ended, or when the next attempt is due. */
  readonly next: 'delivered' | 'failed' | 'dropped' | Temporal.Instant
}

/** A delivery that ends without an attempt, or is given back to be taken later. */
export type Untried =
  | { readonly kind: 'ended'; readonly leased: Leased; readonly outcome: 'failed' | 'dropped' }
  | {
      readonly kind: 'given back'
      readonly leased: Leased
      readonly dueAt: Temporal.Instant
      /** When its event left, if nothing was sent: its place in the pace is free again. */
      readonly unsentLeftAt: Temporal.Instant | undefined
    }

export type Result = Tried | Untried

/** The meaning of a run of results for the endpoint; of a venue only results with the same meaning are written together. */
export type Meaning = 'delivered' | 'refused' | 'unanswered'

export const meaningOf = ({ next, statusCode }: Tried): Meaning =>
  next === 'delivered' ? 'delivered' : statusCode === 0 ? 'unanswered' : 'refused'

type Settled = {
  readonly venue_id: number
  readonly id: string
  /** A hook whose owner answered 410. */
  readonly gone_hook: string | null
  /** Its endpoint is off, and the venue's other endpoints have not been notified. */
  readonly is_untold: boolean
}

/* When an endpoint is turned off or slowed down: by the contract, and by the schedule of tries. */
const failuresToDisable = fragment(String(limits.failuresToDisable))
const unansweredToSlow = fragment(String(UNANSWERED_TO_SLOW))
const outcomes = fragment(`case when r.outcome = '' then null else r.outcome end`)

/**
 * Writes attempt results, each only if its lease is still the delivery's, and counts the written ones on the endpoint.
 * A run of failures is one statement, so that among any number of workers exactly one finds the twentieth. A success
 * ends the run; a 410 switches the endpoint off at once. A disabled endpoint still counts but stays off, with its
 * reason. An error response ends a run of silence, because it came quickly, but an endpoint slowed down for silence is
 * trusted again only after a success. The outcome shown as the last is that of the attempt that ended last, even when
 * its result was written before an earlier one's. Safe to repeat: a result is written once.
 * Goes through venues and endpoints by number, as `leaseDeliveries` does.
 * @param given of different venues, those of one venue of one meaning
 */
export const settleTries = (db: Queries, given: readonly Tried[]): Promise<Settled[]> => {
  const results = given.toSorted((a, b) => a.leased.venueId - b.leased.venueId)
  const venues = [...new Set(results.map(({ leased }) => leased.venueId))]
  return db.many(sql({ venue_id: 'int8', id: 'uuid', gone_hook: 'uuid?', is_untold: 'bool' })`
    with told as (
      select * from unnest(
        ${results.map(({ leased }) => leased.venueId)}::bigint[],
        ${results.map(meaningOf)}::text[],
        ${results.map(({ leased }) => leased.id)}::uuid[],
        ${results.map(({ leased }) => leased.token)}::uuid[],
        ${results.map(({ next }) => (typeof next === 'string' ? next : ''))}::text[],
        ${results.map(({ next }) => (typeof next === 'string' ? null : toMoment(next)))}::timestamptz[],
        ${results.map(({ startedAt }) => toMoment(startedAt))}::timestamptz[],
        ${results.map(({ endedAt }) => toMoment(endedAt))}::timestamptz[],
        ${results.map(({ durationMs }) => durationMs)}::int4[],
        ${results.map(({ statusCode }) => statusCode)}::int4[],
        ${results.map(({ words }) => words)}::text[],
        ${results.map(({ answer }) => answer)}::bytea[]
      ) as r (venue_id, meaning, id, token, outcome, next_at, started_at, ended_at, duration_ms, status_code, words, answer)),
    settled as (
      update delivery d
         set tries = d.tries + 1, lease_token = null, due_at = coalesce(r.next_at, d.due_at), outcome = ${outcomes},
             done_at = case when r.next_at is null then r.ended_at end
        from told r
       where d.venue_id = any(${venues}::bigint[]) and d.venue_id = r.venue_id and d.id = r.id and d.lease_token = r.token
         and d.done_at is null
      returning d.venue_id, r.meaning, d.id, d.endpoint_id, r.token, r.started_at, r.ended_at, r.duration_ms, r.status_code, r.words, r.answer),
    logged as (
      insert into attempt (venue_id, delivery_id, token, endpoint_id, started_at, duration_ms, status_code, result, answer)
      select s.venue_id, s.id, s.token, s.endpoint_id, s.started_at, s.duration_ms, s.status_code, s.words, nullif(s.answer, '')
        from settled s),
    counted as (
      update webhook_endpoint e
         set failure_count = case when s.meaning = 'delivered' then 0 else e.failure_count + s.tries end,
             unanswered_count = case
               when s.meaning = 'delivered' then 0
               when s.meaning = 'unanswered' then e.unanswered_count + s.tries
               when e.unanswered_count >= ${unansweredToSlow} then e.unanswered_count
               else 0 end,
             status = case
               when s.gone or (s.meaning <> 'delivered' and e.failure_count + s.tries >= ${failuresToDisable})
               then 'disabled' else e.status end,
             disabled_reason = case
               when e.status = 'disabled' then e.disabled_reason
               when s.gone then 'gone'
               when s.meaning <> 'delivered' and e.failure_count + s.tries >= ${failuresToDisable}
               then 'too-many-failures' end,
             revision = e.revision + case
               when e.status <> 'disabled'
                and (s.gone or (s.meaning <> 'delivered' and e.failure_count + s.tries >= ${failuresToDisable}))
               then 1 else 0 end,
             last_delivery_at = greatest(e.last_delivery_at, s.ended_at),
             last_delivery_status = case when e.last_delivery_at > s.ended_at then e.last_delivery_status else s.words end
        from (
          select venue_id, endpoint_id, max(meaning) as meaning, count(*)::int4 as tries, bool_or(status_code = 410) as gone,
                 max(ended_at) as ended_at, (array_agg(words order by ended_at desc))[1] as words
            from settled group by venue_id, endpoint_id order by venue_id, endpoint_id) s
       where e.venue_id = any(${venues}::bigint[]) and e.venue_id = s.venue_id and e.id = s.endpoint_id
      returning e.venue_id, e.id, e.kind, e.disabled_reason, e.off_told)
    select s.venue_id, s.id, case when c.kind = 'hook' and c.disabled_reason = 'gone' then c.id end as gone_hook,
           coalesce(c.kind = 'webhook' and c.disabled_reason is not null and not c.off_told, false) as is_untold
      from settled s left join counted c on c.venue_id = s.venue_id and c.id = s.endpoint_id`)
}

/** Ends or gives back deliveries that were taken but not attempted. */
export const settleUntried = (
  db: Queries,
  venue: VenueId,
  results: readonly Untried[],
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update delivery d
       set lease_token = null, due_at = coalesce(r.due_at, d.due_at), outcome = ${outcomes},
           done_at = case when r.due_at is null then ${now}::timestamptz end
      from unnest(
        ${results.map(({ leased }) => leased.id)}::uuid[],
        ${results.map(({ leased }) => leased.token)}::uuid[],
        ${results.map((result) => (result.kind === 'ended' ? result.outcome : ''))}::text[],
        ${results.map((result) => (result.kind === 'ended' ? null : toMoment(result.dueAt)))}::timestamptz[]
      ) as r (id, token, outcome, due_at)
     where d.venue_id = ${venue} and d.id = r.id and d.lease_token = r.token and d.done_at is null`)

/**
 * Frees the pace's places of events that were counted as leaving but were not sent. An event that has left again since,
 * or may have left for another endpoint, keeps its place. Safe to repeat.
 */
export const freePlaces = (db: Queries, venue: VenueId, results: readonly Untried[]): Promise<number> => {
  const unsent = results.flatMap((result) =>
    result.kind === 'given back' && result.unsentLeftAt
      ? [{ event: result.leased.event_id, leftAt: toMoment(result.unsentLeftAt) }]
      : [],
  )
  if (unsent.length === 0) return Promise.resolve(0)
  return db.run(sql()`
    update event v set left_at = null
      from unnest(
        ${unsent.map(({ event }) => event)}::bigint[], ${unsent.map(({ leftAt }) => leftAt)}::timestamptz[]
      ) as u (event_id, left_at)
     where v.venue_id = ${venue} and v.id = u.event_id and v.left_at = u.left_at
       and not exists (
         select from delivery d where d.venue_id = ${venue} and d.event_id = v.id
            and (d.lease_token is not null or d.tries > 0 or d.takeovers > 0
              or exists (select from attempt a where a.venue_id = ${venue} and a.delivery_id = d.id)))`)
}

/** Removes a hook whose receiver answered 410. Safe to repeat. */
export const removeGoneHooks = (db: Queries, venue: VenueId): Promise<number> =>
  db.run(sql()`
    delete from webhook_endpoint where venue_id = ${venue} and kind = 'hook' and disabled_reason = 'gone'`)
