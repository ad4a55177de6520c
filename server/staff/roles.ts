/** The roles of a venue's staff: a manager sees more of the office than a host, and an owner sees all of it. */
export const staffRoles = ['owner', 'manager', 'host'] as const
export type StaffRole = (typeof staffRoles)[number]

/** A reviewer is one of the service's own people and belongs to no venue. */
export type AccountRole = StaffRole | 'reviewer'

const rank = { host: 1, manager: 2, owner: 3 } as const

/** Whether somebody with this role may do what needs at least the other. */
export const mayAct = (role: AccountRole, needed: StaffRole): boolean =>
  role !== 'reviewer' && rank[role] >= rank[needed]
