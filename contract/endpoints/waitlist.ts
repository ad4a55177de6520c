import { byCreation, type Endpoint, list, single } from '../endpoint.ts'
import { WaitlistEntry, waitlistStatuses } from '../waitlist-entry.ts'

export const waitlistEndpoints = {
  listWaitlist: list(
    'listWaitlist',
    '/api/v1/waitlist',
    'Waitlist',
    WaitlistEntry,
    {
      summary: 'List waitlist entries',
      description: 'The newest parties that joined the waitlist, in every status.',
    },
    {
      filters: {
        status: { closed: waitlistStatuses },
        dateFrom: true,
        dateTo: true,
        email: true,
        phone: true,
      },
      sorts: byCreation,
    },
  ),

  getWaitlistEntry: single('getWaitlistEntry', 'waitlist_entry', 'Waitlist', 'waitlist entry'),
} as const satisfies Record<string, Endpoint>
