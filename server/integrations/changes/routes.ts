import { endpoints } from '@venue-data/contract/endpoints.ts'
import { ok, route } from '../../platform/http/serve.ts'
import { writeCursor } from './cursor.ts'
import { digestOf } from './digest.ts'
import { latestPosition } from './feed.ts'
import { changesFeed, kindsKnown, readPage } from './read-page.ts'
import { kindsFor, readChangesQuery, readDigestQuery } from './read-query.ts'
import { type WaitingParts, waitForPage } from './wait-for-page.ts'

export const changeRoutes = (parts: WaitingParts) => [
  route(endpoints.listChanges, {
    read: ({ query, caller, left }) => {
      const { waitSeconds, ...asked } = readChangesQuery(query, caller.key.scopes)
      return { asked, waited: { endpoint: endpoints.listChanges, waitSeconds, caller, left } }
    },
    answer: async ({ venue }, { asked: { after, named, limit, withData }, waited }) => {
      if (after === 'latest') {
        const { next, head } = await latestPosition(parts, changesFeed, venue.id)
        const readable = kindsFor(named, waited.caller.key.scopes)
        const kinds = [...kindsKnown({ kinds: readable, areNamed: named !== undefined }, head)]
        return ok({ changes: [], next: writeCursor('changes', venue, next), more: false, kinds })
      }
      const { items, next, more, kinds } = await waitForPage(
        parts,
        { feed: 'changes', venue: venue.id },
        waited,
        (scopes, from = after) => {
          const readable = { kinds: kindsFor(named, scopes), areNamed: named !== undefined }
          return readPage(parts, venue, { after: from, ...readable, limit, withData })
        },
      )
      return ok({ changes: items, next: writeCursor('changes', venue, next), more, kinds: [...kinds] })
    },
  }),
  route(endpoints.digestChanges, {
    read: ({ query, caller }) => readDigestQuery(query, caller.key.scopes),
    answer: async ({ venue }, asked) => ok(await digestOf(parts, venue, asked)),
  }),
]
