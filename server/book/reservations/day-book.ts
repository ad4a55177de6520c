import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { houseColumns, houseJoins, houseRow } from '../../crm/house/reads.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { bookRow } from '../day/book-row.ts'
import { placed } from '../day/arrivals-reads.ts'

/*
 * The book of one service date, as the office shows it: complete sums, and bookings a page at a time.
 */

/** Bookings per page of the book: more than a full evening at most venues. */
export const bookPageSize = 150

/** What arrives at one minute of a service date, in one status. */
export type BookSum = {
  readonly service_minute: number
  readonly status: string
  readonly covers: number
  readonly parties: number
  /** Of the parties, those that have arrived. */
  readonly arrived: number
}

/** A service date's sums, from which totals and slots are drawn. At most a row for each minute and status. */
export const sumsOfDay = (db: Queries, venue: VenueId, serviceDate: LocalDate): Promise<BookSum[]> =>
  db.many(sql({ service_minute: 'int4', status: 'text', covers: 'int8', parties: 'int8', arrived: 'int8' })`
    select service_minute, status, coalesce(sum(party_size), 0) as covers, count(*) as parties,
           count(checked_in_at) as arrived
      from reservation
     where venue_id = ${venue} and service_date = ${serviceDate} and service_minute is not null
     group by service_minute, status
     order by service_minute`)

/** What is booked on those of these service dates that have bookings: requests count, as they do for pacing. */
export const coversByDay = (
  db: Queries,
  venue: VenueId,
  from: LocalDate,
  to: LocalDate,
): Promise<{ readonly service_date: LocalDate; readonly covers: number; readonly parties: number }[]> =>
  db.many(sql({ service_date: 'date', covers: 'int8', parties: 'int8' })`
    select service_date, coalesce(sum(party_size), 0) as covers, count(*) as parties
      from reservation
     where venue_id = ${venue} and service_date between ${from} and ${to}
       and status in ${placed}
     group by service_date
     order by service_date`)

/** What the floor must know about a booking's guest. For staff only: none of it leaves through the API. */
export const guestColumns = {
  allergies: 'text?',
  seating_preference: 'text?',
  staff_notes: 'text?',
  visit_count: 'int4?',
  last_visit_date: 'date?',
} as const

const dayRow = { ...bookRow, ...guestColumns, ...houseRow } as const
/** A booking as the book shows it. */
export type DayRow = RowOf<typeof dayRow>

/** One page of a service date's bookings in the given statuses, by time. Pages count from 0. */
export const bookingsOfDay = (
  db: Queries,
  venue: VenueId,
  serviceDate: LocalDate,
  {
    statuses,
    page,
    size = bookPageSize,
  }: { readonly statuses: readonly string[]; readonly page: number; readonly size?: number },
): Promise<DayRow[]> =>
  db.many(sql(dayRow)`
    select ${columnsOf(bookRow, 'r')}, ${columnsOf(guestColumns, 'g')}, ${houseColumns(venue)} from reservation r
      left join guest g on g.venue_id = r.venue_id and g.id = r.guest_id ${houseJoins}
     where r.venue_id = ${venue} and r.service_date = ${serviceDate} and r.status = any(${[...statuses]})
     order by r.service_minute, r.id
     limit ${size} offset ${page * size}`)

const changeToAnswer = {
  ...dayRow,
  change_id: 'int8',
  to_date: 'date',
  to_time: 'time',
  to_service_date: 'date',
  to_party_size: 'int4',
} as const
/** A booking that the venue is asked to change, and to what. */
export type ChangeToAnswer = RowOf<typeof changeToAnswer>

/** The changes that wait for an answer, on any day, the next to lapse first; or the one of a booking. */
export const changesToAnswer = (
  db: Queries,
  venue: VenueId,
  now: Temporal.Instant,
  reservation?: number,
): Promise<ChangeToAnswer[]> =>
  db.many(sql(changeToAnswer)`
    select ${columnsOf(bookRow, 'r')}, ${columnsOf(guestColumns, 'g')}, ${houseColumns(venue)}, c.id as change_id, c.date as to_date,
           c.time as to_time, c.service_date as to_service_date, c.party_size as to_party_size
      from reservation_change c
      join reservation r on r.venue_id = c.venue_id and r.id = c.reservation_id
      left join guest g on g.venue_id = r.venue_id and g.id = r.guest_id ${houseJoins}
     where c.venue_id = ${venue} and c.status = 'pending' and c.expires_at > ${now}
       and (${reservation ?? null}::bigint is null or c.reservation_id = ${reservation ?? null}::bigint)
     order by c.expires_at, c.id
     limit ${requestsShown + 1}`)

/** Requests shown at once; the rest follow as these are answered. */
export const requestsShown = 50

/** The unanswered requests, for any day, soonest first. A stale one stays until it is answered or archived. */
export const requestsToAnswer = (db: Queries, venue: VenueId): Promise<DayRow[]> =>
  db.many(sql(dayRow)`
    select ${columnsOf(bookRow, 'r')}, ${columnsOf(guestColumns, 'g')}, ${houseColumns(venue)} from reservation r
      left join guest g on g.venue_id = r.venue_id and g.id = r.guest_id ${houseJoins}
     where r.venue_id = ${venue} and r.status = 'Requested' and r.service_date is not null
       and r.archived_at is null
     order by r.service_date, r.service_minute, r.id
     limit ${requestsShown + 1}`)

/** What must be seen of a party wherever it stands. */
export type MustSee = { readonly allergies: string | null; readonly vip: boolean }

/** Of the bookings of a service date whose guests have something that must be seen, by their ids. */
export const mustSeeOfDay = async (
  db: Queries,
  venue: VenueId,
  serviceDate: LocalDate,
): Promise<ReadonlyMap<number, MustSee>> => {
  const rows = await db.many(sql({ id: 'int8', allergies: 'text?', vip: 'bool' })`
    select r.id, g.allergies, coalesce(gh.vip, false) as vip from reservation r
      join guest g on g.venue_id = r.venue_id and g.id = r.guest_id ${houseJoins}
     where r.venue_id = ${venue} and r.service_date = ${serviceDate} and (g.allergies is not null or gh.vip)`)
  return new Map(rows.map(({ id, ...seen }) => [id, seen]))
}
