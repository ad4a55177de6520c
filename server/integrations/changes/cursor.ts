import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Venue } from '../../core/venue/venue.ts'

/*
 * A cursor of a feed: `c1_` of changes or `e1_` of events and, in base64url, the first four bytes of a hash of the feed's
 * epoch, six of the position, six that say whose it is, in a first copy six of `gone_seq` at its start, and two of a
 * checksum. Not a secret: it contains only a position, and its venue's slug as a hash.
 *
 * The release before had no venue in it, and still reads what has one: its first byte makes it a `gone_seq` that no feed
 * reaches, so such a process takes it for a first copy in progress, which sends the same records.
 */

export type FeedName = 'changes' | 'events'

const prefixes: Readonly<Record<FeedName, string>> = { changes: 'c1_', events: 'e1_' }

export type Cursor = {
  readonly epoch: number
  /** The number up to which everything was sent. */
  readonly position: number
  /** For a first copy in progress: `gone_seq` when it began. */
  readonly goneAtStart?: number
  /** Whose it is; unknown in a cursor of the release before. */
  readonly venue?: number
}

/** The part of an epoch in a cursor. */
export const epochMark = (epoch: string): number => hashOf(epoch).readUInt32BE(0)

/** The part of a venue in a cursor: its slug, so that the cursors of two services are told apart too. */
export const venueMark = ({ slug }: Pick<Venue, 'slug'>): number => hashOf(slug).readUIntBE(0, 5)

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

export const writeCursor = (
  feed: FeedName,
  venue: Pick<Venue, 'slug'>,
  { epoch, position, goneAtStart }: Omit<Cursor, 'venue'>,
): string => {
  const bytes = Buffer.alloc(goneAtStart === undefined ? 18 : 24)
  bytes.writeUInt32BE(epoch, 0)
  bytes.writeUIntBE(position, 4, 6)
  bytes.writeUInt8(hasVenue, 10)
  bytes.writeUIntBE(venueMark(venue), 11, 5)
  if (goneAtStart !== undefined) bytes.writeUIntBE(goneAtStart, 16, 6)
  bytes.writeUInt16BE(checksum(bytes), bytes.length - 2)
  return `${prefixes[feed]}${bytes.toString('base64url')}`
}

/** Undefined: it is not a cursor of this feed. */
export const readCursor = (feed: FeedName, text: string): Cursor | undefined => {
  const [, prefix, written] = /^([ce]1_)([\w-]{16}|[\w-]{24}|[\w-]{32})$/.exec(text) ?? []
  if (written === undefined || prefix !== prefixes[feed]) return undefined
  const bytes = Buffer.from(written, 'base64url')
  if (bytes.readUInt16BE(bytes.length - 2) !== checksum(bytes)) return undefined
  const isOwned = bytes.length > 12 && bytes.readUInt8(10) === hasVenue
  const goneAt = isOwned ? 16 : 10
  if (bytes.length === 24 && !isOwned) return undefined
  return {
    epoch: bytes.readUInt32BE(0),
    position: bytes.readUIntBE(4, 6),
    ...(isOwned && { venue: bytes.readUIntBE(11, 5) }),
    ...(bytes.length > goneAt + 2 && { goneAtStart: bytes.readUIntBE(goneAt, 6) }),
  }
}

/** Where a `gone_seq` of the release before began with zero: no feed has that many changes. */
const hasVenue = 0xff

const checksum = (bytes: Buffer): number => crc32(bytes.subarray(0, -2)) & 0xff_ff
