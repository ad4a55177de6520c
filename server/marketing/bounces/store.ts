import { campaignForUpdate } from '../campaigns/reads.ts'
import { sentenceOfFailures } from '../campaigns/sending/due.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { noted } from '../../core/events/note-change.ts'
import type { VenueId } from '../../core/venue/venue.ts'

export type KeptBounce = {
  readonly emailKey: string
  readonly kind: 'hard' | 'soft' | 'complaint'
  readonly source: string
  readonly statusCode: string | null
  readonly campaign: number
  readonly subscriber: number
  readonly key: string
}

/** A word of a mail service as a column and its index can hold it: no service sends U+0000, or names as long as this. */
const kept = (word: string): string => word.replaceAll('\0', '').slice(0, 400)

/** False when the same report was kept before. */
export const insertBounce = async (
  db: Queries,
  venue: VenueId,
  { emailKey, kind, source, statusCode, campaign, subscriber, key }: KeptBounce,
  now: Temporal.Instant,
): Promise<boolean> =>
  (await db.run(sql()`
    insert into mail_bounce (
      venue_id, email_key, kind, source, status_code, campaign_id, subscriber_id, report_key, at)
    values (
      ${venue}, ${emailKey}, ${kind}, ${source}, ${statusCode && kept(statusCode)}, ${campaign || null}, ${subscriber},
      ${kept(key)}, ${now})
    on conflict (venue_id, report_key) do nothing`)) === 1

/**
 * Of the last `mails` campaigns that went to somebody, how many came back for a passing reason. The copy of `campaign` is
 * one of them, though its result is not written yet when the relay itself says so.
 */
export const softBouncesAmong = async (
  db: Queries,
  venue: VenueId,
  { campaign, subscriber }: { readonly campaign: number; readonly subscriber: number },
  mails: number,
): Promise<number> =>
  (
    await db.one(sql({ count: 'int8' })`
      select count(*) as count from (
        select r.campaign_id, r.subscriber_id from recipient r
         where r.venue_id = ${venue} and r.subscriber_id = ${subscriber}
           and (r.state in ('sent', 'failed') or r.state = 'wire' and r.campaign_id = ${campaign})
           and r.campaign_id in (
             select c.id from campaign c
              where c.venue_id = ${venue} and c.status <> 'draft' order by c.id desc limit 200)
         order by r.state = 'wire' desc, r.ended_at desc nulls last, r.campaign_id desc limit ${mails}) last
       where exists (
         select from mail_bounce b
          where b.venue_id = ${venue} and b.campaign_id = last.campaign_id
            and b.subscriber_id = last.subscriber_id and b.kind = 'soft')`)
  ).count

/**
 * A copy of which nobody knew whether the relay took it was taken: somebody heard of it. False for any other copy. What
 * the campaign says of its failures is stated again.
 */
export const settleUnknown = async (
  db: Queries,
  venue: VenueId,
  campaign: number,
  subscriber: number,
  now: Temporal.Instant,
): Promise<boolean> => {
  // Nearly every report is about another copy, and needs nothing of the campaign.
  const unknown = await db.maybe(sql({ subscriber_id: 'int8' })`
    select subscriber_id from recipient
     where venue_id = ${venue} and campaign_id = ${campaign} and subscriber_id = ${subscriber}
       and state = 'failed' and why = 'unknown'`)
  if (!unknown) return false
  // The campaign first, then its list, as everywhere.
  const held = await campaignForUpdate(db, venue, campaign)
  const changed = await db.run(sql()`
    update recipient set state = 'sent', why = null, ended_at = ${now}
     where venue_id = ${venue} and campaign_id = ${campaign} and subscriber_id = ${subscriber}
       and state = 'failed' and why = 'unknown'`)
  if (!held || changed === 0) return false
  const failures = await db.many(sql({ why: 'text', people: 'int8' })`
    select why, count(*) as people from recipient
     where venue_id = ${venue} and campaign_id = ${campaign} and state = 'failed' group by why`)
  const lastError =
    held.status !== 'sent'
      ? held.last_error
      : sentenceOfFailures(new Map(failures.map(({ why, people }) => [why, people])))
  await noted(
    db,
    venue,
    'campaign',
    now,
    db.one(sql({ id: 'int8', revision: 'int4' })`
      update campaign set
        sent_count = sent_count + 1, failed_count = failed_count - 1, last_error = ${lastError},
        revision = revision + 1, updated_at = ${now}
       where venue_id = ${venue} and id = ${campaign}
      returning id, revision`),
  )
  return true
}
