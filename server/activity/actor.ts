/** The three roles of staff, each with the rights of those before it. */
export const staffRoles = ['host', 'manager', 'owner'] as const
export type StaffRole = (typeof staffRoles)[number]

/**
 * Who does something: a member of staff, a guest by a private link, an API key, or the service, by itself or by one of
 * its own people: their account is kept and not shown to the venue.
 */
export type Actor =
  | { readonly kind: 'staff'; readonly id: number; readonly email: string; readonly role: StaffRole }
  | { readonly kind: 'guest' }
  | { readonly kind: 'key'; readonly id: number }
  | { readonly kind: 'service'; readonly id?: number }

/** An actor as the tables of moves name it: staff by their role. */
export type Doer = StaffRole | 'guest' | 'key' | 'service'

export const doerOf = (actor: Actor): Doer => (actor.kind === 'staff' ? actor.role : actor.kind)
