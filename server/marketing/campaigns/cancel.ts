import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '../../core/activity/actor.ts'
import type { Context } from '../../context.ts'
import { Refusal, notFound } from '../../platform/kernel/refusal.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { recordEvent } from '../../core/events/record.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { recordCampaign } from './activity.ts'
import { presentCampaign } from './present.ts'
import { type CampaignRow, campaign, campaignForUpdate, isOnTheWire, pendingOf } from './reads.ts'
import { campaignClosed } from './rules.ts'
import { campaignMoves } from './states.ts'
import { writeCancelled } from './writes.ts'

/** How long a cancel waits for copies that are on the wire, and how often it looks, in milliseconds. */
const wireWaitMs = 2_000
const wireLookMs = 50

/** More than these take longer to skip than an ordinary statement may. */
const quickCopies = 20_000

/**
 * Stops a scheduled or sending campaign: copies not yet handed over are skipped, in one statement. Those on the wire
 * at this moment get a short wait, and count as pending if they do not finish. Refuses an unknown campaign, a draft,
 * and one that is closed.
 */
export const cancelCampaign = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  venue: Venue,
  actor: Actor,
  id: number,
  waitMs = wireWaitMs,
): Promise<CampaignRow> => {
  const found = stoppable(await campaign(db, venue.id, id))
  const stop = async (connection: Queries): Promise<void> => {
    const queries = connection.within(venue.id)
    const before = stoppable(await campaignForUpdate(queries, venue.id, id))
    const now = clock()
    const after = await writeCancelled(queries, venue.id, id, now)
    const work = { db: queries, venue, now: clock }
    await recordEvent(work, campaignMoves.cancel.names, presentCampaign(venue, after), now, {
      before: presentCampaign(venue, before),
    })
    await recordCampaign(work, actor, 'cancel', before, after, now)
  }
  await (pendingOf(found) > quickCopies ? db.longTransaction(venue.id, stop) : db.transaction(stop))
  const until = performance.now() + waitMs
  while (performance.now() < until && (await isOnTheWire(db, venue.id, id))) await pause(wireLookMs)
  return (await campaign(db, venue.id, id)) as CampaignRow
}

const stoppable = (row: CampaignRow | undefined): CampaignRow => {
  if (!row) throw notFound('campaign')
  if (row.status === 'draft') {
    throw new Refusal(409, 'This campaign is a draft: nothing is scheduled, so there is nothing to stop.')
  }
  if (row.status === 'sent' || row.status === 'cancelled') throw campaignClosed(row)
  return row
}
