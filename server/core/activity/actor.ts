import type { StaffRole } from '../staff/roles.ts'

/**
 * Who does something: a staff member, a guest through a private link, an API key, or the service, by itself or
 * through a reviewer, whose account is stored but not shown to the venue.
 */
export type Actor =
  | { readonly kind: 'staff'; readonly id: number; readonly email: string; readonly role: StaffRole }
  | { readonly kind: 'guest' }
  | { readonly kind: 'key'; readonly id: number }
  | { readonly kind: 'service'; readonly id?: number }

/** An actor as the tables of moves name it: staff by role. */
export type Doer = StaffRole | 'guest' | 'key' | 'service'

export const doerOf = (actor: Actor): Doer => (actor.kind === 'staff' ? actor.role : actor.kind)
