import { endpoints } from '@venue-data/contract/endpoints.ts'
import { ok, route } from '../http/serve.ts'
import { writeCursor } from './cursor.ts'
import { kindsFor, readChangesQuery } from './read-query.ts'
import { type FeedParts, latestPosition, readPage } from './read-page.ts'

export const changeRoutes = (parts: FeedParts) => [
  route(endpoints.listChanges, {
    read: ({ query, caller }) => ({ asked: readChangesQuery(query, caller.key.scopes), caller }),
    answer: async ({ venue }, { asked, caller }) => {
      const { after, named } = asked
      if (after === 'latest') {
        return ok({ changes: [], next: writeCursor(await latestPosition(parts, venue.id)), more: false })
      }
      const kinds = kindsFor(named, caller.key.scopes)
      const { next, ...page } = await readPage(parts, venue, { ...asked, after, kinds })
      return ok({ ...page, next: writeCursor(next) })
    },
  }),
]
