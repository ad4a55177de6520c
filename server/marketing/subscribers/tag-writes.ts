import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { noted } from '../../core/events/note-change.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { SubscriberRow } from './subscriber.ts'
import { subscriberById, tagsOf } from './reads.ts'

/** A tag is the same in any letter case, and however its accents are put together. */
export const tagKey = (name: string): string => name.trim().normalize('NFC').toLowerCase()

export type TagChanges = {
  readonly add?: readonly string[] | undefined
  readonly remove?: readonly string[] | undefined
}

/**
 * Files somebody whose row is held under tags, and takes others off them. A tag is made on first use and keeps its first
 * spelling. Undefined when it is so already.
 */
export const writeTags = async (
  db: Queries,
  venue: VenueId,
  { id, tags }: Pick<SubscriberRow, 'id' | 'tags'>,
  { add = [], remove = [] }: TagChanges,
  now: Temporal.Instant,
): Promise<SubscriberRow | undefined> => {
  const has = new Set(tags.map(tagKey))
  // From the back, so that of two spellings the first is kept.
  const named = add.toReversed().map((name) => [tagKey(name), name.trim()] as const)
  const adding = new Map(named.filter(([key]) => !has.has(key)))
  const removing = remove.map(tagKey).filter((key) => has.has(key))
  if (adding.size + removing.length === 0) return undefined
  if (adding.size > 0) await insertTags(db, venue, id, adding)
  if (removing.length > 0) await deleteTags(db, venue, id, removing)
  return countChange(db, venue, id, now)
}

/** Files somebody who was just made under a tag: that is part of being made. */
export const writeFirstTag = async (
  db: Queries,
  venue: VenueId,
  subscriber: number,
  tag: string,
): Promise<string[]> => {
  await insertTags(db, venue, subscriber, new Map([[tagKey(tag), tag.trim()]]))
  return tagsOf(db, venue, subscriber)
}

/** New tags in one order, so that two who make the same ones never wait for each other. */
const insertTags = async (
  db: Queries,
  venue: VenueId,
  subscriber: number,
  names: ReadonlyMap<string, string>,
): Promise<void> => {
  const keys = [...names.keys()]
  await db.run(sql()`
    insert into tag (venue_id, name, name_key)
    select ${venue}, name, name_key
      from unnest(${[...names.values()]}::text[], ${keys}::text[]) as given (name, name_key)
     order by name_key
    on conflict (venue_id, name_key) do nothing`)
  const tags = await db.many(sql({ id: 'int8' })`
    select id from tag where venue_id = ${venue} and name_key = any(${keys}) order by id`)
  await db.run(sql()`
    insert into subscriber_tag (venue_id, subscriber_id, tag_id)
    select ${venue}, ${subscriber}, tag_id from unnest(${tags.map(({ id }) => id)}::bigint[]) as given (tag_id)
    on conflict do nothing`)
}

const deleteTags = (db: Queries, venue: VenueId, subscriber: number, keys: readonly string[]) =>
  db.run(sql()`
    delete from subscriber_tag
     where venue_id = ${venue} and subscriber_id = ${subscriber}
       and tag_id in (select id from tag where venue_id = ${venue} and name_key = any(${keys}))`)

/** Counts a change of what is kept outside somebody's row: their tags, or whether their address is suppressed. */
export const countChange = async (
  db: Queries,
  venue: VenueId,
  subscriber: number,
  now: Temporal.Instant,
): Promise<SubscriberRow> => {
  await noted(
    db,
    venue,
    'subscriber',
    now,
    db.one(sql({ id: 'int8', revision: 'int4' })`
    update subscriber set revision = revision + 1, updated_at = greatest(updated_at, ${now})
     where venue_id = ${venue} and id = ${subscriber}
    returning id, revision`),
  )
  return (await subscriberById(db, venue, subscriber)) as SubscriberRow
}
