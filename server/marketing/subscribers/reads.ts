import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, columnsOf, fragment, part, quickRead, sql } from '../../platform/db/sql.ts'
import { statesIn } from '../../core/events/record-states.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { erasedAddress, formsOnList } from './erased-address.ts'
import { type SubscriberRow, personRow, subscriberRow } from './subscriber.ts'

/** The columns of `subscriberRow` of a table `s`: tags and the do-not-email list are in other tables. */
export const subscriberColumns = (venue: VenueId): Fragment => part`
  ${columnsOf(personRow, 's')}, array(
    select t.name from subscriber_tag g join tag t on t.venue_id = g.venue_id and t.id = g.tag_id
     where g.venue_id = ${venue} and g.subscriber_id = s.id order by t.name_key) as tags,
  exists (
    select from suppression x
     where x.venue_id = ${venue} and x.email_key = any(${formsOnList(venue, fragment('s.email_key'))})) as suppressed`

/** What is kept in other tables about somebody, which a write of their row leaves as it is. */
export const besideRow = ({ tags, suppressed }: Pick<SubscriberRow, 'tags' | 'suppressed'>) => ({
  tags,
  suppressed,
})

export const tagsOf = async (db: Queries, venue: VenueId, subscriber: number): Promise<string[]> => {
  const rows = await db.many(sql({ name: 'text' })`
    select t.name from subscriber_tag g join tag t on t.venue_id = g.venue_id and t.id = g.tag_id
     where g.venue_id = ${venue} and g.subscriber_id = ${subscriber} order by t.name_key`)
  return rows.map(({ name }) => name)
}

export const subscriberById = (db: Queries, venue: VenueId, id: number): Promise<SubscriberRow | undefined> =>
  db.maybe(
    quickRead(sql(subscriberRow)`
    select ${subscriberColumns(venue)} from subscriber s where s.venue_id = ${venue} and s.id = ${id}`),
  )

export const subscribersByIds = (
  db: Queries,
  venue: VenueId,
  ids: readonly number[],
): Promise<SubscriberRow[]> =>
  db.many(sql(subscriberRow)`
    select ${subscriberColumns(venue)} from subscriber s where s.venue_id = ${venue} and s.id = any(${ids}::bigint[])`)

export const subscriberStates = statesIn(fragment('subscriber'))

/**
 * The person behind an address, their row locked: what happens to them is decided next. Read behind the lock, in the same
 * round trip, or their tags would be those of before it was waited for.
 */
export const subscriberForUpdate = async (
  db: Queries,
  venue: VenueId,
  emailKey: string,
): Promise<SubscriberRow | undefined> => {
  const [held, row] = await Promise.all([
    holdSubscriber(db, venue, emailKey),
    db.maybe(sql(subscriberRow)`
      select ${subscriberColumns(venue)} from subscriber s where s.venue_id = ${venue} and s.email_key = ${emailKey}`),
  ])
  return held && row
}

/** Locks the person with an address until the transaction ends. */
export const holdSubscriber = (
  db: Queries,
  venue: VenueId,
  emailKey: string,
): Promise<{ id: number } | undefined> =>
  db.maybe(sql({ id: 'int8' })`
    select id from subscriber where venue_id = ${venue} and email_key = ${emailKey} for update`)

/** The person with an id, their row locked and read behind the lock. */
export const subscriberForUpdateById = async (
  db: Queries,
  venue: VenueId,
  id: number,
): Promise<SubscriberRow | undefined> => {
  const [held, row] = await Promise.all([
    db.maybe(
      sql({ id: 'int8' })`select id from subscriber where venue_id = ${venue} and id = ${id} for update`,
    ),
    subscriberById(db, venue, id),
  ])
  return held && row
}

/** Why nothing is mailed to an address; undefined: nothing speaks against it. */
export const reasonNotToMail = async (
  db: Queries,
  venue: VenueId,
  emailKey: string,
): Promise<string | undefined> =>
  (
    await db.maybe(sql({ reason: 'text' })`
    select reason from suppression
     where venue_id = ${venue} and email_key = any(${[emailKey, erasedAddress(venue, emailKey)]}) limit 1`)
  )?.reason

export const isSuppressed = async (db: Queries, venue: VenueId, emailKey: string): Promise<boolean> =>
  (await reasonNotToMail(db, venue, emailKey)) !== undefined
