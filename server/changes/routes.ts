import { endpoints } from '@venue-data/contract/endpoints.ts'
import { ok, route } from '../http/serve.ts'
import { writeCursor } from './cursor.ts'
import { latestPosition } from './read-page.ts'
import { kindsFor, readChangesQuery } from './read-query.ts'
import { type WaitingParts, waitForPage } from './wait-for-page.ts'

export const changeRoutes = (parts: WaitingParts) => [
  route(endpoints.listChanges, {
    read: ({ query, caller, left }) => ({
      endpoint: endpoints.listChanges,
      asked: readChangesQuery(query, caller.key.scopes),
      caller,
      left,
    }),
    answer: async ({ venue }, waited) => {
      const { after, named, limit, withData } = waited.asked
      if (after === 'latest') {
        return ok({ changes: [], next: writeCursor(await latestPosition(parts, venue.id)), more: false })
      }
      const kinds = kindsFor(named, waited.caller.key.scopes)
      const page = await waitForPage(parts, venue, waited, { after, kinds, limit, withData })
      return ok({ ...page, next: writeCursor(page.next) })
    },
  }),
]
