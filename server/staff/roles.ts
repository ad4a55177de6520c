/** What people of a venue may be: the office opens more of itself to a manager than to a host, and all to an owner. */
export const staffRoles = ['owner', 'manager', 'host'] as const
export type StaffRole = (typeof staffRoles)[number]

/** A reviewer is one of the service's own people and belongs to no venue. */
export type AccountRole = StaffRole | 'reviewer'

const rank = { host: 1, manager: 2, owner: 3 } as const

/** Whether somebody of this role may do what needs at least the other one. */
export const mayAct = (role: AccountRole, needed: StaffRole): boolean =>
  role !== 'reviewer' && rank[role] >= rank[needed]
