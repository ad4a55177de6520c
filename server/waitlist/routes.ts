import { endpoints } from '@venue-data/contract/endpoints.ts'
import { listRoute } from '../http/list-route.ts'
import { recordRoute } from '../http/single-record.ts'
import { listedWaitlistEntries } from './list.ts'
import { presentWaitlistEntry } from './present.ts'
import { waitlistEntry } from './reads.ts'

export const waitlistRoutes = [
  listRoute(endpoints.listWaitlist, { source: listedWaitlistEntries, present: presentWaitlistEntry }),

  recordRoute(endpoints.getWaitlistEntry, { byId: waitlistEntry, present: presentWaitlistEntry }),
]
