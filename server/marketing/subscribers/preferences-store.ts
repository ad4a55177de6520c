import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/** Somebody's email preferences, and who they are to the page that asks. */
export const preferenceRow = {
  id: 'int8',
  email: 'text',
  status: 'text',
  mail_paused_until: 'timestamptz?',
  birthday_mails: 'bool',
} as const
export type PreferenceRow = RowOf<typeof preferenceRow>

export const preferencesOf = (
  db: Queries,
  venue: VenueId,
  subscriber: number,
): Promise<PreferenceRow | undefined> =>
  db.maybe(sql(preferenceRow)`
    select ${columnsOf(preferenceRow)} from subscriber where venue_id = ${venue} and id = ${subscriber}`)

/** The row, locked until the transaction ends. */
export const preferencesForUpdate = (
  db: Queries,
  venue: VenueId,
  subscriber: number,
): Promise<PreferenceRow | undefined> =>
  db.maybe(sql(preferenceRow)`
    select ${columnsOf(preferenceRow)} from subscriber
     where venue_id = ${venue} and id = ${subscriber} for update`)

/** None of it is public, so neither its revision nor `updated_at` moves. */
export const writePreferences = (
  db: Queries,
  venue: VenueId,
  subscriber: number,
  chosen: { readonly pausedUntil: Temporal.Instant | null; readonly birthdayMails: boolean },
): Promise<PreferenceRow> =>
  db.one(sql(preferenceRow)`
    update subscriber set
      mail_paused_until = ${chosen.pausedUntil}, birthday_mails = ${chosen.birthdayMails}
     where venue_id = ${venue} and id = ${subscriber}
    returning ${columnsOf(preferenceRow)}`)

/** The tags a venue shows to guests, by name. */
export const topicsOfVenue = (db: Queries, venue: VenueId): Promise<{ id: number; name: string }[]> =>
  db.many(sql({ id: 'int8', name: 'text' })`
    select id, name from tag where venue_id = ${venue} and topic order by name_key limit ${mostTopics}`)

const topicRow = { id: 'int8', name: 'text', chosen: 'bool' } as const
export type Topic = RowOf<typeof topicRow>

/** A guest is not offered more. */
export const mostTopics = 50

/** The tags a venue shows to guests, and whether this person gets email about them. */
export const topicsOf = (db: Queries, venue: VenueId, subscriber: number): Promise<Topic[]> =>
  db.many(sql(topicRow)`
    select t.id, t.name,
           exists (select from subscriber_tag g
                    where g.venue_id = ${venue} and g.tag_id = t.id and g.subscriber_id = ${subscriber})
           and not exists (select from topic_off o
                            where o.venue_id = ${venue} and o.tag_id = t.id and o.subscriber_id = ${subscriber}) as chosen
      from tag t
     where t.venue_id = ${venue} and t.topic
     order by t.name_key limit ${mostTopics}`)

/** Files them under a topic; whether they were not before. */
export const chooseTopic = async (
  db: Queries,
  venue: VenueId,
  subscriber: number,
  tag: number,
): Promise<boolean> => {
  const filed = await db.run(sql()`
    insert into subscriber_tag (venue_id, subscriber_id, tag_id) values (${venue}, ${subscriber}, ${tag})
    on conflict do nothing`)
  await db.run(sql()`
    delete from topic_off where venue_id = ${venue} and subscriber_id = ${subscriber} and tag_id = ${tag}`)
  return filed > 0
}

/** Records the refusal itself, since staff and imports may tag somebody again. */
export const refuseTopic = (db: Queries, venue: VenueId, subscriber: number, tag: number): Promise<number> =>
  db.run(sql()`
    insert into topic_off (venue_id, subscriber_id, tag_id) values (${venue}, ${subscriber}, ${tag})
    on conflict do nothing`)
