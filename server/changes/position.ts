import type { Context } from '../context.ts'
import type { VenueId } from '../venue/venue.ts'
import { epochMark, writeCursor } from './cursor.ts'
import { headOf } from './reads.ts'

/**
 * Where the feed of a venue is, as a cursor, for lists: whoever reads a list and goes on from there misses nothing, and may
 * get some changes that the list showed already. Nothing is numbered for it. Undefined while the feed is not filled.
 */
export type PositionOf = (venue: VenueId) => Promise<string | undefined>

/** A look that is under way serves all who ask meanwhile: an earlier position is right as well. */
export const openPositions = ({ db }: Pick<Context, 'db'>): PositionOf => {
  const underWay = new Map<VenueId, Promise<string | undefined>>()
  const look = async (venue: VenueId): Promise<string | undefined> => {
    try {
      const head = await headOf(db.within(venue), venue)
      return head?.is_filled
        ? writeCursor('changes', { epoch: epochMark(head.epoch), position: head.head })
        : undefined
    } finally {
      underWay.delete(venue)
    }
  }
  return (venue) => {
    const looking = underWay.get(venue) ?? look(venue)
    underWay.set(venue, looking)
    return looking
  }
}
