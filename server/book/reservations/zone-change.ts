import { markDays } from '../../core/events/mark-past.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, sql } from '../../platform/db/sql.ts'
import { type Moment, toInstant, toMoment } from '../../platform/kernel/time/moment.ts'
import { momentWallReaches, momentsOfWall, wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { inRange } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/*
 * A venue's time zone was corrected: its reservations' wall times are the truth and stay, and the moments derived
 * from them follow. The change of zone is committed before this runs, so that a crash leaves at worst some moments in
 * the old zone; running it again fixes them, and if nothing is left to do nothing is written.
 */

const batchSize = 1_000

/**
 * Makes `starts_at` of every reservation of the venue, past and ahead, agree with the zone the venue has now.
 * Makes two passes: a request admitted before the change may still write with the old zone for as long as a request
 * can last, which `settled` waits for. Returns how many moments changed.
 */
export const followZone = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  venue: VenueId,
  settled: () => Promise<void> = requestsEnd,
): Promise<number> => {
  const changed = await recomputeStarts({ db, clock }, venue)
  await settled()
  return changed + (await recomputeStarts({ db, clock }, venue))
}

const requestsEnd = (): Promise<void> => wait(limits.requestSeconds * 1_000)

const recomputeStarts = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  venue: VenueId,
): Promise<number> => {
  // Read each time: if two change the zone at once, the last pass of both follows the later.
  const { timezone } = await db.one(zoneOf(venue))
  let changed = 0
  for (let after = 0; ;) {
    const rows = await db.many(nextReservations(venue, after))
    const stale = rows.flatMap((row) => {
      const startsAt = startIn(timezone, row)
      return startsAt === row.starts_at ? [] : { ...row, startsAt }
    })
    if (stale.length > 0)
      changed += await db.transaction(async (queries) => {
        const within = queries.within(venue)
        await moveGuarantees(within, venue, stale, timezone)
        const saved = await saveStarts(within, venue, stale)
        await markDays(
          within,
          venue,
          saved.map(({ service_date }) => service_date),
          clock(),
        )
        return saved.length
      })
    if (rows.length < batchSize) return changed
    after = rows.at(-1)?.id ?? after
  }
}

const row = { id: 'int8', date: 'date', time: 'time', starts_at: 'timestamptz?' } as const
type Row = RowOf<typeof row>

/**
 * The moment of a wall time that happens twice stays the later one if it was; one that the zone's clocks skip becomes
 * the moment of the change. One beyond the supported years stays as it was.
 */
const startIn = (zone: string, { date, time, starts_at: before }: Row): Moment | null => {
  const moments = momentsOfWall({ date, time }, zone)
  if (moments && before !== null && toInstant(before).equals(moments.later)) return before
  const moment = inRange(moments?.earlier ?? momentWallReaches({ date, time }, zone))
  return moment ? toMoment(moment) : before
}

const zoneOf = (venue: VenueId) => sql({ timezone: 'text' })`select timezone from venue where id = ${venue}`

const nextReservations = (venue: VenueId, after: number) =>
  sql(row)`
    select id, date, time, starts_at
      from reservation
     where venue_id = ${venue} and id > ${after} and date is not null and time is not null
     order by id
     limit ${batchSize}`

/**
 * What was agreed on moves along, before the bookings do: until when it is free by as much as its booking, and the card goes at
 * four in the morning of the same date. What was told of it follows, as the moments of bookings do.
 */
const moveGuarantees = async (
  db: Queries,
  venue: VenueId,
  stale: readonly (Row & { startsAt: Moment | null })[],
  timezone: string,
): Promise<void> => {
  const found = await db.many(sql({
    id: 'int8',
    reservation_id: 'int8',
    date: 'date',
    time: 'time',
    starts_at: 'timestamptz',
    free_until: 'timestamptz',
    delete_at: 'timestamptz?',
    customer_ref: 'text?',
    status: 'text',
  })`
    select g.id, r.id as reservation_id, r.date, r.time, r.starts_at, g.free_until, g.delete_at, g.customer_ref, g.status
      from reservation r join guarantee g on g.venue_id = r.venue_id and g.reservation_id = r.id
     where r.venue_id = ${venue} and r.id = any(${stale.map(({ id }) => id)}::bigint[])
       and r.date is not null and r.time is not null and r.starts_at is not null
     order by r.id for update of r, g`)
  for (const row of found) {
    const to = stale.find(
      ({ id, date, time }) => id === row.reservation_id && date === row.date && time === row.time,
    )
    if (!to?.startsAt) continue
    const by = toInstant(to.startsAt).since(toInstant(row.starts_at))
    const freeUntil = toInstant(row.free_until).add(by)
    const goes = row.customer_ref === null || row.status === 'released' ? null : row.delete_at
    const deleteAt = goes
      ? momentWallReaches(
          { date: wallTimeOf(toInstant(goes).add(by), timezone).date, time: '04:00' },
          timezone,
        )
      : null
    await db.run(sql()`
      update guarantee set
        free_until = ${freeUntil}, delete_at = coalesce(${deleteAt}, delete_at), look_at = coalesce(${deleteAt}, look_at)
       where venue_id = ${venue} and id = ${row.id}`)
    await db.run(sql()`
      update reservation set guarantee = jsonb_set(guarantee, '{freeUntil}', to_jsonb(${toMoment(freeUntil)}::text))
       where venue_id = ${venue} and id = ${row.reservation_id} and guarantee is not null`)
  }
}

/**
 * One that staff moved to another time in the meantime is left alone: it was written with the new zone, or the second
 * pass sees it.
 */
const saveStarts = (db: Queries, venue: VenueId, stale: readonly (Row & { startsAt: Moment | null })[]) =>
  db.many(sql({ service_date: 'date?' })`
    update reservation r set starts_at = n.starts_at
      from unnest(
             ${stale.map(({ id }) => id)}::bigint[], ${stale.map(({ date }) => date)}::date[],
             ${stale.map(({ time }) => time)}::time[], ${stale.map(({ startsAt }) => startsAt)}::timestamptz[])
           as n (id, date, time, starts_at)
     where r.venue_id = ${venue} and r.id = n.id and r.date = n.date and r.time = n.time
    returning r.service_date`)
