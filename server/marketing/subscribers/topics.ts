import { recordActivity } from '../../core/activity/record.ts'
import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, sql } from '../../platform/db/sql.ts'
import { Refusal, notFound } from '../../platform/kernel/refusal.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { mostTopics } from './preferences-store.ts'

/* Which tags are topics: what guests turn on and off on their preferences page. */

const taggedRow = { id: 'int8', name: 'text', topic: 'bool', people: 'int8', refused: 'int8' } as const
export type TagInUse = RowOf<typeof taggedRow>

const mostTags = 1_000

/** The venue's tags by name, with how many have each and how many turned it off. */
export const tagsInUse = (db: Queries, venue: VenueId): Promise<TagInUse[]> =>
  db.many(sql(taggedRow)`
    select t.id, t.name, t.topic, coalesce(g.people, 0) as people, coalesce(o.people, 0) as refused
      from tag t
      left join (select tag_id, count(*) as people from subscriber_tag where venue_id = ${venue} group by tag_id) g
        on g.tag_id = t.id
      left join (select tag_id, count(*) as people from topic_off where venue_id = ${venue} group by tag_id) o
        on o.tag_id = t.id
     where t.venue_id = ${venue} order by t.name_key limit ${mostTags}`)

/** Shows a tag to guests as a topic, or no longer. What they chose stays. */
export const setTopic = async (
  work: Work,
  actor: Actor,
  { tag, topic }: { readonly tag: number; readonly topic: boolean },
): Promise<{ readonly name: string }> => {
  const { db, venue } = work
  const before = await db.maybe(sql({ name: 'text', topic: 'bool' })`
    select name, topic from tag where venue_id = ${venue.id} and id = ${tag} for update`)
  if (!before) throw notFound('tag')
  if (before.topic === topic) return before
  if (topic && (await topicsNow(db, venue.id)) >= mostTopics) {
    throw new Refusal(409, `Guests can choose from at most ${mostTopics} topics. Hide another one first.`)
  }
  await db.run(sql()`update tag set topic = ${topic} where venue_id = ${venue.id} and id = ${tag}`)
  const after = { ...before, topic }
  await recordActivity(
    work,
    actor,
    {
      action: topic ? 'showTopic' : 'hideTopic',
      record: { kind: 'tag', id: tag },
      before,
      after,
      more: { name: before.name },
    },
    work.now(),
  )
  return after
}

const topicsNow = async (db: Queries, venue: VenueId): Promise<number> =>
  (await db.one(sql({ n: 'int8' })`select count(*) as n from tag where venue_id = ${venue} and topic`)).n
