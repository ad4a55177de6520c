import { endpoints } from '@venue-data/contract/endpoints.ts'
import { ok, route } from '../../../platform/http/serve.ts'
import { writeCursor } from '../cursor.ts'
import { latestPosition } from '../feed.ts'
import { type WaitingParts, waitForPage } from '../wait-for-page.ts'
import { eventsFeed, readEventsPage } from './read-page.ts'
import { eventsFor, readEventsQuery } from './read-query.ts'
import { eventTypes } from './types.ts'

export const eventRoutes = (parts: WaitingParts) => [
  route(endpoints.listEvents, {
    read: ({ query, caller, left }) => {
      const { waitSeconds, ...asked } = readEventsQuery(query, caller.key.scopes)
      return { asked, waited: { endpoint: endpoints.listEvents, waitSeconds, caller, left } }
    },
    answer: async ({ venue }, { asked, waited }) => {
      const { after, record, since, limit } = asked
      if (after === 'latest') {
        const { next } = await latestPosition(parts, eventsFeed, venue.id)
        return ok({ items: [], next: writeCursor('events', venue, next), more: false })
      }
      const { items, next, more } = await waitForPage(
        parts,
        { feed: 'events', venue: venue.id },
        waited,
        (scopes, from = after) =>
          readEventsPage(parts, venue, {
            ...{ names: eventsFor(asked, scopes), record, since, visits: scopes.includes('visits:read') },
            ...{ after: from, limit },
          }),
      )
      return ok({ items, next: writeCursor('events', venue, next), more })
    },
  }),

  route(endpoints.listEventTypes, {
    read: () => undefined,
    answer: async () => ok(eventTypes),
  }),
]
