import type { EventItem } from '@venue-data/contract/webhooks/event-item.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { type Cursor, epochMark } from '../cursor.ts'
import { type Feed, type FeedParts, type FeedVenue, type Page, readStretch } from '../feed.ts'
import { numberEvents } from './number.ts'
import { presentEvent } from './present.ts'
import { type EventsAsked, headOfEvents, stretchOfEvents } from './reads.ts'

export const eventsFeed: Feed = { name: 'events', headOf: headOfEvents, number: numberEvents }

export type EventsPageAsked = EventsAsked & {
  readonly after: Cursor | undefined
  readonly limit: number
}

/** The events after a cursor; without one, from the oldest kept. Events without a number get one first. */
export const readEventsPage = async (
  parts: FeedParts,
  venue: FeedVenue,
  { after: cursor, limit, ...asked }: EventsPageAsked,
): Promise<Page<EventItem>> => {
  const after = cursor?.position ?? 0
  const db = parts.context.db.within(venue.id)
  const { found, isMoreToNumber } = await readStretch(parts, eventsFeed, venue, {
    cursor,
    // Reads one more than it sends, to know whether there is more.
    read: () => stretchOfEvents(db, venue.id, { ...asked, after, most: limit + 1 }),
    isFull: ({ events }) => events.length > limit,
  })
  const { head, events } = found
  const rows = events.slice(0, limit)
  const isCut = rows.length < events.length
  const looked = asked.record
    ? head.head
    : Math.min(head.head, Math.max(after, head.gone_seq) + limits.looksOfPage)
  return {
    items: rows.map(presentEvent),
    next: {
      epoch: epochMark(head.epoch),
      position: isCut ? (rows.at(-1)?.seq ?? after) : looked,
    },
    more: isCut || looked < head.head || isMoreToNumber,
  }
}
