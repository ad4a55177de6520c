import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { noted } from '../../core/events/note-change.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { erasedAddress } from './erased-address.ts'
import { type PersonRow, personRow } from './subscriber.ts'
import { type SubscriberMove, type SuppressionReason, suppressionReasons } from './states.ts'

/** Undefined when they are not in any of the states the move starts from. */
export const writeLeaving = (
  db: Queries,
  venue: VenueId,
  subscriber: number,
  { from, to }: SubscriberMove,
  now: Temporal.Instant,
): Promise<PersonRow | undefined> =>
  noted(
    db,
    venue,
    'subscriber',
    now,
    db.maybe(sql(personRow)`
    update subscriber set
      status = ${to}, unsubscribed_at = ${now}, left_before = null, confirm_mailed_at = null, revision = revision + 1, updated_at = ${now}
     where venue_id = ${venue} and id = ${subscriber} and status = any(${[...from]})
    returning ${columnsOf(personRow)}`),
  )

const suppressionRow = { reason: 'text', created_at: 'timestamptz' } as const
export type SuppressionRow = RowOf<typeof suppressionRow>

export const suppressionForUpdate = (
  db: Queries,
  venue: VenueId,
  key: string,
): Promise<SuppressionRow | undefined> =>
  db.maybe(sql(suppressionRow)`
    select ${columnsOf(suppressionRow)} from suppression
     where venue_id = ${venue} and email_key = any(${[key, erasedAddress(venue, key)]})
     order by email_key limit 1 for update`)

/** The date somebody was added to the list stays, and of two reasons the stronger one, whichever came first. */
export const upsertSuppression = (
  db: Queries,
  venue: VenueId,
  key: string,
  reason: SuppressionReason,
  now: Temporal.Instant,
): Promise<SuppressionRow> =>
  db.one(sql(suppressionRow)`
    insert into suppression (venue_id, email_key, reason, created_at) values (${venue}, ${key}, ${reason}, ${now})
    on conflict (venue_id, email_key) do update set reason = case
      when array_position(${[...suppressionReasons]}::text[], suppression.reason)
        < array_position(${[...suppressionReasons]}::text[], excluded.reason)
      then suppression.reason else excluded.reason end
    returning ${columnsOf(suppressionRow)}`)

export const deleteSuppression = (db: Queries, venue: VenueId, key: string): Promise<number> =>
  db.run(sql()`
    delete from suppression where venue_id = ${venue} and email_key = any(${[key, erasedAddress(venue, key)]})`)
