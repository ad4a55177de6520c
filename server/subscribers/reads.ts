import type { Queries } from '../db/pool.ts'
import { type RowOf, columnsOf, fragment, quickRead, sql } from '../db/sql.ts'
import { statesIn } from '../events/record-states.ts'
import type { VenueId } from '../venue/venue.ts'
import { erasedAddress } from './erased-address.ts'

export const subscriberRow = {
  id: 'int8',
  email: 'text',
  first_name: 'text?',
  status: 'text',
  source: 'text',
  birth_month: 'int4?',
  birth_day: 'int4?',
  consent_at: 'timestamptz?',
  confirmed_at: 'timestamptz?',
  unsubscribed_at: 'timestamptz?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  revision: 'int4',
} as const
export type SubscriberRow = RowOf<typeof subscriberRow>

export const subscriberById = (db: Queries, venue: VenueId, id: number): Promise<SubscriberRow | undefined> =>
  db.maybe(
    quickRead(sql(subscriberRow)`
    select ${columnsOf(subscriberRow)} from subscriber where venue_id = ${venue} and id = ${id}`),
  )

export const subscribersByIds = (
  db: Queries,
  venue: VenueId,
  ids: readonly number[],
): Promise<SubscriberRow[]> =>
  db.many(sql(subscriberRow)`
    select ${columnsOf(subscriberRow)} from subscriber where venue_id = ${venue} and id = any(${ids}::bigint[])`)

export const subscriberStates = statesIn(fragment('subscriber'))

/** The person behind an address, their row locked: what happens to them is decided next. */
export const subscriberForUpdate = (
  db: Queries,
  venue: VenueId,
  emailKey: string,
): Promise<SubscriberRow | undefined> =>
  db.maybe(sql(subscriberRow)`
    select ${columnsOf(subscriberRow)} from subscriber
     where venue_id = ${venue} and email_key = ${emailKey} for update`)

/** The same, by id. */
export const subscriberForUpdateById = (
  db: Queries,
  venue: VenueId,
  id: number,
): Promise<SubscriberRow | undefined> =>
  db.maybe(sql(subscriberRow)`
    select ${columnsOf(subscriberRow)} from subscriber where venue_id = ${venue} and id = ${id} for update`)

export const isSuppressed = async (db: Queries, venue: VenueId, emailKey: string): Promise<boolean> =>
  (await db.maybe(sql({ reason: 'text' })`
    select reason from suppression
     where venue_id = ${venue} and email_key = any(${[emailKey, erasedAddress(venue, emailKey)]}) limit 1`)) !==
  undefined
