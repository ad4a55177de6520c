import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../context.ts'
import type { Gate } from '../db/gate.ts'
import type { Queries } from '../db/pool.ts'
import type { VenueId } from '../venue/venue.ts'
import { type Cursor, type FeedName, epochMark } from './cursor.ts'
import type { Head } from './reads.ts'
import { cursorExpired, feedNotReady } from './refusals.ts'

/*
 * What the feeds of changes and of events have in common: what is committed gets its number from who reads, and a cursor
 * is a place among these numbers.
 */

export type Feed = {
  readonly name: FeedName
  readonly headOf: (db: Queries, venue: VenueId) => Promise<Head | undefined>
  /** Numbers what has no number yet, up to `limits.numberedAtOnce`, in a transaction; returns how many there were. */
  readonly number: (db: Queries, venue: VenueId) => Promise<number>
}

export type FeedParts = { readonly context: Pick<Context, 'db'>; readonly gate: Gate }

export type Page<Item> = {
  readonly items: Item[]
  readonly next: Cursor
  readonly more: boolean
}

type Stretch<Found> = {
  /** From where on is read; undefined: from the beginning. */
  readonly cursor: Cursor | undefined
  readonly read: () => Promise<Found | undefined>
  /** A page that is full already is sent as it is, whatever has no number yet. */
  readonly isFull: (found: Found) => boolean
}

/** Reads a stretch of a feed; what has no number yet gets one before. `isMoreToNumber`: not all that was committed has. */
export const readStretch = async <Found extends { readonly head: Head }>(
  parts: FeedParts,
  feed: Feed,
  venue: VenueId,
  { cursor, read, isFull }: Stretch<Found>,
): Promise<{ readonly found: Found; readonly isMoreToNumber: boolean }> => {
  let found = await read()
  if (!found?.head.is_filled) throw feedNotReady()
  let numbered = 0
  if (found.head.is_behind && !isFull(found)) {
    numbered = await numberSome(parts, feed, venue)
    // Also where nothing was left to number: what others numbered meanwhile is not in what was read before.
    found = (await read()) ?? found
  }
  if (cursor && isExpired(cursor, found.head)) throw cursorExpired(feed.name)
  return { found, isMoreToNumber: numbered === limits.numberedAtOnce }
}

/** Where a feed is now, behind everything that is committed. */
export const latestPosition = async (parts: FeedParts, feed: Feed, venue: VenueId): Promise<Cursor> => {
  const db = parts.context.db.within(venue)
  let head = await feed.headOf(db, venue)
  if (!head?.is_filled) throw feedNotReady()
  if (head.is_behind) {
    while ((await numberSome(parts, feed, venue)) === limits.numberedAtOnce);
    head = (await feed.headOf(db, venue)) ?? head
  }
  return { epoch: epochMark(head.epoch), position: head.head }
}

const numberSome = ({ context, gate }: FeedParts, { number }: Feed, venue: VenueId): Promise<number> =>
  gate(venue, () => context.db.transaction((queries) => number(queries.within(venue), venue)))

/** Whether something is forgotten that whoever has this cursor was not told of; or it is another feed's. */
const isExpired = ({ epoch, position, goneAtStart }: Cursor, head: Head): boolean =>
  epoch !== epochMark(head.epoch) ||
  position > head.head ||
  (position < head.gone_seq && goneAtStart !== head.gone_seq)
