import type { Plan } from '@venue-data/contract/account.ts'
import type { Context } from '../context.ts'
import type { Venue } from '../venue/venue.ts'
import { allVenues } from '../venue/venues.ts'
import { eveningOf, moveEntry } from './actions.ts'
import { isOverdue } from './expiry.ts'
import { partiesInLine, venuesWithPartiesInLine } from './reads.ts'

/**
 * Takes parties out of line whose offer nobody answered, whose time window has passed or whose service date is over.
 * Returns how many. Each is judged again with its row locked, so one that was paged again in the meantime stays, and
 * several processes may run this at once.
 */
export const expireWaitlist = async ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> => {
  const concerned = await venuesWithPartiesInLine(db)
  if (concerned.size === 0) return 0
  let expired = 0
  for (const venueRow of await allVenues(db)) {
    if (!concerned.has(venueRow.id)) continue
    const venue: Venue = { ...venueRow, plan: venueRow.plan as Plan }
    const work = { db: db.within(venue.id), venue, now: clock }
    const evening = await eveningOf(work, clock())
    const entries = await partiesInLine(work.db, venue.id)
    for (const { id } of entries.filter((entry) => isOverdue(entry, evening))) {
      const outcome = await db.transaction((queries) =>
        moveEntry({ ...work, db: queries.within(venue.id) }, { kind: 'service' }, { id, move: 'expire' }),
      )
      if (outcome.kind === 'done') expired++
    }
  }
  return expired
}
