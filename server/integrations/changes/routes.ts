import { endpoints } from '@venue-data/contract/endpoints.ts'
import type { RecordKind } from '@venue-data/contract/kinds.ts'
import { ok, route } from '../../platform/http/serve.ts'
import { writeCursor } from './cursor.ts'
import { digestOf } from './digest.ts'
import { latestPosition } from './feed.ts'
import { changesFeed, readPage } from './read-page.ts'
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
        const next = await latestPosition(parts, changesFeed, venue.id)
        const kinds = [...kindsFor(named, waited.caller.key.scopes)]
        return ok({ changes: [], next: writeCursor('changes', next), more: false, kinds })
      }
      // Those of the page that is returned: the key is looked at again after a wait.
      let kinds: RecordKind[] = []
      const { items, next, more } = await waitForPage(
        parts,
        { feed: 'changes', venue: venue.id },
        waited,
        (scopes, from = after) => {
          kinds = [...kindsFor(named, scopes)]
          return readPage(parts, venue, { after: from, kinds, limit, withData })
        },
      )
      return ok({ changes: items, next: writeCursor('changes', next), more, kinds })
    },
  }),
  route(endpoints.digestChanges, {
    read: ({ query, caller }) => readDigestQuery(query, caller.key.scopes),
    answer: async ({ venue }, asked) => ok(await digestOf(parts, venue.id, asked)),
  }),
]
