import type { Database, Queries } from '../../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../../platform/db/sql.ts'
import { noted } from '../../../core/events/note-change.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { campaignForUpdate } from '../reads.ts'
import { campaignMoves } from '../states.ts'
import { whyMissed } from '../reasons-to-wait.ts'
import { writeCancelled } from '../writes.ts'
import { changeCampaign, changedRow, recordCampaignEvents } from './change-campaign.ts'
import { sendingLimits } from './limits.ts'

const dueRow = {
  venue_id: 'int8',
  id: 'int8',
  status: 'text',
  scheduled_at: 'timestamptz',
} as const
export type DueCampaign = Omit<RowOf<typeof dueRow>, 'venue_id'> & { readonly venue_id: VenueId }

/** Campaigns of all venues that are due and whose hold is over. */
export const dueCampaigns = async (db: Queries, now: Temporal.Instant): Promise<DueCampaign[]> =>
  (await db.many(sql(dueRow)`
    select venue_id, id, status, scheduled_at from campaign
     where status in ('scheduled', 'sending') and scheduled_at <= ${now}
       and (send_hold_until is null or send_hold_until <= ${now})
     order by scheduled_at, venue_id, id limit ${sendingLimits.campaignsOfLook}`)) as DueCampaign[]

/** Campaigns of all venues that have copies to send, now or later; `pending` copies each. */
export const campaignsToCome = async (
  db: Queries,
): Promise<(DueCampaign & { readonly name: string; readonly pending: number })[]> =>
  (await db.many(sql({ ...dueRow, name: 'text', pending: 'int4' })`
    select venue_id, id, status, scheduled_at, name,
           row_count - held_count - sent_count - failed_count - skipped_count as pending
      from campaign where status in ('scheduled', 'sending')
     order by scheduled_at, venue_id, id limit ${sendingLimits.campaignsOfLook}`)) as (DueCampaign & {
    readonly name: string
    readonly pending: number
  })[]

/** When the next campaign that is not due yet will be, over all venues; undefined: none is planned. */
export const nextCampaign = async (
  db: Queries,
  now: Temporal.Instant,
): Promise<Temporal.Instant | undefined> => {
  const { at } = await db.one(sql({ at: 'timestamptz?' })`
    select min(greatest(scheduled_at, send_hold_until)) as at from campaign
     where status in ('scheduled', 'sending') and greatest(scheduled_at, send_hold_until) > ${now}`)
  return at === null ? undefined : Temporal.Instant.from(at)
}

export const pausedVenues = async (db: Queries, venues: readonly VenueId[]): Promise<ReadonlySet<number>> =>
  venues.length === 0
    ? new Set()
    : new Set(
        (
          await db.many(sql({ id: 'int8' })`
            select id from venue where id = any(${venues}::bigint[]) and paused`)
        ).map(({ id }) => id),
      )

