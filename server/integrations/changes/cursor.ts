import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/*
 * A cursor of a feed: `c1_` of changes or `e1_` of events and, in base64url, the first four bytes of a hash of the feed's
 * epoch, six of the position, in a first copy six of `gone_seq` at its start, and two of a checksum. Not a secret: it
 * contains only a position.
 */

export type FeedName = 'changes' | 'events'

const prefixes: Readonly<Record<FeedName, string>> = { changes: 'c1_', events: 'e1_' }

export type Cursor = {
  readonly epoch: number
  /** The number up to which everything was sent. */
  readonly position: number
  /** For a first copy in progress: `gone_seq` when it began. */
  readonly goneAtStart?: number
}

/** The part of an epoch in a cursor. */
export const epochMark = (epoch: string): number =>
  createHash('sha256').update(epoch).digest().readUInt32BE(0)

export const writeCursor = (feed: FeedName, { epoch, position, goneAtStart }: Cursor): string => {
  const bytes = Buffer.alloc(goneAtStart === undefined ? plainBytes : copyBytes)
  bytes.writeUInt32BE(epoch, 0)
  bytes.writeUIntBE(position, 4, 6)
  if (goneAtStart !== undefined) bytes.writeUIntBE(goneAtStart, 10, 6)
  bytes.writeUInt16BE(checksum(bytes), bytes.length - 2)
  return `${prefixes[feed]}${bytes.toString('base64url')}`
}

/** Undefined: it is not a cursor of this feed. */
export const readCursor = (feed: FeedName, text: string): Cursor | undefined => {
  const [, prefix, written] = /^([ce]1_)([\w-]{16}|[\w-]{24})$/.exec(text) ?? []
  if (written === undefined || prefix !== prefixes[feed]) return undefined
  const bytes = Buffer.from(written, 'base64url')
  if (bytes.readUInt16BE(bytes.length - 2) !== checksum(bytes)) return undefined
  return {
    epoch: bytes.readUInt32BE(0),
    position: bytes.readUIntBE(4, 6),
    ...(bytes.length === copyBytes && { goneAtStart: bytes.readUIntBE(10, 6) }),
  }
}

const plainBytes = 12
const copyBytes = 18

const checksum = (bytes: Buffer): number => crc32(bytes.subarray(0, -2)) & 0xff_ff
