import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../../platform/db/sql.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { ServicePeriod } from '../../rules/booking-rules.ts'
import type { VenueId } from '../../../core/venue/venue.ts'

/** A hold is known by 128 random bits, as base64url: anyone who has them may use it. */
export type HoldId = string

/** Whether a text may be the id of a hold. */
export const isHoldId = (text: string): text is HoldId => /^[\w-]{22}$/.test(text)

/** The hold that a body names; none for a text that is the id of no hold. */
export const holdIn = ({ holdId }: { readonly holdId?: string | undefined }): HoldId | undefined =>
  holdId !== undefined && isHoldId(holdId) ? holdId : undefined

export const holdRow = {
  id: 'text',
  service_date: 'date',
  service_minute: 'int4',
  starts_at: 'timestamptz',
  party_size: 'int4',
  expires_at: 'timestamptz',
  extended: 'bool',
  experience: 'text?',
  waitlist_entry_id: 'int8?',
} as const
export type HoldRow = RowOf<typeof holdRow>

/** A hold that has not expired, or only just; undefined once it was used, given up or tidied away. */
export const holdById = (db: Queries, venue: VenueId, id: HoldId): Promise<HoldRow | undefined> =>
  db.maybe(sql(holdRow)`
    select ${columnsOf(holdRow)} from booking_hold where venue_id = ${venue} and id = ${id}`)

/** What is held for a party on the waitlist. */
export const holdOfEntry = (db: Queries, venue: VenueId, entry: number): Promise<HoldRow | undefined> =>
  db.maybe(sql(holdRow)`
    select ${columnsOf(holdRow)} from booking_hold where venue_id = ${venue} and waitlist_entry_id = ${entry}`)

/** How many holds that have not expired these holders have. */
export const heldBy = async (
  db: Queries,
  venue: VenueId,
  holders: readonly string[],
  now: Temporal.Instant,
): Promise<number> => {
  if (holders.length === 0) return 0
  const { held } = await db.one(sql({ held: 'int4' })`
    select count(*)::integer as held from booking_hold
     where venue_id = ${venue} and holder = any(${holders}) and expires_at > ${now}`)
  return held
}

/** The venues with a hold that ran out before a moment. */
export const venuesWithLapsedHolds = async (db: Queries, before: Temporal.Instant): Promise<Set<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from booking_hold where expires_at <= ${before}`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}

/**
 * The covers held in a service of a date by people about to book, not counting what is offered to parties on the list.
 */
export const coversHeld = async (
  db: Queries,
  venue: VenueId,
  {
    serviceDate,
    period,
  }: { readonly serviceDate: LocalDate; readonly period: Pick<ServicePeriod, 'startMinute' | 'endMinute'> },
  now: Temporal.Instant,
): Promise<number> =>
  (
    await db.one(sql({ covers: 'int4' })`
    select coalesce(sum(party_size), 0)::integer as covers from booking_hold
     where venue_id = ${venue} and service_date = ${serviceDate} and expires_at > ${now} and holder is not null
       and service_minute >= ${period.startMinute} and service_minute < ${period.endMinute}`)
  ).covers
