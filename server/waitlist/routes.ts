import { endpoints } from '@venue-data/contract/endpoints.ts'
import { readListWindow } from '../http/list-window.ts'
import { ok, route } from '../http/serve.ts'
import { presentWaitlistEntry } from './present.ts'
import { newestWaitlistEntries } from './reads.ts'

export const waitlistRoutes = [
  route(endpoints.listWaitlist, {
    read: ({ query }) => readListWindow(query),
    answer: async ({ db, venue }, window) =>
      ok((await newestWaitlistEntries(db, venue.id, window)).map(presentWaitlistEntry)),
  }),
]
