import type { Config } from '../../../config.ts'
import type { Database } from '../../../platform/db/pool.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { venueOfId } from '../../../core/venue/venues.ts'
import { isSenderConfirmed } from '../checklist/sender-facts.ts'
import type { Wait } from '../reasons-to-wait.ts'
import { holdCampaign } from './holds.ts'
import { sendingLimits } from './limits.ts'

/**
 * Holds a campaign whose venue took another sender since the send was confirmed, and nobody confirmed that one: else the
 * checklist would only have to be passed with one's own address. True when it was held.
 */
export const holdForSender = async (
  db: Database,
  config: Pick<Config, 'smtpUrl' | 'practice' | 'mailFrom'>,
  venue: VenueId,
  campaign: number,
  now: Temporal.Instant,
): Promise<boolean> => {
  const owner = await venueOfId(db, venue)
  if (!owner || (await isSenderConfirmed(db, config, owner, now))) return false
  const until = now.add({ seconds: sendingLimits.senderHoldSeconds })
  await holdCampaign(db, venue, campaign, until, 'sender-unconfirmed' satisfies Wait, now)
  return true
}
