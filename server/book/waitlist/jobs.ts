import type { Context } from '../../context.ts'
import { forEachVenue } from '../../core/venue/each-venue.ts'
import { eveningOf, moveEntry } from './actions.ts'
import { isOverdue } from './expiry.ts'
import { partiesInLine, venuesWithLapsedOffers, venuesWithPartiesInLine } from './reads.ts'

type Job = Pick<Context, 'db' | 'clock' | 'log'>

/**
 * Expires parties whose offer nobody answered, whose time window has passed or whose service date is over. Returns
 * how many. Each is checked again with its row locked, so one that was paged again in the meantime stays, and several
 * processes may run this at once.
 */
export const expireWaitlist = async (job: Job): Promise<number> =>
  expireAt(job, await venuesWithPartiesInLine(job.db))

/**
 * The same, soon after an offer has ended: what it held is offered to the next party. Only looks at venues where one has, so
 * it may run often.
 */
export const expireOffers = async (job: Job): Promise<number> =>
  expireAt(job, await venuesWithLapsedOffers(job.db, job.clock()))

const expireAt = async ({ db, clock, log }: Job, venues: ReadonlySet<number>): Promise<number> => {
  let expired = 0
  await forEachVenue({ db, log }, venues, async (venue) => {
    const work = { db: db.within(venue.id), venue, now: clock }
    const evening = await eveningOf(work, clock())
    const entries = await partiesInLine(work.db, venue.id)
    for (const { id } of entries.filter((entry) => isOverdue(entry, evening))) {
      const outcome = await db.transaction((queries) =>
        moveEntry({ ...work, db: queries.within(venue.id) }, { kind: 'service' }, { id, move: 'expire' }),
      )
      if (outcome.kind === 'done') expired++
    }
  })
  return expired
}
