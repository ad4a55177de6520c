import type { Actor } from '../../activity/actor.ts'
import type { StaffRole } from '../../staff/roles.ts'
import type { SignedIn } from '../../staff/sessions.ts'

/** Who is at work, for the activity trail. Venue pages only let staff of a venue through. */
export const actorOf = ({ staff }: SignedIn): Actor & { kind: 'staff' } => ({
  kind: 'staff',
  id: staff.id,
  email: staff.email,
  role: staff.role as StaffRole,
})
