import type { Database, Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { noteChange } from '../../../core/events/note-change.ts'
import type { VenueId } from '../../../core/venue/venue.ts'

/** Keeps counting: this process is alive. */
export const beat = (db: Queries, boot: string): Promise<number> =>
  db.run(sql()`
    insert into mail_process (boot, beats) values (${boot}, 1)
    on conflict (boot) do update set beats = mail_process.beats + 1`)

export const forgetProcess = (db: Queries, boot: string): Promise<number> =>
  db.run(sql()`delete from mail_process where boot = ${boot}`)

const processes = (db: Queries): Promise<{ boot: string; beats: number }[]> =>
  db.many(sql({ boot: 'uuid', beats: 'int8' })`select boot, beats from mail_process`)

/**
 * Watches the other processes; each look names those whose count has not changed for `goneAfterMs` of our own time.
 */
export const watchProcesses = (own: string, goneAfterMs: number) => {
  const seen = new Map<string, { readonly beats: number; readonly sinceMs: number }>()
  return async (db: Queries): Promise<string[]> => {
    const others = (await processes(db)).filter(({ boot }) => boot !== own)
    // Only now: what counted while we waited for the answer has counted.
    const nowMs = performance.now()
    for (const { boot, beats } of others) {
      if (seen.get(boot)?.beats !== beats) seen.set(boot, { beats, sinceMs: nowMs })
    }
    const known = new Set(others.map(({ boot }) => boot))
    for (const boot of seen.keys()) if (!known.has(boot)) seen.delete(boot)
    return [...seen].filter(([, { sinceMs }]) => nowMs - sinceMs >= goneAfterMs).map(([boot]) => boot)
  }
}

/**
 * Campaigns with copies whose lease is over or whose process is gone. Few copies are in a process's hands at once.
 */
export const campaignsLeftBehind = async (
  db: Queries,
  gone: readonly string[],
  now: Temporal.Instant,
): Promise<{ readonly venue_id: VenueId; readonly campaign_id: number }[]> =>
  (await db.many(sql({ venue_id: 'int8', campaign_id: 'int8' })`
    select distinct venue_id, campaign_id from recipient
     where state in ('claimed', 'wire') and (lease_until <= ${now} or claim = any(${gone}::uuid[])) limit 1000`)) as {
    venue_id: VenueId
    campaign_id: number
  }[]

/**
 * Takes over what a process left behind: a claimed copy was never handed to the relay and goes back to waiting; one
 * on the wire may have arrived and is never sent again automatically.
 */
export const takeOver = (
  db: Database,
  venue: VenueId,
  campaign: number,
  gone: readonly string[],
  now: Temporal.Instant,
): Promise<{ state: string }[]> =>
  db.transaction(async (connection) => {
    const queries = connection.within(venue)
    const taken = await queries.many(sql({ state: 'text', revision: 'int4?' })`
      with held as (
        select id, status from campaign where venue_id = ${venue} and id = ${campaign} for no key update),
      left_behind as (
        update recipient r
           set state = case when r.state = 'wire' then 'failed' when held.status = 'sending' then 'waiting' else 'skipped' end,
               why = case when r.state = 'wire' then 'unknown' when held.status <> 'sending' then 'cancelled' end,
               answer = case when r.state = 'wire' then 'the process that was sending it ended' else r.answer end,
               ended_at = case when r.state = 'wire' or held.status <> 'sending' then ${now}::timestamptz end,
               claim = null, lease_until = null
          from held
         where r.venue_id = ${venue} and r.campaign_id = ${campaign} and r.state in ('claimed', 'wire')
           and (r.lease_until <= ${now} or r.claim = any(${gone}::uuid[]))
        returning r.state, r.first_tried_at),
      tallied as (
        update campaign c
           set failed_count = c.failed_count + l.failed, skipped_count = c.skipped_count + l.skipped,
               started_at = coalesce(c.started_at, l.handed_at), revision = c.revision + 1, updated_at = ${now}
          from (select count(*) filter (where state = 'failed')::int4 as failed,
                       count(*) filter (where state = 'skipped')::int4 as skipped,
                       min(first_tried_at) filter (where state = 'failed') as handed_at from left_behind) l
         where c.venue_id = ${venue} and c.id = ${campaign} and l.failed + l.skipped > 0
        returning c.revision)
      select state, revision from left_behind left join tallied on true`)
    const revision = taken[0]?.revision
    if (typeof revision === 'number')
      noteChange(queries, venue, { kind: 'campaign', id: campaign, revision }, now)
    return taken
  })
