import { createHash } from 'node:crypto'
import type { Actor } from '../activity/actor.ts'
import { recordActivity } from '../activity/record.ts'
import type { Work } from '../../context.ts'
import { changedMeanwhile } from '../../platform/kernel/running/seen-version.ts'
import { changeVenue } from './actions.ts'
import { type VenueChanges, type VenueRow, venueForUpdate } from './venues.ts'

/*
 * What the owner says about the venue in the office. The row has no version, so a form carries the fingerprint of
 * what it showed: of two people who change it at once the first wins and the other gets a message.
 */

export type Profile = Pick<
  VenueChanges,
  'phone' | 'mailFrom' | 'postalAddress' | 'testAddresses' | 'rooms' | 'clockHours'
>

/** Identifies exactly this profile. */
export const profileVersion = (row: VenueRow): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        row.phone,
        row.mail_from,
        row.postal_address,
        row.test_addresses,
        row.rooms,
        row.clock_hours,
      ]),
    )
    .digest('base64url')
    .slice(0, 16)

/** Saves what is given. Refuses fields that cannot be kept, and a form that showed an older profile. */
export const saveProfile = async (
  work: Work,
  actor: Actor,
  { seen, profile }: { readonly seen: string; readonly profile: Profile },
): Promise<VenueRow> => {
  const before = await venueForUpdate(work.db, work.venue.id)
  if (profileVersion(before) !== seen) throw changedMeanwhile('page')
  const after = await changeVenue(work.db, before.slug, profile)
  await recordActivity(
    work,
    actor,
    { action: 'change the venue', record: { kind: 'venue', id: work.venue.id }, before, after },
    work.now(),
  )
  return after
}
