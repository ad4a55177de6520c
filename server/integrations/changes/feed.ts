import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../context.ts'
import type { Gate } from '../../platform/db/gate.ts'
import type { Queries } from '../../platform/db/pool.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'
import { type Cursor, type FeedName, epochMark, venueMark } from './cursor.ts'
import type { Head } from './reads.ts'
import { notGathered } from '../../core/events/change-head.ts'
import { cursorExpired, cursorOfAnotherVenue } from './refusals.ts'

/*
 * What the feeds of changes and of events have in common: readers number what is committed, and a cursor is a position
 * among these numbers.
 */

export type Feed = {
  readonly name: FeedName
  readonly headOf: (db: Queries, venue: VenueId) => Promise<Head | undefined>
  /** Numbers entries without a number, up to `limits.numberedAtOnce`, in a transaction; returns how many there were. */
  readonly number: (db: Queries, venue: VenueId) => Promise<number>
}

export type FeedParts = { readonly context: Pick<Context, 'db'>; readonly gate: Gate }

/** What a feed knows of its venue. */
export type FeedVenue = Pick<Venue, 'id' | 'slug'>

export type Page<Item> = {
  readonly items: Item[]
  readonly next: Cursor
  readonly more: boolean
}

type Stretch<Found> = {
  /** Where to start reading; undefined: from the beginning. */
  readonly cursor: Cursor | undefined
  readonly read: () => Promise<Found | undefined>
  /** A page that is already full is sent as it is, without numbering first. */
  readonly isFull: (found: Found) => boolean
}

/** Reads a part of a feed, numbering first. `isMoreToNumber`: some committed entries still have no number. */
export const readStretch = async <Found extends { readonly head: Head }>(
  parts: FeedParts,
  feed: Feed,
  venue: FeedVenue,
  { cursor, read, isFull }: Stretch<Found>,
): Promise<{ readonly found: Found; readonly isMoreToNumber: boolean }> => {
  let found = await read()
  if (!found?.head.is_filled) throw notGathered()
  let numbered = 0
  if (found.head.is_behind && !isFull(found)) {
    numbered = await numberSome(parts, feed, venue.id)
    // Even if nothing was left to number: entries numbered by others in the meantime are not in the earlier read.
    found = (await read()) ?? found
  }
  if (cursor) refuseUnusable(feed.name, cursor, found.head, venue)
  return { found, isMoreToNumber: numbered === limits.numberedAtOnce }
}

/** A feed's current position, after everything committed, and its head. */
export const latestPosition = async (
  parts: FeedParts,
  feed: Feed,
  venue: VenueId,
): Promise<{ readonly next: Cursor; readonly head: Head }> => {
  const db = parts.context.db.within(venue)
  let head = await feed.headOf(db, venue)
  if (!head?.is_filled) throw notGathered()
  if (head.is_behind) {
    while ((await numberSome(parts, feed, venue)) === limits.numberedAtOnce);
    head = (await feed.headOf(db, venue)) ?? head
  }
  return { next: { epoch: epochMark(head.epoch), position: head.head }, head }
}

const numberSome = ({ context, gate }: FeedParts, { number }: Feed, venue: VenueId): Promise<number> =>
  gate(venue, () => context.db.transaction((queries) => number(queries.within(venue), venue)))

/**
 * Refuses a cursor from which nothing can be continued.
 *
 * @throws Refusal 410: it is another venue's, which a copy must not take for its own having expired, since it would drop
 * every record; or deletions after it have been forgotten; or the feed started over.
 */
export const refuseUnusable = (feed: FeedName, cursor: Cursor, head: Head, venue: FeedVenue): void => {
  const isForeign = cursor.venue !== undefined && cursor.venue !== venueMark(venue)
  if (isForeign && cursor.epoch !== epochMark(head.epoch)) throw cursorOfAnotherVenue()
  if (isExpired(cursor, head)) throw cursorExpired(feed)
}

const isExpired = ({ epoch, position, goneAtStart }: Cursor, head: Head): boolean =>
  epoch !== epochMark(head.epoch) ||
  position > head.head ||
  (position < head.gone_seq && goneAtStart !== head.gone_seq)
