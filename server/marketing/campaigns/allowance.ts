import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'

/*
 * The emails a plan includes in a month, counted in the venue's zone. A month's usage is what was sent in it, plus
 * what scheduled and sending campaigns due in it will still send; a send counts in the month it is due.
 */

export type Allowance = {
  readonly included: number
  readonly used: number
  readonly left: number
}

/**
 * How much of the month of `due` is left. The venue's settings row is locked until the transaction ends, so that two
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

/** The same for a page: nothing is locked. */
export const allowanceOf = async (
  db: Queries,
  venue: Venue,
  due: Temporal.Instant,
  now: Temporal.Instant,
): Promise<Allowance> => {
  const month = monthOf(due, venue.timezone)
  const { monthly_emails: included } = await db.one(sql({ monthly_emails: 'int4' })`
    select monthly_emails from venue where id = ${venue.id}`)
  const used = await usedOf(db, venue.id, month, now)
  return { included, used, left: Math.max(0, included - used) }
}

type Month = { readonly from: Temporal.Instant; readonly to: Temporal.Instant }

/** The database's dates end with the year 9999, and so does the last month. */
const endOfTime = Temporal.Instant.from('9999-12-31T23:59:59.999Z')

const monthOf = (moment: Temporal.Instant, zone: string): Month => {
  const first = moment.toZonedDateTimeISO(zone).with({ day: 1 }).startOfDay()
  const to = first.add({ months: 1 }).startOfDay().toInstant()
  return { from: first.toInstant(), to: Temporal.Instant.compare(to, endOfTime) > 0 ? endOfTime : to }
}

/** Locks the venue's email settings, created on first use. */
export const holdMailSettings = async (db: Queries, venue: VenueId): Promise<void> => {
  await db.run(sql()`
    insert into mail_settings (venue_id) values (${venue}) on conflict (venue_id) do nothing`)
  await db.one(sql({ venue_id: 'int8' })`
    select venue_id from mail_settings where venue_id = ${venue} for update`)
}

/**
 * Emails the relay accepted in a month, and those that campaigns due in it will still hand over; what is late goes
 * out now. For a campaign that started and ended in the month the tally says what was sent; copies are counted only
 * for one that crosses its edge. One statement, because between two a copy being sent could be counted in neither.
 */
const usedOf = async (
  db: Queries,
  venue: VenueId,
  { from, to }: Month,
  now: Temporal.Instant,
): Promise<number> => {
  const { whole, over, promised } = await db.one(sql({ whole: 'int8', over: 'int8', promised: 'int8' })`
    select (select coalesce(sum(sent_count), 0)::bigint from campaign
             where venue_id = ${venue} and started_at >= ${from} and started_at < ${to}
               and (finished_at is null or finished_at < ${to})) as whole,
           (select count(*)
              from recipient r join campaign c on c.venue_id = r.venue_id and c.id = r.campaign_id
             where r.venue_id = ${venue} and r.state = 'sent' and r.ended_at >= ${from} and r.ended_at < ${to}
               and c.started_at < ${to} and (c.finished_at is null or c.finished_at >= ${from})
               and not (c.started_at >= ${from} and (c.finished_at is null or c.finished_at < ${to}))) as over,
           (select coalesce(sum(row_count - held_count - sent_count - failed_count - skipped_count), 0)::bigint
              from campaign
             where venue_id = ${venue} and status in ('scheduled', 'sending')
               and greatest(scheduled_at, send_hold_until, ${now}) >= ${from}
               and greatest(scheduled_at, send_hold_until, ${now}) < ${to}) as promised`)
  return whole + over + promised
}
