import type { Segment, SegmentPart } from '@venue-data/contract/records/segment.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { CampaignRow } from '../reads.ts'
import { holdersLeftOut, partsOf } from './segments.ts'

/** What a segment names, looked up: the ids of its tags, and what no longer exists. */
export type Sources = {
  /** The id of a tag by its key (`tagKey`). */
  readonly tagIds: ReadonlyMap<string, number>
  /** Tags whose carriers are left out. */
  readonly excludedTags: readonly number[]
  /** Events whose ticket holders are left out. */
  readonly holdersOf: readonly number[]
  /** Campaigns whose people are left out, whenever they were mailed; and those that mailed inside the window. */
  readonly exceptCampaigns: readonly number[]
  readonly recentCampaigns: readonly number[]
  readonly mailedSince: Temporal.Instant | null
  /** False if we cannot know whom to include: an event of ticketBuyers or a campaign of exclude is gone. */
  readonly isMatchedKnown: boolean
  /** False if we cannot know whom to leave out. */
  readonly isWhole: boolean
  readonly unknownTags: number
}

export const tagKey = (name: string): string => name.normalize('NFC').toLowerCase()

export const sourcesOf = async (
  db: Queries,
  venue: VenueId,
  segment: Segment,
  { id, event_id }: Pick<CampaignRow, 'id' | 'event_id'>,
  now: Temporal.Instant,
): Promise<Sources> => {
  const parts = partsOf(segment)
  const exclude = segment.exclude ?? {}
  const keys = [...new Set([...parts.flatMap(tagsOf), ...(exclude.tags ?? [])].map(tagKey))]
  const tagIds = keys.length === 0 ? new Map<string, number>() : await idsOfTags(db, venue, keys)

  const bought = parts.flatMap((part) => (part.type === 'ticketBuyers' ? [part.eventId] : []))
  const holders = holdersLeftOut(segment, event_id)
  const holdersOf = holders === null ? [] : [holders]
  const asked = [...new Set([...bought, ...holdersOf])]
  const events = asked.length === 0 ? [] : await eventsThere(db, venue, asked)

  const except = [...new Set(exclude.campaigns ?? [])].filter((one) => one !== id)
  const campaigns = except.length === 0 ? [] : await campaignsThere(db, venue, except)
  const mailedSince =
    exclude.mailedWithinDays === undefined ? null : now.subtract({ hours: 24 * exclude.mailedWithinDays })
  return {
    tagIds,
    excludedTags: (exclude.tags ?? []).flatMap((tag) => tagIds.get(tagKey(tag)) ?? []),
    holdersOf,
    exceptCampaigns: campaigns.filter((one) => one.status !== 'draft').map((one) => one.id),
    recentCampaigns: mailedSince === null ? [] : await campaignsMailing(db, venue, mailedSince),
    mailedSince,
    isMatchedKnown: bought.every((one) => events.includes(one)) && campaigns.length === except.length,
    isWhole: holdersOf.every((one) => events.includes(one)),
    unknownTags: keys.length - tagIds.size,
  }
}

const tagsOf = (part: SegmentPart): readonly string[] =>
  part.type === 'tag' ? [...(part.anyOf ?? []), ...(part.allOf ?? []), ...(part.noneOf ?? [])] : []

export const idsOfTags = async (
  db: Queries,
  venue: VenueId,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (
      await db.many(sql({ id: 'int8', name_key: 'text' })`
        select id, name_key from tag where venue_id = ${venue} and name_key = any(${keys}::text[])`)
    ).map(({ id, name_key }) => [name_key, id]),
  )

const eventsThere = async (db: Queries, venue: VenueId, ids: readonly number[]): Promise<number[]> =>
  (
    await db.many(sql({ id: 'int8' })`
      select id from ticketed_event where venue_id = ${venue} and id = any(${ids}::bigint[])`)
  ).map(({ id }) => id)

const campaignsThere = (
  db: Queries,
  venue: VenueId,
  ids: readonly number[],
): Promise<{ id: number; status: string }[]> =>
  db.many(sql({ id: 'int8', status: 'text' })`
    select id, status from campaign where venue_id = ${venue} and id = any(${ids}::bigint[])`)

/** Campaigns that may have mailed somebody since a moment. */
const campaignsMailing = async (db: Queries, venue: VenueId, since: Temporal.Instant): Promise<number[]> =>
  (
    await db.many(sql({ id: 'int8' })`
      select id from campaign
       where venue_id = ${venue} and (started_at is not null or status = 'sending')
         and (finished_at is null or finished_at >= ${since})`)
  ).map(({ id }) => id)
