/*
 * The roles. What each may do is said where it is done: which places of the office it sees in `doors/office/frame/places.ts`,
 * each page in its own `role:`, each move of a record in the `who:` of its `states.ts`.
 */

/** The roles that have the office, each with the rights of those before it. */
export const officeRoles = ['host', 'manager', 'owner'] as const

/** The roles of a venue's accounts. A server has one page, of the parties they serve, and nothing else of the office. */
export const staffRoles = ['server', ...officeRoles] as const
export type StaffRole = (typeof staffRoles)[number]

/** A reviewer is one of the service's own people and belongs to no venue. */
export type AccountRole = StaffRole | 'reviewer'

/** Whether somebody with this role may do what needs at least the other. */
export const mayAct = (role: AccountRole, needed: StaffRole): boolean =>
  role !== 'reviewer' && staffRoles.indexOf(role) >= staffRoles.indexOf(needed)
