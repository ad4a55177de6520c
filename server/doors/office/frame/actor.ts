import type { Actor } from '../../../core/activity/actor.ts'
import type { StaffRole } from '../../../core/staff/roles.ts'
import type { SignedIn } from '../../../core/staff/sessions.ts'

/** The acting staff member, for the activity log. Venue pages only let a venue's staff through. */
export const actorOf = ({ staff }: SignedIn): Actor & { kind: 'staff' } => ({
  kind: 'staff',
  id: staff.id,
  email: staff.email,
  role: staff.role as StaffRole,
})
