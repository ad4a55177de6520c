import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import type { Venue, VenueId } from '../../../core/venue/venue.ts'
import { venueOfId } from '../../../core/venue/venues.ts'
import { readAside } from '../content/long-bodies.ts'
import type { MailFacts } from './mail-facts.ts'
import { contentOf, mailVenueOf } from '../content-of.ts'
import { type CampaignRow, recipientsOf } from '../reads.ts'
import { type SenderParts, senderFactsOf } from './sender-facts.ts'
import { lastMonthOf } from './last-month.ts'

const window = { days: 30 } as const

/**
 * The checklist's facts about a campaign. All of them are quick to look up: missing first names were counted with the
 * list, and a send queried the DNS beforehand (`askSender`).
 */
export const mailFactsOf = async (
  db: Queries,
  parts: SenderParts,
  venue: Venue,
  row: CampaignRow,
  { now, leavesAt }: { readonly now: Temporal.Instant; readonly leavesAt: Temporal.Instant | null },
): Promise<MailFacts> => {
  const owner = await venueOfId(db, venue.id)
  if (!owner) throw new Error('a venue at work is not there')
  const content = contentOf(row)
  const mailVenue = mailVenueOf(owner)
  const before = await campaignBefore(db, venue.id, row.id)
  return {
    content,
    venue: mailVenue,
    ...(await readAside(venue.id, content, mailVenue)),
    isTested: row.test_sent_at !== null,
    list:
      row.composed_at === null
        ? null
        : {
            total: recipientsOf(row),
            withoutFirstName: row.nameless_count,
            mailedInLastDay: await mailedInLastDay(db, venue.id, row, now),
            isReliable: row.reliable,
          },
    relay: await senderFactsOf(db, parts, owner, now),
    lastMonth: await lastMonthOf(db, venue.id, now.subtract({ hours: 24 * window.days })),
    lastRecipients: before?.recipients ?? null,
    daysSinceLast:
      before === undefined ? null : Math.floor(now.since(toInstant(before.started_at)).total('days')),
    leavesAt: leavesAt?.toZonedDateTimeISO(venue.timezone) ?? null,
  }
}

const campaignBefore = (db: Queries, venue: VenueId, id: number) =>
  db.maybe(sql({ recipients: 'int4', started_at: 'timestamptz' })`
    select row_count - held_count as recipients, started_at from campaign
     where venue_id = ${venue} and id <> ${id} and started_at is not null
     order by started_at desc limit 1`)

/** Only advice, so it is looked up where it is quick. */
const listToLookThrough = 100_000

const mailedInLastDay = async (
  db: Queries,
  venue: VenueId,
  row: CampaignRow,
  now: Temporal.Instant,
): Promise<number> => {
  if (row.row_count > listToLookThrough) return 0
  const since = now.subtract({ hours: 24 })
  const recent = await db.many(sql({ id: 'int8' })`
    select id from campaign
     where venue_id = ${venue} and id <> ${row.id} and started_at is not null
       and (finished_at is null or finished_at >= ${since})`)
  if (recent.length === 0) return 0
  const { mailed } = await db.one(sql({ mailed: 'int8' })`
    select count(distinct m.subscriber_id) as mailed
      from recipient m join recipient r
        on r.venue_id = m.venue_id and r.campaign_id = ${row.id} and r.subscriber_id = m.subscriber_id
     where m.venue_id = ${venue} and m.campaign_id = any(${recent.map(({ id }) => id)}::bigint[])
       and m.state = 'sent' and m.ended_at >= ${since} and r.state = 'waiting'`)
  return mailed
}
