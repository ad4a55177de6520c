import type { Actor } from '../activity/actor.ts'
import { type Columns, recordActivity } from '../activity/record.ts'
import type { Queries } from '../../platform/db/pool.ts'
import type { Venue, VenueId } from '../venue/venue.ts'

/** Somebody's account, as a venue's trail shows it. A reviewer has no venue. */
export type Accounted = { readonly id: number; readonly venue: VenueId | null; readonly email: string }

/** What happens to accounts, in the order in which the trail lists it. */
export type AccountAction =
  | 'changePassword'
  | 'makePasswordLink'
  | 'choosePassword'
  | 'switchCodesOn'
  | 'switchCodesOff'
  | 'resetCodes'
  | 'changeRole'
  | 'shutAccount'
  | 'openAccount'
  | 'acceptInvitation'
  | 'changeName'

/** Records who did what to an account, in its venue's private trail; never a password or a code. */
export const recordAccount = async (
  db: Queries,
  { id, venue, email }: Accounted,
  actor: Actor,
  action: AccountAction,
  now: Temporal.Instant,
  { before = {}, after = {} }: { readonly before?: Columns; readonly after?: Columns } = {},
): Promise<void> => {
  // Reviewers belong to no venue, and no venue sees them.
  if (venue === null) return
  // Only the venue's id is needed.
  const work = { db: db.within(venue), venue: { id: venue } as Venue, now: () => now }
  await recordActivity(
    work,
    actor,
    { action, record: { kind: 'staff', id }, before, after, more: { email } },
    now,
  )
}
