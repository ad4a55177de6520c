import type { ReservationStatus } from '@venue-data/contract/records/reservation.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { fragment, part, sql } from '../../platform/db/sql.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Bucket, Load } from './facts.ts'
import { keptForUndo } from './freed-places.ts'
import type { Arrivals } from './load.ts'
import type { Own } from './own-place.ts'

/**
 * Statuses in which a booking has its place in the book: its guests count for pacing, from any source, since a request
 * is as real as a seated party; its date, time and size may be edited. The others are undone first.
 */
export const placedStatuses = [
  'Requested',
  'Confirmed',
  'Seated',
  'Completed',
] as const satisfies readonly ReservationStatus[]

/** The statuses that count for pacing. */
export const placed = fragment(`(${placedStatuses.map((status) => `'${status}'`).join(', ')})`)

/** A moment, read after the lock, and what is left out. */
export type LoadAsked = { readonly now: Temporal.Instant; readonly own?: Own | undefined }

/**
 * What already arrives in a bucket. Summed every time, under the day's lock, in its own statement. A change that waits
 * for an answer has its place: of a booking that is in the bucket already, only what it would grow by. So has a hold.
 */
export const loadOfBucket = async (
  db: Queries,
  venue: VenueId,
  { serviceDate, fromMinute, toMinute }: Bucket,
  { now, own }: LoadAsked,
): Promise<Load> => {
  const row = await db.one(sql(loadRow)`
    select coalesce(sum(covers), 0) as covers, coalesce(sum(parties), 0) as parties,
           coalesce(sum(held), 0) as held, count(held) as holds, max(expires_at) filter (where held > 0) as held_until,
           min(expires_at) as lapses_at
      from (
      select party_size as covers, 1 as parties, null::integer as held, null::timestamptz as expires_at from reservation
       where venue_id = ${venue} and service_date = ${serviceDate}
         and service_minute >= ${fromMinute} and service_minute < ${toMinute}
         and status in ${placed} and id <> ${own?.reservation ?? 0}
      union all
      select party_size, 1, party_size, expires_at from booking_hold
       where venue_id = ${venue} and service_date = ${serviceDate}
         and service_minute >= ${fromMinute} and service_minute < ${toMinute}
         and expires_at > ${now} and id <> ${own?.hold ?? ''}
         and (waitlist_entry_id is null or waitlist_entry_id <> ${own?.entry ?? 0})
      union all
      select case when is_within then greatest(party_size - coalesce(own_size, 0), 0) else party_size end,
             case when is_within then 0 else 1 end, null, expires_at
        from (
          select c.party_size, c.expires_at, r.party_size as own_size,
                 r.service_date = ${serviceDate}
                   and r.service_minute >= ${fromMinute} and r.service_minute < ${toMinute} as is_within
            from reservation_change c
            join reservation r on r.venue_id = c.venue_id and r.id = c.reservation_id
           where c.venue_id = ${venue} and c.service_date = ${serviceDate}
             and c.service_minute >= ${fromMinute} and c.service_minute < ${toMinute}
             and c.status = 'pending' and c.expires_at > ${now}
             and c.reservation_id <> ${own?.reservation ?? 0}) asked
      ${keptForUndo(
        own,
        part`
      select covers, 1, null, from_moment from freed_place
       where venue_id = ${venue} and service_date = ${serviceDate}
         and service_minute >= ${fromMinute} and service_minute < ${toMinute} and covers > 0 and from_moment > ${now}`,
      )}) arriving`)
  return {
    covers: row.covers,
    parties: row.parties,
    ...(row.held_until && {
      held: { covers: row.held, parties: row.holds, until: toInstant(row.held_until) },
    }),
    ...(row.lapses_at && { lapsesAt: toInstant(row.lapses_at) }),
  }
}

const loadRow = {
  covers: 'int8',
  parties: 'int8',
  held: 'int8',
  holds: 'int8',
  held_until: 'timestamptz?',
  lapses_at: 'timestamptz?',
} as const

const arrivalsRow = {
  service_date: 'date',
  service_minute: 'int4',
  covers: 'int8',
  parties: 'int8',
  from_date: 'date?',
  from_minute: 'int4?',
  from_covers: 'int4?',
} as const

/**
 * What already arrives at each minute of these service dates: what `loadOfBucket` sums, of every bucket at once. Each
 * change that waits for an answer comes with where its booking is now.
 */
export const arrivalsBetween = async (
  db: Queries,
  venue: VenueId,
  from: LocalDate,
  to: LocalDate,
  { now, own }: LoadAsked,
): Promise<Arrivals[]> => {
  const rows = await db.many(sql(arrivalsRow)`
    select service_date, service_minute, coalesce(sum(party_size), 0) as covers, count(*) as parties,
           null::date as from_date, null::integer as from_minute, null::integer as from_covers
      from reservation
     where venue_id = ${venue} and service_date between ${from} and ${to} and service_minute is not null
       and status in ${placed} and id <> ${own?.reservation ?? 0}
     group by service_date, service_minute
    union all
    select service_date, service_minute, party_size, 1, null, null, null from booking_hold
     where venue_id = ${venue} and service_date between ${from} and ${to}
       and expires_at > ${now} and id <> ${own?.hold ?? ''}
         and (waitlist_entry_id is null or waitlist_entry_id <> ${own?.entry ?? 0})
    union all
    select c.service_date, c.service_minute, c.party_size, 1, r.service_date, r.service_minute, r.party_size
      from reservation_change c
      join reservation r on r.venue_id = c.venue_id and r.id = c.reservation_id
     where c.venue_id = ${venue} and c.service_date between ${from} and ${to}
       and c.status = 'pending' and c.expires_at > ${now} and c.reservation_id <> ${own?.reservation ?? 0}
    ${keptForUndo(
      own,
      part`
    select service_date, service_minute, covers, 1, null, null, null from freed_place
     where venue_id = ${venue} and service_date between ${from} and ${to} and service_minute is not null
       and covers > 0 and from_moment > ${now}`,
    )}`)
  return rows.map((row) => ({
    serviceDate: row.service_date,
    serviceMinute: row.service_minute,
    covers: row.covers,
    parties: row.parties,
    ...(row.from_date !== null &&
      row.from_minute !== null && {
        from: {
          serviceDate: row.from_date,
          serviceMinute: row.from_minute,
          covers: row.from_covers ?? 0,
        },
      }),
  }))
}
