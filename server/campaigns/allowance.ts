import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import { toInstant } from '../kernel/moment.ts'
import type { Venue, VenueId } from '../venue/venue.ts'
import type { CampaignRow } from './reads.ts'

/*
 * The e-mails a plan includes in a month, counted in the venue's zone. Used of a month is what was sent in it, and what
 * scheduled and sending campaigns that are due in it still will send; a send is judged by the month it is due in.
 */

export type Allowance = {
  readonly included: number
  readonly used: number
  readonly left: number
}

/**
 * How much of the month of `due` is left. The venue's row of settings is held until the transaction ends, so that two
 * sends are counted one after the other.
 */
export const allowanceForUpdate = async (
  db: Queries,
  venue: Venue,
  due: Temporal.Instant,
  now: Temporal.Instant,
): Promise<Allowance> => {
  await holdMailSettings(db, venue.id)
  return allowanceOf(db, venue, due, now)
}

/** The same for a page: nothing is held. */
export const allowanceOf = async (
  db: Queries,
  venue: Venue,
  due: Temporal.Instant,
  now: Temporal.Instant,
): Promise<Allowance> => {
  const month = monthOf(due, venue.timezone)
  const { monthly_emails: included } = await db.one(sql({ monthly_emails: 'int4' })`
    select monthly_emails from venue where id = ${venue.id}`)
  const sent = await sentWithin(db, venue.id, month)
  const running = await campaignsToSend(db, venue.id)
  const promised = running
    // What is late goes out now.
    .filter(({ due_at }) => isWithin(later(due_at === null ? now : toInstant(due_at), now), month))
    .reduce((sum, { pending }) => sum + pending, 0)
  const used = sent + promised
  return { included, used, left: Math.max(0, included - used) }
}

type Month = { readonly from: Temporal.Instant; readonly to: Temporal.Instant }

const monthOf = (moment: Temporal.Instant, zone: string): Month => {
  const first = moment.toZonedDateTimeISO(zone).with({ day: 1 }).startOfDay()
  return { from: first.toInstant(), to: first.add({ months: 1 }).startOfDay().toInstant() }
}

const isWithin = (moment: Temporal.Instant, { from, to }: Month): boolean =>
  Temporal.Instant.compare(moment, from) >= 0 && Temporal.Instant.compare(moment, to) < 0

const later = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.compare(one, other) > 0 ? one : other

/** Holds the venue's settings of mail, made on first use. */
export const holdMailSettings = async (db: Queries, venue: VenueId): Promise<void> => {
  await db.run(sql()`
    insert into mail_settings (venue_id) values (${venue}) on conflict (venue_id) do nothing`)
  await db.one(sql({ venue_id: 'int8' })`
    select venue_id from mail_settings where venue_id = ${venue} for update`)
}

/**
 * Mails the relay took in a month. Of a campaign that began and ended in it the tally says so; only of one that ran
 * over its edge the copies are counted.
 */
const sentWithin = async (db: Queries, venue: VenueId, { from, to }: Month): Promise<number> => {
  const { n } = await db.one(sql({ n: 'int8' })`
    select coalesce(sum(sent_count), 0)::bigint as n from campaign
     where venue_id = ${venue} and started_at >= ${from} and started_at < ${to}
       and (finished_at is null or finished_at < ${to})`)
  const { over } = await db.one(sql({ over: 'int8' })`
    select count(*) as over
      from recipient r join campaign c on c.venue_id = r.venue_id and c.id = r.campaign_id
     where r.venue_id = ${venue} and r.state = 'sent' and r.ended_at >= ${from} and r.ended_at < ${to}
       and c.started_at < ${to} and (c.finished_at is null or c.finished_at >= ${from})
       and not (c.started_at >= ${from} and (c.finished_at is null or c.finished_at < ${to}))`)
  return n + over
}

const campaignsToSend = (
  db: Queries,
  venue: VenueId,
): Promise<{ due_at: CampaignRow['scheduled_at']; pending: number }[]> =>
  db.many(sql({ due_at: 'timestamptz?', pending: 'int4' })`
    select greatest(scheduled_at, send_hold_until) as due_at,
           row_count - held_count - sent_count - failed_count - skipped_count as pending
      from campaign where venue_id = ${venue} and status in ('scheduled', 'sending')`)