/** Whether a campaign that has not started is too late to be sent. */
export const isMissed = ({ scheduled_at }: DueCampaign, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(
    Temporal.Instant.from(scheduled_at).add({ hours: sendingLimits.missedAfterHours }),
    now,
  ) < 0

/** False: it was cancelled, held or started in the meantime. */
export const beginCampaign = (
  db: Database,
  venue: VenueId,
  campaign: number,
  now: Temporal.Instant,
): Promise<boolean> =>
  changeCampaign(
    db,
    venue,
    now,
    (queries) =>
      queries.maybe(sql(changedRow)`
      update campaign set status = 'sending', updated_at = ${now}, version = version + 1, revision = revision + 1
       where venue_id = ${venue} and id = ${campaign} and status = 'scheduled' and scheduled_at <= ${now}
         and (send_hold_until is null or send_hold_until <= ${now})
      returning ${columnsOf(changedRow)}`),
    campaignMoves.start.names,
  )

/** Its time passed while nothing could be sent: yesterday's announcement helps nobody. Nobody is mailed. */
export const missCampaign = (
  db: Database,
  venue: VenueId,
  campaign: number,
  now: Temporal.Instant,
): Promise<boolean> =>
  // A list may be long, and all of it is skipped at once.
  db.longTransaction(venue, async (connection) => {
    const queries = connection.within(venue)
    const row = await campaignForUpdate(queries, venue, campaign)
    if (row?.status !== 'scheduled') return false
    await writeCancelled(queries, venue, campaign, now)
    await queries.run(sql()`
      update campaign set last_error = ${missedSentence(row.last_error)} where venue_id = ${venue} and id = ${campaign}`)
    await recordCampaignEvents(queries, venue, campaign, campaignMoves.miss.names, now)
    return true
  })

const missedSentence = (lastError: string): string =>
  `It missed its time: ${whyMissed(lastError)}, and it was more than six hours late when it could have started.`

/** Ends a campaign with nothing waiting, claimed or on the wire. False: there is something left, or it has ended. */
export const finishCampaign = (
  db: Database,
  venue: VenueId,
  campaign: number,
  now: Temporal.Instant,
): Promise<boolean> =>
  db.transaction(async (connection) => {
    const queries = connection.within(venue)
    const failed = await finish(queries, venue, campaign, now)
    if (failed !== undefined && failed > 0) await tellFailures(queries, venue, campaign)
    if (failed !== undefined)
      await recordCampaignEvents(queries, venue, campaign, campaignMoves.finish.names, now)
    return failed !== undefined
  })

/** How many failed; undefined when it has not ended. */
const finish = async (
  db: Queries,
  venue: VenueId,
  campaign: number,
  now: Temporal.Instant,
): Promise<number | undefined> =>
  (
    await noted(
      db,
      venue,
      'campaign',
      now,
      db.maybe(sql({ ...changedRow, failed_count: 'int4' })`
    update campaign c
       set status = 'sent', finished_at = ${now}, updated_at = ${now}, version = version + 1, revision = revision + 1,
           send_hold_until = null, last_error = ''
     where c.venue_id = ${venue} and c.id = ${campaign} and c.status = 'sending'
       and not exists (select from recipient r where r.venue_id = ${venue} and r.campaign_id = ${campaign} and r.state = 'waiting')
       and not exists (
         select from recipient r where r.venue_id = ${venue} and r.campaign_id = ${campaign} and r.state in ('claimed', 'wire'))
    returning c.id, c.revision, c.failed_count`),
    )
  )?.failed_count

/** When the next of its waiting copies is due. */
export const nextDue = async (
  db: Queries,
  venue: VenueId,
  campaign: number,
): Promise<Temporal.Instant | undefined> => {
  const row = await db.maybe(sql({ due_at: 'timestamptz' })`
    select due_at from recipient
     where venue_id = ${venue} and campaign_id = ${campaign} and state = 'waiting' order by due_at limit 1`)
  return row && Temporal.Instant.from(row.due_at)
}

const tellFailures = async (db: Queries, venue: VenueId, campaign: number): Promise<void> => {
  const rows = await db.many(sql({ why: 'text', count: 'int4' })`
    select why, count(*)::int4 as count from recipient
     where venue_id = ${venue} and campaign_id = ${campaign} and state = 'failed' group by why`)
  await db.run(sql()`
    update campaign set last_error = ${sentenceOfFailures(new Map(rows.map(({ why, count }) => [why, count])))}
     where venue_id = ${venue} and id = ${campaign} and status = 'sent'`)
}

/** `3 people may not have received it: 2 were refused permanently, 1 has an unknown outcome.` Empty if there are no such people. */
export const sentenceOfFailures = (counts: ReadonlyMap<string, number>): string => {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const parts = Object.entries(failureWords).flatMap(([why, [one, many]]) => {
    const count = counts.get(why) ?? 0
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
  })
  if (all === 0) return ''
  return `${all === 1 ? '1 person' : `${all} people`} may not have received it: ${parts.join(', ')}.`
}

const failureWords: Readonly<Record<string, readonly [one: string, many: string]>> = {
  permanent: ['was refused permanently', 'were refused permanently'],
  'used-up': ['was given up after a day of attempts', 'were given up after a day of attempts'],
  unknown: ['has an unknown outcome', 'have an unknown outcome'],
}
