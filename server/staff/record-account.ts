import type { Actor } from '../activity/actor.ts'
import { type Columns, recordActivity } from '../activity/record.ts'
import type { Queries } from '../db/pool.ts'
import type { Venue, VenueId } from '../venue/venue.ts'

/** Somebody's account, as the trail of a venue tells of it. A reviewer has no venue. */
export type Accounted = { readonly id: number; readonly venue: VenueId | null; readonly email: string }

/** What happens to accounts, in the order in which the trail says them. */
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

/** Keeps who did what to an account, in its venue's private trail; nothing of a password or a code. */
export const recordAccount = async (
  db: Queries,
  { id, venue, email }: Accounted,
  actor: Actor,
  action: AccountAction,
  now: Temporal.Instant,
  { before = {}, after = {} }: { readonly before?: Columns; readonly after?: Columns } = {},
): Promise<void> => {
  // The service's own people belong to no venue, and no venue reads of them.
  if (venue === null) return
  // Of a venue only its id is asked for.
  const work = { db: db.within(venue), venue: { id: venue } as Venue, now: () => now }
  await recordActivity(
    work,
    actor,
    { action, record: { kind: 'staff', id }, before, after, more: { email } },
    now,
  )
}
