import type { StaffRole } from '../../../core/staff/roles.ts'

export type Place = { readonly to: string; readonly name: string; readonly icon: string }

/** The places of the office, in the order of the rail, and which roles see them. */
export const places: readonly (Place & {
  readonly role: StaffRole
  /** Only where tables decide. */
  readonly ofTables?: true
})[] = [
  { to: '/office/service', name: 'Service', icon: 'layout-list', role: 'host' },
  { to: '/office/floor', name: 'Floor', icon: 'armchair', role: 'host', ofTables: true },
  { to: '/office/grid', name: 'Grid', icon: 'chart-gantt', role: 'host', ofTables: true },
  { to: '/office/today', name: 'Book', icon: 'book-open', role: 'host' },
  { to: '/office/waitlist', name: 'Waitlist', icon: 'hourglass', role: 'host' },
  { to: '/office/guests', name: 'Guests', icon: 'users', role: 'host' },
  { to: '/office/leads', name: 'Leads', icon: 'handshake', role: 'manager' },
  { to: '/office/tasks', name: 'Tasks', icon: 'list-checks', role: 'host' },
  { to: '/office/tickets', name: 'Tickets', icon: 'ticket', role: 'host' },
  { to: '/office/payments', name: 'Payments', icon: 'credit-card', role: 'manager' },
  { to: '/office/subscribers', name: 'Subscribers', icon: 'at-sign', role: 'manager' },
  { to: '/office/campaigns', name: 'Campaigns', icon: 'megaphone', role: 'manager' },
  { to: '/office/reports', name: 'Reports', icon: 'chart-column', role: 'manager' },
  { to: '/office/settings', name: 'Settings', icon: 'settings', role: 'manager' },
  { to: '/office/integrations', name: 'Integrations', icon: 'plug', role: 'owner' },
  { to: '/office/data', name: 'Your data', icon: 'database', role: 'owner' },
  { to: '/office/people', name: 'People', icon: 'contact', role: 'owner' },
  { to: '/office/activity', name: 'Activity', icon: 'history', role: 'manager' },
]

/** Where the service's own reviewers work. */
export const reviewerPlaces: readonly Place[] = [
  { to: '/operator/requests', name: 'Requests', icon: 'inbox' },
  { to: '/operator/venues', name: 'Venues', icon: 'contact' },
]
