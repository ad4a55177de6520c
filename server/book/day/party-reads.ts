import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, part, sql } from '../../platform/db/sql.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { keptForUndo } from './freed-places.ts'
import type { Own } from './own-place.ts'
import type { VenueId } from '../../core/venue/venue.ts'

const partyRow = {
  /** What needs the table: a booking, a change that is asked for, a hold, a party that was paged, what a press may want back. */
  kind: 'text',
  id: 'text',
  reservation_id: 'int8?',
  service_date: 'date?',
  starts_at: 'timestamptz',
  /** Where it is not the turn time that decides. */
  ends_at: 'timestamptz?',
  duration_minutes: 'int4?',
  seated_at: 'timestamptz?',
  party_size: 'int4',
  status: 'text',
  is_online: 'bool',
  arrived: 'bool',
  pinned: 'bool',
  tables: 'text[]?',
  /** Staff said that a booking is to be without a table. */
  no_table: 'bool',
  /** Where a booking's party would like to sit. */
  seating: 'text?',
  /** When it needs its table no longer, of what counts for a while. */
  lapses_at: 'timestamptz?',
} as const
export type PartyRow = RowOf<typeof partyRow>

export type PartiesAsked = {
  readonly from: LocalDate
  readonly to: LocalDate
  /** The instants, in milliseconds since 1970, up to which the night before and from which the day after concern them. */
  readonly since: number
  readonly until: number
  readonly now: Temporal.Instant
  readonly own?: Own | undefined
}

/**
 * Who needs a table on these service dates, and who of the dates next to them may still or already be there. What is
 * judged again is not among them, but its booking comes along by its id, in any status, to show what it held, and so do
 * the tables that its party was paged for.
 */
export const partiesBetween = (
  db: Queries,
  venue: VenueId,
  { from, to, since, until, now, own }: PartiesAsked,
): Promise<PartyRow[]> => {
  const before = addDays(from, -1)
  const after = addDays(to, 1)
  const start = Temporal.Instant.fromEpochMilliseconds(since)
  const end = Temporal.Instant.fromEpochMilliseconds(until)
  const reservation = own?.reservation ?? 0
  return db.many(sql(partyRow)`
    select 'booking' as kind, r.id::text as id, r.id as reservation_id, r.service_date, r.starts_at,
           null::timestamptz as ends_at, r.duration_minutes, r.seated_at, r.party_size, r.status,
           r.source in ('automation', 'public') as is_online, r.checked_in_at is not null as arrived,
           coalesce((select bool_or(t.pinned) from reservation_table t
                      where t.venue_id = ${venue} and t.reservation_id = r.id), false) as pinned,
           (select array_agg(t.table_id::text) from reservation_table t
             where t.venue_id = ${venue} and t.reservation_id = r.id) as tables,
           coalesce(h.no_table, false) as no_table, coalesce(h.seating, b.seating) as seating,
           null::timestamptz as lapses_at
      from reservation r
      left join reservation_house h on h.venue_id = r.venue_id and h.id = r.id
      left join guest_booking b on b.venue_id = r.venue_id and b.reservation_id = r.id
     where r.venue_id = ${venue} and r.party_size is not null and r.starts_at is not null
       and (r.id = ${reservation}
            or r.status in ('Requested', 'Confirmed', 'Seated')
               and (r.service_date between ${from} and ${to}
                    or r.service_date = ${before}
                       and (r.status = 'Seated'
                            or r.starts_at + make_interval(mins => coalesce(r.duration_minutes, 1440) + 240) > ${start})
                    or r.service_date = ${after} and r.starts_at < ${end}))
    union all
    select 'change', c.id::text, c.reservation_id, c.service_date, c.starts_at, null, r.duration_minutes, null,
           c.party_size, 'Requested', true, false, false, null, false, null, c.expires_at
      from reservation_change c
      join reservation r on r.venue_id = c.venue_id and r.id = c.reservation_id
     where c.venue_id = ${venue} and c.service_date between ${before} and ${after}
       and c.status = 'pending' and c.expires_at > ${now} and c.reservation_id <> ${reservation}
    union all
    select 'hold', id, null, service_date, starts_at, null, null, null, party_size, 'Requested', true, false, false,
           null, false, null, expires_at
      from booking_hold
     where venue_id = ${venue} and service_date between ${before} and ${after}
       and expires_at > ${now} and id <> ${own?.hold ?? ''}
         and (waitlist_entry_id is null or waitlist_entry_id <> ${own?.entry ?? 0})
    union all
    select 'paged', e.id::text, null, null, min(h.from_moment), max(h.until_moment), null, null,
           coalesce(e.party_size, 1), 'Confirmed', false, true, true, array_agg(h.table_id::text), false, null,
           min(h.expires_at)
      from table_hold h
      join waitlist_entry e on e.venue_id = h.venue_id and e.id = h.waitlist_entry_id
     where h.venue_id = ${venue} and h.expires_at > ${now}
     group by e.id, e.party_size
    ${keptForUndo(
      own,
      part`
    select 'freed', id::text, null, service_date, starts_at, ends_at, null, null, greatest(covers, 1), 'Confirmed', false,
           true, true, tables::text[], false, null, from_moment
      from freed_place
     where venue_id = ${venue} and service_date between ${before} and ${after} and from_moment > ${now}
       and cardinality(tables) > 0`,
    )}`)
}

/**
 * Who had a place on dates that are over, as if they were still to come: to judge which other parties would have had a table. Who reached
 * into them from the night before is not among them.
 */
export const partiesOfPast = (
  db: Queries,
  venue: VenueId,
  dates: readonly LocalDate[],
): Promise<PartyRow[]> =>
  db.many(sql(partyRow)`
    select 'booking' as kind, r.id::text as id, r.id as reservation_id, r.service_date, r.starts_at,
           null::timestamptz as ends_at, r.duration_minutes, null::timestamptz as seated_at, r.party_size,
           'Confirmed' as status, r.source in ('automation', 'public') as is_online, false as arrived, false as pinned,
           (select array_agg(t.table_id::text) from reservation_table t
             where t.venue_id = ${venue} and t.reservation_id = r.id) as tables,
           false as no_table, null::text as seating, null::timestamptz as lapses_at
      from reservation r
     where r.venue_id = ${venue} and r.service_date = any(${[...dates]}::date[])
       and r.status in ('Confirmed', 'Seated', 'Completed', 'No-show')
       and r.party_size is not null and r.starts_at is not null`)
