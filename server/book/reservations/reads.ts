import { limits } from '@venue-data/contract/limits.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, fragment, part, quickRead, sql } from '../../platform/db/sql.ts'
import { statesIn } from '../../core/events/record-states.ts'
import type { Contact } from '../../platform/http/contact-query.ts'
import { prefixEnd, reversed, samePhone, suffixesOf } from '../../platform/kernel/phone.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { keptForUndo } from './freed-places.ts'
import type { Own } from './own.ts'
import type { Bucket, Load } from './rules/facts.ts'
import type { Arrivals } from './rules/load.ts'
import { placedStatuses } from './states.ts'

export const reservationRow = {
  id: 'int8',
  guest_name: 'text?',
  email: 'text?',
  phone: 'text?',
  party_size: 'int4?',
  date: 'date?',
  time: 'time?',
  duration_minutes: 'int4?',
  status: 'text',
  source: 'text',
  booking_type: 'text?',
  notes: 'text?',
  floor_stage: 'text?',
  external_id: 'text?',
  created_at: 'timestamptz',
  checked_in_at: 'timestamptz?',
  cancelled_at: 'timestamptz?',
  cancelled_by: 'text?',
  updated_at: 'timestamptz',
  revision: 'int4',
} as const
export type ReservationRow = RowOf<typeof reservationRow>

export const reservationById = (
  db: Queries,
  venue: VenueId,
  id: number,
): Promise<ReservationRow | undefined> =>
  db.maybe(
    quickRead(sql(reservationRow)`
    select ${columnsOf(reservationRow)} from reservation where venue_id = ${venue} and id = ${id}`),
  )

export const reservationsByIds = (
  db: Queries,
  venue: VenueId,
  ids: readonly number[],
): Promise<ReservationRow[]> =>
  db.many(sql(reservationRow)`
    select ${columnsOf(reservationRow)} from reservation where venue_id = ${venue} and id = any(${ids}::bigint[])`)

export const reservationStates = statesIn(fragment('reservation'))

const foundRow = {
  ...reservationRow,
  email_key: 'text?',
  phone_key: 'text?',
  phone_international: 'bool',
  starts_at: 'timestamptz?',
} as const
export type FoundReservation = RowOf<typeof foundRow>

/** Most bookings searched for one contact; more than any guest makes. */
const mostLookedThrough = 2_000

/**
 * Reservations with the email address or the phone number, in no particular order. Numbers match as in `samePhone`;
 * the statement finds a superset by index.
 */
export const reservationsOfContact = async (
  db: Queries,
  venue: VenueId,
  { emailKey, phone }: Contact,
  date: LocalDate | undefined,
): Promise<FoundReservation[]> => {
  const back = phone && reversed(phone.digits)
  const rows = await db.many(sql(foundRow)`
    with found as (
      select id from reservation where venue_id = ${venue} and email_key = ${emailKey ?? null}
      union
      select id from reservation where venue_id = ${venue} and phone_key = any(${phone ? suffixesOf(phone.digits) : []})
      union
      select id from reservation
       where venue_id = ${venue} and phone_key is not null
         and reverse(phone_key) ~>=~ ${back ?? null} and reverse(phone_key) ~<~ ${back ? prefixEnd(back) : null}
    )
    select ${columnsOf(foundRow, 'r')} from reservation r
      join found on found.id = r.id
     where r.venue_id = ${venue} and (${date ?? null}::date is null or r.date = ${date ?? null}::date)
     order by r.starts_at desc nulls last, r.id desc
     limit ${mostLookedThrough}`)
  return rows.filter(
    (row) =>
      (emailKey !== undefined && row.email_key === emailKey) ||
      (phone !== undefined &&
        row.phone_key !== null &&
        samePhone({ digits: row.phone_key, international: row.phone_international }, phone)),
  )
}

/** The order of a find: upcoming, soonest first; then past, latest first; then those without a date. */
export const upcomingFirst = (rows: readonly FoundReservation[], clock: string): FoundReservation[] => {
  const upcoming = rows.filter((row) => row.starts_at !== null && row.starts_at >= clock)
  const past = rows.filter((row) => row.starts_at !== null && row.starts_at < clock)
  const undated = rows.filter((row) => row.starts_at === null)
  const by =
    (of: (row: FoundReservation) => string, down: 1 | -1) => (a: FoundReservation, b: FoundReservation) =>
      of(a) === of(b) ? down * (a.id - b.id) : down * (of(a) < of(b) ? -1 : 1)
  return [
    ...upcoming.toSorted(by((row) => row.starts_at ?? '', 1)),
    ...past.toSorted(by((row) => row.starts_at ?? '', -1)),
    ...undated.toSorted(by((row) => row.created_at, -1)),
  ].slice(0, limits.reservationFindMost)
}

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

/** Whether a stored reservation may be replayed: it exists and is not cancelled. */
export const reservationStands = async (db: Queries, venue: VenueId, reservation: number): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from reservation where venue_id = ${venue} and id = ${reservation} and status <> 'Cancelled'`)) !==
  undefined

/** Whether the venue has ever had a booking. */
/** Whether a booking was made here, and not imported, before a moment: the venue takes bookings for at least that long. */
export const hasBookedSince = async (
  db: Queries,
  venue: VenueId,
  before: Temporal.Instant,
): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from reservation
     where venue_id = ${venue} and created_at < ${before} and source is distinct from 'import' limit 1`)) !==
  undefined

export const hasReservations = async (db: Queries, venue: VenueId): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`select id from reservation where venue_id = ${venue} limit 1`)) !==
  undefined
