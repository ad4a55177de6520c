import { endpoints } from '@venue-data/contract/endpoints.ts'
import { ok, route } from '../http/serve.ts'
import { writeCursor } from './cursor.ts'
import { latestPosition } from './feed.ts'
import { changesFeed, readPage } from './read-page.ts'
import { kindsFor, readChangesQuery } from './read-query.ts'
import { type WaitingParts, waitForPage } from './wait-for-page.ts'

export const changeRoutes = (parts: WaitingParts) => [
  route(endpoints.listChanges, {
    read: ({ query, caller, left }) => {
      const { waitSeconds, ...asked } = readChangesQuery(query, caller.key.scopes)
      return { asked, waited: { endpoint: endpoints.listChanges, waitSeconds, caller, left } }
    },
    answer: async ({ venue }, { asked: { after, named, limit, withData }, waited }) => {
      if (after === 'latest') {
        const next = await latestPosition(parts, changesFeed, venue.id)
        return ok({ changes: [], next: writeCursor('changes', next), more: false })
      }
      const { items, next, more } = await waitForPage(
        parts,
        { feed: 'changes', venue: venue.id },
        waited,
        (scopes, from = after) =>
          readPage(parts, venue, { after: from, kinds: kindsFor(named, scopes), limit, withData }),
      )
      return ok({ changes: items, next: writeCursor('changes', next), more })
    },
  }),
]
