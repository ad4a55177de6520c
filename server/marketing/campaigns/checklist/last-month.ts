import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { MailFacts } from './mail-facts.ts'

/**
 * What happened to a venue's email since a moment. `sent` counts every copy that a campaign at work since then gave
 * to the relay, those it turned away for good among them. A copy counts once, however many reports came of it, and
 * copies of campaigns before do not: their mails would be missing on the other side. A soft bounce does not count
 * here.
 */
export const lastMonthOf = async (
  db: Queries,
  venue: VenueId,
  since: Temporal.Instant,
): Promise<MailFacts['lastMonth']> => {
  const campaigns = await db.many(sql({ id: 'int8', sent_count: 'int4' })`
    select id, sent_count from campaign
     where venue_id = ${venue} and started_at is not null and (finished_at is null or finished_at >= ${since})`)
  const ids = campaigns.map(({ id }) => id)
  const came = await db.one(sql({ bounced: 'int8', complained: 'int8', turned_away: 'int8' })`
    select count(distinct (campaign_id, coalesce(subscriber_id, -id))) filter (where kind = 'hard') as bounced,
           count(distinct (campaign_id, coalesce(subscriber_id, -id)))
             filter (where kind = 'complaint') as complained,
           count(distinct (campaign_id, coalesce(subscriber_id, -id)))
             filter (where source = 'relay' and kind = 'hard') as turned_away
      from mail_bounce
     where venue_id = ${venue} and at >= ${since} and campaign_id = any(${ids}::bigint[])`)
  const sent = campaigns.reduce((sum, { sent_count }) => sum + sent_count, came.turned_away)
  return { sent, bounced: came.bounced, complained: came.complained }
}
