import type { Queries } from '../../../platform/db/pool.ts'
import { columnsOf, sql } from '../../../platform/db/sql.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { type HoldId, type HoldRow, holdRow } from './hold-reads.ts'

export type NewHold = {
  readonly id: HoldId
  readonly serviceDate: LocalDate
  readonly serviceMinute: number
  readonly startsAt: Temporal.Instant
  readonly partySize: number
  readonly expiresAt: Temporal.Instant
  /** The key of what was chosen with it. */
  readonly experience?: string | null | undefined
}

/**
 * Writes a hold into one of its holder's places; undefined where that is taken by one that has not expired. Two
 * requests of one holder wait for each other here, so that together they get no more than their places.
 */
export const insertHold = (
  db: Queries,
  venue: VenueId,
  made: NewHold,
  { holder, place }: { readonly holder: string; readonly place: number },
  now: Temporal.Instant,
): Promise<HoldRow | undefined> =>
  db.maybe(sql(holdRow)`
    insert into booking_hold as h (
      venue_id, id, service_date, service_minute, starts_at, party_size, expires_at, holder, place, experience)
    values (
      ${venue}, ${made.id}, ${made.serviceDate}, ${made.serviceMinute}, ${made.startsAt}, ${made.partySize},
      ${made.expiresAt}, ${holder}, ${place}, ${made.experience ?? null})
    on conflict (venue_id, holder, place) do update set
      id = excluded.id, service_date = excluded.service_date, service_minute = excluded.service_minute,
      starts_at = excluded.starts_at, party_size = excluded.party_size, expires_at = excluded.expires_at,
      extended = false, experience = excluded.experience
     where h.expires_at <= ${now}
    returning ${columnsOf(holdRow)}`)

/** Writes a hold of a party on the waitlist, which has no other. */
export const insertOffer = (db: Queries, venue: VenueId, made: NewHold, entry: number): Promise<HoldRow> =>
  db.one(sql(holdRow)`
    insert into booking_hold (
      venue_id, id, service_date, service_minute, starts_at, party_size, expires_at, waitlist_entry_id)
    values (
      ${venue}, ${made.id}, ${made.serviceDate}, ${made.serviceMinute}, ${made.startsAt}, ${made.partySize},
      ${made.expiresAt}, ${entry})
    returning ${columnsOf(holdRow)}`)

/** Lets it run until another moment. Undefined when it is gone. */
export const prolongHold = (
  db: Queries,
  venue: VenueId,
  id: HoldId,
  expiresAt: Temporal.Instant,
): Promise<HoldRow | undefined> =>
  db.maybe(sql(holdRow)`
    update booking_hold set expires_at = ${expiresAt}, extended = true
     where venue_id = ${venue} and id = ${id} and not extended
    returning ${columnsOf(holdRow)}`)

/** Holds it for a checkout, for as long as that can be paid. */
export const moveHoldEnd = (
  db: Queries,
  venue: VenueId,
  id: HoldId,
  expiresAt: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update booking_hold set expires_at = ${expiresAt} where venue_id = ${venue} and id = ${id}`)

/** Removes a hold, used or given up; undefined when it is gone. */
export const deleteHold = (db: Queries, venue: VenueId, id: HoldId): Promise<HoldRow | undefined> =>
  db.maybe(sql(holdRow)`
    delete from booking_hold where venue_id = ${venue} and id = ${id} returning ${columnsOf(holdRow)}`)

/** Removes what is held for a party on the waitlist. */
export const deleteOffer = (db: Queries, venue: VenueId, entry: number): Promise<HoldRow | undefined> =>
  db.maybe(sql(holdRow)`
    delete from booking_hold where venue_id = ${venue} and waitlist_entry_id = ${entry}
    returning ${columnsOf(holdRow)}`)

/** Removes the holds that ran out before a moment. */
export const deleteLapsedHolds = (
  db: Queries,
  venue: VenueId,
  before: Temporal.Instant,
): Promise<HoldRow[]> =>
  db.many(sql(holdRow)`
    delete from booking_hold where venue_id = ${venue} and expires_at <= ${before}
    returning ${columnsOf(holdRow)}`)
