import type { Work } from '../context.ts'
import type { TestService, TestVenue } from './service.ts'

/** Runs one unit of work of a venue in a transaction of its own, as a door does. */
export const actAt = <T>(
  { context: { db, clock } }: Pick<TestService, 'context'>,
  venue: TestVenue,
  work: (work: Work) => Promise<T>,
): Promise<T> =>
  db.transaction((queries) =>
    work({ db: queries.within(venue.id), venue: { ...venue, plan: 'pro' }, now: clock }),
  )
