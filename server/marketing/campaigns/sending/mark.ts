import type { Database, Queries } from '../../../platform/db/pool.ts'
import { fragment, sql } from '../../../platform/db/sql.ts'
import { noteChange } from '../../../core/events/note-change.ts'
import { toMoment } from '../../../platform/kernel/time/moment.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { sendingLimits } from './limits.ts'

/** The outcome of a copy that was on the wire. */
export type Result = {
  readonly subscriber: number
  readonly state: 'sent' | 'failed' | 'waiting'
  /** permanent, used-up, unknown; null unless failed. */
  readonly why: string | null
  /** When a waiting one is due again. */
  readonly dueAt: Temporal.Instant
  /** Whether it used up an attempt: the relay was there and was asked to take it. */
  readonly tried: boolean
  readonly answer: string
}

/** Nothing of it was handed to the relay. */
export const untried = (subscriber: number, now: Temporal.Instant): Result => ({
  subscriber,
  state: 'waiting',
  why: null,
  dueAt: now,
  tried: false,
  answer: '',
})

/** A copy to be put on the wire, under its Message-ID. */
export type Leaving = { readonly subscriber: number; readonly messageId: string }

export type Mark = {
  readonly boot: string
  /** Results of the batch before. */
  readonly results: readonly Result[]
  readonly leaving: readonly Leaving[]
}

/**
 * One committed statement between two batches: the results of the previous one, with the tallies, and which copies go
 * on the wire now. Only copies that still belong to this process, and only while the campaign is sending; the others
 * are simply not returned. It is on disk before any of them is handed to the relay. A copy that goes back without a
 * try may also be a claimed one, because nobody knows whether its mark was made. The campaign started when the first
 * copy that used a try went on the wire. An accepted mail clears the last error, unless the campaign has been held
 * since. While it is being sent its counters are noted now and then, not here; once it is cancelled or held nobody
 * else would note what still comes.
 * @returns the copies on the wire, with the Message-ID each keeps forever
 */
export const markBatch = (
  db: Database,
  venue: VenueId,
  campaign: number,
  mark: Mark,
  now: Temporal.Instant,
): Promise<Leaving[]> =>
  db.transaction(async (connection) => {
    const queries = connection.within(venue)
    // Background work does not wait for the disk; here it must, as a forgotten mark would mail somebody twice.
    const [, rows] = await Promise.all([
      queries.run(sql()`set local synchronous_commit = on`),
      writeBatch(queries, venue, campaign, mark, now),
    ])
    const onTheWire: Leaving[] = []
    for (const { subscriber_id: subscriber, message_id: messageId, revision } of rows) {
      if (subscriber !== null && messageId !== null) onTheWire.push({ subscriber, messageId })
      if (revision !== null) noteChange(queries, venue, { kind: 'campaign', id: campaign, revision }, now)
    }
    return onTheWire
  })

/**
 * The state, in words that keep the planner from the index of taken copies: it is small, and while a campaign is sent
 * full of entries of mails long gone. Twenty copies are found by their key.
 */
const stateOf = fragment(`(r.state || '')`)

const writeBatch = (
  db: Queries,
  venue: VenueId,
  campaign: number,
  { boot, results, leaving }: Mark,
  now: Temporal.Instant,
) =>
  db.many(sql({ subscriber_id: 'int8?', message_id: 'text?', revision: 'int4?' })`
    with held as (
      select id, status, status <> 'sending' or coalesce(send_hold_until > ${now}, false) as is_stopped
        from campaign where venue_id = ${venue} and id = ${campaign} for no key update),
    told as (
      select * from unnest(
        ${results.map(({ subscriber }) => subscriber)}::bigint[],
        ${results.map(({ state }) => state)}::text[],
        ${results.map(({ why }) => why)}::text[],
        ${results.map(({ dueAt }) => toMoment(dueAt))}::timestamptz[],
        ${results.map(({ tried }) => (tried ? 1 : 0))}::int4[],
        ${results.map(({ answer }) => answer)}::text[]
      ) as t (subscriber_id, state, why, due_at, tried, answer)),
    ended as (
      update recipient r
         set state = case when t.state = 'waiting' and held.status <> 'sending' then 'skipped' else t.state end,
             why = case when t.state = 'waiting' and held.status <> 'sending' then 'cancelled' else t.why end,
             due_at = t.due_at, tries = r.tries + t.tried, answer = t.answer, claim = null, lease_until = null,
             first_tried_at = case when r.tries + t.tried = 0 then null else r.first_tried_at end,
             ended_at = case when t.state = 'waiting' and held.status = 'sending' then null else ${now}::timestamptz end
        from told t, held
       where r.venue_id = ${venue} and r.campaign_id = ${campaign} and r.subscriber_id = t.subscriber_id
         and r.claim = ${boot}::uuid
         and (${stateOf} = 'wire' or (${stateOf} = 'claimed' and t.state = 'waiting' and t.tried = 0))
      returning r.state, r.first_tried_at, t.tried),
    tallied as (
      update campaign c
         set sent_count = c.sent_count + e.sent, failed_count = c.failed_count + e.failed,
             skipped_count = c.skipped_count + e.skipped, updated_at = ${now},
             revision = c.revision + held.is_stopped::int4,
             started_at = coalesce(c.started_at, e.handed_at),
             send_hold_until = case when e.sent > 0 and c.last_error <> '' and c.send_hold_until <= ${now} then null
               else c.send_hold_until end,
             last_error = case when e.sent > 0 and coalesce(c.send_hold_until <= ${now}, true) then '' else c.last_error end
        from (select count(*) filter (where state = 'sent')::int4 as sent,
                     count(*) filter (where state = 'failed')::int4 as failed,
                     count(*) filter (where state = 'skipped')::int4 as skipped,
                     min(first_tried_at) filter (where tried = 1) as handed_at from ended) e,
             held
       where c.venue_id = ${venue} and c.id = ${campaign} and c.status in ('sending', 'cancelled')
      returning c.revision, held.is_stopped),
    on_wire as (
      update recipient r
         set state = 'wire', lease_until = ${now.add({ milliseconds: sendingLimits.wireLeaseMs })}::timestamptz,
             message_id = coalesce(r.message_id, l.message_id), first_tried_at = coalesce(r.first_tried_at, ${now})
        from held, unnest(
          ${leaving.map(({ subscriber }) => subscriber)}::bigint[],
          ${leaving.map(({ messageId }) => messageId)}::text[]
        ) as l (subscriber_id, message_id)
       where r.venue_id = ${venue} and r.campaign_id = ${campaign} and r.subscriber_id = l.subscriber_id
         and ${stateOf} = 'claimed' and r.claim = ${boot}::uuid and held.status = 'sending'
      returning r.subscriber_id, r.message_id)
    select subscriber_id, message_id, null::int4 as revision from on_wire
    union all
    select null, null, revision from tallied where is_stopped`)
