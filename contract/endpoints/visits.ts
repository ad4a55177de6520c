import { kinds } from '../kinds.ts'
import { reservationStatuses } from '../records/reservation.ts'
import { Room, Visit } from '../records/visit.ts'
import { listOf } from '../shapes.ts'
import { type Endpoint, list, single } from '../webhooks/endpoint.ts'

const since = '2026-11-29'

export const visitEndpoints = {
  listVisits: list(
    'listVisits',
    kinds.visit.path,
    'Visits',
    Visit,
    {
      summary: 'List visits',
      description: 'One for each reservation, in every status: walk-ins and parties from the waitlist too.',
      since,
    },
    {
      filters: {
        status: { closed: reservationStatuses },
        dateFrom: true,
        dateTo: true,
        guest: true,
        table: true,
      },
      sorts: ['-createdAt', 'createdAt', 'date', '-date', 'changed'],
    },
  ),

  getVisit: { ...single('getVisit', 'visit', 'Visits', 'visit'), since },

  listRooms: {
    id: 'listRooms',
    method: 'GET',
    path: '/api/v1/rooms',
    group: 'Visits',
    since,
    summary: 'List rooms and tables',
    description: 'What the `tableIds` of visits are called.',
    access: 'any-key',
    scope: 'visits:read',
    replies: { 200: listOf(Room, "In the venue's order.") },
  },
} as const satisfies Record<string, Endpoint>
