import type { StaffRole } from '../../staff/roles.ts'

/** The places of the office, in the order of the rail, and which roles see them. */
export const places: readonly { readonly to: string; readonly name: string; readonly role: StaffRole }[] = [
  { to: '/office/today', name: 'Today', role: 'host' },
  { to: '/office/waitlist', name: 'Waitlist', role: 'host' },
  { to: '/office/guests', name: 'Guests', role: 'host' },
  { to: '/office/leads', name: 'Leads', role: 'manager' },
  { to: '/office/tasks', name: 'Tasks', role: 'host' },
  { to: '/office/tickets', name: 'Tickets', role: 'host' },
  { to: '/office/subscribers', name: 'Subscribers', role: 'manager' },
  { to: '/office/campaigns', name: 'Campaigns', role: 'manager' },
  { to: '/office/settings', name: 'Settings', role: 'manager' },
  { to: '/office/integrations', name: 'Integrations', role: 'owner' },
  { to: '/office/data', name: 'Your data', role: 'owner' },
  { to: '/office/people', name: 'People', role: 'owner' },
  { to: '/office/activity', name: 'Activity', role: 'manager' },
]

/** Where the service's own reviewers work. */
export const reviewerPlaces = [
  { to: '/operator/requests', name: 'Requests' },
  { to: '/operator/venues', name: 'Venues' },
] as const
