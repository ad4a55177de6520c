import type { Context } from '../../context.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'
import { epochMark, writeCursor } from './cursor.ts'
import { headOf } from './reads.ts'

/**
 * The current position of a venue's feed, as a cursor, for lists: a client that reads a list and continues from there
 * misses nothing, and may get some changes that the list already showed. This numbers nothing. Undefined while the feed
 * is not filled.
 */
export type PositionOf = (venue: Pick<Venue, 'id' | 'slug'>) => Promise<string | undefined>

/** Concurrent requests share one read: an earlier position is also correct. */
export const openPositions = ({ db }: Pick<Context, 'db'>): PositionOf => {
  const underWay = new Map<VenueId, Promise<string | undefined>>()
  const look = async (venue: Parameters<PositionOf>[0]): Promise<string | undefined> => {
    try {
      const head = await headOf(db.within(venue.id), venue.id)
      return head?.is_filled
        ? writeCursor('changes', venue, { epoch: epochMark(head.epoch), position: head.head })
        : undefined
    } finally {
      underWay.delete(venue.id)
    }
  }
  return (venue) => {
    const looking = underWay.get(venue.id) ?? look(venue)
    underWay.set(venue.id, looking)
    return looking
  }
}
