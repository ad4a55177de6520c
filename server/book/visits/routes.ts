import { endpoints } from '@venue-data/contract/endpoints.ts'
import { refuseUngathered } from '../../core/events/change-head.ts'
import { listRoute } from '../../platform/http/lists/list-route.ts'
import { recordRoute } from '../../platform/http/records/single-record.ts'
import { ok, route } from '../../platform/http/serve.ts'
import { listedVisits } from './list.ts'
import { visitById } from './reads.ts'
import { readRooms } from './rooms.ts'
import { presentVisit } from './visit.ts'

export const visitRoutes = [
  listRoute(endpoints.listVisits, {
    source: async (db, venue, asked) => {
      await refuseUngathered(db, venue)
      return listedVisits(db, venue, asked)
    },
    present: presentVisit,
  }),
  recordRoute(endpoints.getVisit, {
    byId: async (db, venue, id) => {
      await refuseUngathered(db, venue)
      return visitById(db, venue, id)
    },
    present: presentVisit,
  }),
  route(endpoints.listRooms, {
    read: () => undefined,
    answer: async (work) => ok(await readRooms(work)),
  }),
]
